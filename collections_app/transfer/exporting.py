"""Writes a collection into a zip file, one document at a time, all as they were at one moment. Leaves no incomplete file behind."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Prefetch
from django.utils import timezone

from collections_app.exceptions import PathRefused
from collections_app.models import Collection, Document, Section
from collections_app.postgres.snapshots import seeing_one_moment
from collections_app.transfer.layout import (
    MANIFEST,
    EntryHashes,
    Manifest,
    StoredCollection,
    StoredDocument,
    StoredMove,
    StoredPin,
    StoredSynonym,
    get_content_entry,
    get_document_entry,
)

_DOCUMENTS_AT_ONCE = 20

Progress = Callable[[int, int], None]
"""Hears how many documents are done, and how many there are."""


def export_collection(collection: Collection, file: Path, on_document: Progress = lambda done, total: None) -> int:
    """Writes the collection into `file`, which is created or replaced once everything is in it. Returns how many documents it has.

    Raises PathRefused if the file cannot be written.
    """
    with _replace(file) as temporary, seeing_one_moment():
        documents = Document.objects.in_collections([collection]).order_by("path")
        total = documents.count()
        with ZipFile(temporary, "w", ZIP_DEFLATED) as archive:
            writer = _Writer(archive)
            of_tenant = Section.objects.filter(tenant=collection.tenant_id).order_by("position")
            sections = Prefetch("sections", of_tenant, to_attr="sections_in_order")
            rows = documents.prefetch_related(sections).iterator(chunk_size=_DOCUMENTS_AT_ONCE)
            for done, document in enumerate(rows, 1):
                writer.add_document(document, document.sections_in_order)
                on_document(done, total)
            writer.finish(collection)
    return total


class _Writer:
    """Adds entries, and keeps what the manifest says about them."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._documents: dict[str, EntryHashes] = {}

    def add_document(self, document: Document, sections: list[Section]) -> None:
        stored = StoredDocument.from_rows(document, sections)
        self._documents[document.path] = EntryHashes(
            document=self._add(get_document_entry(document.path), stored.model_dump_json(indent=1)),
            content=self._add(get_content_entry(document.path), document.content),
        )

    def finish(self, collection: Collection) -> None:
        stored = StoredCollection(**{name: getattr(collection, name) for name in StoredCollection.model_fields})
        moved = collection.moved_pages.order_by(*StoredMove.model_fields)
        manifest = Manifest(
            exported=timezone.now(),
            collection=stored,
            synonyms=tuple(StoredSynonym(**row) for row in collection.synonyms.values(*StoredSynonym.model_fields)),
            pins=tuple(StoredPin(**row) for row in collection.pins.values(*StoredPin.model_fields)),
            moved_pages=tuple(StoredMove(**row) for row in moved.values(*StoredMove.model_fields).distinct()),
            documents=self._documents,
        )
        self._archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))

    def _add(self, name: str, text: str) -> str:
        content = text.encode()
        self._archive.writestr(name, content)
        return hashlib.sha256(content).hexdigest()


@contextmanager
def _replace(file: Path) -> Iterator[IO[bytes]]:
    """A temporary file beside `file` that replaces it once it is complete."""
    try:
        with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}-", delete=False) as temporary:
            try:
                yield temporary
                temporary.close()
                Path(temporary.name).replace(file)
            finally:
                Path(temporary.name).unlink(missing_ok=True)
    except OSError as error:
        raise PathRefused(f"“{{}}” cannot be written: {error.strerror}. Choose another place.", file) from error
