"""Two sources of a collection that have the same path: neither overwrites what the other keeps."""

from __future__ import annotations

import pytest

from collections_app.ingest import IngestedFile, ingest
from collections_app.models import Collection, Document, Source, Upload
from collections_app.parsing.documents import RawDocument
from collections_app.removal.sources import remove_source
from tests.factories import make_collection

pytestmark = pytest.mark.django_db

Kind = Source.Kind
PATH = "README.md"


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def make_source(collection: Collection, kind: Kind, name: str = "", refresh_seconds: int = 60) -> Source:
    source = Source.objects.create(
        tenant=collection.tenant,
        collection=collection,
        kind=kind,
        location=name,
        refresh_interval_seconds=refresh_seconds,
    )
    if kind == Kind.UPLOAD:
        Upload.objects.create(tenant=collection.tenant, collection=collection, source=source, path=PATH)
    return source


def read(source: Source, text: str) -> IngestedFile:
    [outcome] = ingest(source.collection, source, [RawDocument(PATH, f"# {text}\n".encode())])
    return outcome


def get_title() -> str:
    return Document.objects.get(path=PATH).title


@pytest.mark.parametrize(
    ("keeper", "other"),
    [(Kind.GIT, Kind.GIT), (Kind.GIT, Kind.UPLOAD), (Kind.UPLOAD, Kind.GIT), (Kind.DIRECTORY, Kind.DIRECTORY)],
)
def test_the_first_keeps_its_document_and_the_other_is_told(collection: Collection, keeper: Kind, other: Kind) -> None:
    first, second = make_source(collection, keeper, "/srv/one"), make_source(collection, other, "/srv/two")
    read(first, "One")
    refused = read(second, "Two")
    assert (refused.outcome, refused.code) == ("failed", "PATH_TAKEN")
    assert "collection of its own" in refused.reason
    assert read(first, "One").outcome == "unchanged"
    assert (get_title(), Document.objects.get().error_code) == ("One", "")


def test_a_directory_of_the_server_is_not_named(collection: Collection) -> None:
    read(make_source(collection, Kind.DIRECTORY, "/srv/one"), "One")
    assert "/srv" not in read(make_source(collection, Kind.UPLOAD), "Two").reason


def test_when_the_first_is_removed_the_other_has_its_own(collection: Collection) -> None:
    first, second = make_source(collection, Kind.GIT, "one"), make_source(collection, Kind.GIT, "two")
    read(first, "One")
    read(second, "Two")
    remove_source(first)
    assert read(second, "Two").outcome == "indexed"
    assert get_title() == "Two"


@pytest.mark.parametrize("changed", [{"refresh_interval_seconds": 0}, {"auto_index": False}])
def test_what_nobody_reads_again_by_itself_is_taken_over(collection: Collection, changed: dict[str, int]) -> None:
    """As when a directory moved."""
    first, second = make_source(collection, Kind.DIRECTORY, "/a"), make_source(collection, Kind.DIRECTORY, "/b")
    read(first, "One")
    Source.objects.filter(pk=first.pk).update(**changed)
    assert read(second, "Two").outcome == "indexed"
    assert get_title() == "Two"
    assert Document.objects.get().source == second


def test_uploads_replace_each_other(collection: Collection) -> None:
    uploads = make_source(collection, Kind.UPLOAD)
    read(uploads, "One")
    assert read(uploads, "Two").outcome == "indexed"
    assert get_title() == "Two"
