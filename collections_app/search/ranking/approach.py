"""How a question's sections are ranked: by words, by meaning or by both, as far as the server can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collections_app.clients.embeddings import NoEmbedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Collection
from collections_app.search.query import Query
from collections_app.search.query.contractions import leave_out_contractions
from collections_app.search.ranking.fusion import choose_weight
from collections_app.search.ranking.semantic import Meaning, explain_no_meaning, get_meaning
from collections_app.search.results import Mode
from collections_app.search.stages import timing

BY_ITS_WORDS = "Code is found by its words: these are keyword results."
INSTEAD = "These are keyword results."


@dataclass(frozen=True, slots=True)
class Approach:
    """What is done, which may be less than what was asked for: `notice` says why; `is_makeshift`: only for now."""

    mode: Mode
    meaning: Meaning | None = None
    notice: str = ""
    is_makeshift: bool = False

    @property
    def weight(self) -> float:
        """Of meaning beside words."""
        return choose_weight(knows_words=self.meaning is None or self.meaning.knows_words)


@timing("question")
def choose_approach(mode: Mode, query: Query, collections: Sequence[Collection]) -> Approach:
    """By keyword where nothing else is set up or works, and for code, of which a model of language knows little. Asks the embedder, so
    not within a transaction."""
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
        return Approach(Mode.KEYWORD, notice=f"{error.message} {INSTEAD}", is_makeshift=True)
    if meaning is None:
        return Approach(Mode.KEYWORD, notice="" if mode is Mode.AUTO else f"No {mode} search: {reason} {INSTEAD}")
    return Approach(Mode.HYBRID if mode is Mode.AUTO else mode, meaning)
