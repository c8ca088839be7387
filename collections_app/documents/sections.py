"""Reads the text of a document: sections by name, or everything from a position on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

from django.db.models import F, Func, Q, TextField, Value

from collections_app.documents.lookup import is_name_of
from collections_app.documents.versions import DocumentReplaced, check_version, sections_of
from collections_app.exceptions import InvalidParameter, InvalidSectionId, Offer, Remedy, SectionNotFound
from collections_app.models import Document, Section
from collections_app.naming.sections import (
    NamedSection,
    find_close_ids,
    fold_name,
    index_names,
    is_abbreviation,
    list_brief_names,
    look_up,
    split_list,
)
from collections_app.text.markdown.blank_lines import drop_filler_lines
from collections_app.text.markdown.code_choice import keep_language, list_alternatives
from collections_app.text.tokens import estimate_tokens

MAX_SECTION_ID_CHARACTERS = 4000
# How many sections of a page are fetched at a time.
PAGE_SECTIONS = 100
# If none of the sections exists, the error mentions at most this many of them.
MAX_EXPLAINED = 3
# A longer name is not looked for in the text.
MAX_WRITTEN_CHARACTERS = 100
BETWEEN_WORDS = re.compile(r"(?<=\w)[-_\s]+(?=\w)|\s+")
# Close ids are suggested for at most this many unknown names, as each is compared with all ids of the page.
MAX_SUGGESTED_FOR = 10


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with its subsections: `text` is all their texts in order, without filler lines, `character_count` its exact length.

    `namesakes`: ids of other sections that the requested name may mean. `languages`: the languages in which the section shows the same code
    (list_alternatives), if the section was requested by name and in full.
    """

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
    namesakes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


class Span(NamedTuple):
    """Consecutive sections: from `position` up to, but not including, `end_position`."""

    position: int
    end_position: int


def iter_page(document: Document, start: int = 0, spans: Sequence[Span] = (), code: str = "") -> Iterator[SectionText]:
    """The document's sections from position `start` on, each with its own text only; only those in `spans`, if given.

    `code`: if a section has code in this language, code in other languages is left out (keep_language). Sections are read lazily. Raises
    DocumentReplaced, possibly after some sections.
    """
    sections = sections_of(document).filter(within(spans)) if spans else sections_of(document)
    while True:
        rows = list(sections.filter(position__gte=start)[:PAGE_SECTIONS])
        if not rows:
            check_version(document)
        for section in rows:
            text = keep_language(section.content, code) if code else section.content
            yield make_section_text(section, drop_filler_lines(text))
        if len(rows) < PAGE_SECTIONS:
            return
        start = rows[-1].position + 1


class MissingSection(NamedTuple):
    """A name that no section has, and ids that it may mean, best first; these are only given for the first MAX_SUGGESTED_FOR names."""

    name: str
    close: Sequence[str]


def get_sections(document: Document, wanted: Sequence[str]) -> list[SectionText]:
    """These sections with their subsections, in the document's order; a section inside another requested one is not repeated.

    Raises SectionNotFound with the closest ids, and DocumentReplaced.
    """
    sections, missing = get_those_there(document, wanted, document.path)
    if missing:
        raise explain_missing_sections(document, missing, document.path)
    return sections


def get_those_there(
    document: Document, wanted: Sequence[str], called: str, code: str = ""
) -> tuple[list[SectionText], list[MissingSection]]:
    """Like get_sections(), but returns the names that no section has; only if that is all of them, raises SectionNotFound.

    `called`: a path by which the caller finds the document. `code`: see iter_page().
    """
    if not wanted:
        raise InvalidParameter("Give at least one section id.").offer(Offer(Remedy.SECTIONS, called))
    outer: list[FoundSection] = []
    all_found, missing = look_up_sections(document, wanted, called)
    if not all_found:
        raise explain_missing_sections(document, missing, called, find_written(document, missing))
    for found in all_found:
        if not outer or found.section.position >= outer[-1].section.end_position:
            outer.append(found)
    texts = get_texts(document, [found.section for found in outer])
    return [make_named_text(section, texts[section.position], namesakes, code) for section, namesakes in outer], missing


def within(spans: Iterable[Span]) -> Q:
    return reduce(or_, (Q(position__gte=start, position__lt=end) for start, end in spans))


def get_texts(document: Document, outer: Sequence[Section]) -> dict[int, list[str]]:
    """Position of the section → its own text and those of its subsections, in order. The sections must not overlap."""
    spans = [Span(section.position, section.end_position) for section in outer]
    own = dict(sections_of(document).filter(within(spans)).values_list("position", "content"))
    if not own:
        raise DocumentReplaced(document)
    return {start: [own.get(position, "") for position in range(start, end)] for start, end in spans}


def find_sections(document: Document, wanted: Sequence[str]) -> list[Section]:
    """The sections without their texts, each once, in order. Raises what get_sections() raises."""
    found, missing = look_up_sections(document, wanted, document.path)
    if missing:
        raise explain_missing_sections(document, missing, document.path)
    return [each.section for each in found]


class FoundSection(NamedTuple):
    """A section; `namesakes`: ids of other sections that the requested name may mean."""

    section: Section
    namesakes: tuple[str, ...] = ()


def look_up_sections(
    document: Document, wanted: Sequence[str], called: str
) -> tuple[list[FoundSection], list[MissingSection]]:
    """The sections, each once, in order, without their texts; and the names that no section has.

    The whole outline is only read for names that are not ids.
    """
    names = {name: clean_section_id(name, called) for name in wanted}
    rows = sections_of(document).defer("content")
    exact = {s.section_id: s for s in rows.filter(section_id__in={*names.values(), *map(fold_name, names.values())})}
    found = {name: exact.get(cleaned) or exact.get(fold_name(cleaned)) for name, cleaned in names.items()}
    chosen = {section.position: FoundSection(section) for section in found.values() if section}
    missing: list[MissingSection] = []
    if unknown := list(dict.fromkeys(names[name] for name, section in found.items() if section is None)):
        namesakes, missing = find_positions(document, unknown)
        others = rows.filter(position__in=namesakes.keys() - chosen.keys())
        chosen |= {section.position: FoundSection(section, namesakes[section.position]) for section in others}
        if not namesakes.keys() <= chosen.keys():
            raise DocumentReplaced(document)
    return [chosen[position] for position in sorted(chosen)], missing


def clean_section_id(name: str, called: str) -> str:
    """The id without the `#` of a heading or a fragment before it. Raises InvalidSectionId if it cannot be an id."""
    cleaned = unicodedata.normalize("NFC", name).strip().lstrip("#").strip()
    if not cleaned or len(cleaned) > MAX_SECTION_ID_CHARACTERS:
        raise InvalidSectionId(f"{name[:80]!r} is no section id.").offer(Offer(Remedy.SECTIONS, called))
    return cleaned


def find_positions(
    document: Document, names: Collection[str]
) -> tuple[dict[int, tuple[str, ...]], list[MissingSection]]:
    """Position of the section that a name means → ids of its namesakes; and the names that no section has."""
    outline = list_named(document)
    if not outline:
        check_version(document)
    ids = {section.position: section.section_id for section in outline}
    has_parts = any("/" in name for name in names)
    by_rule = index_names(outline, abbreviations=any(map(is_abbreviation, names)), ends=has_parts)
    namesakes: dict[int, tuple[str, ...]] = {}
    missing: list[MissingSection] = []
    for name, positions in chain.from_iterable(find_meanings(document, by_rule, name) for name in names):
        if positions:
            first, *others = positions
            namesakes[first] = tuple(ids[position] for position in others)
        else:
            close = find_close_ids(outline, name) if len(missing) < MAX_SUGGESTED_FOR else []
            missing.append(MissingSection(name, close))
    return namesakes, missing


def list_named(document: Document) -> list[NamedSection]:
    rows = sections_of(document).values_list("position", "section_id", "heading", "anchor")
    return [NamedSection(*row) for row in rows.iterator()]


def get_brief_names(document: Document) -> dict[int, str]:
    """Position → the shortest end of the section's id by which get_sections() finds this section and no other."""
    return list_brief_names(list_named(document))


def find_meanings(
    document: Document, by_rule: Sequence[Mapping[str, list[int]]], name: str
) -> list[tuple[str, list[int]]]:
    """The name with the positions that it may mean, likeliest first; empty if no section has it.

    If the name is a list of names in one text, and some of these are known, one such pair for each. The document's own name may come before
    a `#`.
    """
    page, _, fragment = name.rpartition("#")
    if positions := look_up(by_rule, name) or (look_up(by_rule, fragment) if is_name_of(document, page) else []):
        return [(name, positions)]
    meanings = [(part, look_up(by_rule, part)) for part in split_list(name)]
    return meanings if any(positions for _, positions in meanings) else [(name, [])]


def find_written(document: Document, missing: Sequence[MissingSection]) -> str:
    """The first of the missing names that the document's text has as words, as it has them there; empty if it has none.

    Each is looked for as it is and as the last part of an id.
    """
    names = (each.name for each in missing[:MAX_EXPLAINED] if len(each.name) <= MAX_WRITTEN_CHARACTERS)
    parts = dict.fromkeys(chain.from_iterable((name, name.rpartition("/")[2]) for name in names))
    return next(filter(None, (find_words(document, part) for part in parts if any(map(str.isalnum, part)))), "")


def find_words(document: Document, name: str) -> str:
    words = "[-_\\s]+".join(map(re.escape, BETWEEN_WORDS.split(name)))
    found = Func(F("content"), Value(rf"(?i)(?:^|\W)({words})(?:\W|$)"), function="substring", output_field=TextField())
    rows = sections_of(document).annotate(found=found).filter(found__isnull=False)
    return " ".join((rows.values_list("found", flat=True).first() or "").split())


def explain_missing_sections(
    document: Document, missing: Sequence[MissingSection], called: str, words: str = ""
) -> SectionNotFound:
    """`words`: a name that no section has, but the text."""
    names = " or ".join(repr(each.name[:200]) for each in missing[:MAX_EXPLAINED])
    close = list(dict.fromkeys(chain.from_iterable(each.close for each in missing[:MAX_EXPLAINED])))
    hint = f" The closest are: {', '.join(close)}." if close else ""
    error = SectionNotFound(f"{document.path} has no section {names}.{hint}", suggestions=close, path=called)
    by_words = [Offer(Remedy.WORDS, called, words)] if words else []
    return error.offer(*by_words, Offer(Remedy.SECTIONS, called))


def make_named_text(section: Section, texts: Sequence[str], namesakes: tuple[str, ...], code: str) -> SectionText:
    """The text of a section that was requested by name. `code`: see iter_page()."""
    kept = [drop_filler_lines(keep_language(text, code) if code else text) for text in texts]
    named = make_section_text(section, "".join(kept), namesakes)
    if kept != list(texts):
        named = replace(named, token_count=estimate_tokens(named.text))
    languages = () if code else sorted({language for text in texts for language in list_alternatives(text)})
    return replace(named, languages=tuple(languages))


def make_section_text(section: Section, text: str, namesakes: tuple[str, ...] = ()) -> SectionText:
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
        namesakes=namesakes,
    )
