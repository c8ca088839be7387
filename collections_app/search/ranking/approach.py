"""Chooses how sections are ranked: by words, by meaning or by both, depending on what the server offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from collections_app.clients.embeddings import NoEmbedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Collection
from collections_app.search.query import Query
from collections_app.search.query.contractions import leave_out_contractions
from collections_app.search.ranking.fusion import NEAR, choose_near, choose_weight
from collections_app.search.ranking.semantic import Meaning, explain_no_meaning, get_meaning
from collections_app.search.search_options import Mode
from collections_app.search.stages import timing

BY_ITS_WORDS = "Code is found by its words: these are keyword results."
INSTEAD = "These are keyword results."


@dataclass(frozen=True, slots=True)
class Approach:
    """How sections are ranked for a question.

    If the mode is not the one asked for, `notice` says why, and `is_makeshift` says that this is temporary. `may_rerank`: whether the first
    sections may be reranked if the server has a model for that (reranking.py).
    """

    mode: Mode
    meaning: Meaning | None = None
    may_rerank: bool = False
    notice: str = ""
    is_makeshift: bool = False

    @property
    def weight(self) -> float:
        """The weight of meaning, beside that of words."""
        return choose_weight(knows_words=self.meaning is None or self.meaning.knows_words)

    @property
    def near(self) -> float:
        """The cosine from which on a section without any of the question's words counts."""
        return NEAR if self.meaning is None else choose_near(self.meaning.unrelated)

    def in_mode(self, mode: Mode) -> Approach:
        """The same approach in another mode; the caller sees to it that it has what the mode needs. Keyword results are never reranked."""
        return replace(self, mode=mode, may_rerank=self.may_rerank and mode is not Mode.KEYWORD)


@timing("question")
def choose_approach(mode: Mode, query: Query, collections: Sequence[Collection]) -> Approach:
    """The mode asked for, or KEYWORD if embeddings are not set up or fail.

    Code is always ranked by words (except in semantic mode) and never reranked: language models know little about it. This calls the
    embedder, so it must not run within a transaction.
    """
    if mode is Mode.KEYWORD or not collections:
        return Approach(Mode.KEYWORD)
    if query.is_code and mode is not Mode.SEMANTIC:
        return Approach(Mode.KEYWORD, notice=BY_ITS_WORDS if mode is Mode.HYBRID else "")
    try:
        meaning = get_meaning(leave_out_contractions(query.text), collections)
        reason = "" if meaning or mode is Mode.AUTO else explain_no_meaning()
    except NoEmbedder as error:
        meaning, reason = None, error.message
    except UpstreamUnavailable as error:
        notice = f"{error.message} {INSTEAD}"
        return Approach(Mode.KEYWORD, may_rerank=not query.is_code, notice=notice, is_makeshift=True)
    if meaning is None:
        notice = "" if mode is Mode.AUTO else f"No {mode} search: {reason} {INSTEAD}"
        return Approach(Mode.KEYWORD, may_rerank=not query.is_code, notice=notice)
    return Approach(Mode.HYBRID if mode is Mode.AUTO else mode, meaning, may_rerank=not query.is_code)
