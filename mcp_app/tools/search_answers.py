"""Renders search results as text and as data, within a budget, with what to call next (follow_ups.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collections_app.catalog.names import NOTHING_VISIBLE
from collections_app.catalog.versions import find_other_versions
from collections_app.search import Hit, SearchResults, WordReport
from collections_app.text.tokens import estimate_tokens
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    MAX_TOKENS,
    TITLE_PATH_TOKENS,
    count_of,
    drop_fields,
    end_with,
    fit_count,
    format_date,
    get_reference_tokens,
    iter_titles,
    join_facts,
    keep_facts,
    name_path,
    name_section,
    shorten_heading_path,
    shorten_name,
)
from mcp_app.tools.follow_ups import choose_next_call, open_addressed, open_folder, suggest_next_call
from mcp_app.tools.parameters import Reach

# If nothing is found, at most this many of the searched collections are named.
MAX_SEARCHED_NAMES = 10
# A snippet has at most 1/4 of the budget, counted in characters, since a character may cost a token.
SNIPPET_SHARE = 4
# How many of the sections a repeated search names again.
REPEATED_HITS = 3
# Fields that a single hit loses if the budget is small, in this order; the others are needed to read it.
DISPENSABLE = (
    "code_languages",
    "indexed",
    "source_url",
    "pinned",
    "version",
    "score",
    "page_number",
    "heading_path",
    "snippet",
    "title",
)


def render_repeat(results: SearchResults, reach: Reach, max_tokens: int, code: str | None, page_path: str) -> str:
    """The answer to a search that was asked a short while ago, instead of the same results: a model that gets them again asks again. A
    caller that has not seen them, or no longer has them, learns what they are and how to get them."""
    lines = [render_brief_hit(hit, reach, max_tokens) for hit in results.hits[:REPEATED_HITS]]
    said = (
        f"Unchanged: the same search gave the same {count_of(len(results.hits), 'section')} a short while ago "
        "(with another limit, or format json, it gives them again). Read the best, or ask in other words:"
    )
    return end_with(
        "\n".join([said, *lines]),
        f"Next: {suggest_next_call(results, reach, max_tokens, code, page_path)}",
        max_tokens,
    )


def render_brief_hit(hit: Hit, reach: Reach, max_tokens: int) -> str:
    path = reach.locate_hit(hit, max_tokens)
    [*_, heading] = iter_titles(hit.title, hit.heading_path)
    section_id = f"section_id: {name_section(hit.section_id, max_tokens)}"
    return f"- {join_facts([shorten_name(heading, limit_headings(max_tokens)), path, section_id])}"


def render(results: SearchResults, reach: Reach, max_tokens: int, code: str | None = None, page_path: str = "") -> str:
    """`code`: the language of code that was asked for. `page_path`: the page whose address the question is."""
    if results.is_repeat:
        return render_repeat(results, reach, max_tokens, code, page_path)
    if not results.hits:
        return render_nothing_found(results, reach, max_tokens, code, page_path)
    blocks = [render_hit(number, hit, reach, max_tokens) for number, hit in enumerate(results.hits, 1)]
    next_call = f"Next: {suggest_next_call(results, reach, max_tokens, code, page_path)}"

    def build(shown: int) -> str:
        heading = [render_heading(results, reach, shown, max_tokens), *render_missing(results, max_tokens)]
        heading += render_versions(results.hits, reach, max_tokens) if len(reach.chosen) > 1 else []
        return "\n\n".join(["\n".join(heading), *blocks[:shown]])

    def end(shown: int, *, is_brief: bool = False) -> str:
        left_out = describe_left_out(len(blocks) - shown, max_tokens, is_brief=is_brief)
        return "\n\n".join(filter(None, [left_out, next_call]))

    shown = fit_count(len(blocks), lambda count: f"{build(count)}\n\n{end(count)}", max_tokens)
    whole = f"{build(shown)}\n\n{end(shown)}"
    if estimate_tokens(whole) <= max_tokens:
        return whole
    return end_with(build(shown), end(shown, is_brief=True), max_tokens)


def describe_left_out(count: int, max_tokens: int, *, is_brief: bool) -> str:
    """`is_brief`: not even a single hit has room."""
    if not count:
        return ""
    said = f"{count_of(count, 'more result')} left out"
    return (
        f"[{said}]"
        if is_brief
        else f"[{said} to stay within {max_tokens} tokens; max_tokens may ask for up to {MAX_TOKENS}]"
    )


def render_heading(results: SearchResults, reach: Reach, shown: int, max_tokens: int) -> str:
    most = get_reference_tokens(max_tokens)
    searched = describe_served(reach) if len(reach.chosen) == 1 else shorten_name(reach.argument or "")
    where = f" in {searched}" if searched else ""
    facts = [
        f"{count_of(shown, 'section')}{where} for {dump_json(shorten_name(results.query, most))}",
        f"mode {results.mode}",
    ]
    if results.excluded:
        facts.append(f"without {shorten_name(', '.join(dump_json(word) for word in results.excluded), most)}")
    return join_facts([*facts, results.notice])


def render_missing(results: SearchResults, max_tokens: int) -> list[str]:
    """A line for the words that no section has: what was found may be about something else. Not for those that were searched in another
    spelling, of which the heading tells, unless another collection has them.
    """
    words = [each for each in results.words if each.elsewhere or each.word not in results.spellings]
    if not words:
        return []
    told = (f"{dump_json(shorten_name(each.word))}{describe_elsewhere(each)}" for each in words)
    return [keep_facts([f"No section here has {', '.join(told)}."], max_tokens // SNIPPET_SHARE)]


def describe_elsewhere(report: WordReport) -> str:
    facts = [f"in {name}: {count}" for name, count in report.elsewhere]
    facts += [f"close: {', '.join(report.close)}"] if report.close else []
    return f" ({'; '.join(facts)})" if facts else ""


def render_versions(hits: Sequence[Hit], reach: Reach, max_tokens: int) -> list[str]:
    """A line for the other versions of the hits' libraries, which were left out."""
    told = [f"{library} {versions}" for library, versions in list_other_versions(hits, reach).items()]
    if not told:
        return []
    return [
        keep_facts(
            [f"Not searched, unless `version` or `collection` asks for it: {'; '.join(told)}."],
            max_tokens // SNIPPET_SHARE,
        )
    ]


def list_other_versions(hits: Sequence[Hit], reach: Reach) -> dict[str, str]:
    """Library → in one text, its versions that were not searched although the hits are from that library, newest first, and its collections
    without a version."""
    found = {(hit.tenant, hit.collection) for hit in hits}
    served = [c for c in reach.chosen if (c.tenant.slug, c.slug) in found]
    others: dict[str, dict[str, None]] = {}
    for collection in served:
        versions = find_other_versions(reach.visible, collection, reach.chosen)
        others.setdefault(shorten_name(collection.library), {}).update(dict.fromkeys(versions))
    return {library: shorten_name(", ".join(versions)) for library, versions in others.items() if versions}


def describe_served(reach: Reach) -> str:
    """The one collection that was searched, its version, and the library's other versions."""
    [served] = reach.chosen
    others = find_other_versions(reach.visible, served)
    version = f"version {shorten_name(served.version)}" if served.version else ""
    also = f"also there: {shorten_name(', '.join(others))}" if others else ""
    told = "; ".join(filter(None, (version, also)))
    return f"{reach.name(served)} ({told})" if told else reach.name(served)


def render_hit(number: int, hit: Hit, reach: Reach, max_tokens: int) -> str:
    facts = [
        f"{reach.name_slugs(hit.tenant, hit.collection)}{f' {shorten_name(hit.version)}' if hit.version else ''}",
        name_path(hit.path, hit.document_id, max_tokens),
        f"section_id: {name_section(hit.section_id, max_tokens)}",
        f"page {hit.page_number}" if hit.page_number else "",
        "pinned" if hit.is_pinned else f"score {hit.score:.2f}",
        count_of(hit.tokens, "token"),
        keep_facts([hit.source_url], get_reference_tokens(max_tokens)),
        f"indexed {format_date(hit.indexed)}" if hit.indexed else "",
    ]
    headings = list(iter_titles(hit.title, hit.heading_path))
    title = " › ".join(shorten_heading_path(headings, limit_headings(max_tokens)))
    return f"{number}. **{title}**\n{join_facts(facts)}\n{hit.snippet}".rstrip()


def limit_headings(max_tokens: int) -> int:
    return min(TITLE_PATH_TOKENS, max_tokens // SNIPPET_SHARE)


def list_some(names: Sequence[str]) -> str:
    """The first names and how many more there are; otherwise a reader would think that the others were not searched."""
    more = f" and {len(names) - MAX_SEARCHED_NAMES} more" if len(names) > MAX_SEARCHED_NAMES else ""
    return ", ".join(names[:MAX_SEARCHED_NAMES]) + more


def render_nothing_found(
    results: SearchResults, reach: Reach, max_tokens: int, code: str | None = None, page_path: str = ""
) -> str:
    next_call = open_addressed(page_path, code) if page_path else open_folder(results, reach, max_tokens, code)
    next_call = next_call or choose_next_call(results, reach)
    return end_with(describe_nothing(results, max_tokens), f"Next: {next_call}", max_tokens)


def describe_nothing(results: SearchResults, max_tokens: int) -> str:
    """Which of the words do occur, and where."""
    where = list_some(results.collections) or "any collection"
    query = dump_json(shorten_name(results.query, get_reference_tokens(max_tokens)))
    lines = [f"No section was found for {query} in {where}.", "" if results.collections else NOTHING_VISIBLE]
    lines += [render_word(word) for word in results.words]
    if not results.words and results.collections:
        lines.append(explain_no_words(results.query))
    if results.pages:
        lines.append(f"Pages of nearly this name: {', '.join(shorten_name(page) for page in results.pages)}.")
    if results.excluded:
        as_they_are = " ".join(f'"-{word}"' for word in results.excluded)
        lines.append(f"Excluded were: {', '.join(results.excluded)}; {as_they_are} looks for them, minus and all.")
    lines.append(results.notice)
    return "\n".join(line for line in lines if line)


def explain_no_words(query: str) -> str:
    if not any(character.isalnum() for character in query):
        return "It has no words to look up, only signs. Ask with words that name the subject."
    return "Its words are too common to be looked up. Ask with words that name the subject."


def render_word(report: WordReport) -> str:
    here = f"occurs in {count_of(report.sections, 'section')} here" if report.sections else "does not occur here"
    elsewhere = "; in " + ", ".join(f"{name} ({count})" for name, count in report.elsewhere) if report.elsewhere else ""
    close = f"; close: {', '.join(report.close)}" if report.close else ""
    return f"- {report.word}: {here}{elsewhere}{close}"


def make_data(results: SearchResults, reach: Reach, max_tokens: int) -> dict[str, Any]:
    hits = [make_hit_data(hit, reach, max_tokens) for hit in results.hits]
    words = [make_word_data(report) for report in results.words]
    others = list_other_versions(results.hits, reach)

    def build(shown: int) -> dict[str, Any]:
        query = shorten_name(results.query, get_reference_tokens(max_tokens))
        data: dict[str, Any] = {
            "query": query,
            "mode": results.mode.value,
            "cached": results.cached,
            "unchanged": results.is_repeat,
            "results": hits[:shown],
        }
        if shown < len(hits):
            data["left_out"] = len(hits) - shown
        if results.excluded:
            data["excluded"] = list(results.excluded)
        if words:
            data["words"] = words if hits else words[:shown]
        if others:
            data["not_searched"] = others
        if results.pages:
            data["pages"] = [shorten_name(page) for page in results.pages]
        if results.notice:
            data["notice"] = results.notice
        return data

    shown = fit_count(len(hits) or len(words), lambda count: dump_json(build(count)), max_tokens)
    return shrink(build(shown), max_tokens)


def shrink(data: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    """For the case that even one hit or word is too much: leaves out what can be done without."""
    data = drop_fields(data, ("excluded", "notice", "pages", "words", "not_searched"), max_tokens)
    if len(data["results"]) == 1:
        left = max_tokens - estimate_tokens(dump_json(data | {"results": []}))
        data["results"] = [drop_fields(data["results"][0], DISPENSABLE, left)]
    return data


def make_word_data(report: WordReport) -> dict[str, Any]:
    return {
        "word": report.word,
        "sections": report.sections,
        "elsewhere": dict(report.elsewhere),
        "close": list(report.close),
    }


def make_hit_data(hit: Hit, reach: Reach, max_tokens: int) -> dict[str, Any]:
    return {
        "title": shorten_name(hit.title),
        "heading_path": shorten_heading_path(hit.heading_path, limit_headings(max_tokens)),
        "collection": reach.name_slugs(hit.tenant, hit.collection),
        "version": hit.version,
        "path": name_path(hit.path, hit.document_id, max_tokens),
        "section_id": name_section(hit.section_id, max_tokens),
        "page_number": hit.page_number,
        "pinned": hit.is_pinned,
        "score": hit.score,
        "tokens": hit.tokens,
        **({"code_languages": list(hit.code_languages)} if hit.code_languages else {}),
        "snippet": hit.snippet,
        "source_url": keep_facts([hit.source_url], get_reference_tokens(max_tokens)),
        "indexed": hit.indexed.isoformat() if hit.indexed else None,
    }
