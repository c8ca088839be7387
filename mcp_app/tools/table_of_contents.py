"""table_of_contents: the sections of a document and what reading each costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from collections_app.documents import (
    Fragment,
    Outline,
    OutlineEntry,
    find_fragment,
    get_document,
    get_outline,
    read_steadily,
)
from collections_app.models import Document, Section
from mcp_app.jsonrpc import dump_json
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    READ_TOKENS,
    RESERVE_TOKENS,
    TextAnswer,
    count_of,
    fit_count,
    format_call,
    join_facts,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools.fragments import describe_missing, make_missing_data
from mcp_app.tools.parameters import COLLECTION_ALIASES, PATH_ALIASES, CollectionName, Cursor, Path, Reach, get_reach
from mcp_app.tools.places import make_document_cursor, read_document_cursor

# Of its cursors.
KIND = "contents"
NO_HEADING = "(no heading)"
# What a section may cost that a read of the default budget gives whole.
READABLE_TOKENS = READ_TOKENS - RESERVE_TOKENS


class TableOfContentsParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES}

    path: Path
    collection: CollectionName = None
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The outline of a document from position `start` on.

    From the beginning, what has no room is left out of the lowest levels; the rest is then listed in order, all levels of it.
    `fragment`: what the document's address names; where that has subsections, the outline is `part` of the document's, this section's.
    A part, and what goes on in one, ends at position `until`.
    """

    document: Document
    outline: Outline
    start: int
    call: Call
    reach: Reach
    fragment: Fragment | None = None
    part: Section | None = None
    until: int | None = None

    @property
    def end(self) -> int:
        """The position behind the last section of what is listed, shown or not."""
        return self.until or self.outline.section_count

    def choose(self, count: int) -> list[OutlineEntry]:
        """The first so many entries to be shown, in the order in which they stand."""
        if self.start:
            return list(self.outline.entries[:count])
        by_level = sorted(self.outline.entries, key=lambda entry: (entry.level, entry.position))
        return sorted(by_level[:count])

    def make_next_cursor(self, shown: Sequence[OutlineEntry]) -> str | None:
        """From the first section that is not shown; None when all are."""
        positions = {entry.position for entry in shown}
        rest = range(self.start, self.end)
        limits = [self.until] if self.until else []
        following = next((position for position in rest if position not in positions), None)
        return None if following is None else make_document_cursor(KIND, self.call, self.document, [following, *limits])


def run(call: Call, params: TableOfContentsParams) -> TextAnswer:
    reach = get_reach(call, params.collection)

    def read() -> Contents:
        document = get_document(reach.chosen, params.path, visible=reach.visible)
        start, until, fragment = 0, None, None
        if params.cursor:
            again = format_call("table_of_contents", path=reach.locate(document))
            start, *limits = read_document_cursor(KIND, call, document, params.cursor, again)
            until = limits[0] if limits else None
        else:
            fragment = find_fragment(document, params.path)
        part = get_part(fragment)
        if part:
            start, until = part.position, part.end_position
        return Contents(document, get_outline(document, start, until), start, call, reach, fragment, part, until)

    contents = read_steadily(read, reach.chosen)
    return TextAnswer(partial(render, contents), partial(make_data, contents))


def get_part(fragment: Fragment | None) -> Section | None:
    """The section that is named, if it has subsections and is not all of the document."""
    section = fragment.section if fragment else None
    return section if section and section.position and section.end_position > section.position + 1 else None


def render(contents: Contents) -> str:
    lines = {entry.position: render_entry(entry) for entry in contents.outline.entries}

    def build(count: int) -> str:
        shown = contents.choose(count)
        parts = [render_header(contents), render_note(contents), "\n".join(lines[entry.position] for entry in shown)]
        return "\n\n".join(part for part in [*parts, render_next(contents, shown)] if part)

    return build(fit_count(len(lines), build, READ_TOKENS))


def render_header(contents: Contents) -> str:
    document, outline = contents.document, contents.outline
    facts = [
        contents.reach.name(document.collection),
        name_path(document.path, document.pk, READ_TOKENS),
        count_of(contents.end - contents.start if contents.part else outline.section_count, "section"),
        f"the list goes on from section {contents.start + 1}"
        if contents.start and not contents.part
        else f"about {count_of(outline.token_count, 'token')}",
    ]
    return f"# {shorten_name(document.title)}\n{join_facts(facts)}"


def render_note(contents: Contents) -> str:
    """What part of the page is listed, or that it has no such part."""
    if contents.part:
        whole = format_call("table_of_contents", path=contents.reach.locate(contents.document))
        return f"[within section_id: {name_section(contents.part.section_id, READ_TOKENS)}; the whole page: {whole}]"
    if contents.fragment is None or contents.fragment.section:
        return ""
    return describe_missing(contents.fragment, READ_TOKENS)


def render_entry(entry: OutlineEntry) -> str:
    indent = "  " * max(entry.level - 1, 0)
    facts = [
        shorten_name(entry.heading) or NO_HEADING,
        f"section_id: {name_section(entry.section_id, READ_TOKENS)}",
        f"level {entry.level}",
        count_of(entry.character_count, "character"),
        count_of(entry.token_count, "token"),
    ]
    return f"{indent}- {join_facts(facts)}"


def render_next(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    if not shown:
        return "There are no more sections." if contents.outline.section_count else "This document is empty."
    path = contents.reach.locate(contents.document)
    lines = [f"Next: {recommend(contents, shown, path)}"]
    if cursor := contents.make_next_cursor(shown):
        call = format_call("table_of_contents", path=path, cursor=cursor)
        ways = (
            "search_docs finds by words"
            if contents.part
            else "path#section lists within one; search_docs finds by words"
        )
        lines.append(f"[{describe_rest(contents, shown)} left out; the rest: {call}; {ways}]")
    return "\n".join(lines)


def recommend(contents: Contents, shown: Sequence[OutlineEntry], path: str) -> str:
    """To read what the address names, else the first section that a read has room for, or the smallest."""
    named = contents.fragment.section if contents.fragment else None
    smallest = min(shown, key=lambda entry: entry.token_count)
    first = next((entry for entry in shown if entry.token_count <= READABLE_TOKENS), smallest)
    call = format_call("read_sections", path=path, section_ids=[name_section((named or first).section_id, READ_TOKENS)])
    return call if named or first is shown[0] else f"choose from these, such as {call}"


def describe_rest(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    total = contents.end - contents.start if contents.part else contents.end
    return f"{contents.end - contents.start - len(shown)} of {count_of(total, 'section')}"


def make_data(contents: Contents) -> dict[str, Any]:
    document, outline = contents.document, contents.outline
    entries = {entry.position: make_entry_data(entry) for entry in outline.entries}

    fragment = contents.fragment
    missing = make_missing_data(fragment, READ_TOKENS) if fragment and not fragment.section else {}
    within = {"within": name_section(contents.part.section_id, READ_TOKENS)} if contents.part else {}

    def build(count: int) -> dict[str, Any]:
        shown = contents.choose(count)
        return {
            "title": shorten_name(document.title),
            "collection": contents.reach.name(document.collection),
            "path": name_path(document.path, document.pk, READ_TOKENS),
            "sections": [entries[entry.position] for entry in shown],
            **missing,
            **within,
            "left_out": contents.end - contents.start - len(shown),
            "next_cursor": contents.make_next_cursor(shown),
        }

    return build(fit_count(len(entries), lambda count: dump_json(build(count)), READ_TOKENS))


def make_entry_data(entry: OutlineEntry) -> dict[str, Any]:
    return {
        "id": name_section(entry.section_id, READ_TOKENS),
        "title": shorten_name(entry.heading),
        "level": entry.level,
        "character_count": entry.character_count,
        "tokens": entry.token_count,
        "page_number": entry.page_number,
    }


TABLE_OF_CONTENTS = Tool(
    name="table_of_contents",
    title="Table of contents of a page",
    description="List a document's sections, of path#section those within it, with ids and sizes, to read the needed ones.",
    params=TableOfContentsParams,
    run=run,
)
