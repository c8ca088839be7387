"""Words that are side by side in the question: a section that has them side by side too gets a bonus. PURE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from collections_app.search.terms.term import Term

PROXIMITY = 0.7
# Pasted code is recognised by the order of its words: many sections have the words.
PROXIMITY_IN_CODE = 3.0
# Each pair is checked in every candidate, so only those that are worth most are.
MAX_PAIRS = 16


class Neighbours(NamedTuple):
    """Two words of the question with at most one between them, in their order, and the bonus for a section that has them so."""

    first: Term
    second: Term
    bonus: float

    @property
    def tsquery(self) -> str:
        first, second = self.first.tsquery, self.second.tsquery
        return f"({first} <-> {second}) | ({first} <2> {second})"


def find_neighbours(terms: Sequence[Term], *, in_code: bool = False) -> list[Neighbours]:
    """Each pair of the question once, and worth more the oftener it stands there; at most MAX_PAIRS, those worth most first."""
    worth = PROXIMITY_IN_CODE if in_code else PROXIMITY
    words = sorted(((place, term) for term in terms for place in term.positions), key=itemgetter(0))
    found = Counter((a, b) for (start, a), (end, b) in pairwise(words) if end - start <= 2 and a is not b)
    pairs = [Neighbours(a, b, times * worth * min(a.idf, b.idf)) for (a, b), times in found.items()]
    return sorted(pairs, key=attrgetter("bonus"), reverse=True)[:MAX_PAIRS]
