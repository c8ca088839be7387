"""What an answer says about sections that a page does not have: those named after the `#` of an address, and those asked for by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collections_app.documents import Fragment, MissingSection
from collections_app.exceptions import DocsError
from collections_app.models import Document
from collections_app.naming.slugs import make_slug
from collections_app.search import MAX_QUERY_CHARACTERS, SearchOptions, search
from collections_app.text.tokens import estimate_tokens
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import NAME_TOKENS, count_of, fit_count, format_call, name_section, shorten_name
from mcp_app.tools.parameters import Reach

# The name of a missing section may take 1/20 of the budget, and everything that is said of it 1/5.
NAME_SHARE = 20
SHARE = 5
# The names of several missing sections may together take 1/8 of the budget.
NAMES_SHARE = 8
# Among how many hits a section of another page is looked for. A name that more than MAX_ELSEWHERE pages have says nothing: `usage`.
LOOKED_THROUGH = 20
MAX_ELSEWHERE = 2


def find_elsewhere(document: Document, name: str, reach: Reach, max_tokens: int) -> list[str]:
    """The sections called so on other pages of the collection, as paths with fragments: a page may have been split, or the path be another
    section's. If some have this very id, those; none if many are called so."""
    slug = make_slug(name.rpartition("/")[2])
    options = SearchOptions(limit=LOOKED_THROUGH, snippet_length=0)
    try:
        found = search(slug.replace("-", " ")[:MAX_QUERY_CHARACTERS], [document.collection], options)
    except DocsError:
        return []
    hits = [
        hit
        for hit in found.hits
        if hit.document_id != document.pk and hit.heading_path and make_slug(hit.heading_path[-1]) == slug
    ]
    hits = [hit for hit in hits if hit.section_id == name] or hits
    places = [f"{reach.locate_hit(hit, max_tokens)}#{hit.section_id.rpartition('/')[2]}" for hit in hits]
    return places if len(places) <= MAX_ELSEWHERE else []


def describe_missing(fragment: Fragment, max_tokens: int, path: str = "", elsewhere: Sequence[str] = ()) -> str:
    """That the section is missing, the closest ids, where other pages have one, and the call that lists all sections of `path`, as far as
    there is room."""
    missing = f"there is no section {dump_json(shorten_missing(fragment.name, max_tokens))} here"
    close = ", ".join(name_section(each, max_tokens) for each in fragment.close)
    facts = [
        f"the closest: {close}" if close else "",
        f"on another page: {', '.join(elsewhere)}" if elsewhere else "",
        f"{format_call('table_of_contents', path=path)} lists those there are" if path else "",
    ]
    kept = [fact for fact in facts if fact]
    while kept and estimate_tokens("; ".join([missing, *kept])) > max_tokens // SHARE:
        kept.pop(0)
    return f"[{'; '.join([missing, *kept])}]"


def describe_words(fragment: Fragment, words: str, section_id: str, whole: str, max_tokens: int) -> str:
    """That the text begins where the section's words stand instead, and the call that gets the whole page, if there is room."""
    missing = dump_json(shorten_missing(fragment.name, max_tokens))
    found = f"where {dump_json(shorten_missing(words, max_tokens))} stands, in section_id: {name_section(section_id, max_tokens)}"
    facts = [f"there is no section {missing} here; this is {found}", f"the whole page: {whole}"]
    has_room = estimate_tokens("; ".join(facts)) <= max_tokens // SHARE
    return f"[{'; '.join(facts if has_room else facts[:1])}]"


def make_missing_data(fragment: Fragment, max_tokens: int) -> dict[str, Any]:
    close = [name_section(each, max_tokens) for each in fragment.close]
    return {"missing_section": shorten_missing(fragment.name, max_tokens), "close_sections": close}


def shorten_missing(name: str, max_tokens: int) -> str:
    return shorten_name(name, min(NAME_TOKENS, max_tokens // NAME_SHARE))


def list_missing(missing: Sequence[MissingSection], max_tokens: int) -> list[dict[str, Any]]:
    """Missing sections with the closest ids, as many as have room in their part of the budget; the first one even without them."""

    def build(count: int) -> list[dict[str, Any]]:
        return [
            {
                "name": shorten_missing(each.name, max_tokens),
                "close": [name_section(section_id, max_tokens) for section_id in each.close],
            }
            for each in missing[:count]
        ]

    told = build(fit_count(len(missing), lambda count: dump_json(build(count)), max_tokens // NAMES_SHARE))
    while told and told[0]["close"] and estimate_tokens(dump_json(told)) > max_tokens // NAMES_SHARE:
        told[0]["close"].pop()
    return told


def describe_missing_names(missing: Sequence[MissingSection], max_tokens: int) -> str:
    """A line that names the missing sections; empty if none is missing."""
    told = list_missing(missing, max_tokens)
    names = [
        dump_json(each["name"]) + (f" (the closest: {', '.join(each['close'])})" if each["close"] else "")
        for each in told
    ]
    left_out = len(missing) - len(told)
    if left_out:
        names.append(f"nor {count_of(left_out, 'more name')}")
    return f"[not here: {'; '.join(names)}]" if names else ""
