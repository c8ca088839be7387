"""Keyword search on plain PostgreSQL: candidates come from the index (matching.py), and scoring.py scores them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from collections_app.search.query import Query
from collections_app.search.ranking.candidates import Candidates, choose_every, iter_candidates
from collections_app.search.ranking.matching import ENOUGH, MANY, Lookup, choose_matches
from collections_app.search.ranking.scoring import STAND_IN, Matches, RankedSection, rank_matches, sort_ranked
from collections_app.search.terms.asked_words import find_phrase_terms
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.terms.term import Corpus, Term

Ranking = tuple[Matches, list[RankedSection]]

MAX_TERMS = 24
# A language that knows less of a question than this part of what the best one knows has hardly any of its best sections
# (docs/benchmarks-history.md).
LITTLE = 0.05
# A language with far fewer sections than another still brings this part of its candidates.
SMALLEST_SHARE = 0.2
# Languages that know little are asked too where the others have fewer sections than these.
PLENTY = 50


def rank_sections(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[RankedSection]:
    """The best sections of all scopes, best first, at most `limit`."""
    rankings = rank_scopes(scopes, query, corpus, max(limit, PLENTY))
    return sort_ranked(section for _, of_scope in rankings for section in of_scope)[:limit]


def rank_scopes(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[Ranking]:
    """For each scope its candidates and their best sections, at most `limit`.

    Scopes that know little of the question are ranked where the others have fewer than `limit`. Where the rare terms' sections are not
    ENOUGH in all (a filter, an exclusion, words that never meet), those of commoner ones are ranked too, beside them: of the many that
    have these, only some are looked up.
    """
    asked = find_knowing(scopes)
    wider = {number: iter_lookups(scoped, query) for number, scoped in enumerate(give_shares(scopes, asked))}
    left_out = [number for number in wider if number not in asked]
    rarity = measure_rarity(scopes)
    rankings: list[Ranking] = [(Matches.make([]), [])] * len(scopes)
    while lookups := {number: lookup for number in asked if (lookup := next(wider[number], None))}:
        for number, found_now in choose_matches(query, lookups).items():
            matches = found_now.join(rankings[number][0])
            rankings[number] = matches, rank_matches(matches, lookups[number].terms, corpus, limit, rarity)
        found = sum(len(ranked) for _, ranked in rankings)
        if found >= (limit if left_out else ENOUGH):
            break
        asked = left_out if left_out and found >= ENOUGH else list(wider)
        left_out = []
    return rankings


def measure_rarity(scopes: Sequence[ScopedTerms]) -> float:
    """Of all words that a section could have, as summed idf: by the scope that knows most. Where a word is in none, what stands in for it
    is as much as it may count."""
    return max((sum(map(weigh_term, drop_doubles(get_known(scoped)))) for scoped in scopes), default=0.0)


def weigh_term(term: Term) -> float:
    return STAND_IN * term.idf if term.is_stand_in else term.idf


def drop_doubles(terms: Sequence[Term]) -> list[Term]:
    """Without what stands in for another of the terms."""
    own = {term.lexeme for term in terms if not term.is_stand_in}
    return [term for term in terms if not (term.is_stand_in and term.lexeme in own)]


def find_knowing(scopes: Sequence[ScopedTerms]) -> list[int]:
    """The scopes that know more than a LITTLE: the terms that occur there, each by the square of its idf, as in a vector's length.

    A word that one of the languages has no lexeme for is not counted: where it is none of the stop words it is rare, and tells nothing.
    """
    places = [{place for term in scoped.terms for place in term.positions} for scoped in scopes]
    telling = set.intersection(*places) if places else set()
    known = [
        sum(
            weigh_term(term) ** 2
            for term in drop_doubles(get_known(scoped))
            if not term.positions or not telling.isdisjoint(term.positions)
        )
        for scoped in scopes
    ]
    return [number for number, each in enumerate(known) if each >= LITTLE * max(known)]


def give_shares(scopes: Sequence[ScopedTerms], asked: Sequence[int]) -> list[ScopedTerms]:
    """A small language shall not cost what a large one does that is asked with it. One that is asked alone brings as much as if there were
    no others; so do those that are asked after it."""
    largest = max((scopes[number].sections for number in asked), default=0)
    return [
        replace(scoped, share=scoped.share * min(max(scoped.sections / largest, SMALLEST_SHARE), 1.0))
        if largest
        else scoped
        for scoped in scopes
    ]


def iter_lookups(scoped: ScopedTerms, query: Query) -> Iterator[Lookup]:
    """Each for more candidates than the one before."""
    if known := get_known(scoped):
        for candidates in find_candidates(scoped, known, query):
            yield Lookup(scoped, known, candidates)


def find_candidates(scoped: ScopedTerms, terms: Sequence[Term], query: Query) -> Iterable[Candidates]:
    if not query.phrases:
        return iter_candidates(terms, scoped.sections, scoped.share / scoped.passing)
    many = round(MANY * scoped.share)
    return [choose_every(terms, 0 if leave_few(query.phrases, terms, many) else many)]


def leave_few(phrases: Sequence[str], terms: Sequence[Term], many: int) -> bool:
    """Whether no more than `many` sections have the phrases, as their rarest word tells, or no word beside them is rarer than that."""
    is_rare = any(term.sections <= many for term in find_phrase_terms(phrases, terms))
    return is_rare or all(term.sections > many for term in terms)


def get_known(scoped: ScopedTerms) -> list[Term]:
    """The terms that rank: those that occur, the rarest of very many; what stands in for some behind them."""
    known = [term for term in scoped.terms if term.sections]
    return [term for term in known if not term.is_stand_in][:MAX_TERMS] + [term for term in known if term.is_stand_in]
