"""Which sections are worth scoring: tsqueries made of a question's rarest terms. PURE.

Scoring every match is what costs, and the sections that win have a rare term, or several common ones together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, takewhile
from typing import NamedTuple

from collections_app.search.terms.term import Term

# Expected sections with a rare term, and as many with pairs of the commoner ones. More cost time and rank no better. The second is for
# questions that the first leaves with hardly an answer.
WANTED = (200, 2_000)
# Terms that are so much more common than wanted are looked at together with others only.
COMMON = 5
PAIRED_TERMS = 4
# Of the wanted ones, beside those of the question's own words: they find as much as all would.
WITH_STAND_INS = 0.5


class Candidates(NamedTuple):
    """What finds them, as tsqueries: a rare term, or several commoner ones together. Either may be empty."""

    rare: str
    together: str

    @property
    def tsquery(self) -> str:
        return " | ".join(filter(None, self))

    @property
    def preferred(self) -> str | None:
        """Of more than are scored, what finds those to begin with; None where there are no others."""
        return self.rare if self.rare and self.together else None


def iter_candidates(terms: Sequence[Term], total: int, share: float = 1.0) -> Iterator[Candidates]:
    """Each for more sections than the one before; only those of the first are told apart as rare. `terms` occur in a corpus of `total`
    sections, rarest first; what stands in for some comes behind them.

    `share`: what part of the wanted ones.
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
    """All sections with a term: phrases leave few of them. `wanted`: about so many that have a rare one are looked at first, where these
    are too many all the same."""
    rare = list(take_rare(terms, wanted))
    return Candidates(*(" | ".join(term.tsquery for term in part) for part in (rare, terms[len(rare) :])))


def choose_candidates(terms: Sequence[Term], total: int, wanted: int) -> Candidates:
    """The sections that have one of the rarest terms, as many as give the wanted number, or several of the next.

    How many sections have two terms is estimated as if words came independently of each other, which is too few: so
    the fewest expected come first, and the last that is taken may pass what is wanted.
    """
    rare = list(take_rare(terms, wanted))
    together = make_conjunctions(terms[len(rare) : len(rare) + PAIRED_TERMS], total, wanted)
    if not rare and not together:
        together = [term.tsquery for term in terms]
    return Candidates(" | ".join(term.tsquery for term in rare), " | ".join(together))


def choose_with_stand_ins(terms: Sequence[Term], total: int, wanted: int) -> Candidates:
    """Where words stand in for some, the sections that have either come beside those of the question's own words."""
    own = [term for term in terms if not term.is_stand_in]
    stand_ins = {term.lexeme: term for term in terms if term.is_stand_in}
    if not stand_ins:
        return choose_candidates(terms, total, wanted)
    joined = choose_candidates(join_stand_ins(own, stand_ins), total, round(wanted * WITH_STAND_INS))
    chosen = [choose_candidates(own, total, wanted), joined] if own else [joined]
    return Candidates(*(" | ".join(dict.fromkeys(filter(None, column))) for column in zip(*chosen, strict=True)))


def join_stand_ins(own: Sequence[Term], stand_ins: Mapping[str, Term]) -> list[Term]:
    """Each term with what stands in for it, by its lexeme, as one, rarest first."""
    joined = {term.lexeme: term for term in own}
    for lexeme, stand_in in stand_ins.items():
        joined[lexeme] = join(joined[lexeme], stand_in) if lexeme in joined else stand_in
    return sorted(joined.values(), key=lambda term: (term.sections, term.lexeme))


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
    """Pairs of these terms, or of more where even two are common: the rarest combinations first, up to the wanted number."""
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
