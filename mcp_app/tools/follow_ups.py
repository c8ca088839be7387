"""Which call to make after a search: one that reads what was found, or one that searches elsewhere or otherwise."""

from __future__ import annotations

from collections import Counter

from collections_app.catalog.names import ASK_FOR_KEY
from collections_app.search import Hit, SearchResults
from collections_app.search.terms.asked_words import replace_part
from collections_app.text.tokens import estimate_tokens
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import NEAR_TOKENS, format_call, get_reference_tokens, name_section, shorten_name
from mcp_app.tools.parameters import Reach

# A longer section is read in part, from the words of the query on.
LONG_TOKENS = 2_000
# What was found is passed over for another collection only if that has at least this share of the words that are missing: one of two may
# be any word.
TELLING_SHARE = 0.6
# A call with filters may take this fraction of the budget: 1/4.
CALL_SHARE = 4


def suggest_next_call(results: SearchResults, reach: Reach, max_tokens: int, code: str | None, page_path: str) -> str:
    """Reads the page whose address was asked for, else the best hit; only if it fits, where half of the words are nowhere. If all hits may
    be about something else, searches the collection that has the words."""
    if page_path:
        return open_addressed(page_path, code)
    reading = format_next_call(results.hits[0], results.searched, reach, max_tokens, code)
    if not (results.is_doubtful or results.lacks_half):
        return reading
    if results.is_doubtful and (elsewhere := find_most_words(results, TELLING_SHARE)):
        return format_call("search_docs", query=shorten_name(results.query), collection=elsewhere)
    return f"search_docs with other words; only if result 1 fits: {reading}"


def format_next_call(hit: Hit, query: str, reach: Reach, max_tokens: int, code: str | None = None) -> str:
    """The call that reads a hit; a long section only in part, from where the query's words are. `code`: the language that was asked for."""
    path = reach.locate_hit(hit, max_tokens)
    sections = [name_section(hit.section_id, max_tokens)]
    choice = "" if code else describe_choice(hit, max_tokens)
    if hit.tokens <= LONG_TOKENS:
        return format_call("read_sections", path=path, section_ids=sections, code=code) + choice
    near = shorten_name(query, get_reference_tokens(max_tokens))
    called = format_call("get_doc_page", path=path, sections=sections, near=near, code=code, max_tokens=NEAR_TOKENS)
    return called + choice


def describe_choice(hit: Hit, max_tokens: int) -> str:
    """How to read less of a section that has the same code in several languages."""
    if not hit.code_languages:
        return ""
    said = f" (code in {', '.join(hit.code_languages)}: with code={dump_json(hit.code_languages[0])} that alone)"
    return said if estimate_tokens(said) <= get_reference_tokens(max_tokens) else ""


def open_folder(results: SearchResults, reach: Reach, max_tokens: int, code: str | None) -> str:
    """The same search in the folder that its filters name without a slash; empty if they name none, or need too much room."""
    if not results.folder_filters:
        return ""
    query = shorten_name(results.query)
    called = format_call(
        "search_docs", query=query, collection=reach.argument, code=code, filters=results.folder_filters
    )
    return called if estimate_tokens(called) <= max_tokens // CALL_SHARE else ""


def choose_next_call(results: SearchResults, reach: Reach) -> str:
    """The call to make if nothing was found. The first of these that applies: the same search without the filters that exclude the words;
    a search in the collection that has most of them; a page of a similar name; the question spelled differently; the list of pages."""
    searched = reach.argument
    if results.is_narrowed and any(word.sections for word in results.words):
        return format_call("search_docs", query=shorten_name(results.query), collection=searched)
    if elsewhere := find_most_words(results):
        return format_call("search_docs", query=shorten_name(results.query), collection=elsewhere)
    if not reach.visible:
        return ASK_FOR_KEY
    if results.pages:
        return format_call("table_of_contents", path=results.pages[0])
    if (spelled := spell_closely(results)) != results.query:
        return format_call("search_docs", query=shorten_name(spelled), collection=searched)
    return "search_docs with other words, or list_doc_pages to see what there is."


def open_addressed(page_path: str, code: str | None) -> str:
    return format_call("get_doc_page", path=page_path, code=code)


def find_most_words(results: SearchResults, share: float = 0.5) -> str:
    """The other collection that has most of the words missing here; empty if no collection has this share of them."""
    missing = [word for word in results.words if not word.sections]
    having = Counter(name for word in missing for name, _ in word.elsewhere)
    [(name, words)] = having.most_common(1) or [("", 0)]
    return name if words >= share * len(missing) else ""


def spell_closely(results: SearchResults) -> str:
    """The question with each missing word in its likeliest spelling; unchanged if most words resemble none here, as in a question in
    another language."""
    query = results.query
    if 2 * sum(bool(each.close or each.sections) for each in results.words) < len(results.words):
        return query
    for each in results.words:
        if each.close and not each.sections:
            query = replace_part(query, each.word, each.close[0])
    return query
