"""The terms of a question once it is looked up: lexemes with their alternatives and how rare they are. PURE."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from collections_app.search.tsquery import quote
from collections_app.text.analysis.lexemes import find_entry_word


@dataclass(frozen=True, slots=True)
class Alternative:
    """What else counts as a word of the question: lexemes in sequence, each at a given distance, in words, from the one before.

    `sections`, `pages`: how many have it at most; for several lexemes, how many have the rarest of them.
    """

    lexemes: tuple[str, ...]
    distances: tuple[int, ...]
    sections: int
    pages: int

    def make_tsquery(self, label: str = "") -> str:
        first, *others = (f"{quote(lexeme)}{label}" for lexeme in self.lexemes)
        following = (f" <{distance}> {other}" for distance, other in zip(self.distances, others, strict=True))
        return f"{first}{''.join(following)}"


@dataclass(frozen=True)
class Term:
    """A lexeme of the question, and its positions there, counted in words.

    `sections`: how many vectors of its scope have it or one of its alternatives; `elsewhere`: how many vectors of the other scopes have it,
    without alternatives; `idf` and `page_idf`: how rare it is among all sections and all pages that are searched.
    `parts`: for a compound that occurs nowhere, the lexemes that are terms besides it. `is_stand_in`: the term consists of its
    alternatives, which stand in for the lexeme; the lexeme itself is another term (stand_ins.py). `finds_last`: however rare it is, it
    finds sections only after the other terms, as it is not what the question is about.
    """

    lexeme: str
    sections: int
    idf: float
    page_idf: float
    positions: tuple[int, ...] = ()
    is_prefix: bool = False
    alternatives: tuple[Alternative, ...] = ()
    elsewhere: int = 0
    parts: tuple[str, ...] = ()
    is_stand_in: bool = False
    finds_last: bool = False

    @cached_property
    def entry_word(self) -> str:
        """The word, if the lexeme is the name of an entry that is a single word (`port`). It tells the sections of a page apart, and is
        nothing that a section could lack."""
        return find_entry_word(self.lexeme)

    @property
    def order(self) -> tuple[bool, int, str]:
        """Where it stands among the terms that find sections: rarest first."""
        return self.finds_last, self.sections, self.lexeme

    @property
    def is_found_otherwise(self) -> bool:
        """Whether no section has the lexeme itself, but only its alternatives; then its parts are not beside it."""
        return bool(self.alternatives) and self.sections == sum(each.sections for each in self.alternatives)

    @property
    def least_sections(self) -> int:
        """A lower bound for how many sections have it: `sections` counts those with several of its forms repeatedly."""
        own = self.sections - sum(each.sections for each in self.alternatives)
        return max(own, *(each.sections for each in self.alternatives if len(each.lexemes) == 1), 0)

    @cached_property
    def tsqueries(self) -> list[str]:
        """The tsquery of the lexeme itself, then those of its alternatives."""
        return self.make_tsqueries("*" if self.is_prefix else "")

    @property
    def are_single(self) -> list[bool]:
        """Of each of the tsqueries, whether it is a single lexeme: no prefix, and no lexemes in sequence."""
        own = [] if self.is_stand_in else [not self.is_prefix]
        return own + [len(each.lexemes) == 1 for each in self.alternatives]

    @cached_property
    def tsquery(self) -> str:
        return join_alternatives(self.tsqueries)

    @property
    def tsquery_in_headings(self) -> str:
        """A tsquery that finds the term in titles and headings only."""
        return join_alternatives(self.make_tsqueries("*AB" if self.is_prefix else "AB", "AB"))

    def make_tsqueries(self, label: str = "", of_alternatives: str = "") -> list[str]:
        own = [] if self.is_stand_in else [f"{quote(self.lexeme)}{label and ':'}{label}"]
        return own + [each.make_tsquery(of_alternatives and f":{of_alternatives}") for each in self.alternatives]


def join_alternatives(tsqueries: Sequence[str]) -> str:
    return f"({' | '.join(tsqueries)})" if len(tsqueries) > 1 else tsqueries[0]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Totals of everything that is searched. The means are over rows whose words were counted."""

    sections: int = 0
    pages: int = 0
    words: int = 0

    @property
    def mean_words(self) -> float:
        return self.words / self.sections if self.sections else 0.0

    @property
    def mean_page_words(self) -> float:
        return self.words / self.pages if self.pages else 0.0


def compute_idf(total: int, having: int) -> float:
    """Robertson and Spärck Jones' weight, kept positive by the 1 (as in Lucene's BM25)."""
    return math.log(1 + (max(total - having, 0) + 0.5) / (having + 0.5))
