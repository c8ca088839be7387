"""Writes batches of one collection: documents, their sections, their index, and the failures of files that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial

import structlog
from django.db import DatabaseError, connection

from collections_app.exceptions import (
    ParseError,
    PathTaken,
    QuotaExceeded,
    UnsupportedFormat,
    UnusablePath,
    UploadRemoved,
)
from collections_app.indexing import fulltext
from collections_app.indexing.index_version import bump_index_version
from collections_app.ingest.database_errors import in_transaction, is_about_the_text, is_canceled
from collections_app.ingest.document_rows import CONFIRMED_FIELDS, WRITTEN_FIELDS, DocumentRows, choose_category
from collections_app.ingest.items import KNOWN_FIELDS, Item, KnownDocument, Status
from collections_app.ingest.keepers import find_keepers
from collections_app.ingest.outcomes import IngestedFile, Record
from collections_app.ingest.sections import copy_sections, delete_sections, make_index_rows
from collections_app.ingest.uploads import refuse_removed
from collections_app.limits.quotas import NOTHING, Room, count_stored, get_storage
from collections_app.models import Collection, Document, Source

logger = structlog.get_logger(__name__)

# A statement may take this long, including waits for other writers. Ten megabytes of the worst text known take three minutes.
STATEMENT_MINUTES = 10
_NOT_INDEXED = "the database could not index this text; the log has its reason"
_TOO_SLOW = (
    f"The database took more than {STATEMENT_MINUTES} minutes to index this text, or to wait for other jobs of the collection, so it was "
    "given up. Cut it into several files, or run the job again when the others have ended."
)


class Writer:
    """Writes batches into one collection."""

    def __init__(
        self,
        collection: Collection,
        source: Source | None,
        categories: Mapping[str, str],
        record: Record,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.collection = collection
        self.source = source
        self.categories = categories
        self.record = record
        self.check = check
        self.rows = DocumentRows(collection, source)
        self.keepers = find_keepers(collection, source) if source else {}
        self.foreseen: Room | None = None
        self.foreseen_hashes: set[str] = set()

    def look_up(self, batch: list[Item]) -> None:
        """Look up the document at each item's path."""
        paths = [item.path for item in batch]
        documents = Document.objects.in_collections([self.collection]).filter(path__in=paths)
        known = {row[0]: KnownDocument(*row[1:]) for row in documents.values_list("path", *KNOWN_FIELDS)}
        for item in batch:
            category = choose_category(item.path, self.categories.get(item.path, ""), self.collection.content_policy)
            item.take_known(known.get(item.path), self.keepers, category)

    def foresee(self, tell: Callable[[Document], None], batch: list[Item]) -> list[IngestedFile]:
        """The outcomes that writing the batch would have, for a dry run; tells the documents that would be served then."""
        self.foreseen = self.foreseen or Room(get_storage(self.collection.tenant_id))
        read = [item for item in batch if item.parsed and reserve_room(item, self.foreseen, item.known_bytes)]
        duplicates = self.find_duplicates(read, self.foreseen_hashes)
        served = [item for item in read if not item.is_quarantined]
        self.foreseen_hashes |= {item.content_hash for item in served}
        for item in served:
            if item.parsed:
                tell(self.rows.make_document(item, item.parsed))
        return [item.make_outcome(is_duplicate=item.path in duplicates) for item in batch]

    def write(self, batch: list[Item]) -> list[IngestedFile]:
        """Write a batch in one transaction; if PostgreSQL refuses it or it takes too long, each document in a transaction of its own.

        So no document holds back another. If a statement was cancelled, `check` may raise.
        """
        session = connection.connection
        try:
            return in_transaction(partial(self.write_all, batch))
        except DatabaseError as error:
            is_slow = is_canceled(error)
            if is_slow:
                self.check()  # raises if it was cancelled because the run is to end
            is_refused = is_slow or is_about_the_text(error)
            # A new session does not hold the locks of the run.
            if not is_refused or not connection.is_usable() or connection.connection is not session:
                raise
            if len(batch) > 1:
                return [outcome for item in batch for outcome in self.write([item])]
            logger.exception("document_not_written", path=batch[0].path)
            return self.write_refused(batch[0], _TOO_SLOW if is_slow else _NOT_INDEXED)

    def write_refused(self, item: Item, reason: str) -> list[IngestedFile]:
        item.parsed = None
        item.error = ParseError(reason)
        return in_transaction(partial(self.write_all, [item]))

    def write_all(self, batch: list[Item]) -> list[IngestedFile]:
        limit_statements()
        refuse_removed(self.source, batch)
        there = self.lock_there([item for item in batch if self.is_touched(item)])
        new = [item for item in batch if item.parsed or item.error]
        room = Room(get_storage(self.collection.tenant_id) if new else NOTHING)
        read = [item for item in new if item.parsed and reserve_room(item, room, there.get(item.path))]
        failed = [item for item in new if item.error and self.is_touched(item)]
        failed = [item for item in failed if item.path in there or may_be_kept(item, room)]
        duplicates = self.find_duplicates(read)
        written = self.write_documents(read, failed, there)
        ids = {path: document.pk for path, document in written.items()}
        moved = self.confirm_unchanged([item for item in batch if item.is_unchanged])
        self.index(read, written, moved)
        outcomes = [
            item.make_outcome(is_duplicate=item.path in duplicates, document_id=ids.get(item.path)) for item in batch
        ]
        if read or moved:
            bump_index_version(self.collection, documents=room.documents, size_bytes=room.size_bytes)
        else:
            count_stored(self.collection, room)
        self.record(outcomes)
        return outcomes

    def is_touched(self, item: Item) -> bool:
        """Whether anything about the document is to be written."""
        if isinstance(item.error, PathTaken | UploadRemoved):
            return False
        return not item.is_unchanged or item.is_moved or self.rows.make_confirmed(item) is not None

    def lock_there(self, items: list[Item]) -> dict[str, int]:
        """Lock the documents that exist at the items' paths until the transaction ends; returns path → bytes.

        A document that another source has written since the look-up, and keeps, is left to that source. All writers lock documents in this
        order (by path), before any other row and before inserting documents. So if two want the same documents, one waits without holding
        any that the other wants.
        """
        if not items:
            return {}
        by_path = {item.path: item for item in items}
        documents = Document.objects.in_collections([self.collection]).filter(path__in=list(by_path))
        locked = documents.order_by("path").select_for_update(no_key=True)
        sizes = {}
        for path, size_bytes, source_id in locked.values_list("path", "size_bytes", "source_id"):
            sizes[path] = size_bytes
            if keeper := self.keepers.get(source_id):
                by_path[path].leave_to(keeper)
        return sizes

    def find_duplicates(self, read: list[Item], foreseen: Set[str] = frozenset()) -> set[str]:
        """Paths of items with the same bytes as a document at another path of the collection, or as an earlier item of this batch.

        `foreseen`: hashes of the items of earlier batches in a dry run. Items without text are never duplicates.
        """
        served = [item for item in read if not item.is_quarantined and item.parsed and item.parsed.content]
        readable = Document.objects.in_collections([self.collection]).readable()
        there = readable.filter(content_hash__in=[item.content_hash for item in served])
        others = there.exclude(path__in=[item.path for item in served])
        hashes = {*foreseen, *others.values_list("content_hash", flat=True)}
        duplicates = set()
        for item in served:
            if item.content_hash in hashes:
                duplicates.add(item.path)
            hashes.add(item.content_hash)
        return duplicates

    def write_documents(self, read: list[Item], failed: list[Item], there: Mapping[str, int]) -> dict[str, Document]:
        """Write the rows of documents, and delete the old sections of those that were read; returns the latter by path.

        A failed file without a document gets one with status failed; an existing document keeps its text and notes the failure.
        """
        documents = [self.rows.make_document(item, item.parsed) for item in read if item.parsed]
        documents += [
            self.rows.make_failed(item, item.error) for item in failed if item.error and item.path not in there
        ]
        documents.sort(key=lambda document: document.path)
        replaced = Document.objects.bulk_create(
            [document for document in documents if document.path in there],
            update_conflicts=True,
            unique_fields=["tenant", "collection", "path"],
            update_fields=WRITTEN_FIELDS,
        )
        if replaced:
            delete_sections(self.collection, [document.pk for document in replaced])
        # If another writer has added one of these since the lock, this fails and the transaction is repeated (database_errors.py).
        Document.objects.bulk_create([document for document in documents if document.path not in there])
        self.note_failures([item for item in failed if item.path in there])
        return {document.path: document for document in documents if document.status != Status.FAILED}

    def note_failures(self, failed: list[Item]) -> None:
        for item in failed:
            if item.error:
                documents = Document.objects.in_collections([self.collection]).filter(path=item.path)
                documents.update(error_code=item.error.code, error_message=item.error.message)

    def index(self, read: list[Item], written: Mapping[str, Document], moved: Sequence[Document]) -> None:
        """Write the sections of the written documents and the index of those that are served; reindex moved documents from stored sections.

        The index is written by one statement, so that two writers never hold terms that the other waits for.
        """
        if not written and not moved:
            return
        sections = copy_sections(
            self.collection, {written[item.path].pk: item.parsed.sections for item in read if item.parsed}
        )
        rows = [
            row
            for item in read
            if not item.is_quarantined
            for row in make_index_rows(written[item.path], sections[written[item.path].pk], item.vector_texts)
        ]
        rows += fulltext.iter_stored_rows(self.collection, moved)
        replaced = [document.pk for document in (*written.values(), *moved)]
        fulltext.replace_in_index(self.collection, replaced, rows)

    def confirm_unchanged(self, unchanged: list[Item]) -> list[Document]:
        """Update what is known about unchanged files; returns the served documents that have a new category, with their INDEXED_FIELDS.

        The error of a failed version in between is cleared. Navigation may have moved a document, another source may have it now, and its
        server may have given this version another name (fetch_state).
        """
        changed = [document for item in unchanged if (document := self.rows.make_confirmed(item))]
        changed.sort(key=lambda document: document.path)
        Document.objects.bulk_update(changed, CONFIRMED_FIELDS, batch_size=len(changed) or None)
        moved = [
            Document(pk=item.known.pk, path=item.path, category=item.category)
            for item in sorted(unchanged, key=lambda item: item.path)
            if item.known and item.is_moved
        ]
        if not moved:
            return []
        Document.objects.bulk_update(moved, ["category"], batch_size=len(moved))
        served = Document.objects.in_collections([self.collection]).readable().order_by("path")
        return list(served.filter(pk__in=[document.pk for document in moved]).only(*fulltext.INDEXED_FIELDS))


def limit_statements() -> None:
    """Limit the time of each statement in this transaction. It is set per transaction, so that it also works behind a pooler."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{STATEMENT_MINUTES}min"])


def reserve_room(item: Item, room: Room, old_bytes: int | None) -> bool:
    """Whether there is room for the file that was read; if not, that becomes its error."""
    try:
        room.take(item.size_bytes, old_bytes)
    except QuotaExceeded as error:
        item.error, item.parsed = error, None
    return item.parsed is not None


def may_be_kept(item: Item, room: Room) -> bool:
    """Whether a failed file without a document is to get one, which takes room like any other."""
    if isinstance(item.error, UnsupportedFormat | UnusablePath | QuotaExceeded) or item.path.endswith("/"):
        return False
    try:
        room.take(item.size_bytes)
    except QuotaExceeded:
        return False
    return True
