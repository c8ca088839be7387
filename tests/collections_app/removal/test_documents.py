"""What somebody removes stays away, until it is brought back or uploaded anew."""

from __future__ import annotations

import pytest

from collections_app.ingest import restore_removed
from collections_app.jobs import NewUpload, accept_uploads, run_job, start_job
from collections_app.models import Collection, Document, Source, Upload
from collections_app.removal.documents import remove
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
