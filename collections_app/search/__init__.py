"""The only door to search: `search()`.

query (what is asked for) → fulltext (ranked section ids) → hits (their rows and snippets) → SearchResults; suggestions when
there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from collections_app.exceptions import InvalidQuery
from collections_app.models import Collection
from collections_app.search.fulltext import RankedSection, Scope, Term, get_terms, rank_sections
from collections_app.search.hits import make_hits
from collections_app.search.query import Query, parse_query
from collections_app.search.results import Hit, Mode, SearchResults, WordReport
from collections_app.search.snippets import compile_matcher
from collections_app.search.suggestions import report_words

__all__ = ["Hit", "Mode", "SearchResults", "WordReport", "search"]

MAX_QUERY_CHARACTERS = 1000
# Ranked beyond what is shown, so that other pages can follow when one page has most of the best sections.
OVERSAMPLING = 4


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
    text = " ".join(query.replace("\0", " ").split())
    if not text:
        raise InvalidQuery("The query is empty. Give a few words of what you are looking for.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidQuery(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARACTERS:,} are looked up. Keep the words that matter."
        )
    parsed = parse_query(text)
    by_id = {collection.pk: collection for collection in collections}
    ranked, terms = rank(parsed, list(by_id.values()), limit * OVERSAMPLING, category)
    notices = [] if mode is Mode.KEYWORD else [f"{mode} search is not set up here; these are keyword results."]
    if parsed.phrases and not ranked:
        ranked, _ = rank(replace(parsed, phrases=()), list(by_id.values()), limit * OVERSAMPLING, category)
        notices += ["No section has the words in quotes in this order; these have some of them."] if ranked else []
    hits = make_hits(ranked, compile_matcher(parsed.text), by_id, limit, snippet_length)
    return SearchResults(
        query=text,
        mode=Mode.KEYWORD,
        hits=hits,
        collections=tuple(collection.slug for collection in collections),
        excluded=parsed.excluded,
        words=() if hits else report_words(terms, collections, visible),
        notice=" ".join(notices),
    )


def rank(
    query: Query, collections: Sequence[Collection], limit: int, category: str | None
) -> tuple[list[RankedSection], list[Term]]:
    """Ranked sections over all collections, best first, and the question's terms in the first language that has any."""
    ranked: list[RankedSection] = []
    terms: list[Term] = []
    for language, group in groupby(sorted(collections, key=lambda c: c.language), key=lambda c: c.language):
        members = list(group)
        scope = Scope(language, sorted({c.tenant_id for c in members}), [c.pk for c in members], category)
        found = get_terms(scope, query.text)
        terms = terms or found
        ranked += rank_sections(scope, query, found, limit)
    return sorted(ranked, key=lambda section: (-section.score, section.section_id)), terms
