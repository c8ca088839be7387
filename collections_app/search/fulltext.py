"""Keyword search on plain PostgreSQL: candidates from the index (matching.py), their score by ranking.py, their best by neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.candidates import iter_candidate_queries
from collections_app.search.matching import ENOUGH, Lookup, choose_matches
from collections_app.search.query import Query
from collections_app.search.ranking import PROXIMITY, Matches, RankedSection, rank_matches, sort_ranked
from collections_app.search.terms import Corpus, ScopedTerms, Term
from collections_app.search.time_limit import open_cursor

Ranking = tuple[Matches, list[RankedSection]]

MAX_TERMS = 24
# A language that knows less of a question than this part of what the best one knows has hardly any of its best sections
# (docs/benchmarks.md).
LITTLE = 0.05
# So many of the best are looked at for words that stand together.
NEIGHBOURLY = 50


def rank_sections(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[RankedSection]:
    """The best sections of all scopes, best first, at most `limit`."""
    rankings = rank_scopes(scopes, query, corpus, max(limit, NEIGHBOURLY))
    ranked = sort_ranked(section for _, of_scope in rankings for section in of_scope)
    return prefer_neighbours(ranked, find_all_neighbours(scopes))[:limit]


def rank_scopes(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[Ranking]:
    """For each scope its candidates and their best sections, at most `limit`, before neighbours are looked at.

    Scopes that know little of the question are ranked where the others have fewer than `limit`. Where the rare terms' sections are not
    ENOUGH in all (a filter, an exclusion, words that never meet), those of commoner ones are ranked too.
    """
    wider = {number: iter_lookups(scoped, query) for number, scoped in enumerate(scopes)}
    asked = find_knowing(scopes)
    left_out = [number for number in wider if number not in asked]
    rankings: list[Ranking] = [(Matches.make([]), [])] * len(scopes)
    while lookups := {number: lookup for number in asked if (lookup := next(wider[number], None))}:
        for number, matches in choose_matches(query, lookups).items():
            rankings[number] = matches, rank_matches(matches, lookups[number].terms, corpus, limit)
        found = sum(len(ranked) for _, ranked in rankings)
        if found >= (limit if left_out else ENOUGH):
            break
        asked = left_out if left_out and found >= ENOUGH else list(wider)
        left_out = []
    return rankings


def find_knowing(scopes: Sequence[ScopedTerms]) -> list[int]:
    """The scopes that know more than a LITTLE: the terms that occur there, each by the square of its idf, as in a vector's length.

    A word that one of the languages has no lexeme for is not counted: where it is none of the stop words it is rare, and tells nothing.
    """
    places = [{place for term in scoped.terms for place in term.positions} for scoped in scopes]
    telling = set.intersection(*places) if places else set()
    known = [
        sum(term.idf**2 for term in get_known(scoped) if not term.positions or not telling.isdisjoint(term.positions))
        for scoped in scopes
    ]
    return [number for number, each in enumerate(known) if each >= LITTLE * max(known)]


def iter_lookups(scoped: ScopedTerms, query: Query) -> Iterator[Lookup]:
    """Each for more candidates than the one before."""
    if known := get_known(scoped):
        is_few = bool(query.phrases) or scoped.scope.narrowing.documents is not None
        for candidates in iter_candidate_queries(known, scoped.sections, scoped.share, is_few=is_few):
            yield Lookup(scoped, known, candidates)


def get_known(scoped: ScopedTerms) -> list[Term]:
    """The terms that rank: those that occur, the rarest of very many."""
    return [term for term in scoped.terms if term.sections][:MAX_TERMS]


def prefer_neighbours(ranked: Sequence[RankedSection], neighbours: Sequence[tuple[str, float]]) -> list[RankedSection]:
    """Ranked anew, the best ones' scores raised for each two neighbours of the question that they have side by side."""
    best, others = ranked[:NEIGHBOURLY], ranked[NEIGHBOURLY:]
    if not neighbours or not best:
        return list(ranked)
    bonus = " + ".join("CASE WHEN vector @@ %s::tsquery THEN %s::float8 ELSE 0 END" for _ in neighbours)
    values = [value for neighbour in neighbours for value in neighbour]
    with open_cursor() as cursor:
        cursor.execute(
            f"SELECT id, ({bonus})::float8 FROM collections_app_searchedvector WHERE id = ANY(%s::bigint[])",  # noqa: S608
            [*values, write_array(section.vector_id for section in best)],
        )
        bonuses = dict(cursor.fetchall())
    raised = (
        section.rescored(section.score + more) if (more := bonuses.get(section.vector_id)) else section
        for section in best
    )
    return [*sort_ranked(raised), *others]


def find_all_neighbours(scopes: Sequence[ScopedTerms]) -> list[tuple[str, float]]:
    """Those of every scope, as often as the one has them that has them most often: languages share many words."""
    neighbours: Counter[tuple[str, float]] = Counter()
    for scoped in scopes:
        neighbours |= Counter(find_neighbours(get_known(scoped)))
    return list(neighbours.elements())


def find_neighbours(terms: Sequence[Term]) -> list[tuple[str, float]]:
    """Two words of the question with at most one between them: the tsquery that has them so, and what it is worth."""
    words = sorted(((p, term) for term in terms for p in term.positions), key=itemgetter(0))
    return [
        (f"({a.tsquery} <-> {b.tsquery}) | ({a.tsquery} <2> {b.tsquery})", PROXIMITY * min(a.idf, b.idf))
        for (start, a), (end, b) in pairwise(words)
        if end - start <= 2 and a is not b
    ]
