"""The only door to search: `search()`.

query (what is asked for) → terms (how rare it is) → fulltext (ranked section ids) → hits (their rows and snippets) → SearchResults;
suggestions when there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from collections_app.exceptions import InvalidQuery
from collections_app.models import Collection
from collections_app.search.fulltext import rank_sections
from collections_app.search.hits import make_hits
from collections_app.search.query import Query, parse_query
from collections_app.search.ranking import RankedSection, sort_ranked
from collections_app.search.results import Hit, Mode, SearchResults, WordReport
from collections_app.search.snippets import compile_matcher
from collections_app.search.suggestions import report_words
from collections_app.search.terms import Corpus, Scope, ScopedTerms, Term, get_terms

__all__ = ["Hit", "Mode", "SearchResults", "WordReport", "search"]

MAX_QUERY_CHARACTERS = 1000
# Ranked beyond what is shown, so that other pages can follow when one page has most of the best sections; and once more so many times
# when copies of pages take the places.
OVERSAMPLING = 4
DEEPER = 10
ATTEMPTS = 3


def search(
    query: str,
    collections: Sequence[Collection],
    *,
    limit: int,
    snippet_length: int,
    mode: Mode = Mode.KEYWORD,
    category: str | None = None,
    visible: Sequence[Collection] = (),
) -> SearchResults:
    """The sections of these collections that answer best, at most `limit`.

    `collections` (their tenants loaded) must be ones that the principal may see; `visible` are all of those, for saying where else words
    occur when nothing is found. Raises InvalidQuery when nothing in the query can be looked up.
    """
    text = check_query(query)
    parsed = parse_query(text)
    by_id = {collection.pk: collection for collection in collections}
    corpus, scopes = get_terms(make_scopes(list(by_id.values()), category), parsed.text)
    hits = find_hits(parsed, corpus, scopes, by_id, limit, snippet_length)
    notices = [] if mode is Mode.KEYWORD else [f"{mode} search is not set up here; these are keyword results."]
    if parsed.phrases and not hits:
        hits = find_hits(replace(parsed, phrases=()), corpus, scopes, by_id, limit, snippet_length)
        notices += ["No section has the words in quotes in this order; these have some of them."] if hits else []
    if category is not None and not hits:
        notices.append(f"Only pages of the category {category!r} were searched: leave it out to search all.")
    return SearchResults(
        query=text,
        mode=Mode.KEYWORD,
        hits=hits,
        collections=tuple(collection.slug for collection in collections),
        excluded=parsed.excluded,
        words=() if hits else report_words(parsed.text, merge_terms(scopes), collections, visible),
        notice=" ".join(notices),
    )


def check_query(query: str) -> str:
    text = " ".join(query.replace("\0", " ").split())
    if not text:
        raise InvalidQuery("The query is empty. Give a few words of what you are looking for.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidQuery(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARACTERS:,} are looked up. Keep the words that matter."
        )
    return text


def make_scopes(collections: Sequence[Collection], category: str | None) -> list[Scope]:
    """One for each language, since words have other lexemes in each."""
    by_language = groupby(sorted(collections, key=lambda c: c.language), key=lambda c: c.language)
    return [
        Scope(language, tuple({c.tenant_id for c in members}), tuple(c.pk for c in members), category)
        for language, members in ((language, list(group)) for language, group in by_language)
    ]


def find_hits(
    query: Query,
    corpus: Corpus,
    scopes: Sequence[ScopedTerms],
    collections: dict[int, Collection],
    limit: int,
    snippet_length: int,
) -> tuple[Hit, ...]:
    """Rank, and read what is shown. Again when a document was replaced in between, deeper when copies took the places."""
    matcher = compile_matcher(query.text)
    depth = limit * OVERSAMPLING
    hits: tuple[Hit, ...] = ()
    for _ in range(ATTEMPTS):
        ranked = rank(query, corpus, scopes, depth)
        hits, is_current = make_hits(ranked, matcher, collections, limit, snippet_length)
        if not is_current:
            continue
        if len(hits) == limit or len(ranked) < depth:
            break
        depth *= DEEPER
    return hits


def rank(query: Query, corpus: Corpus, scopes: Sequence[ScopedTerms], depth: int) -> list[RankedSection]:
    """Ranked sections over all scopes, best first."""
    return sort_ranked(section for scoped in scopes for section in rank_sections(scoped, query, corpus, depth))[:depth]


def merge_terms(scopes: Sequence[ScopedTerms]) -> list[Term]:
    """The terms of all scopes, each once, with their sections summed, rarest first."""
    merged: dict[str, Term] = {}
    for scoped in scopes:
        for term in scoped.terms:
            known = merged.get(term.lexeme)
            merged[term.lexeme] = replace(term, sections=term.sections + known.sections) if known else term
    return sorted(merged.values(), key=lambda term: (term.sections, term.lexeme))
