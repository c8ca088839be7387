"""RawDocument → rows: the only writer of documents and sections.

Idempotent by content hash: a document that did not change is not touched. One that did changes in one transaction, its
sections, index and statistics with it, so that a reader sees it before or after and never between. One file's failure is
that file's outcome and stops nothing else; a document that was readable stays so when its new version is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from collections_app import indexing
from collections_app.exceptions import IngestError, ParseError, UnsupportedFormat
from collections_app.indexing import VectorText
from collections_app.models import Collection, Document, FileOutcome, Section, Source
from collections_app.parsing import parse
from collections_app.parsing.documents import ParsedDocument, RawDocument
from collections_app.sources import RefusedFile

logger = structlog.get_logger(__name__)

Outcome = FileOutcome.Outcome
Status = Document.Status

# A batch is one transaction: large enough to write the terms of many documents at once, small enough to show progress.
BATCH_DOCUMENTS = 256
BATCH_BYTES = 4 * 1024 * 1024
MAX_PATH_CHARACTERS = 1000

WRITTEN_FIELDS = [
    "source", "title", "description", "keywords", "category", "category_given", "metadata", "format", "content", "content_hash",
    "size_bytes", "source_url", "page_count", "status", "error_code", "error_message", "warnings", "indexed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class IngestedFile:
    """What became of one file."""

    path: str
    outcome: FileOutcome.Outcome
    size_bytes: int = 0
    code: str = ""
    reason: str = ""
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the database has at a path."""

    pk: int
    content_hash: str
    status: str
    category: str
    category_given: bool
    error_code: str
    source_id: int | None


@dataclass(slots=True)
class Item:
    """One file on its way through a batch: what came, what is known of it, what it says or why it cannot be read."""

    path: str
    raw: RawDocument | None
    content_hash: str
    known: KnownDocument | None = None
    parsed: ParsedDocument | None = None
    vector_texts: Sequence[VectorText] = ()
    error: IngestError | None = None

    @property
    def size_bytes(self) -> int:
        return len(self.raw.content) if self.raw else 0

    @property
    def is_unchanged(self) -> bool:
        known = self.known
        return known is not None and known.status == Status.SUCCESS and known.content_hash == self.content_hash

    def make_outcome(self, outcome: FileOutcome.Outcome, document_id: int | None = None) -> IngestedFile:
        code, reason = (self.error.code, self.error.message) if self.error else ("", "")
        return IngestedFile(self.path, outcome, self.size_bytes, code, reason, document_id)


def ingest(
    collection: Collection,
    source: Source | None,
    files: Iterable[RawDocument | RefusedFile],
    *,
    categories: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Iterator[IngestedFile]:
    """Bring the collection's documents up to these files; yields an outcome for each, a batch at a time.

    `categories` (path → category) serve documents that name none themselves. With `dry_run` nothing is written, and the
    outcomes are those that there would be.
    """
    writer = Writer(collection, source, categories or {})
    finish = writer.foresee if dry_run else writer.write
    # Parsing a batch overlaps with PostgreSQL's work on the batch before.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="parse") as parser:
        parsing = None
        for batch in iter_batches(files):
            writer.look_up(batch)
            following = parser.submit(parse_batch, batch)
            if parsing:
                yield from finish(parsing.result())
            parsing = following
        if parsing:
            yield from finish(parsing.result())


def iter_batches(files: Iterable[RawDocument | RefusedFile]) -> Iterator[list[Item]]:
    """Files in batches of at most BATCH_DOCUMENTS, ended early by BATCH_BYTES. A path counts once, its last file."""
    batch: dict[str, Item] = {}
    size_bytes = 0
    for file in files:
        item = make_item(file)
        batch[item.path] = item
        size_bytes += item.size_bytes
        if len(batch) >= BATCH_DOCUMENTS or size_bytes >= BATCH_BYTES:
            yield list(batch.values())
            batch, size_bytes = {}, 0
    if batch:
        yield list(batch.values())


def make_item(file: RawDocument | RefusedFile) -> Item:
    if isinstance(file, RefusedFile):
        return Item(file.path[:MAX_PATH_CHARACTERS], None, "", error=file.error)
    if len(file.path) > MAX_PATH_CHARACTERS:
        error = UnsupportedFormat(
            f"its path is longer than {MAX_PATH_CHARACTERS:,} characters: move it up or shorten its name"
        )
        return Item(file.path[:MAX_PATH_CHARACTERS], None, "", error=error)
    return Item(file.path, file, hashlib.sha256(file.content).hexdigest())


def parse_batch(batch: list[Item]) -> list[Item]:
    """Parse what is new, in place. A parser's own fault is that file's failure, never the run's."""
    for item in batch:
        if item.raw is None or item.error or item.is_unchanged:
            continue
        try:
            item.parsed = parse(item.raw)
            item.vector_texts = indexing.make_vector_texts(item.parsed, item.path)
        except IngestError as error:
            item.error = error
        except Exception:
            logger.exception("parser_failed", path=item.path)
            item.error = ParseError("the parser failed on this file; this is a fault of docsmcp: please report it")
    return batch


class Writer:
    """Writes batches into one collection."""

    def __init__(self, collection: Collection, source: Source | None, categories: Mapping[str, str]) -> None:
        self.collection = collection
        self.source = source
        self.categories = categories

    def look_up(self, batch: list[Item]) -> None:
        """Tell each item what the database has at its path."""
        documents = Document.objects.filter(
            tenant=self.collection.tenant_id, collection=self.collection, path__in=[item.path for item in batch]
        ).values_list("path", "pk", "content_hash", "status", "category", "category_given", "error_code", "source_id")
        known = {row[0]: KnownDocument(*row[1:]) for row in documents}
        for item in batch:
            item.known = known.get(item.path)

    def foresee(self, batch: list[Item]) -> list[IngestedFile]:
        """The outcomes that writing would have."""
        return [item.make_outcome(foresee_outcome(item), item.known.pk if item.known else None) for item in batch]

    def write(self, batch: list[Item]) -> list[IngestedFile]:
        """Write a batch in one transaction; where PostgreSQL refuses it, each document in its own, so that one holds back no other."""
        session = connection.connection
        try:
            with transaction.atomic():
                return self.write_all(batch)
        except DatabaseError:
            # Another session than this run began in has not its locks: that is no fault of a document.
            if not connection.is_usable() or connection.connection is not session:
                raise
            if len(batch) > 1:
                return [outcome for item in batch for outcome in self.write([item])]
            logger.exception("document_not_written", path=batch[0].path)
            return [self.write_refused(batch[0])]

    def write_refused(self, item: Item) -> IngestedFile:
        item.parsed = None
        item.error = ParseError("the database could not index this text; the log has its reason")
        with transaction.atomic():
            return self.write_all([item])[0]

    def write_all(self, batch: list[Item]) -> list[IngestedFile]:
        read = [item for item in batch if item.parsed]
        duplicates = self.find_duplicates(read)
        ids = self.write_documents(read)
        self.record_failures([item for item in batch if item.error])
        self.confirm_unchanged([item for item in batch if item.is_unchanged])
        if read:
            bump_index_version(self.collection)
        return [
            item.make_outcome(
                Outcome.DUPLICATE if item.path in duplicates else foresee_outcome(item),
                ids.get(item.path) or (item.known.pk if item.known else None),
            )
            for item in batch
        ]

    def find_duplicates(self, read: list[Item]) -> set[str]:
        """Paths whose very bytes stand at another path of the collection already, or earlier in this batch."""
        there = Document.objects.filter(
            tenant=self.collection.tenant_id,
            collection=self.collection,
            content_hash__in=[item.content_hash for item in read],
            status=Status.SUCCESS,
        ).exclude(path__in=[item.path for item in read])
        hashes = set(there.values_list("content_hash", flat=True))
        duplicates = set()
        for item in read:
            if item.content_hash in hashes:
                duplicates.add(item.path)
            hashes.add(item.content_hash)
        return duplicates

    def write_documents(self, read: list[Item]) -> dict[str, int]:
        """The documents with their sections and index; path → id."""
        if not read:
            return {}
        documents = Document.objects.bulk_create(
            [self.make_document(item, item.parsed) for item in sorted(read, key=lambda item: item.path) if item.parsed],
            update_conflicts=True,
            unique_fields=["tenant", "collection", "path"],
            update_fields=WRITTEN_FIELDS,
        )
        ids = {document.path: document.pk for document in documents}
        # Only now that the documents' rows are ours: another writer may have written one since it was looked up.
        remove_sections(self.collection, list(ids.values()))
        indexing.add_to_index(self.collection, self.write_sections(read, ids))
        return ids

    def make_document(self, item: Item, parsed: ParsedDocument) -> Document:
        return Document(
            tenant_id=self.collection.tenant_id,
            collection=self.collection,
            source=self.source,
            path=item.path,
            title=parsed.title[:1000],
            description=parsed.description,
            keywords=list(parsed.keywords),
            category=self.choose_category(item)[:200],
            category_given=bool(parsed.category),
            metadata=dict(parsed.metadata),
            format=parsed.format,
            content=parsed.content,
            content_hash=item.content_hash,
            size_bytes=item.size_bytes,
            source_url=item.raw.source_url if item.raw else "",
            page_count=parsed.page_count,
            status=Status.SUCCESS,
            warnings=list(parsed.warnings),
            indexed=timezone.now(),
        )

    def choose_category(self, item: Item) -> str:
        """The document's own word, else the navigation's group, else the first folder."""
        own = item.parsed.category if item.parsed else ""
        folder, slash, _ = item.path.partition("/")
        return own or self.categories.get(item.path, "") or (folder if slash else "")

    def write_sections(self, read: list[Item], ids: Mapping[str, int]) -> list[indexing.IndexRow]:
        """Copy the sections in; returns their rows of the index."""
        rows: list[indexing.IndexRow] = []
        with connection.cursor() as cursor:
            section_ids = reserve_section_ids(cursor, sum(len(item.parsed.sections) for item in read if item.parsed))
            with connection.wrap_database_errors, cursor.copy(COPY_SECTIONS) as copy:
                for item in read:
                    sections = item.parsed.sections if item.parsed else ()
                    document_id = ids[item.path]
                    of_position = dict(zip((section.position for section in sections), section_ids, strict=False))
                    for section in sections:
                        copy.write_row((
                            of_position[section.position], self.collection.tenant_id, self.collection.pk, document_id,
                            section.position, section.end_position, section.section_id, section.heading, section.level,
                            list(section.heading_path), section.start_line, section.end_line, section.page_number, section.text,
                            section.character_count, section.token_count,
                        ))  # fmt: skip
                    rows += [
                        indexing.IndexRow(document_id, of_position[text.position], text) for text in item.vector_texts
                    ]
        return rows

    def record_failures(self, failed: list[Item]) -> None:
        """A failed document is kept as failed; one that was readable keeps its text and says what is wrong with the newer."""
        for item in failed:
            is_no_document = isinstance(item.error, UnsupportedFormat) or item.path.endswith("/")
            if not item.error or (is_no_document and not item.known):
                continue
            Document.objects.update_or_create(
                tenant_id=self.collection.tenant_id,
                collection=self.collection,
                path=item.path,
                defaults={"error_code": item.error.code, "error_message": item.error.message},
                create_defaults={
                    "source": self.source,
                    "title": item.path.rpartition("/")[2][:1000],
                    "category": self.choose_category(item)[:200],
                    "content_hash": item.content_hash,
                    "size_bytes": item.size_bytes,
                    "status": Status.FAILED,
                    "error_code": item.error.code,
                    "error_message": item.error.message,
                },
            )

    def confirm_unchanged(self, unchanged: list[Item]) -> None:
        """The file is as it was read: an error of a version in between is over; the navigation may have moved it."""
        for item in unchanged:
            if item.known is None:
                continue
            if item.known.error_code:
                Document.objects.filter(pk=item.known.pk).update(error_code="", error_message="")
            category = self.choose_category(item)[:200]
            if not item.known.category_given and category != item.known.category:
                Document.objects.filter(pk=item.known.pk).update(category=category)
                bump_index_version(self.collection)
            if self.source and item.known.source_id != self.source.pk:
                Document.objects.filter(pk=item.known.pk).update(source=self.source)


COPY_SECTIONS = (
    "COPY collections_app_section (id, tenant_id, collection_id, document_id, position, end_position, section_id, heading, level, "
    "heading_path, start_line, end_line, page_number, content, character_count, token_count) FROM STDIN"
)


def reserve_section_ids(cursor: Any, count: int) -> Iterator[int]:
    """So many new ids of sections, which are known before the rows are: COPY returns none."""
    cursor.execute(
        "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [Section._meta.db_table, count]
    )
    return iter([row[0] for row in cursor.fetchall()])


def foresee_outcome(item: Item) -> FileOutcome.Outcome:
    if item.error:
        return Outcome.UNSUPPORTED if isinstance(item.error, UnsupportedFormat) else Outcome.FAILED
    return Outcome.UNCHANGED if item.is_unchanged else Outcome.INDEXED


def remove_sections(collection: Collection, document_ids: Sequence[int]) -> None:
    indexing.remove_from_index(collection, document_ids)
    sections = Section.objects.filter(tenant=collection.tenant_id, document_id__in=document_ids)
    sections._raw_delete(sections.db)


def bump_index_version(collection: Collection) -> None:
    """What was remembered of this collection's answers is no longer true."""
    Collection.objects.filter(pk=collection.pk).update(index_version=F("index_version") + 1, updated=timezone.now())


@transaction.atomic
def remove_documents(collection: Collection, document_ids: Sequence[int]) -> None:
    """Documents leave with their sections, index and statistics. Locked in the order in which writers lock them."""
    chosen = Document.objects.filter(tenant=collection.tenant_id, pk__in=document_ids)
    document_ids = list(chosen.order_by("path").select_for_update().values_list("pk", flat=True))
    remove_sections(collection, document_ids)
    Document.objects.filter(tenant=collection.tenant_id, pk__in=document_ids).delete()
    bump_index_version(collection)
