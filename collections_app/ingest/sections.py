"""Writes and deletes the rows of sections, together with their documents. The index over them is up to the caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from collections_app.exceptions import QuotaExceeded
from collections_app.indexing import fulltext
from collections_app.indexing.fulltext import IndexRow
from collections_app.indexing.vector_texts import VectorText, make_vector_texts
from collections_app.limits.quotas import Room, count_stored, get_storage
from collections_app.models import Collection, Document, Section, SectionEmbedding
from collections_app.parsing.documents import ParsedDocument, ParsedSection
from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.postgres.row_security import as_owner

COPY_SECTIONS = (
    "COPY collections_app_section (id, tenant_id, collection_id, document_id, position, end_position, section_id, heading, level, "
    "heading_path, start_line, end_line, page_number, anchor, content, character_count, token_count) FROM STDIN"
)


def copy_sections(collection: Collection, sections: Mapping[int, Sequence[ParsedSection]]) -> dict[int, dict[int, int]]:
    """Write sections, given by document id; returns document id → position → section row id."""
    with as_owner(), connection.cursor() as cursor:  # PostgreSQL does not support COPY FROM under row-level security
        ids = reserve_ids(cursor, sum(map(len, sections.values())))
        written = {document: {each.position: next(ids) for each in own} for document, own in sections.items()}
        with connection.wrap_database_errors, cursor.copy(COPY_SECTIONS) as copy:
            for document, own in sections.items():
                for section in own:
                    copy.write_row((
                        written[document][section.position], collection.tenant_id, collection.pk, document,
                        section.position, section.end_position, section.section_id, section.heading, section.level,
                        write_text_array(section.heading_path), section.start_line, section.end_line, section.page_number, section.anchor,
                        section.text, section.character_count, section.token_count,
                    ))  # fmt: skip
    return written


def reserve_ids(cursor: Any, count: int) -> Iterator[int]:
    """Reserve ids for new sections before the rows are written, as COPY returns none."""
    cursor.execute(
        "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [Section._meta.db_table, count]
    )
    return iter([row[0] for row in cursor.fetchall()])


def delete_sections(collection: Collection, document_ids: Sequence[int]) -> None:
    """Delete these documents' sections and the embeddings of these."""
    for rows in (SectionEmbedding.objects, Section.objects):
        own = rows.filter(tenant=collection.tenant_id, document_id__in=document_ids)
        own._raw_delete(own.db)


def make_index_rows(document: Document, section_ids: Mapping[int, int], texts: Sequence[VectorText]) -> list[IndexRow]:
    return [IndexRow(document, section_ids[text.position], text) for text in texts]


def write_stored(collection: Collection, stored: Sequence[tuple[Document, ParsedDocument]]) -> None:
    """Write documents that were parsed earlier (imported or restored), with their sections and, if they are served, their index.

    The rows must be new and their paths free. Runs in the caller's transaction. Raises QuotaExceeded if there is no room for all of them.
    """
    room = take_room(collection, [document for document, _ in stored])
    documents = Document.objects.bulk_create([document for document, _ in stored])
    ids = copy_sections(collection, {document.pk: parsed.sections for document, parsed in stored})
    rows = [
        row
        for document, parsed in stored
        if document.status == Document.Status.SUCCESS
        for row in make_index_rows(document, ids[document.pk], make_vector_texts(parsed, document.path))
    ]
    fulltext.replace_in_index(collection, [document.pk for document in documents], rows)
    count_stored(collection, room)


def take_room(collection: Collection, documents: Sequence[Document]) -> Room:
    """The room that these new documents take. Raises QuotaExceeded, naming the first document for which there is no room."""
    room = Room(get_storage(collection.tenant_id))
    for document in documents:
        try:
            room.take(document.size_bytes)
        except QuotaExceeded as error:
            raise QuotaExceeded(f"There is no room for {document.path}. {error.message}", **error.details) from None
    return room
