"""The full-text index and its term statistics, kept true together: what enters or leaves one, enters or leaves the other.

Called by ingest.py inside its transaction. Queries read the statistics and never recompute them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from collections_app.analysis import make_index_text
from collections_app.models import Collection, Document, Section, SectionVector, TermStatistic
from collections_app.parsing.documents import ParsedDocument

# PostgreSQL holds at most 1 MB of lexemes in a vector, and positions up to 16,383. Half a megabyte of English may stay below the first;
# as much Han text, or text of nothing but different identifiers, does not. So larger bodies are indexed in parts of this size.
PART_CHARACTERS = 64 * 1024
# From so many on, a run ends with an ANALYZE of what it wrote.
MANY_DOCUMENTS = 500
WRITTEN_MODELS = (Document, Section, SectionVector, TermStatistic)
PATH_SEPARATORS = re.compile(r"[/_.\-]+")


@dataclass(frozen=True, slots=True)
class VectorText:
    """What one row of the index is made of. `position` is the section's in its document; `title` carries the path's words too."""

    position: int
    part: int
    title: str
    headings: str
    body: str


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of the index, with the rows that it stands for."""

    document_id: int
    section_id: int
    text: VectorText


def make_vector_texts(parsed: ParsedDocument, path: str) -> list[VectorText]:
    """The index rows of a document: one for each section, several for a very large one. Plain text work, no database."""
    stem = path.rpartition(".")[0] or path
    title = make_index_text(f"{parsed.title} {PATH_SEPARATORS.sub(' ', stem)}")
    return [
        VectorText(
            section.position, part, title, make_index_text(" ".join(section.heading_path)), make_index_text(body)
        )
        for section in parsed.sections
        for part, body in enumerate(iter_parts(section.text))
    ]


def iter_parts(body: str) -> Iterator[str]:
    """A body whole, or cut at white space near every PART_CHARACTERS when it is larger."""
    if len(body) <= PART_CHARACTERS:
        yield body
        return
    start = 0
    while start < len(body):
        end = min(start + PART_CHARACTERS, len(body))
        blank = max(body.rfind(" ", start, end), body.rfind("\n", start, end))
        if end < len(body) and blank > start:
            end = blank
        yield body[start:end]
        start = end


ADD = """
WITH added AS (
    INSERT INTO collections_app_sectionvector (tenant_id, collection_id, document_id, section_id, part, vector)
    SELECT %(tenant)s, %(collection)s, document, section, part,
           setweight(to_tsvector(%(language)s::regconfig, title), 'A')
        || setweight(to_tsvector(%(language)s::regconfig, headings), 'B')
        || setweight(to_tsvector(%(language)s::regconfig, body), 'D')
    FROM unnest(%(documents)s::bigint[], %(sections)s::bigint[], %(parts)s::int[],
                %(titles)s::text[], %(headings)s::text[], %(bodies)s::text[]) AS t (document, section, part, title, headings, body)
    RETURNING vector
)
INSERT INTO collections_app_termstatistic AS known (tenant_id, collection_id, term, sections)
SELECT %(tenant)s, %(collection)s, term, count(*)
FROM (SELECT unnest(tsvector_to_array(vector)) AS term FROM added UNION ALL SELECT '' FROM added) AS terms
GROUP BY term ORDER BY term
ON CONFLICT (tenant_id, collection_id, term) DO UPDATE SET sections = known.sections + excluded.sections
"""

REMOVE = """
WITH removed AS (
    DELETE FROM collections_app_sectionvector WHERE document_id = ANY(%(documents)s) AND tenant_id = %(tenant)s RETURNING vector
), counted AS (
    SELECT term, count(*) AS sections
    FROM (SELECT unnest(tsvector_to_array(vector)) AS term FROM removed UNION ALL SELECT '' FROM removed) AS terms
    GROUP BY term
), locked AS (
    SELECT term, counted.sections FROM collections_app_termstatistic AS known JOIN counted USING (term)
    WHERE known.tenant_id = %(tenant)s AND known.collection_id = %(collection)s
    ORDER BY term FOR UPDATE OF known
)
UPDATE collections_app_termstatistic AS known SET sections = known.sections - locked.sections
FROM locked WHERE known.tenant_id = %(tenant)s AND known.collection_id = %(collection)s AND known.term = locked.term
"""

FORGET_UNUSED = """
DELETE FROM collections_app_termstatistic WHERE tenant_id = %(tenant)s AND collection_id = %(collection)s AND sections <= 0
"""


def add_to_index(collection: Collection, rows: Sequence[IndexRow]) -> None:
    """Make the sections findable and count their terms. Terms are locked in their order, so that two writers cannot deadlock."""
    if not rows:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            ADD,
            {
                "tenant": collection.tenant_id,
                "collection": collection.pk,
                "language": collection.language,
                "documents": [row.document_id for row in rows],
                "sections": [row.section_id for row in rows],
                "parts": [row.text.part for row in rows],
                "titles": [row.text.title for row in rows],
                "headings": [row.text.headings for row in rows],
                "bodies": [row.text.body for row in rows],
            },
        )


def remove_from_index(collection: Collection, document_ids: Sequence[int]) -> None:
    """Take the documents' sections out, and their terms off the statistics."""
    with connection.cursor() as cursor:
        cursor.execute(
            REMOVE, {"tenant": collection.tenant_id, "collection": collection.pk, "documents": list(document_ids)}
        )


def settle_index(collection: Collection, written: int) -> None:
    """At the end of a run that wrote so many documents: merge what the index put aside for later, drop unused terms, tell the planner.

    Each search would have to go through the first. After many documents the planner's picture of the tables is of before them,
    until autovacuum comes by; its samples are of a fixed size, however large the tables are.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('section_vector_gin')")
        cursor.execute(FORGET_UNUSED, {"tenant": collection.tenant_id, "collection": collection.pk})
        if written >= MANY_DOCUMENTS:
            cursor.execute(f"ANALYZE {', '.join(model._meta.db_table for model in WRITTEN_MODELS)}")
