"""What somebody removes stays away, until it is brought back or uploaded anew."""

from __future__ import annotations

from typing import cast

import pytest

from collections_app.clients.http import HttpClient
from collections_app.ingest import ingest, restore_removed
from collections_app.jobs import NewUpload, accept_uploads, readings, run_job, start_job, upload_bytes
from collections_app.models import Collection, Document, FileOutcome, Source, Upload
from collections_app.removal.documents import remove
from collections_app.sources.uploads import UploadReading
from tests.collections_app.sources.archives import make_zip
from tests.factories import find_paths, make_collection, put

pytestmark = pytest.mark.django_db

TEXTS = {"kept.md": b"# Kept\n\nLlamas.\n", "secret.md": b"# Secret\n\nLlamas.\n"}


def upload(collection: Collection, **files: bytes) -> Source:
    job = accept_uploads(collection, [NewUpload(path, content) for path, content in files.items()])
    run_job(job.pk)
    return job.source


def remove_path(collection: Collection, path: str) -> int:
    return remove(
        collection.pk, list(Document.objects.filter(collection=collection, path=path).values_list("pk", flat=True))
    )


def test_the_next_look_at_the_uploads_does_not_bring_a_document_back() -> None:
    collection = make_collection()
    source = upload(collection, **TEXTS)
    assert remove_path(collection, "secret.md") == 1
    assert list(Upload.objects.values_list("path", flat=True)) == ["kept.md"]
    run_job(start_job(source).pk)
    assert find_paths(collection, "llamas") == ["kept.md"]


def test_it_can_still_be_brought_back() -> None:
    collection = make_collection()
    source = upload(collection, **TEXTS)
    assert remove_path(collection, "secret.md") == 1
    assert restore_removed(collection) == 1
    run_job(start_job(source).pk)
    assert sorted(find_paths(collection, "llamas")) == ["kept.md", "secret.md"]


def test_what_others_uploaded_at_the_path_stays() -> None:
    collection, other = make_collection(), make_collection()
    upload(other, **TEXTS)
    put(collection, {"secret.md": TEXTS["secret.md"]})
    upload(collection, **{"secret.md/more.md": b"# More\n"})
    assert remove_path(collection, "secret.md") == 1
    assert Upload.objects.count() == 3


def test_an_archive_stays_for_the_rest_of_it() -> None:
    collection, archive = make_collection(), make_zip(TEXTS)
    archive.seek(0)
    upload(collection, **{"all.zip": archive.read()})
    assert remove_path(collection, "secret.md") == 1
    assert Upload.objects.get().path == "all.zip"


@pytest.mark.parametrize("is_read_first", [True, False])
def test_a_job_that_runs_meanwhile_goes_on_and_does_not_bring_it_back(
    monkeypatch: pytest.MonkeyPatch, is_read_first: bool
) -> None:
    collection = make_collection()
    upload(collection, **TEXTS)
    newer = [NewUpload(path, text + b"Newer.\n") for path, text in TEXTS.items()]
    job, load = accept_uploads(collection, newer), upload_bytes.load_content
    reads: list[int] = []

    def load_content(source: Source, pk: int) -> bytes | None:
        path = Upload.objects.get(pk=pk).path
        content = load(source, pk) if is_read_first else None
        if path == "secret.md":
            assert remove_path(collection, path) == 1
        reads.append(pk)
        return content if is_read_first else load(source, pk)

    monkeypatch.setattr(readings, "load_content", load_content)
    run_job(job.pk)
    job.refresh_from_db()
    assert len(reads) == 2
    assert job.state == "succeeded"
    assert dict(job.outcomes.values_list("path", "outcome")) == {"kept.md": "indexed", "secret.md": "removed"}
    assert FileOutcome.objects.get(job=job, path="secret.md").code == "UPLOAD_REMOVED"
    assert list(Document.objects.values_list("path", flat=True)) == ["kept.md"]
    assert find_paths(collection, "newer") == ["kept.md"]


def test_of_an_archive_that_is_removed_meanwhile_nothing_is_written() -> None:
    collection, archive = make_collection(), make_zip(TEXTS)
    archive.seek(0)
    job = accept_uploads(collection, [NewUpload("all.zip", archive.read())])
    files = list(UploadReading(readings.list_uploads(job.source), client=cast("HttpClient", None)))
    Upload.objects.all().delete()
    assert {file.outcome for file in ingest(collection, job.source, files)} == {"removed"}
    assert not Document.objects.exists()
