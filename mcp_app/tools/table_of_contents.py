"""table_of_contents: the sections of a document and what reading each costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from collections_app.documents import Outline, OutlineEntry, get_document, get_outline, read_steadily
from collections_app.models import Document
from mcp_app.cursors import make_cursor, read_cursor
from mcp_app.jsonrpc import dump_json
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    READ_TOKENS,
    TextAnswer,
    fit_count,
    format_call,
    join_facts,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools.parameters import COLLECTION_ALIASES, PATH_ALIASES, CollectionName, Cursor, Path, Reach, get_reach


class TableOfContentsParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES}

    path: Path
    collection: CollectionName = None
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The outline of a document from position `start` on.

    From the beginning, what has no room is left out of the lowest levels; the rest is then listed in order, all levels of it.
    """

    document: Document
    outline: Outline
    start: int
    call: Call
    reach: Reach

    def choose(self, count: int) -> list[OutlineEntry]:
        """The first so many entries to be shown, in the order in which they stand."""
        if self.start:
            return list(self.outline.entries[:count])
        by_level = sorted(self.outline.entries, key=lambda entry: (entry.level, entry.position))
        return sorted(by_level[:count])

    def make_next_cursor(self, shown: Sequence[OutlineEntry]) -> str | None:
        """From the first section that is not shown; None when all are."""
        positions = {entry.position for entry in shown}
        rest = range(self.start, self.outline.section_count)
        following = next((position for position in rest if position not in positions), None)
        return None if following is None else make_cursor(make_kind(self.document), self.call.principal, [following])


def run(call: Call, params: TableOfContentsParams) -> TextAnswer:
    reach = get_reach(call, params.collection)

    def read() -> Contents:
        document = get_document(reach.chosen, params.path)
        start = int(read_cursor(make_kind(document), call.principal, params.cursor)[0]) if params.cursor else 0
        return Contents(document, get_outline(document, start), start, call, reach)

    contents = read_steadily(read, reach.chosen)
    return TextAnswer(partial(render, contents), partial(make_data, contents))


def make_kind(document: Document) -> str:
    return f"contents.{document.pk}.{document.content_hash[:16]}"


def render(contents: Contents) -> str:
    lines = {entry.position: render_entry(entry) for entry in contents.outline.entries}

    def build(count: int) -> str:
        shown = contents.choose(count)
        parts = [render_header(contents), "\n".join(lines[entry.position] for entry in shown)]
        return "\n\n".join(part for part in [*parts, render_next(contents, shown)] if part)

    return build(fit_count(len(lines), build, READ_TOKENS))


def render_header(contents: Contents) -> str:
    document, outline = contents.document, contents.outline
    facts = [
        contents.reach.name(document.collection),
        name_path(document.path, document.pk, READ_TOKENS),
        f"{outline.section_count} sections",
        f"the list goes on from section {contents.start + 1}"
        if contents.start
        else f"about {outline.token_count} tokens",
    ]
    return f"# {shorten_name(document.title)}\n{join_facts(facts)}"


def render_entry(entry: OutlineEntry) -> str:
    indent = "  " * max(entry.level - 1, 0)
    return (
        f"{indent}- {shorten_name(entry.heading)} · section_id: {name_section(entry.section_id, READ_TOKENS)} · level {entry.level} · "
        f"{entry.character_count} characters · {entry.token_count} tokens"
    )


def render_next(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    if not shown:
        return "There are no more sections." if contents.outline.section_count else "This document is empty."
    path = contents.reach.locate(contents.document)
    section_ids = [name_section(shown[0].section_id, READ_TOKENS)]
    lines = [f"Next: {format_call('read_sections', path=path, section_ids=section_ids)}"]
    if cursor := contents.make_next_cursor(shown):
        call = format_call("table_of_contents", path=path, cursor=cursor)
        lines.append(f"[{describe_rest(contents, shown)} left out; the rest: {call}; search_docs finds by words]")
    return "\n".join(lines)


def describe_rest(contents: Contents, shown: Sequence[OutlineEntry]) -> str:
    left_out = contents.outline.section_count - contents.start - len(shown)
    return f"{left_out} of {contents.outline.section_count} sections"


def make_data(contents: Contents) -> dict[str, Any]:
    document, outline = contents.document, contents.outline
    entries = {entry.position: make_entry_data(entry) for entry in outline.entries}

    def build(count: int) -> dict[str, Any]:
        shown = contents.choose(count)
        return {
            "title": shorten_name(document.title),
            "collection": contents.reach.name(document.collection),
            "path": name_path(document.path, document.pk, READ_TOKENS),
            "sections": [entries[entry.position] for entry in shown],
            "left_out": outline.section_count - contents.start - len(shown),
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
    description="List the sections of one document with their ids and sizes, so that only the needed ones are read.",
    params=TableOfContentsParams,
    run=run,
)
