"""The text of a document: its sections by name, or from a place on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from collections_app.documents.versions import DocumentReplaced, check_version, sections_of
from collections_app.exceptions import InvalidParameter, InvalidSectionId, SectionNotFound
from collections_app.models import Document, Section
from collections_app.naming.sections import (
    NamedSection,
    find_close_ids,
    fold_name,
    index_names,
    is_abbreviation,
    look_up,
)

MAX_SECTION_ID_CHARACTERS = 4000
# How many sections of a page are fetched at a time.
PAGE_SECTIONS = 100


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with its subsections: `text` is theirs in order, `character_count` its exact length."""

    position: int
    end_position: int
    section_id: str
    heading: str
    heading_path: tuple[str, ...]
    level: int
    start_line: int
    page_number: int | None
    character_count: int
    token_count: int
    text: str


def iter_page(document: Document, start: int = 0) -> Iterator[SectionText]:
    """The document's sections from position `start` on, each with its own text only. Read as far as the caller goes.

    Raises DocumentReplaced, perhaps after the first of them.
    """
    while True:
        rows = list(sections_of(document).filter(position__gte=start)[:PAGE_SECTIONS])
        if not rows:
            check_version(document)
        for section in rows:
            yield make_section_text(section, section.content)
        if len(rows) < PAGE_SECTIONS:
            return
        start = rows[-1].position + 1


def get_sections(document: Document, wanted: Sequence[str]) -> list[SectionText]:
    """These sections with their subsections, in the document's order; one inside another that is asked for too is not repeated.

    An id is also known by its last part, its heading, its abbreviation, and with a leading `#`. Raises SectionNotFound with the closest
    ids, and DocumentReplaced.
    """
    if not wanted:
        raise InvalidParameter("Give at least one section id. table_of_contents lists them.")
    outer: list[Section] = []
    for section in find_sections(document, wanted):
        if not outer or section.position >= outer[-1].end_position:
            outer.append(section)
    texts = get_texts(document, outer)
    return [make_section_text(section, texts[section.position]) for section in outer]


def get_texts(document: Document, outer: Sequence[Section]) -> dict[int, str]:
    """The text of each of these sections, subsections included; position → text. They do not overlap."""
    spans = [Q(position__gte=section.position, position__lt=section.end_position) for section in outer]
    own = dict(sections_of(document).filter(reduce(or_, spans)).values_list("position", "content"))
    if not own:
        raise DocumentReplaced(document)
    return {
        section.position: "".join(own.get(position, "") for position in range(section.position, section.end_position))
        for section in outer
    }


def find_sections(document: Document, wanted: Sequence[str]) -> list[Section]:
    """The sections without their texts, each once, in order. Only names that are no ids cost a look at the whole outline."""
    names = {name: clean_section_id(document, name) for name in wanted}
    rows = sections_of(document).defer("content")
    exact = {s.section_id: s for s in rows.filter(section_id__in={*names.values(), *map(fold_name, names.values())})}
    found = {name: exact.get(cleaned) or exact.get(fold_name(cleaned)) for name, cleaned in names.items()}
    chosen = {section.position: section for section in found.values() if section}
    if missing := {name: names[name] for name, section in found.items() if section is None}:
        positions = find_positions(document, missing)
        chosen |= {section.position: section for section in rows.filter(position__in=positions)}
        if not positions <= chosen.keys():
            raise DocumentReplaced(document)
    return [chosen[position] for position in sorted(chosen)]


def clean_section_id(document: Document, name: str) -> str:
    """Raises InvalidSectionId for what cannot be one."""
    cleaned = name.strip().removeprefix("#")
    if not cleaned or len(cleaned) > MAX_SECTION_ID_CHARACTERS:
        raise InvalidSectionId(f"{name[:80]!r} is no section id. table_of_contents lists those of {document.path}.")
    return cleaned


def find_positions(document: Document, missing: Mapping[str, str]) -> set[int]:
    """Where the sections are that go by these names; name → the same, cleaned. Raises SectionNotFound with the closest ids."""
    outline = [
        NamedSection(*row) for row in sections_of(document).values_list("position", "section_id", "heading").iterator()
    ]
    if not outline:
        check_version(document)
    by_rule = index_names(outline, abbreviations=any(map(is_abbreviation, missing.values())))
    positions = {name: look_up(by_rule, cleaned) for name, cleaned in missing.items()}
    for name, position in positions.items():
        if position is None:
            raise explain_missing_section(document, name, find_close_ids(outline, name))
    return {position for position in positions.values() if position is not None}


def explain_missing_section(document: Document, name: str, close: Sequence[str]) -> SectionNotFound:
    hint = f"The closest are: {', '.join(close)}." if close else f"table_of_contents lists those of {document.path}."
    return SectionNotFound(
        f"{document.path} has no section {name[:200]!r}. {hint}", suggestions=list(close), path=document.path
    )


def make_section_text(section: Section, text: str) -> SectionText:
    return SectionText(
        position=section.position,
        end_position=section.end_position,
        section_id=section.section_id,
        heading=section.heading,
        heading_path=tuple(section.heading_path),
        level=section.level,
        start_line=section.start_line,
        page_number=section.page_number,
        character_count=len(text),
        token_count=section.token_count,
        text=text,
    )
