"""read_sections: the text of named sections, subsections included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.documents import SectionText, get_document, get_sections
from collections_app.models import Document
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import READ_TOKENS, RESERVE_TOKENS, TextAnswer, cut_text, format_call, format_date, join_facts
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Path,
    Reach,
    TokenBudget,
    get_reach,
)


class ReadSectionsParams(ToolParams):
    aliases: ClassVar = {
        **PATH_ALIASES,
        **COLLECTION_ALIASES,
        "section_id": "section_ids",
        "sections": "section_ids",
        "section": "section_ids",
        "ids": "section_ids",
    }

    path: Path
    section_ids: Annotated[
        list[str], Field(min_length=1, max_length=100, description="Ids from search_docs or table_of_contents")
    ]
    collection: CollectionName = None
    max_tokens: TokenBudget = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Sections that fit, the last of them perhaps cut; `left_out` are the ids not given, `cut` the one given in part."""

    sections: Sequence[SectionText]
    left_out: Sequence[str]
    cut: str | None


def run(call: Call, params: ReadSectionsParams) -> TextAnswer:
    reach = get_reach(call, params.collection)
    document = get_document(reach.chosen, params.path)
    return answer(document, get_sections(document, params.section_ids), params.max_tokens or READ_TOKENS, reach)


def answer(document: Document, sections: Sequence[SectionText], max_tokens: int, reach: Reach) -> TextAnswer:
    reading = fit(sections, max_tokens)
    return TextAnswer(partial(render, document, reading, reach), partial(make_data, document, reading, reach))


def fit(sections: Sequence[SectionText], max_tokens: int) -> Reading:
    """Whole sections as long as they fit; the first that does not is cut after a paragraph if it is the first of all."""
    left = max_tokens - RESERVE_TOKENS
    kept: list[SectionText] = []
    for section in sections:
        if section.token_count > left:
            break
        left -= section.token_count
        kept.append(section)
    if kept or not sections:
        return Reading(kept, [section.section_id for section in sections[len(kept) :]], None)
    first = sections[0]
    shortened = replace(first, text=cut_text(first.text, max(left, 50)))
    return Reading([shortened], [section.section_id for section in sections[1:]], first.section_id)


def render(document: Document, reading: Reading, reach: Reach) -> str:
    facts = [
        reach.name(document.collection),
        document.path,
        document.source_url,
        f"indexed {format_date(document.indexed)}",
    ]
    parts = [f"{document.title} · {join_facts(facts)}"]
    parts += [f"[section_id: {section.section_id}]\n\n{section.text.strip()}" for section in reading.sections]
    return "\n\n".join([*parts, *render_rest(document, reading)])


def render_rest(document: Document, reading: Reading) -> list[str]:
    lines = []
    if reading.cut is not None:
        shown, whole = len(reading.sections[0].text), reading.sections[0].character_count
        contents = format_call("table_of_contents", path=document.path)
        lines.append(
            f"[cut after {shown} of {whole} characters; next: {contents} for its subsections, or get_doc_page for all]"
        )
    if reading.left_out:
        call = format_call("read_sections", path=document.path, section_ids=list(reading.left_out[:10]))
        lines.append(f"[left out to stay within the budget: {len(reading.left_out)} sections; next: {call}]")
    return lines


def make_data(document: Document, reading: Reading, reach: Reach) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": document.title,
        "collection": reach.name(document.collection),
        "path": document.path,
        "source_url": document.source_url,
        "indexed": document.indexed.isoformat() if document.indexed else None,
        "sections": [make_section_data(section) for section in reading.sections],
    }
    if reading.cut is not None:
        data["cut"] = reading.cut
    if reading.left_out:
        data["left_out"] = list(reading.left_out)
    return data


def make_section_data(section: SectionText) -> dict[str, Any]:
    return {
        "section_id": section.section_id,
        "title": section.heading,
        "level": section.level,
        "character_count": section.character_count,
        "tokens": estimate_tokens(section.text),
        "page_number": section.page_number,
        "content": section.text,
    }


READ_SECTIONS = Tool(
    name="read_sections",
    title="Read sections of a page",
    description="Read sections of one document by id, their subsections included. The way to read after search_docs.",
    params=ReadSectionsParams,
    run=run,
)
