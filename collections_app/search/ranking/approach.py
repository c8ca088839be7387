"""How a question's sections are ranked: by words, by meaning or by both, as far as the server can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from collections_app.clients.embeddings import NoEmbedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Collection
from collections_app.search.query import Query
from collections_app.search.query.contractions import leave_out_contractions
from collections_app.search.ranking.fusion import choose_weight
from collections_app.search.ranking.semantic import Meaning, explain_no_meaning, get_meaning
from collections_app.search.search_options import Mode
from collections_app.search.stages import timing

BY_ITS_WORDS = "Code is found by its words: these are keyword results."
INSTEAD = "These are keyword results."


@dataclass(frozen=True, slots=True)
class Approach:
    """What is done, which may be less than what was asked for: `notice` says why; `is_makeshift`: only for now. `may_rerank`: whether
    the first sections may be read again, where the server has a model for that (reranking.py)."""

    mode: Mode
    meaning: Meaning | None = None
    may_rerank: bool = False
    notice: str = ""
    is_makeshift: bool = False

    @property
    def weight(self) -> float:
        """Of meaning beside words."""
        return choose_weight(knows_words=self.meaning is None or self.meaning.knows_words)

    def in_mode(self, mode: Mode) -> Approach:
        """As far as this one has what it takes. By keyword is by words alone."""
        return replace(self, mode=mode, may_rerank=self.may_rerank and mode is not Mode.KEYWORD)


@timing("question")
def choose_approach(mode: Mode, query: Query, collections: Sequence[Collection]) -> Approach:
    """By keyword where nothing else is set up or works, and for code, of which a model of language knows little; code is not reranked
    either. Asks the embedder, so not within a transaction."""
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
