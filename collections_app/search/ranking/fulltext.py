"""Keyword search on plain PostgreSQL: reads candidates from the index (matching.py) and scores them (scoring.py)."""

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
# A language that has less than this part of what the best language has of a question hardly ever has any of the best sections
# (docs/benchmarks-history.md).
LITTLE = 0.05
# A language with far fewer sections than another still brings this part of its candidates.
SMALLEST_SHARE = 0.2
# Languages that have little of the question are searched only if the others bring fewer sections than this.
PLENTY = 50


def rank_sections(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[RankedSection]:
    """The best sections of all scopes, best first, at most `limit`."""
    rankings = rank_scopes(scopes, query, corpus, max(limit, PLENTY))
    return sort_ranked(section for _, of_scope in rankings for section in of_scope)[:limit]


def rank_scopes(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[Ranking]:
    """For each scope its candidates and their best sections, at most `limit`.

    Scopes that have little of the question are ranked only if the others bring fewer than `limit` sections. If the rare terms bring fewer
    than ENOUGH sections in all (because of a filter, an exclusion, or words that are never together), sections with commoner terms are
    ranked too; only some of these are read.
    """
    asked = find_knowing(scopes)
    wider = {number: iter_lookups(scoped, query) for number, scoped in enumerate(give_shares(scopes, asked))}
    left_out = [number for number in wider if number not in asked]
    rarity = measure_rarity(scopes)
    rankings: list[Ranking] = [(Matches.none(), [])] * len(scopes)
    while lookups := {number: lookup for number in asked if (lookup := next(wider[number], None))}:
        for number, found_now in choose_matches(query, lookups).items():
            matches = found_now.join(rankings[number][0])
            lookup = lookups[number]
            ranked = rank_matches(matches, lookup.terms, corpus, limit, rarity, lookup.scoped.of_product)
            rankings[number] = matches, ranked
        found = sum(len(ranked) for _, ranked in rankings)
        if found >= (limit if left_out else ENOUGH):
            break
        asked = left_out if left_out and found >= ENOUGH else list(wider)
        left_out = []
    return rankings


def measure_rarity(scopes: Sequence[ScopedTerms]) -> float:
    """The summed idf of all words that a section could have, in the scope with the highest sum.

    For a word that is in no section, its stand-in counts instead.
    """
    return max((sum(map(weigh_term, drop_doubles(get_known(scoped)))) for scoped in scopes), default=0.0)


def weigh_term(term: Term) -> float:
    if term.entry_word:
        return 0.0
    return STAND_IN * term.idf if term.is_stand_in else term.idf


def drop_doubles(terms: Sequence[Term]) -> list[Term]:
    """Without stand-ins for terms that are in the list themselves."""
    own = {term.lexeme for term in terms if not term.is_stand_in}
    return [term for term in terms if not (term.is_stand_in and term.lexeme in own)]


def find_knowing(scopes: Sequence[ScopedTerms]) -> list[int]:
    """Numbers of the scopes that have more than a LITTLE of the question, measured by Σ idf² of the terms that occur there.

    Words that are stop words in one of the languages are not counted: in the others they are rare, but say nothing.
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
    """The scopes with their share of candidates: a small language should not cost as much as a large one that is searched with it. What the
    question names keeps its own.

    Shares are relative to the largest of the scopes in `asked`, at least SMALLEST_SHARE and at most 1.
    """
    largest = max((scopes[number].sections for number in asked), default=0)
    return [
        replace(scoped, share=scoped.share * min(max(scoped.sections / largest, SMALLEST_SHARE), 1.0))
        if largest and not scoped.scope.is_named
        else scoped
        for scoped in scopes
    ]


def iter_lookups(scoped: ScopedTerms, query: Query) -> Iterator[Lookup]:
    """Lookups in this scope, each for more candidates than the one before."""
    if known := get_known(scoped):
        for candidates in find_candidates(scoped, known, query):
            yield Lookup(scoped, known, candidates)


def find_candidates(scoped: ScopedTerms, terms: Sequence[Term], query: Query) -> Iterable[Candidates]:
    if not query.phrases:
        return iter_candidates(terms, scoped.sections, scoped.share / scoped.passing)
    many = round(MANY * scoped.share)
    return [choose_every(terms, 0 if leave_few(query.phrases, terms, many) else many)]


def leave_few(phrases: Sequence[str], terms: Sequence[Term], many: int) -> bool:
    """Whether at most `many` sections can have the phrases, judging by their rarest word, or every term is in more than `many` sections."""
    is_rare = any(term.sections <= many for term in find_phrase_terms(phrases, terms))
    return is_rare or all(term.sections > many for term in terms)


def get_known(scoped: ScopedTerms) -> list[Term]:
    """The terms that rank: those that occur in some section, at most the MAX_TERMS rarest, and after them all stand-ins."""
    known = [term for term in scoped.terms if term.sections]
    return [term for term in known if not term.is_stand_in][:MAX_TERMS] + [term for term in known if term.is_stand_in]
