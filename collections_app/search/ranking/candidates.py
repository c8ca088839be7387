"""Chooses which sections are worth scoring: makes tsqueries of a question's rarest terms. PURE.

Scoring is the expensive step, and the best sections have a rare term, or several common ones together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, compress, takewhile
from operator import attrgetter
from typing import NamedTuple

from collections_app.search.terms.names import are_beside
from collections_app.search.terms.term import Term

# How many sections with a rare term are wanted, and as many again with pairs of commoner terms. More cost time and rank no better. The
# second number is tried if the first brings too few results.
WANTED = (200, 2_000)
# Terms that are more than this many times as common as wanted are used only in combination with others.
COMMON = 5
PAIRED_TERMS = 4
# What sections may add that describe a word of the question and have one of the BESIDE rarest others, as a part of the wanted number.
DESCRIBING = 0.5
BESIDE = 2
# The part of the wanted number used for terms joined with their stand-ins; it finds as much as the whole number would.
WITH_STAND_INS = 0.5


class Candidates(NamedTuple):
    """The tsqueries that find candidates: `rare` by a rare term, `together` by several commoner ones. Either may be empty."""

    rare: str
    together: str

    @property
    def tsquery(self) -> str:
        return " | ".join(filter(None, self))

    @property
    def preferred(self) -> str | None:
        """The tsquery of the candidates to prefer if there are more than can be scored; None if all are of one kind."""
        return self.rare if self.rare and self.together else None


def iter_candidates(terms: Sequence[Term], total: int, share: float = 1.0) -> Iterator[Candidates]:
    """Candidates for ever more sections; only the first have a separate `rare` part.

    `terms` occur in a corpus of `total` sections, rarest first, stand-ins last. `share` scales the wanted numbers.
    """
    every = choose_every(terms)
    before = ""
    for wanted in WANTED:
        candidates = choose_with_stand_ins(terms, total, round(wanted * share))
        if candidates.tsquery not in (before, every.tsquery):
            yield Candidates("", candidates.tsquery) if before else candidates
        before = candidates.tsquery
    yield every


def choose_every(terms: Sequence[Term], wanted: int = 0) -> Candidates:
    """All sections with any of the terms, for questions with phrases, which leave few of them.

    `wanted`: about how many sections with a rare term are preferred if there are too many after all.
    """
    rare = list(take_rare(terms, wanted))
    return Candidates(*(" | ".join(term.tsquery for term in part) for part in (rare, terms[len(rare) :])))


def choose_candidates(terms: Sequence[Term], total: int, wanted: int) -> Candidates:
    """The sections that have one of the rarest terms, up to the wanted number, or several of the next rarest; and those that describe one
    of the words, as the name of an entry, and have another one.

    The number of sections with two terms is estimated as if terms were independent, which is too low. So combinations with the lowest
    estimates come first, and the last one taken may exceed the wanted number.
    """
    words = [term for term in terms if not term.entry_word]
    rare = list(take_rare(words, wanted))
    together = make_conjunctions(words[len(rare) : len(rare) + PAIRED_TERMS], total, wanted)
    if not rare and not together:
        return Candidates("", " | ".join(term.tsquery for term in terms))
    describing = join_entries(terms, total, round(wanted * DESCRIBING))
    return Candidates(" | ".join(term.tsquery for term in rare), " | ".join([*together, *describing]))


def join_entries(terms: Sequence[Term], total: int, wanted: int) -> list[str]:
    """Tsqueries of an entry's name that is a single word and of one of the BESIDE rarest other words of the question each: rarest first, up
    to the wanted number.

    The name counts only beside others (ranking/scoring.py), and alone may be in thousands of sections.
    """
    estimates = sorted(
        (estimate_sections((entry, term), total), f"({entry.tsquery} & {term.tsquery})")
        for entry in terms
        if entry.entry_word
        for term in list(compress(terms, are_beside(entry.entry_word, terms)))[:BESIDE]
    )
    return list(take_up_to(estimates, wanted)) if estimates and estimates[0][0] <= wanted else []


def choose_with_stand_ins(terms: Sequence[Term], total: int, wanted: int) -> Candidates:
    """Candidates by the question's own words and, if there are stand-ins, also by terms joined with their stand-ins."""
    own = [term for term in terms if not term.is_stand_in]
    stand_ins = {term.lexeme: term for term in terms if term.is_stand_in}
    if not stand_ins:
        return choose_candidates(terms, total, wanted)
    words = [term for term in own if not term.entry_word]
    joined = choose_candidates(join_stand_ins(words, stand_ins), total, round(wanted * WITH_STAND_INS))
    chosen = [choose_candidates(own, total, wanted), joined] if own else [joined]
    return Candidates(*(" | ".join(dict.fromkeys(filter(None, column))) for column in zip(*chosen, strict=True)))


def join_stand_ins(own: Sequence[Term], stand_ins: Mapping[str, Term]) -> list[Term]:
    """The terms, each joined with its stand-in (of the same lexeme), rarest first."""
    joined = {term.lexeme: term for term in own}
    for lexeme, stand_in in stand_ins.items():
        joined[lexeme] = join(joined[lexeme], stand_in) if lexeme in joined else stand_in
    return sorted(joined.values(), key=attrgetter("order"))


def join(term: Term, stand_in: Term) -> Term:
    alternatives = (*term.alternatives, *stand_in.alternatives)
    return replace(term, sections=term.sections + stand_in.sections, alternatives=alternatives)


def take_rare(terms: Sequence[Term], wanted: int) -> Iterator[Term]:
    expected = 0
    for term in takewhile(lambda term: term.sections <= COMMON * wanted, terms):
        if expected and expected + term.sections > wanted:
            break
        expected += term.sections
        yield term


def make_conjunctions(terms: Sequence[Term], total: int, wanted: int) -> list[str]:
    """Tsqueries of pairs of these terms, or of larger combinations if all pairs are too common: rarest first, up to the wanted number."""
    for size in range(2, len(terms) + 1):
        estimates = sorted(
            (estimate_sections(chosen, total), " & ".join(term.tsquery for term in chosen))
            for chosen in combinations(terms, size)
        )
        if estimates[0][0] <= COMMON * wanted or size == len(terms):
            return [f"({tsquery})" for tsquery in take_up_to(estimates, wanted)]
    return []


def take_up_to(estimates: Sequence[tuple[float, str]], wanted: int) -> Iterator[str]:
    expected = 0.0
    for sections, tsquery in estimates:
        if expected and expected + sections > wanted:
            break
        expected += sections
        yield tsquery


def estimate_sections(terms: Sequence[Term], total: int) -> float:
    share = 1.0
    for term in terms:
        share *= term.sections / max(total, 1)
    return share * total
