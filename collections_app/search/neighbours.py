"""Words that stand side by side in the question: a section that has them so is rather what is asked for. PURE."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from collections_app.search.terms import Term

PROXIMITY = 0.35


class Neighbours(NamedTuple):
    """Two words of the question with at most one between them, in their order."""

    first: Term
    second: Term

    @property
    def tsquery(self) -> str:
        """Finds sections that have them so."""
        first, second = self.first.tsquery, self.second.tsquery
        return f"({first} <-> {second}) | ({first} <2> {second})"

    @property
    def bonus(self) -> float:
        """What that is worth."""
        return PROXIMITY * min(self.first.idf, self.second.idf)


def find_neighbours(terms: Sequence[Term]) -> list[Neighbours]:
    """Those of the question, in its order; a pair as often as it stands there."""
    words = sorted(((place, term) for term in terms for place in term.positions), key=itemgetter(0))
    return [Neighbours(a, b) for (start, a), (end, b) in pairwise(words) if end - start <= 2 and a is not b]
