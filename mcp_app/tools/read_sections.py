"""read_sections: the text of named sections, subsections included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import SectionText, get_document, get_sections, read_steadily
from collections_app.models import Document
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.jsonrpc import dump_json
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    COUNTS_TOKENS,
    NAME_TOKENS,
    READ_TOKENS,
    Cost,
    TextAnswer,
    cut_text,
    drop_fields,
    estimate_json_tokens,
    fit_count,
    format_call,
    format_date,
    keep_facts,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Path,
    Reach,
    TokenBudget,
    get_reach,
)
from mcp_app.tools.places import Place, make_place_cursor

# What is said beside the texts has a part of the budget: what is read, what is not, and the ids in that.
HEADER_SHARE = 4
REST_SHARE = 4
LEFT_OUT_SHARE = 8
MAX_LEFT_OUT = 100
# The place of the cut is told twice: as a count, and in the cursor.
CUT_TOKENS = 2 * COUNTS_TOKENS
# Fields that a small budget has no room for, the first of these first.
DISPENSABLE = ("source_url", "indexed", "title", "page_number", "level")


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
    """What was asked for, and how many of its sections are given; with `cut` it is one, of which so many characters are."""

    call: Call
    document: Document
    sections: Sequence[SectionText]
    max_tokens: int
    reach: Reach
    given: int
    cut: int | None = None

    def iter_given(self) -> Iterator[tuple[SectionText, str]]:
        """The sections that are given, and of their texts what is."""
        for section in self.sections[: self.given]:
            yield section, section.text[: self.cut]

    @property
    def left_out(self) -> Sequence[SectionText]:
        return self.sections[self.given :]

    @property
    def is_in_part(self) -> bool:
        return self.cut is not None and self.cut < self.sections[0].character_count

    def name(self, section: SectionText) -> str:
        return name_section(section.section_id, self.max_tokens)

    def make_next_cursor(self) -> str:
        """Of get_doc_page: what follows the cut."""
        place = Place(self.sections[0].position, self.cut or 0)
        return make_place_cursor(self.call, self.document, place)


def run(call: Call, params: ReadSectionsParams) -> TextAnswer:
    reach = get_reach(call, params.collection)

    def read() -> TextAnswer:
        document = get_document(reach.chosen, params.path)
        sections = get_sections(document, params.section_ids)
        count_read(document, call.principal)
        return answer(call, document, sections, params.max_tokens or READ_TOKENS, reach)

    return read_steadily(read, reach.chosen)


def answer(
    call: Call, document: Document, sections: Sequence[SectionText], max_tokens: int, reach: Reach
) -> TextAnswer:
    reading = Reading(call, document, sections, max_tokens, reach, given=len(sections))
    return TextAnswer(
        lambda: render(fit(reading, render, estimate_tokens)),
        lambda: make_data(fit(reading, lambda part: dump_json(make_data(part)), estimate_json_tokens)),
    )


def fit(reading: Reading, build: Callable[[Reading], str], cost: Cost) -> Reading:
    """As many whole sections as the answer has room for; the first is cut after a paragraph where it is too long by itself."""
    most = count_possible(reading)
    if most:
        given = fit_count(most, lambda count: build(replace(reading, given=count)), reading.max_tokens)
        whole = replace(reading, given=given)
        if estimate_tokens(build(whole)) <= reading.max_tokens:
            return whole
    first = reading.sections[0]
    others = estimate_tokens(build(replace(reading, given=1, cut=0)))
    left = reading.max_tokens - others - CUT_TOKENS
    return replace(reading, given=1, cut=len(cut_text(first.text, left, cost)))


def count_possible(reading: Reading) -> int:
    """How many of the sections have room for their texts alone."""
    totals = accumulate(section.token_count for section in reading.sections)
    return sum(total <= reading.max_tokens for total in totals)


def render(reading: Reading) -> str:
    parts = [render_header(reading.document, reading.reach, reading.max_tokens)]
    parts += [f"[section_id: {reading.name(section)}]\n\n{text.strip()}" for section, text in reading.iter_given()]
    return "\n\n".join([*parts, *render_rest(reading)])


def render_header(document: Document, reach: Reach, max_tokens: int) -> str:
    """What is read, in as many words as a part of the budget allows."""
    facts = [
        shorten_name(document.title, min(NAME_TOKENS, max_tokens // HEADER_SHARE // 2)),
        reach.name(document.collection),
        name_path(document.path, document.pk, max_tokens),
        document.source_url,
        f"indexed {format_date(document.indexed)}",
    ]
    return keep_facts(facts, max_tokens // HEADER_SHARE)


def render_rest(reading: Reading) -> Iterator[str]:
    path = reading.reach.locate(reading.document, reading.max_tokens)
    if reading.is_in_part:
        call = format_call("get_doc_page", path=path, cursor=reading.make_next_cursor())
        yield f"[cut after {reading.cut} of {reading.sections[0].character_count} characters; next: {call}]"
    if reading.left_out:
        yield render_left_out(reading, path)


def render_left_out(reading: Reading, path: str) -> str:
    """Beside a cut text the call has a part of the budget only: who asked knows what is missing."""
    said = f"[left out to stay within the budget: {len(reading.left_out)} sections"
    call = format_call("read_sections", path=path, section_ids=name_left_out(reading))
    if reading.is_in_part and estimate_tokens(call) > reading.max_tokens // REST_SHARE:
        return f"{said}]"
    return f"{said}; next: {call}]"


def name_left_out(reading: Reading) -> list[str]:
    """The first ids that were left out, as many as a part of the budget has room for."""
    names = [reading.name(section) for section in reading.left_out[:MAX_LEFT_OUT]]
    count = fit_count(len(names), lambda count: dump_json(names[:count]), reading.max_tokens // LEFT_OUT_SHARE)
    return names[:count]


def make_data(reading: Reading) -> dict[str, Any]:
    document = reading.document
    data: dict[str, Any] = {
        "title": shorten_name(document.title),
        "collection": reading.reach.name(document.collection),
        "path": name_path(document.path, document.pk, reading.max_tokens),
        "source_url": document.source_url,
        "indexed": document.indexed.isoformat() if document.indexed else None,
    }
    data = drop_fields(data, DISPENSABLE, reading.max_tokens // HEADER_SHARE)
    data["sections"] = [make_section_data(reading, section, text) for section, text in reading.iter_given()]
    return data | drop_fields(make_rest_data(reading), ("left_out", "cut"), reading.max_tokens // REST_SHARE)


def make_rest_data(reading: Reading) -> dict[str, Any]:
    rest: dict[str, Any] = {}
    if reading.is_in_part:
        rest = {"cut": reading.name(reading.sections[0]), "next_cursor": reading.make_next_cursor()}
    if reading.left_out:
        rest |= {"left_out": name_left_out(reading), "left_out_count": len(reading.left_out)}
    return rest


def make_section_data(reading: Reading, section: SectionText, text: str) -> dict[str, Any]:
    fields = {
        "section_id": reading.name(section),
        "title": shorten_name(section.heading),
        "level": section.level,
        "character_count": section.character_count,
        "tokens": estimate_tokens(text),
        "page_number": section.page_number,
    }
    return drop_fields(fields, DISPENSABLE, reading.max_tokens // HEADER_SHARE) | {"content": text}


READ_SECTIONS = Tool(
    name="read_sections",
    title="Read sections of a page",
    description="Read sections of one document by id, their subsections included. The way to read after search_docs.",
    params=ReadSectionsParams,
    run=run,
)
