"""Creates a collection from a zip file, in one transaction: all of it is there, or nothing. Trusts nothing that the file says of itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from django.db import DataError, IntegrityError, transaction
from pydantic import BaseModel, ValidationError

from collections_app.exceptions import InvalidParameter, ParseError, PathRefused
from collections_app.indexing.fulltext import settle_index
from collections_app.indexing.index_version import bump_index_version
from collections_app.ingest import write_stored
from collections_app.models import Collection, Document, MovedPage, Pin, Synonym, Tenant
from collections_app.models.library import LANGUAGES
from collections_app.parsing.documents import ParsedDocument
from collections_app.provisioning import check_slug, find_collection
from collections_app.sources.archive_formats import ArchiveLimits, Meter, open_zip, read_zip
from collections_app.sources.paths import make_printable
from collections_app.transfer.exporting import Progress
from collections_app.transfer.layout import (
    MANIFEST,
    VERSION,
    Manifest,
    ManifestHeader,
    StoredDocument,
    get_content_entry,
    get_document_entry,
)

# The ratio is above what deflate can reach: repetitive text must be importable too.
_ZIP_BEGINNING = b"PK"
LIMITS = ArchiveLimits(max_entries=2_000_000, max_total_bytes=64 * 1024**3, max_ratio=1100)
MAX_ENTRY_BYTES = 256 * 1024**2

_DOCUMENTS_AT_ONCE = 256
_MOVES_AT_ONCE = 1_000
_NAME_CHARACTERS = 200  # the most for a collection's name
_CHARACTERS_AT_ONCE = 4 * 1024**2

_Model = TypeVar("_Model", bound=BaseModel)


def import_collection(
    tenant: Tenant, file: Path, slug: str | None = None, on_document: Progress = lambda done, total: None
) -> Collection:
    """Creates the collection that the file contains, under its own slug or another. If its name is taken, the slug is added to it.

    Raises InvalidParameter if the file cannot be read or the slug is taken, IngestError if the file is not a complete export.
    """
    with _open(file) as opened, _tell_refused(), transaction.atomic():
        exported = _Export(opened)
        collection = _make_collection(tenant, exported.manifest, slug)
        done, total = 0, len(exported.manifest.documents)
        for batch in _iter_batches(exported.iter_documents(collection)):
            write_stored(collection, batch)
            done += len(batch)
            on_document(done, total)
        bump_index_version(collection)  # so that the queue embeds it
    settle_index(collection, total)
    return collection


def _iter_batches(
    documents: Iterator[tuple[Document, ParsedDocument]],
) -> Iterator[list[tuple[Document, ParsedDocument]]]:
    """Batches of documents, ended early by large ones."""
    batch, characters = [], 0
    for document, parsed in documents:
        batch.append((document, parsed))
        characters += len(parsed.content)
        if len(batch) >= _DOCUMENTS_AT_ONCE or characters >= _CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


@contextmanager
def _open(file: Path) -> Iterator[BinaryIO]:
    try:
        opened = file.open("rb")
    except OSError as error:
        raise PathRefused(f"“{{}}” cannot be read: {error.strerror}. Check the path.", file) from error
    with opened:
        yield opened


@contextmanager
def _tell_refused() -> Iterator[None]:
    """A file that looks like an export may still contain values that no column takes: these become an error for the user."""
    try:
        yield
    except (DataError, IntegrityError):
        raise ParseError(
            "The file holds a value that the database does not take. Export the collection anew."
        ) from None


def _make_collection(tenant: Tenant, manifest: Manifest, slug: str | None) -> Collection:
    stored = manifest.collection
    slug = check_slug(stored.slug if slug is None else slug, "collection")
    if find_collection(tenant, slug):
        raise InvalidParameter(
            f"There is a collection {slug!r} already. Import it under another short name (--collection SLUG), or delete that one first."
        )
    if stored.language not in LANGUAGES:
        raise ParseError(f"The collection's language {stored.language!r} is not known here.")
    collection = Collection(tenant=tenant, **stored.model_dump(exclude={"slug"}), slug=slug)
    if Collection.objects.filter(tenant=tenant, name__iexact=collection.name).exists():
        mark = f" ({slug})"
        collection.name = collection.name[: _NAME_CHARACTERS - len(mark)] + mark
    collection.save()
    owner = {"tenant": tenant, "collection": collection}
    Synonym.objects.bulk_create(Synonym(**owner, **row.model_dump()) for row in manifest.synonyms)
    Pin.objects.bulk_create(Pin(**owner, **row.model_dump()) for row in manifest.pins)
    moved = (MovedPage(**owner, **row.model_dump()) for row in manifest.moved_pages)
    MovedPage.objects.bulk_create(moved, batch_size=_MOVES_AT_ONCE)
    return collection


class _Export:
    """An exported file, each entry checked against the manifest as it is read."""

    def __init__(self, file: BinaryIO) -> None:
        if file.read(len(_ZIP_BEGINNING)) != _ZIP_BEGINNING:
            raise ParseError(
                "The file is no exported collection: it is no zip file. Give one that export_collection made."
            )
        self._meter = Meter(LIMITS, packed_bytes=file.seek(0, 2))
        self._archive = open_zip(file, self._meter)
        self._names = set(self._archive.namelist())
        self.manifest = self._read_manifest()

    def iter_documents(self, collection: Collection) -> Iterator[tuple[Document, ParsedDocument]]:
        for path, hashes in self.manifest.documents.items():
            name = get_document_entry(path)
            stored = _parse(StoredDocument, name, self._read(name, hashes.document))
            if stored.path != path or path.startswith("/") or ".." in path.split("/"):
                raise _make_refusal(name, "its path is no document's, or another one's")
            name = get_content_entry(path)
            yield _make_document(collection, stored, name, self._read(name, hashes.content))

    def _read_manifest(self) -> Manifest:
        if MANIFEST not in self._names:
            raise ParseError(
                f"The file is no exported collection: it has no {MANIFEST}. Give one that export_collection made."
            )
        content = self._read_entry(MANIFEST)
        header = _parse(ManifestHeader, MANIFEST, content)
        if header.version != VERSION:
            raise ParseError(
                f"The file was exported in version {header.version} of the format, and this server reads version {VERSION}. "
                "Import it with the release of docsmcp that exported it, or a later one."
            )
        return _parse(Manifest, MANIFEST, content)

    def _read(self, name: str, expected_hash: str) -> bytes:
        content = self._read_entry(name)
        if hashlib.sha256(content).hexdigest() != expected_hash:
            raise _make_refusal(name, "it is not what was exported")
        return content

    def _read_entry(self, name: str) -> bytes:
        if name not in self._names:
            raise _make_refusal(name, "it is missing")
        content = read_zip(self._archive, self._archive.getinfo(name), self._meter, MAX_ENTRY_BYTES + 1)
        if len(content) > MAX_ENTRY_BYTES:
            raise _make_refusal(name, f"it has more than {MAX_ENTRY_BYTES:,} bytes")
        return content


def _parse(model: type[_Model], name: str, content: bytes) -> _Model:
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise _make_refusal(name, f"{place}: {first['msg']}" if place else first["msg"]) from None


def _make_document(
    collection: Collection, stored: StoredDocument, name: str, content: bytes
) -> tuple[Document, ParsedDocument]:
    try:
        text = content.decode()
        return stored.make_row(collection, text), stored.make_parsed(text)
    except ValueError as error:
        raise _make_refusal(name, str(error)) from None


def _make_refusal(name: str, reason: str) -> ParseError:
    return ParseError(f"The file is not whole, or was changed since it was exported: {make_printable(name)}: {reason}.")
