"""The only entry point to search: `search()`. cached_search.py keeps its results for a while.

1. asking.py parses the query (query/), looks its words up in the collections (question.py, terms/), and decides which words are options
   or typing errors.
2. finding.py ranks sections by words and by meaning and fuses the two (rankings.py, ranking/), has the first sections reranked if a model
   is configured for it (reranking.py), and turns them into hits with rows and snippets (hits.py).
3. help/ reports the words that no section has and, when there are no hits, suggests what may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collections_app.catalog.names import name_collections
from collections_app.models import Collection
from collections_app.search.asking import MAX_QUERY_CHARACTERS, ask, check_query, read_query
from collections_app.search.finding import Found, find
from collections_app.search.help.spelling import describe_spellings
from collections_app.search.help.suggestions import find_close_pages, report_words
from collections_app.search.narrowing import (
    Narrowing,
    choose_named,
    explain_narrowing,
    make_narrowing,
    open_folders,
    read_conditions,
)
from collections_app.search.query import Query
from collections_app.search.query.options import describe_options
from collections_app.search.query.traces import leave_out_frames
from collections_app.search.question import Question
from collections_app.search.ranking.approach import Approach, choose_approach
from collections_app.search.results import Hit, SearchResults, WordReport
from collections_app.search.search_options import Mode, SearchOptions
from collections_app.search.time_limit import limited_transaction, limiting_time

__all__ = [
    "MAX_QUERY_CHARACTERS",
    "Hit",
    "Mode",
    "SearchOptions",
    "SearchResults",
    "WordReport",
    "check_query",
    "leave_out_frames",
    "search",
]

ANY_LANGUAGE = frozenset({"english", "simple"})
PHRASES_NOWHERE = "The words in quotes were not found in this order; these have some of them."
PHRASES_TOO_COMMON = (
    "The words in quotes are too common to be looked for by themselves: add one that names the subject."
)
LACKING = "Most words of the question are in no section here: what follows may be about something else."
MEANING_ONLY = "What follows is nearest by meaning alone."


def search(
    query: str,
    collections: Sequence[Collection],
    options: SearchOptions,
    *,
    visible: Sequence[Collection] = (),
) -> SearchResults:
    """The sections of these collections that answer the query best.

    The caller must be allowed to see `collections`, and their tenants must be loaded. `visible` are all the collections that the caller
    may see; they are needed to say where else words occur. Raises InvalidQuery, InvalidParameter (for filters and code) and SearchTooSlow.
    """
    text = check_query(query)
    conditions = read_conditions(options.category, options.filters)
    collections = choose_named(conditions, collections)
    narrowing = make_narrowing(conditions, options.code, collections)
    read, known = read_query(text, collections, narrowing)
    with limiting_time():
        approach = choose_approach(options.mode, read, collections)
        question = ask(read, approach, collections, narrowing, options.snippet_length, visible, known)
        found = find(question, options.limit)
        doubt = tell_doubt(read, approach, question, found)
        results = SearchResults(
            query=text,
            mode=approach.mode,
            hits=found.hits,
            collections=tuple(name_collections(collections, visible or collections)),
            excluded=read.excluded,
            notice=" ".join(filter(None, iter_notices(read, approach, question, found, doubt))),
            is_doubtful=bool(doubt),
            lacks_half=is_by_rank(found.hits) and lacks_half(read, found.question),
            is_makeshift=approach.is_makeshift or bool(found.rankings.not_reranked),
            spellings=question.query.spellings,
        )
        if not found.hits:
            return explain_nothing(results, question, narrowing, visible)
        return replace(results, words=question.missing)


def iter_notices(read: Query, approach: Approach, question: Question, found: Found, doubt: str) -> Iterator[str]:
    """Sentences about the search, some of them empty: first what was done instead of what was asked for, then the `doubt`.

    `read` has the words as typed, `question` the words that were searched instead.
    """
    yield approach.notice
    yield describe_options(read.options)
    yield describe_spellings(question.query.spellings)
    if found.hits:
        yield found.rankings.not_reranked
    if found.is_found and question.query.phrases and not found.question.query.phrases:
        yield PHRASES_TOO_COMMON if question.is_of_stop_words else PHRASES_NOWHERE
    if is_by_rank(found.hits):
        yield doubt or (tell_languages(question) if question.asked_language else "")


def is_by_rank(hits: Sequence[Hit]) -> bool:
    """Whether the first hit was found by ranking. If it is pinned, no doubt is expressed: people chose it."""
    return bool(hits) and not hits[0].is_pinned


def tell_doubt(read: Query, approach: Approach, question: Question, found: Found) -> str:
    """Why the hits may be about something else; empty if there is no reason to think so."""
    if not is_by_rank(found.hits):
        return ""
    if approach.mode is Mode.HYBRID and found.question.has_no_word:
        return MEANING_ONLY
    if not (read.is_code or read.is_message) and found.question.lacks_most_words:
        # A single one may be a name, and what other collections have is rather of another subject than of another language.
        is_told = question.asked_language or sum(not each.elsewhere for each in question.missing) > 1
        return " ".join(filter(None, [LACKING, tell_languages(question) if is_told else ""]))
    return ""


def lacks_half(read: Query, question: Question) -> bool:
    """Whether half of the words are in no section, even if that is one of two: the sections with the other may be about anything."""
    return bool(question.missing) and question.lacks_half and not (read.is_code or read.is_message)


def explain_nothing(
    results: SearchResults, question: Question, narrowing: Narrowing, visible: Sequence[Collection]
) -> SearchResults:
    """The results of a search without hits: where its words occur, pages with a similar name, and what may have excluded everything."""
    text, searched = question.query.text, list(question.collections.values())
    terms, language = question.merge_terms(), question.asked_language
    if language:
        terms = language.leave_out_stop_words(text, terms)
    with limited_transaction():
        return replace(
            results,
            words=report_words(text, terms, question.corpus, searched, visible, is_spelled=language is None),
            pages=find_close_pages(text, searched, visible or searched),
            is_narrowed=bool(narrowing),
            folder_filters=open_folders(narrowing.conditions, searched),
            notice=" ".join(
                filter(None, [results.notice, *explain_narrowing(narrowing, searched), tell_language(question)])
            ),
        )


def tell_language(question: Question) -> str:
    """The languages of the documents, for someone who may have asked in another one, mostly English; else empty.

    If some collections are in English or in no particular language, this is said only if most words are found nowhere or the question's
    language was recognised.
    """
    is_told = ANY_LANGUAGE.isdisjoint(question.languages) or (
        question.lacks_most_words and not (question.query.is_code or question.query.is_message)
    )
    if not (is_told or question.asked_language):
        return ""
    return tell_languages(question)


def tell_languages(question: Question) -> str:
    """Which languages the documents are in and, if known, which one the question is in; empty if it seems to be in one of theirs, or in
    none."""
    spoken = sorted(question.languages - {"simple"})
    is_understood = question.speaks_their_language or question.is_of_names
    if not spoken or (is_understood and not question.asked_language):
        return ""
    if asked := question.asked_language:
        named = join_names(spoken, "or")
        return (
            f"The question seems to be in {asked.name.capitalize()}; ask in {named}, which most documents here are in."
        )
    return f"Most documents here are in {join_names(spoken)}: words of another language may find little."


def join_names(languages: Sequence[str], word: str = "and") -> str:
    return f" {word} ".join(map(str.capitalize, languages))
