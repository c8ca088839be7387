"""Uploads whose bytes are in an object store: a directory here, and S3 as a server on loopback speaks it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from collections_app import jobs
from collections_app.clients.object_store import DirectoryStore, StoreUnavailable, open_store
from collections_app.jobs import NewUpload, accept_uploads, run_job, sweep_store
from collections_app.models import Collection, Document, FileOutcome, Upload
from collections_app.removal.sources import remove_source
from tests.factories import make_collection
from tests.http_server import QuietHandler, serving
from tests.other_thread import start, wait_until_it_waits

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = b"# Gear\n\nThe gear turns.\n"


class Objects(QuietHandler):
    """What of S3 is used for one object: PUT and GET by its key."""

    kept: dict[str, bytes]

    def do_PUT(self) -> None:
        self.kept[self.path] = self.read_body()
        self.answer(200)

    def do_GET(self) -> None:
        found = self.kept.get(self.path)
        self.answer(404 if found is None else 200, found or b"")

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving_objects() -> Iterator[tuple[str, dict[str, bytes]]]:
    """The address of the server, and what it keeps."""
    kept: dict[str, bytes] = {}
    with serving(type("Own", (Objects,), {"kept": kept})) as port:
        yield f"http://127.0.0.1:{port}", kept


@pytest.fixture(autouse=True)
def forget_stores() -> Iterator[None]:
    yield
    open_store.cache_clear()


@pytest.fixture
def directory(tmp_path: Path, settings: Settings) -> Path:
    (tmp_path / "store").mkdir()
    use(settings, f"file://{tmp_path / 'store'}")
    return tmp_path / "store"


def use(settings: Settings, url: str) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"upload_store": url})


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def upload(collection: Collection, path: str = "a.md", text: bytes = TEXT) -> FileOutcome:
    job = accept_uploads(collection, [NewUpload(path, text)])
    run_job(job.pk)
    return FileOutcome.objects.get(job=job)


def list_objects(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def age(directory: Path, days: float) -> None:
    then = (timezone.now() - timedelta(days=days)).timestamp()
    for path in list_objects(directory):
        os.utime(path, (then, then))


def test_the_bytes_are_in_the_store_and_the_text_in_the_database(collection: Collection, directory: Path) -> None:
    assert upload(collection).outcome == "indexed"
    row = Upload.objects.get()
    assert (row.content, row.size_bytes) == (None, len(TEXT))
    [kept] = list_objects(directory)
    assert (kept.name, kept.read_bytes()) == (row.content_hash, TEXT)
    assert Document.objects.get().title == "Gear"


def test_s3_is_spoken(collection: Collection, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_objects() as (address, kept):
        for name, value in {
            "ENDPOINT_URL": address,
            "ACCESS_KEY_ID": "k",
            "SECRET_ACCESS_KEY": "s",
            "REGION": "r",
        }.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        use(settings, "s3://bucket/docs")
        assert upload(collection).outcome == "indexed"
        row = Upload.objects.get()
        assert kept == {f"/bucket/docs/uploads/{collection.tenant_id}/{row.content_hash}": TEXT}


def test_what_was_uploaded_before_the_store_is_still_read(
    collection: Collection, settings: Settings, tmp_path: Path
) -> None:
    job = accept_uploads(collection, [NewUpload("a.md", TEXT)])
    use(settings, f"file://{tmp_path}")
    run_job(job.pk)
    assert FileOutcome.objects.get().outcome == "indexed"
    assert not list_objects(tmp_path)


def test_nothing_is_accepted_that_the_store_does_not_take(
    collection: Collection, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no directory")
    use(settings, f"file://{tmp_path / 'file'}")
    with pytest.raises(StoreUnavailable):
        accept_uploads(collection, [NewUpload("a.md", TEXT)])
    assert not Upload.objects.exists()


def test_a_share_that_is_not_mounted_is_not_made_on_this_disk(
    collection: Collection, settings: Settings, tmp_path: Path
) -> None:
    root = tmp_path / "share" / "uploads"
    use(settings, f"file://{root}")
    with pytest.raises(StoreUnavailable) as refused:
        accept_uploads(collection, [NewUpload("a.md", TEXT)])
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in refused.value.message
    assert refused.value.sentence == (
        f"{root}, which UPLOAD_STORE names, is no directory: mount the share that it is in, or make it, as the server's account "
        f"(`mkdir -m 0700 {root}`)."
    )
    with pytest.raises(StoreUnavailable):
        sweep_store()
    root.mkdir(parents=True)
    assert upload(collection).outcome == "indexed"


def test_a_share_that_goes_away_is_not_made_anew(collection: Collection, directory: Path) -> None:
    job = accept_uploads(collection, [NewUpload("a.md", TEXT)])
    directory.rename(directory.with_name("away"))
    with pytest.raises(StoreUnavailable):
        accept_uploads(collection, [NewUpload("b.md", b"# B")])
    run_job(job.pk)
    assert FileOutcome.objects.get().code == "FETCH_ERROR"
    assert not directory.exists()


def test_nobody_else_reads_what_is_in_the_directory(collection: Collection, directory: Path) -> None:
    before = os.umask(0)
    try:
        upload(collection)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in directory.rglob("*") if path.is_dir()}
    assert (modes, {path.stat().st_mode & 0o777 for path in list_objects(directory)}) == ({0o700}, {0o600})


def test_a_write_that_fails_leaves_nothing(
    collection: Collection, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", mock.Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(StoreUnavailable):
        accept_uploads(collection, [NewUpload("a.md", TEXT)])
    assert not list_objects(directory)


def test_a_write_that_was_killed_is_swept_and_files_of_others_are_not(collection: Collection, directory: Path) -> None:
    upload(collection)
    folder = list_objects(directory)[0].parent
    for name in (".draft-abc", ".nfs0001", ".keep"):
        (folder / name).touch()
    age(directory, 2)
    assert sweep_store() == 1
    assert {path.name for path in folder.iterdir()} == {Upload.objects.get().content_hash, ".nfs0001", ".keep"}


def test_what_is_not_called_like_an_upload_is_left_and_stops_no_sweep(collection: Collection, directory: Path) -> None:
    upload(collection)
    stored = list_objects(directory)[0]
    stored.with_name("0" * 64).write_bytes(b"# Nobody's\n")
    stored.parent.with_name("README").write_text("Uploads of docsmcp")
    age(directory, 2)
    assert sweep_store() == 1
    assert stored.parent.with_name("README").exists()


def test_bytes_that_cannot_be_had_fail_with_a_reason_and_are_read_later(
    collection: Collection, directory: Path
) -> None:
    job = accept_uploads(collection, [NewUpload("a.md", TEXT)])
    [kept] = list_objects(directory)
    away = kept.rename(kept.with_name("away"))
    run_job(job.pk)
    failed = FileOutcome.objects.get()
    assert (failed.outcome, failed.code) == ("failed", "FETCH_ERROR")
    assert "retry the job" in failed.reason
    assert str(directory) not in failed.reason
    away.rename(kept)
    job.refresh_from_db()
    run_job(jobs.retry_job(job).pk)
    assert Document.objects.get().status == "success"


def test_without_the_setting_the_reason_names_it(collection: Collection, directory: Path, settings: Settings) -> None:
    job = accept_uploads(collection, [NewUpload("a.md", TEXT)])
    use(settings, "")
    run_job(job.pk)
    assert "UPLOAD_STORE" in FileOutcome.objects.get().reason


@pytest.mark.parametrize(("days", "swept"), [(2, 1), (0.5, 0)])
def test_a_sweep_deletes_what_no_upload_needs_any_more(
    collection: Collection, directory: Path, days: float, swept: int
) -> None:
    upload(collection, "kept.md", b"# Kept\n")
    upload(collection, "a.md", b"# One\n")
    upload(collection, "a.md", b"# Two\n")
    age(directory, days)
    assert sweep_store() == swept
    assert {path.read_bytes() for path in list_objects(directory)} >= {b"# Kept\n", b"# Two\n"}


def test_what_is_uploaded_again_in_that_moment_is_kept(
    collection: Collection, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(collection, "a.md", b"# One\n")
    upload(collection, "a.md", b"# Two\n")
    age(directory, 2)
    others: list[Future[object]] = []
    delete = DirectoryStore.delete

    def delete_later(store: DirectoryStore, keys: Sequence[str]) -> None:
        others.append(start(lambda: accept_uploads(collection, [NewUpload("b.md", b"# One\n")])))
        wait_until_it_waits(others[0])
        delete(store, keys)

    monkeypatch.setattr(DirectoryStore, "delete", delete_later)
    assert sweep_store() == 1
    others[0].result()
    assert {path.read_bytes() for path in list_objects(directory)} == {b"# One\n", b"# Two\n"}


def test_while_a_tenant_uploads_nothing_of_it_is_deleted(collection: Collection, directory: Path) -> None:
    upload(collection, "a.md", b"# One\n")
    upload(collection, "a.md", b"# Two\n")
    age(directory, 2)
    with transaction.atomic():
        accept_uploads(collection, [NewUpload("b.md", b"# Three\n")])
        assert start(sweep_store).result() == 0
    assert sweep_store() == 1


def test_the_same_bytes_of_another_tenant_are_another_object(collection: Collection, directory: Path) -> None:
    other = make_collection()
    upload(collection)
    upload(other)
    remove_source(Upload.objects.get(tenant=other.tenant_id).source)
    age(directory, 2)
    assert sweep_store() == 1
    [kept] = list_objects(directory)
    assert kept.parent.name == str(collection.tenant_id)


def test_without_a_store_nothing_is_swept() -> None:
    assert sweep_store() == 0
