"""table_of_contents: the sections of a document and what reading each costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from collections_app.documents import get_document, get_outline
from collections_app.models import Document, Section
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import READ_TOKENS, TextAnswer, dump_json, format_call, shorten
from mcp_app.tools.parameters import COLLECTION_ALIASES, PATH_ALIASES, CollectionName, Path, Reach, get_reach

MAX_HEADING_CHARACTERS = 200


class TableOfContentsParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES}

    path: Path
    collection: CollectionName = None


def run(call: Call, params: TableOfContentsParams) -> TextAnswer:
    reach = get_reach(call, params.collection)
    document = get_document(reach.chosen, params.path)
    outline = get_outline(document)
    return TextAnswer(partial(render, document, outline, reach), partial(make_data, document, outline, reach))


def render(document: Document, outline: Sequence[Section], reach: Reach) -> str:
    lines = {section.position: render_section(section) for section in outline}
    shown = choose_within(outline, lines)
    text = [f"# {document.title}", f"{reach.name(document.collection)} · {document.path} · {count(outline)}", ""]
    text += [lines[section.position] for section in shown]
    if len(shown) < len(outline):
        left_out = len(outline) - len(shown)
        text += [
            "",
            f"[{left_out} of {len(outline)} sections left out; reading one gives its subsections, search_docs finds by words]",
        ]
    if shown:
        text += ["", f"Next: {format_call('read_sections', path=document.path, section_ids=[shown[0].section_id])}"]
    else:
        text += ["This document is empty."]
    return "\n".join(text)


def render_section(section: Section) -> str:
    indent = "  " * max(section.level - 1, 0)
    return (
        f"{indent}- {shorten(section.heading, MAX_HEADING_CHARACTERS)} · section_id: {section.section_id} · level {section.level} · "
        f"{section.character_count} characters · {section.token_count} tokens"
    )


def count(outline: Sequence[Section]) -> str:
    """How many sections, and what the whole page costs: the sum over those that stand in no other."""
    total, end = 0, 0
    for section in outline:
        if section.position >= end:
            total, end = total + section.token_count, section.end_position
    return f"{len(outline)} sections, about {total} tokens"


def choose_within(outline: Sequence[Section], texts: dict[int, str]) -> list[Section]:
    """All sections where they fit; else those of the highest levels that do, or as many of the first as do."""
    costs = {position: estimate_tokens(text) + 1 for position, text in texts.items()}
    for deepest in range(6, 0, -1):
        chosen = [section for section in outline if section.level <= deepest]
        if chosen and sum(costs[section.position] for section in chosen) <= READ_TOKENS:
            return chosen
    first, left = [], READ_TOKENS
    for section in outline:
        left -= costs[section.position]
        if left < 0:
            break
        first.append(section)
    return first


def make_data(document: Document, outline: Sequence[Section], reach: Reach) -> dict[str, Any]:
    entries = {section.position: make_section_data(section) for section in outline}
    shown = choose_within(outline, {position: dump_json(entry) for position, entry in entries.items()})
    data: dict[str, Any] = {
        "title": document.title,
        "collection": reach.name(document.collection),
        "path": document.path,
        "sections": [entries[section.position] for section in shown],
    }
    if len(shown) < len(outline):
        data["left_out"] = len(outline) - len(shown)
    return data


def make_section_data(section: Section) -> dict[str, Any]:
    return {
        "id": section.section_id,
        "title": shorten(section.heading, MAX_HEADING_CHARACTERS),
        "level": section.level,
        "character_count": section.character_count,
        "tokens": section.token_count,
        "page_number": section.page_number,
    }


TABLE_OF_CONTENTS = Tool(
    name="table_of_contents",
    title="Table of contents of a page",
    description="List the sections of one document with their ids and sizes, so that only the needed ones are read.",
    params=TableOfContentsParams,
    run=run,
)
