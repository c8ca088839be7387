"""Tables of contents: the sections of a document and how many tokens reading each of them takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import QuerySet

from collections_app.documents.versions import DocumentReplaced, check_version, sections_of
from collections_app.models import Document, Section

# At most about this many entries are fetched: more than fit into any answer.
OUTLINE_SECTIONS = 700


class OutlineEntry(NamedTuple):
    """A section in a table of contents; the counts include its subsections."""

    position: int
    end_position: int
    section_id: str
    heading: str
    level: int
    page_number: int | None
    character_count: int
    token_count: int


@dataclass(frozen=True, slots=True)
class Outline:
    """`entries` in order, at most about OUTLINE_SECTIONS of the document's `section_count`; `token_count` is that of all."""

    entries: Sequence[OutlineEntry]
    section_count: int
    token_count: int


class Level(NamedTuple):
    """How many sections of this level a document has, and the tokens of those that are not inside another section."""

    level: int
    section_count: int
    token_count: int


def get_outline(document: Document, start: int = 0, end: int | None = None) -> Outline:
    """The sections from position `start` on, up to `end` if given (only with a start), at most OUTLINE_SECTIONS.

    If `start` is 0 and the document has more, all sections of the highest levels that fit, and the first of the next level.
    """
    sections = sections_of(document).filter(position__gte=start)
    entries = fetch_entries(sections if end is None else sections.filter(position__lt=end))
    if not entries:
        check_version(document)
    if start or len(entries) < OUTLINE_SECTIONS:
        tokens = sum(entry.token_count for entry in iter_outermost(entries))
        return Outline(entries, count_sections(document, entries), tokens)
    levels = count_levels(document)
    entries = fetch_highest(document, levels)
    return Outline(entries, sum(level.section_count for level in levels), sum(level.token_count for level in levels))


def fetch_entries(sections: QuerySet[Section]) -> list[OutlineEntry]:
    return [OutlineEntry(*row) for row in sections.values_list(*OutlineEntry._fields)[:OUTLINE_SECTIONS]]


def fetch_highest(document: Document, levels: Sequence[Level]) -> list[OutlineEntry]:
    """For a document with OUTLINE_SECTIONS or more: the sections of its highest levels; of the last level only the first ones."""
    entries: list[OutlineEntry] = []
    for level in levels:
        entries += fetch_entries(sections_of(document).filter(level=level.level))
        if len(entries) >= OUTLINE_SECTIONS:
            break
    if len(entries) < OUTLINE_SECTIONS:
        raise DocumentReplaced(document)
    return sorted(entries)


def count_sections(document: Document, entries: Sequence[OutlineEntry]) -> int:
    """How many sections the document has; `entries` are consecutive ones (positions count from 0)."""
    if len(entries) < OUTLINE_SECTIONS:
        return entries[-1].position + 1 if entries else 0
    last = sections_of(document).values_list("position", flat=True).last()
    if last is None:
        raise DocumentReplaced(document)
    return last + 1


def iter_outermost(entries: Iterable[OutlineEntry]) -> Iterator[OutlineEntry]:
    """The entries that are not inside another one."""
    end = 0
    for entry in entries:
        if entry.position >= end:
            end = entry.end_position
            yield entry


# `covered` is where the preceding sections end: a section that begins there or later is not inside any of them.
LEVELS = """
SELECT level, count(*), coalesce(sum(token_count) FILTER (WHERE position >= covered), 0)
FROM (SELECT section.level, section.position, section.token_count, coalesce(max(section.end_position) OVER before, 0) AS covered
      FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
      WHERE section.tenant_id = %s AND section.document_id = %s AND document.indexed IS NOT DISTINCT FROM %s
      WINDOW before AS (ORDER BY section.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS outline
GROUP BY level ORDER BY level
"""


def count_levels(document: Document) -> list[Level]:
    """The highest level first."""
    with connection.cursor() as cursor:
        cursor.execute(LEVELS, [document.tenant_id, document.pk, document.indexed])
        return [Level(*row) for row in cursor.fetchall()]
