"""read_sections: the text of named sections, subsections included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import MissingSection, SectionText, get_those_there, read_steadily
from collections_app.exceptions import Offer, Remedy, SectionNotFound
from collections_app.models import Document
from collections_app.text.markdown.code_choice import read_language
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.pieces import cut_markdown, cut_text
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    COUNTS_TOKENS,
    NAME_TOKENS,
    READ_TOKENS,
    TextAnswer,
    count_of,
    drop_fields,
    estimate_json_tokens,
    fit_count,
    format_date,
    keep_facts,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools.fragments import describe_missing_names, find_elsewhere, list_missing
from mcp_app.tools.opening import OfPage, Opening, open_page
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    Code,
    CollectionName,
    Path,
    Reach,
    TokenBudget,
    Version,
    get_reach,
)
from mcp_app.tools.places import Place, join_spans, make_place_cursor

# Fractions of the budget for what is said beside the texts: about the document (1/4), about the rest (1/4), the cursor in it (1/6), and ids
# that were left out (1/8); code languages (1/20).
HEADER_SHARE = 4
REST_SHARE = 4
CURSOR_SHARE = 6
LEFT_OUT_SHARE = 8
LANGUAGES_SHARE = 20
MAX_LEFT_OUT = 100
# Announces the other sections that a name may mean. How many of them are named:
NAMESAKES = "others of that name"
MAX_NAMESAKES = 5
# The place of the cut is mentioned twice: as a count, and in the cursor.
CUT_TOKENS = 2 * COUNTS_TOKENS
# Fields that are left out if the budget is small, in this order.
DISPENSABLE = ("source_url", "indexed", "title", "page_number", "level")
LEAST_NEEDED = ("code_languages", "other_versions", "notice", "missing_count", "description", *DISPENSABLE, "missing")


class ReadSectionsParams(ToolParams):
    aliases: ClassVar = {
        **PATH_ALIASES,
        **COLLECTION_ALIASES,
        "language": "code",
        "section_id": "section_ids",
        "sections": "section_ids",
        "section": "section_ids",
        "ids": "section_ids",
    }
    unlisted: ClassVar = ("version", "code")

    path: Path
    section_ids: Annotated[
        list[str], Field(min_length=1, max_length=100, description="Ids from search_docs or table_of_contents")
    ]
    collection: CollectionName = None
    max_tokens: TokenBudget = None
    version: Version = None
    code: Code = None


@dataclass(frozen=True, slots=True)
class Reading(OfPage):
    """What was asked for, and how many of its sections are given. If `cut` is set, one section is given: this many characters, and
    `closing`. `missing`: the names that no section has. `code`: the one language in which code is given.

    `asked_tokens` is the budget that the caller gave, `max_tokens` the one that applies.
    """

    call: Call
    opening: Opening
    sections: Sequence[SectionText]
    missing: Sequence[MissingSection]
    asked_tokens: int | None
    given: int
    cut: int | None = None
    closing: str = ""
    code: str = ""

    @property
    def languages(self) -> list[str]:
        """The languages to choose from, of code in the given sections."""
        return sorted({language for section in self.sections[: self.given] for language in section.languages})

    def iter_given(self) -> Iterator[tuple[SectionText, str]]:
        """The sections that are given, each with the part of its text that is given."""
        for section in self.sections[: self.given]:
            yield section, section.text[: self.cut]

    @property
    def description(self) -> str:
        """What the page's metadata say of it, if the page's beginning is given and does not say that."""
        beginning = "".join(text for section, text in self.iter_given() if not section.position)
        begins = self.given and not self.sections[0].position
        return self.tell_description(beginning) if begins else ""

    @property
    def left_out(self) -> Sequence[SectionText]:
        return self.sections[self.given :]

    @property
    def is_in_part(self) -> bool:
        return self.cut is not None and self.cut < self.sections[0].character_count

    @property
    def following(self) -> Sequence[SectionText]:
        """The sections that are not given, or not completely."""
        return self.sections if self.is_in_part else self.left_out

    def name(self, section: SectionText) -> str:
        return name_section(section.section_id, self.max_tokens)

    def count_reached(self) -> int:
        """How many of `following` the next cursor covers: all, unless they are many scattered ones and the budget is small."""
        return fit_count(len(self.following), self.make_next_cursor, self.max_tokens // CURSOR_SHARE)

    def make_next_cursor(self, count: int) -> str:
        """A cursor of get_doc_page: reads from the cut, or the first section that was left out, through the next `count` sections only."""
        spans = join_spans(self.following[:count])
        place = Place(self.following[0].position, self.cut or 0 if self.is_in_part else 0, spans, self.code)
        return make_place_cursor(self.call, self.document, place)


def run(call: Call, params: ReadSectionsParams) -> TextAnswer:
    reach, code = get_reach(call, params.collection, params.version), read_language(params.code)

    def read() -> TextAnswer:
        opening = open_page(call, reach, params.path, params.version)
        return read_named(call, opening, params.section_ids, params.max_tokens, code)

    return read_steadily(read, reach.chosen)


def read_named(
    call: Call, opening: Opening, section_ids: Sequence[str], asked_tokens: int | None, code: str
) -> TextAnswer:
    """The named sections that exist. Raises SectionNotFound if none does, and DocumentReplaced."""
    document = opening.document
    try:
        sections, missing = get_those_there(document, section_ids, opening.reach.locate(document), code)
    except SectionNotFound as error:
        elsewhere = find_elsewhere(document, section_ids[0], opening.reach, asked_tokens or READ_TOKENS)
        raise error.offer(*(Offer(Remedy.OTHER_PAGE, place) for place in elsewhere[:1]), *error.offers) from None
    count_read(document, call.principal)
    reading = Reading(call, opening, sections, missing, asked_tokens, given=len(sections), code=code)
    return TextAnswer(
        lambda: render(fit(reading, render, cut_markdown)),
        lambda: make_data(fit(reading, lambda part: dump_json(make_data(part)), cut_json)),
    )


def cut_json(text: str, max_tokens: int) -> tuple[str, str]:
    return cut_text(text, max_tokens, estimate_json_tokens), ""


def fit(reading: Reading, build: Callable[[Reading], str], cut: Callable[[str, int], tuple[str, str]]) -> Reading:
    """As many whole sections as the answer has room for; if the first is too long by itself, it is cut after a paragraph."""
    most = count_possible(reading)
    if most:
        given = fit_count(most, lambda count: build(replace(reading, given=count)), reading.max_tokens)
        whole = replace(reading, given=given)
        if estimate_tokens(build(whole)) <= reading.max_tokens:
            return whole
    others = estimate_tokens(build(replace(reading, given=1, cut=0)))
    left = reading.max_tokens - others - CUT_TOKENS
    text, closing = cut(reading.sections[0].text, left)
    return replace(reading, given=1, cut=len(text), closing=closing)


def count_possible(reading: Reading) -> int:
    """How many of the sections would fit if only their texts counted."""
    totals = accumulate(section.token_count for section in reading.sections)
    return sum(total <= reading.max_tokens for total in totals)


def render(reading: Reading) -> str:
    parts = [render_header(reading.document, reading.reach, reading.max_tokens)]
    parts += [reading.opening.describe(reading.max_tokens)]
    parts += [describe_missing_names(reading.missing, reading.max_tokens)]
    parts += [describe_code(reading.code, reading.languages, reading.max_tokens)]
    parts += [describe_page(reading.description)]
    parts += [render_section(reading, section, text) for section, text in reading.iter_given()]
    return "\n\n".join(filter(None, [*parts, *render_rest(reading)]))


def describe_code(code: str, languages: Sequence[str], max_tokens: int) -> str:
    """Says that code in other languages was left out, or how to read less code; empty if neither applies, or the hint is too long."""
    if code:
        return f"[where code is in several languages, {code} alone]"
    if not languages:
        return ""
    said = f"[code in {', '.join(languages)}: read with code={dump_json(languages[0])} it is that alone]"
    return said if estimate_tokens(said) <= max_tokens // LANGUAGES_SHARE else ""


def describe_page(description: str) -> str:
    """The line for OfPage.tell_description()."""
    return f"[description: {description}]" if description else ""


def render_section(reading: Reading, section: SectionText, text: str) -> str:
    return f"{render_name(reading, section)}\n\n{text.strip()}{reading.closing}"


def render_name(reading: Reading, section: SectionText) -> str:
    """The id by which the section is read, and the other sections that its name may mean."""
    name = f"section_id: {reading.name(section)}"
    return f"[{name}{describe_namesakes(section.namesakes, reading.max_tokens)}]"


def describe_namesakes(namesakes: Sequence[str], max_tokens: int) -> str:
    """What is added to a section's id if other sections have the name that was asked for; how many there are if their ids are too much."""
    if not namesakes:
        return ""
    said = f"; {NAMESAKES}: {', '.join(name_namesakes(namesakes, max_tokens))}"
    fits = estimate_tokens(said) <= max_tokens // REST_SHARE
    return said if fits else f"; {NAMESAKES}: {count_of(len(namesakes), 'section')}"


def name_namesakes(namesakes: Sequence[str], max_tokens: int) -> list[str]:
    most = namesakes[:MAX_NAMESAKES]
    return [*(name_section(each, max_tokens) for each in most), *(["…"] if len(most) < len(namesakes) else [])]


def render_header(document: Document, reach: Reach, max_tokens: int) -> str:
    """Which document is read, in as many words as its part of the budget allows."""
    facts = [
        shorten_name(document.title, min(NAME_TOKENS, max_tokens // HEADER_SHARE // 2)),
        reach.name(document.collection),
        name_path(document.path, document.pk, max_tokens),
        document.source_url,
        f"indexed {format_date(document.indexed)}",
    ]
    return keep_facts(facts, max_tokens // HEADER_SHARE)


def render_rest(reading: Reading) -> Iterator[str]:
    """What is not given, and the call that gets it; in fewer words if the budget is small."""
    if not reading.following:
        return
    facts = []
    if reading.is_in_part:
        facts.append(f"cut after {reading.cut} of {reading.sections[0].character_count} characters")
    if reading.left_out:
        why = "" if reading.is_in_part else " to stay within the budget"
        facts.append(f"left out{why}: {count_of(len(reading.left_out), 'section')}")
    reached = reading.count_reached()
    facts.append(f"next: {reading.call_page(reading.code, reading.make_next_cursor(reached))}")
    if unreached := reading.following[reached:]:
        named = f"then read_sections, from {reading.name(unreached[0])} on"
        has_room = estimate_tokens("; ".join([*facts, named])) <= reading.max_tokens // 2
        facts.append(named if has_room else "then the others")
    yield f"[{'; '.join(facts)}]"


def name_left_out(reading: Reading) -> list[str]:
    """The first ids that were left out, as many as their part of the budget has room for."""
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
        **reading.opening.make_data(reading.max_tokens),
    }
    if reading.missing:
        data["missing"] = list_missing(reading.missing, reading.max_tokens)
        data["missing_count"] = len(reading.missing)
    data |= {"description": reading.description} if reading.description else {}
    data |= {"code": reading.code} if reading.code else {}
    data |= {"code_languages": reading.languages} if reading.languages else {}
    data = drop_fields(data, LEAST_NEEDED, reading.max_tokens // HEADER_SHARE)
    data["sections"] = [make_section_data(reading, section, text) for section, text in reading.iter_given()]
    return data | drop_fields(
        make_rest_data(reading), ("left_out", "cut", "then_from"), reading.max_tokens // REST_SHARE
    )


def make_rest_data(reading: Reading) -> dict[str, Any]:
    rest: dict[str, Any] = {}
    if reading.is_in_part:
        rest["cut"] = reading.name(reading.sections[0])
    if reading.left_out:
        rest |= {"left_out": name_left_out(reading), "left_out_count": len(reading.left_out)}
    if reading.following:
        reached = reading.count_reached()
        rest["next_cursor"] = reading.make_next_cursor(reached)
        if unreached := reading.following[reached:]:
            rest["then_from"] = reading.name(unreached[0])
    return rest


def make_section_data(reading: Reading, section: SectionText, text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "section_id": reading.name(section),
        "title": shorten_name(section.heading),
        "level": section.level,
        "character_count": section.character_count,
        "tokens": estimate_tokens(text),
        "page_number": section.page_number,
    }
    if section.namesakes:
        fields["namesakes"] = name_namesakes(section.namesakes, reading.max_tokens)
    return drop_fields(fields, ("namesakes", *DISPENSABLE), reading.max_tokens // HEADER_SHARE) | {"content": text}


READ_SECTIONS = Tool(
    name="read_sections",
    title="Read sections of a page",
    description="Read sections of one document by id, with their subsections. Use this after search_docs.",
    params=ReadSectionsParams,
    run=run,
)
