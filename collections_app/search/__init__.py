"""The only door to search: `search()`.

query (what is asked for) → scope (where, narrowed by filters) → terms (how rare it is) → fulltext and semantic (ranked section ids)
→ fusion → hits (their rows and snippets) → SearchResults; suggestions when there are none. cached_search.py remembers them for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from collections_app.catalog import name_collections
from collections_app.clients.embeddings import NoEmbedder
from collections_app.exceptions import InvalidQuery, UpstreamUnavailable
from collections_app.metrics import SEARCH_STAGE_SECONDS
from collections_app.models import Collection
from collections_app.postgres.snapshots import seeing_one_moment
from collections_app.search import fusion
from collections_app.search.curation import find_expansions, get_curations
from collections_app.search.fulltext import rank_sections
from collections_app.search.hits import get_rows, make_hits
from collections_app.search.narrowing import (
    Narrowing,
    explain_narrowing,
    find_few_documents,
    make_narrowing,
)
from collections_app.search.options import describe_options, find_options
from collections_app.search.phrases import Pattern, make_patterns
from collections_app.search.pins import find_pinned, put_first
from collections_app.search.query import Query, parse_query
from collections_app.search.question_words import QuestionWords, make_question_words
from collections_app.search.ranking import RankedSection, sort_ranked
from collections_app.search.results import Hit, Mode, SearchResults, WordReport
from collections_app.search.scope import make_scopes
from collections_app.search.semantic import Meaning, get_meaning, rank_by_meaning
from collections_app.search.snippets import Passage, choose_passage, make_code_snippet, make_snippet
from collections_app.search.spelling import choose_spellings, describe_spellings
from collections_app.search.suggestions import find_close_pages, find_missing, report_missing, report_words
from collections_app.search.terms import Corpus, ScopedTerms, Term, get_terms
from collections_app.search.time_limit import limited_transaction, limiting_time

__all__ = ["Hit", "Mode", "SearchResults", "WordReport", "search"]

MAX_QUERY_CHARACTERS = 1000
# Ranked beyond what is shown, so that other pages can follow when one page has most of the best sections; and once more so many times
# when copies of pages take the places.
OVERSAMPLING = 4
DEEPER = 10
ATTEMPTS = 3
# Sections that are looked through for options.
LOOKED_THROUGH = 20
# What shows nothing, and may turn the line around in which it is told: marks of direction and byte order. Joiners are spelling.
UNSEEN = re.compile("[\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
ANY_LANGUAGE = frozenset({"english", "simple"})
MEANING_ONLY = "What follows is nearest by meaning alone."


def search(
    query: str,
    collections: Sequence[Collection],
    *,
    limit: int,
    snippet_length: int,
    mode: Mode = Mode.KEYWORD,
    category: str | None = None,
    filters: Mapping[str, Any] | None = None,
    code: str | None = None,
    visible: Sequence[Collection] = (),
) -> SearchResults:
    """The sections of these collections that answer best, at most `limit`; only those of documents that meet category and `filters`
    (see filters.py), and with fenced code in the language `code`, where these are given.

    `collections` (their tenants loaded) must be ones that the principal may see; `visible` are all of those, for saying where else words
    occur when nothing is found. Raises InvalidQuery, InvalidParameter about filters and code, and SearchTooSlow.
    """
    text = check_query(query)
    narrowing = make_narrowing(category, filters, code)
    parsed, options = tell_options(parse_query(text), collections, narrowing)
    approach = choose_approach(mode, parsed.text, collections)
    with limiting_time():
        asked = prepare(parsed, collections, narrowing, snippet_length, approach)
        words = find_missing_words(asked, parsed, visible)
        notices = [notice for notice in (approach.notice, describe_options(options)) if notice]
        if approach.mode is not Mode.SEMANTIC and (spellings := choose_spellings(parsed, words)):
            parsed = parsed.spell(spellings)
            asked = asked.keep_pins(prepare(parsed, collections, narrowing, snippet_length, approach))
            notices.append(describe_spellings(spellings))
        hits = find_hits(asked, parsed, limit)
        if parsed.phrases and not hits:
            hits = find_hits(asked, replace(parsed, phrases=()), limit)
            notices += ["No section has the words in quotes in this order; these have some of them."] if hits else []
        if approach.mode is Mode.HYBRID and hits and asked.has_no_word:
            notices.append(MEANING_ONLY)
        results = SearchResults(
            query=text,
            mode=approach.mode,
            hits=hits,
            collections=tuple(name_collections(collections, visible or collections)),
            excluded=parsed.excluded,
            notice=" ".join(notices),
            is_makeshift=approach.is_makeshift,
        )
        if not hits:
            return explain_nothing(results, asked, parsed, narrowing, visible)
        return replace(results, words=words)


def tell_options(
    query: Query, collections: Sequence[Collection], narrowing: Narrowing
) -> tuple[Query, tuple[str, ...]]:
    """The question, asking for the options at its end; and these. They are told by the sections that are best with them."""
    if not query.doubtful:
        return query, ()
    taken = query.keep_options(query.doubtful)
    with limiting_time():
        asked = prepare(taken, collections, narrowing, 0, Approach(Mode.KEYWORD))
        rows = get_rows([section.section_id for section in rank_words(asked, taken, LOOKED_THROUGH)])
    options = find_options(query.doubtful, [row.excerpt for row in rows.values()])
    return query.keep_options(options), options


def find_missing_words(asked: Asked, query: Query, visible: Sequence[Collection]) -> tuple[WordReport, ...]:
    """Those that no section has; for most questions there are none."""
    if not (terms := find_missing(asked.scopes, query.text)):
        return ()
    with limited_transaction():
        return report_missing(query.text, terms, asked.corpus, list(asked.collections.values()), visible)


def explain_nothing(
    results: SearchResults, asked: Asked, query: Query, narrowing: Narrowing, visible: Sequence[Collection]
) -> SearchResults:
    """With what may help instead."""
    searched = list(asked.collections.values())
    with limited_transaction():
        return replace(
            results,
            words=report_words(query.text, merge_terms(asked.scopes), asked.corpus, searched, visible),
            pages=find_close_pages(query.text, searched, visible or searched),
            is_narrowed=bool(narrowing),
            notice=" ".join(
                filter(None, [results.notice, *explain_narrowing(narrowing, searched), tell_language(searched)])
            ),
        )


def tell_language(collections: Sequence[Collection]) -> str:
    """For who asks in another, mostly in English; nothing where some are in that, or in no language in particular."""
    spoken = sorted({collection.language for collection in collections})
    if not spoken or not ANY_LANGUAGE.isdisjoint(spoken):
        return ""
    return (
        f"The documents here are in {' and '.join(map(str.capitalize, spoken))}: words of another language find little."
    )


@dataclass(frozen=True, slots=True)
class Approach:
    """How sections are ranked, which may be less than what was asked for: `notice` says why; `is_makeshift`: only for now."""

    mode: Mode
    meaning: Meaning | None = None
    notice: str = ""
    is_makeshift: bool = False


@SEARCH_STAGE_SECONDS.labels("question").time()
def choose_approach(mode: Mode, question: str, collections: Sequence[Collection]) -> Approach:
    """By keyword where nothing else is set up or works. Asks the embedder, so not within a transaction."""
    if mode is Mode.KEYWORD or not collections:
        return Approach(Mode.KEYWORD)
    try:
        meaning = get_meaning(question, collections)
    except NoEmbedder as error:
        notice = "" if mode is Mode.AUTO else f"No {mode} search: {error.message} These are keyword results."
        return Approach(Mode.KEYWORD, notice=notice)
    except UpstreamUnavailable as error:
        return Approach(Mode.KEYWORD, notice=f"{error.message} These are keyword results.", is_makeshift=True)
    return Approach(Mode.HYBRID if mode is Mode.AUTO else mode, meaning)


def check_query(query: str) -> str:
    """The query on one line, without what no text can hold."""
    text = " ".join(UNSEEN.sub("", query).replace("\0", " ").encode("utf-8", "replace").decode().split())
    if not text:
        raise InvalidQuery("The query is empty. Give a few words of what you are looking for.")
    if len(text) > MAX_QUERY_CHARACTERS:
        raise InvalidQuery(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARACTERS:,} are looked up. Keep the words that matter."
        )
    return text


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, looked up: its terms in each scope, what people pinned to it, and how its snippets are made."""

    corpus: Corpus
    scopes: Sequence[ScopedTerms]
    collections: Mapping[int, Collection]
    pinned: Sequence[RankedSection]
    snip: Callable[[Sequence[Passage], str], str]
    approach: Approach

    def keep_pins(self, spelled: Asked) -> Asked:
        """The same question with other spellings: what people pinned to the words that were typed stays so."""
        return replace(spelled, pinned=self.pinned or spelled.pinned)

    @property
    def has_no_word(self) -> bool:
        """Whether none of the question's words is in any section."""
        return not any(term.sections for scoped in self.scopes for term in scoped.terms)


@SEARCH_STAGE_SECONDS.labels("terms").time()
def prepare(
    query: Query, collections: Sequence[Collection], narrowing: Narrowing, snippet_length: int, approach: Approach
) -> Asked:
    curations = get_curations(collections)
    expansions = find_expansions(curations, query.text)
    corpus, scopes = get_terms(make_scopes(collections, narrowing, expansions), query.text)
    if not all(scoped.is_told for scoped in scopes):
        narrowing = narrowing._replace(told=())
    narrowing = find_few_documents(narrowing, collections, corpus.pages)
    scopes = [scoped.narrow(narrowing) for scoped in scopes]
    synonyms = {each.synonym for own in expansions.values() for each in own}
    parts = {part for scoped in scopes for term in scoped.terms for part in term.parts}
    shown = " ".join([query.text, *sorted(synonyms | parts)])
    pinned = [] if narrowing or query.excluded else find_pinned(collections, curations, query.text)
    stop_words = {each.scope.language: each.stop_words for each in scopes}

    @cache
    def get_words(language: str) -> QuestionWords:
        return make_question_words(shown, stop_words[language])

    def snip(passages: Sequence[Passage], language: str) -> str:
        words = get_words(language)
        text, start = choose_passage(passages, words)
        if narrowing.code:
            return make_code_snippet(text, narrowing.code, words, snippet_length, start)
        return make_snippet(text, words, snippet_length, start)

    return Asked(corpus, scopes, {c.id: c for c in collections}, pinned, snip, approach)


def find_hits(asked: Asked, query: Query, limit: int) -> tuple[Hit, ...]:
    """Rank, and read what is shown. Again when a document was replaced in between, deeper when copies or other phrases took the places.

    The last attempt sees the database at one moment: with documents that are replaced all the time, some would be missing each time.
    """
    phrases = make_phrases(asked, query)
    depth = choose_depth(phrases, limit)
    deepest = limit * OVERSAMPLING * DEEPER**2
    hits: tuple[Hit, ...] = ()
    for attempt in range(1, ATTEMPTS + 1):
        with seeing_one_moment() if attempt == ATTEMPTS else nullcontext():
            ranked = put_first(asked.pinned, rank(asked, query, depth))
            hits, is_current = make_hits(ranked, asked.snip, asked.collections, limit, phrases)
        if not is_current:
            continue
        if len(hits) == limit or len(ranked) < depth or depth == deepest:
            break
        depth *= DEEPER
    return hits


def make_phrases(asked: Asked, query: Query) -> dict[str, Sequence[Pattern]]:
    """What texts are looked through for, in each language."""
    return {each.scope.language: make_patterns(query.phrases, each.stop_words) for each in asked.scopes}


def choose_depth(phrases: Mapping[str, Sequence[Pattern]], limit: int) -> int:
    """How many are ranked. What texts are looked through for leaves few."""
    return limit * OVERSAMPLING * (DEEPER if any(phrases.values()) else 1)


def rank(asked: Asked, query: Query, depth: int) -> list[RankedSection]:
    """Ranked sections over all scopes, best first, at most `depth`."""
    if asked.approach.mode is Mode.KEYWORD:
        return rank_words(asked, query, depth)
    by_meaning = rank_meaning(asked, query, max(depth, fusion.DEPTH))
    if asked.approach.mode is Mode.SEMANTIC:
        return by_meaning[:depth]
    return fusion.fuse(rank_words(asked, query, max(depth, fusion.DEPTH)), by_meaning[: fusion.DEPTH])[:depth]


@SEARCH_STAGE_SECONDS.labels("words").time()
def rank_words(asked: Asked, query: Query, depth: int) -> list[RankedSection]:
    return rank_sections(asked.scopes, query, asked.corpus, depth)


@SEARCH_STAGE_SECONDS.labels("meaning").time()
def rank_meaning(asked: Asked, query: Query, depth: int) -> list[RankedSection]:
    meaning = asked.approach.meaning
    if meaning is None:
        return []
    ranked = (section for scoped in asked.scopes for section in rank_by_meaning(meaning, scoped.scope, query, depth))
    return sort_ranked(ranked)[:depth]


def merge_terms(scopes: Sequence[ScopedTerms]) -> list[Term]:
    """The terms of all scopes, each once, with their sections summed, rarest first."""
    merged: dict[str, Term] = {}
    for scoped in scopes:
        for term in scoped.terms:
            known = merged.get(term.lexeme)
            merged[term.lexeme] = replace(term, sections=term.sections + known.sections) if known else term
    return sorted(merged.values(), key=lambda term: (term.sections, term.lexeme))
