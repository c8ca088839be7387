"""What a tenant may store: counted with its documents, kept whichever way they come, and nobody else's affair."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from collections_app.exceptions import QuotaExceeded
from collections_app.ingest import IngestedFile, ingest, remove_documents, restore_removed
from collections_app.ingest.batches import FIRST_BATCH_DOCUMENTS
from collections_app.ingest.writer import Writer
from collections_app.jobs import (
    NewUpload,
    accept_uploads,
    ensure_directory_source,
    foresee,
    retry_job,
    run_job,
    run_source,
    start_job,
)
from collections_app.jobs.summary import Summary, has_failed_for_the_most_part
from collections_app.limits import quotas
from collections_app.limits.quotas import Storage, count_documents, get_storage, recount_all
from collections_app.models import AuditEvent, Collection, Document, IngestJob, Source, Tenant
from collections_app.parsing.documents import RawDocument
from collections_app.postgres.database_roles import make_role
from collections_app.postgres.row_security import is_available, show_tenants, walled
from collections_app.sources.directory import DirectoryReading
from collections_app.transfer.exporting import export_collection
from collections_app.transfer.importing import import_collection
from tests.collections_app.sources.archives import make_zip
from tests.factories import find_paths, make_collection, put

pytestmark = pytest.mark.django_db

REFUSED = ("failed", "QUOTA_EXCEEDED")


@pytest.fixture
def collection() -> Collection:
    return make_collection("manual")


def limit(collection: Collection, **limits: int | None) -> None:
    Tenant.objects.filter(pk=collection.tenant_id).update(**limits)


def outcomes(files: list[IngestedFile]) -> dict[str, str]:
    return {file.path: file.code or str(file.outcome) for file in files}


def make_text(size_bytes: int, word: str = "alpaca") -> str:
    return f"# {word}\n\n".ljust(size_bytes, "x")


def assert_counted(collection: Collection) -> None:
    collection.refresh_from_db()
    assert (collection.stored_documents, collection.stored_bytes) == count_documents(collection)


class TestCounting:
    def test_it_follows_what_comes_changes_and_leaves(self, collection: Collection) -> None:
        put(collection, {"a.md": make_text(100), "b.md": make_text(50), "broken.pdf": b"%PDF-1.7 broken"})
        assert_counted(collection)
        assert get_storage(collection.tenant_id).documents == 3
        put(collection, {"a.md": make_text(30), "b.md": make_text(50), "c.md": make_text(10)})
        assert_counted(collection)
        remove_documents(collection, [collection.documents.get(path="a.md").pk])
        assert_counted(collection)
        restore_removed(collection)
        assert_counted(collection)
        assert get_storage(collection.tenant_id).size_bytes == 30 + 50 + 10 + len(b"%PDF-1.7 broken")

    def test_what_was_counted_wrong_is_mended(self, collection: Collection) -> None:
        """As after an upgrade during which the release before went on writing."""
        put(collection, {"a.md": make_text(100)})
        assert recount_all() == 0
        Collection.objects.update(stored_documents=7, stored_bytes=-3)
        assert get_storage(collection.tenant_id).size_bytes == 0
        assert recount_all() == 1
        assert_counted(collection)

    def test_a_document_that_left_since_it_was_looked_up_is_counted_again(
        self, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(collection, {"a.md": make_text(100)})
        look_up = Writer.look_up

        def look_up_and_lose(self: Writer, batch: Any) -> None:
            look_up(self, batch)
            remove_documents(collection, [collection.documents.get().pk])

        monkeypatch.setattr(Writer, "look_up", look_up_and_lose)
        put(collection, {"a.md": make_text(90)})
        assert_counted(collection)

    def test_asking_costs_one_statement(
        self, collection: Collection, django_assert_num_queries: Callable[[int], Any]
    ) -> None:
        with django_assert_num_queries(1):
            get_storage(collection.tenant_id)


class TestLimits:
    def test_without_any_there_is_room_for_everything(self, collection: Collection) -> None:
        put(collection, {f"{number}.md": make_text(1000) for number in range(3)})
        assert not get_storage(collection.tenant_id).is_limited

    def test_a_tenants_own_number_goes_before_the_settings(self, collection: Collection, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_tenant_documents": 1, "max_tenant_bytes": 70})
        storage = get_storage(collection.tenant_id)
        assert (storage.max_documents, storage.max_bytes) == (1, 70)
        limit(collection, max_documents=0, max_bytes=80)
        storage = get_storage(collection.tenant_id)
        assert (storage.max_documents, storage.max_bytes) == (0, 80)

    def test_a_run_keeps_what_there_is_room_for_and_says_what_to_do(self, collection: Collection) -> None:
        limit(collection, max_bytes=250)
        files = put(collection, {"a.md": make_text(100), "b.md": make_text(100, "llama"), "c.md": make_text(100)})
        assert outcomes(files) == {"a.md": "indexed", "b.md": "indexed", "c.md": "QUOTA_EXCEEDED"}
        assert "200 of the 250" in files[2].reason
        assert "ask the operator" in files[2].reason
        assert find_paths(collection, "llama") == ["b.md"]
        assert not collection.documents.filter(path="c.md").exists()
        assert_counted(collection)

    def test_what_is_smaller_and_comes_later_still_fits(self, collection: Collection) -> None:
        limit(collection, max_bytes=150)
        files = put(collection, {"a.md": make_text(100), "b.md": make_text(100), "c.md": make_text(50)})
        assert outcomes(files) == {"a.md": "indexed", "b.md": "QUOTA_EXCEEDED", "c.md": "indexed"}

    def test_the_number_of_documents_has_a_limit_of_its_own(self, collection: Collection) -> None:
        limit(collection, max_documents=2)
        files = put(collection, {"a.md": "# A", "b.md": "# B", "c.md": "# C"})
        assert outcomes(files)["c.md"] == "QUOTA_EXCEEDED"
        assert "2 documents and may have 2" in files[2].reason

    def test_a_file_that_cannot_be_read_makes_no_document_beyond_it(self, collection: Collection) -> None:
        limit(collection, max_documents=1)
        files = put(collection, {"a.md": "# A", "broken.pdf": b"%PDF-1.7 broken"})
        assert outcomes(files)["broken.pdf"] == "PARSE_ERROR"
        assert list(collection.documents.values_list("path", flat=True)) == ["a.md"]

    def test_over_a_limit_that_was_lowered_a_document_may_be_replaced_by_one_that_is_no_larger(
        self, collection: Collection
    ) -> None:
        put(collection, {"a.md": make_text(100), "b.md": make_text(100, "llama")})
        limit(collection, max_bytes=50, max_documents=1)
        replaced = {"a.md": make_text(100, "vicugna"), "b.md": make_text(101, "guanaco")}
        assert outcomes(put(collection, replaced)) == {"a.md": "indexed", "b.md": "QUOTA_EXCEEDED"}
        assert find_paths(collection, "vicugna") == ["a.md"]
        assert find_paths(collection, "llama") == ["b.md"]
        assert Document.objects.get(path="b.md").error_code == "QUOTA_EXCEEDED"
        remove_documents(collection, [Document.objects.get(path="a.md").pk])
        assert_counted(collection)

    def test_what_others_store_does_not_count(self, collection: Collection) -> None:
        other = make_collection("theirs")
        put(other, {"a.md": make_text(1000)})
        limit(collection, max_bytes=100, max_documents=1)
        assert outcomes(put(collection, {"a.md": make_text(100)})) == {"a.md": "indexed"}
        assert outcomes(put(other, {"b.md": make_text(1000, "llama")})) == {"b.md": "indexed"}

    def test_all_collections_of_the_tenant_count_together(self, collection: Collection) -> None:
        put(make_collection("second", tenant=collection.tenant), {"a.md": make_text(100)})
        limit(collection, max_bytes=150)
        assert outcomes(put(collection, {"a.md": make_text(100)})) == {"a.md": "QUOTA_EXCEEDED"}


class TestWaysIn:
    """Each leaves what fits, and says of the rest why it is not there."""

    def run(self, source: Source) -> IngestJob:
        job = start_job(source, prune=True)
        run_job(job.pk)
        job.refresh_from_db()
        return job

    def test_a_source_is_partial_and_goes_on_where_there_is_room_again(
        self, collection: Collection, tmp_path: Path
    ) -> None:
        for name in "abc":
            (tmp_path / f"{name}.md").write_text(make_text(100, name))
        limit(collection, max_bytes=250)
        job = self.run(ensure_directory_source(collection, tmp_path))
        assert job.state == "partial"
        assert dict(job.outcomes.values_list("path", "code")) == {"a.md": "", "b.md": "", "c.md": "QUOTA_EXCEEDED"}
        limit(collection, max_bytes=300)
        retried = retry_job(job)
        run_job(retried.pk)
        assert collection.documents.count() == 3

    def test_what_is_gone_leaves_although_there_is_no_room(self, collection: Collection, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text(make_text(100))
        source = ensure_directory_source(collection, tmp_path)
        self.run(source)
        limit(collection, max_bytes=100)
        (tmp_path / "a.md").rename(tmp_path / "b.md")
        self.run(source)
        assert not collection.documents.exists()
        self.run(source)
        assert [document.path for document in collection.documents.all()] == ["b.md"]

    def test_pages_without_room_do_not_make_a_site_one_that_is_broken(self) -> None:
        summary = Summary()
        for number in range(3):
            summary.add(IngestedFile(f"{number}.md", Document.Status.FAILED, code="QUOTA_EXCEEDED"))  # type: ignore[arg-type]
        assert not has_failed_for_the_most_part(Source(kind="site"), summary)
        summary.over_quota = 0
        assert has_failed_for_the_most_part(Source(kind="site"), summary)

    def test_an_archive(self, collection: Collection) -> None:
        limit(collection, max_documents=1)
        archive = make_zip({"a.md": "# A", "b.md": "# B"})
        archive.seek(0)
        job = accept_uploads(collection, [NewUpload("all.zip", archive)])
        run_job(job.pk)
        assert sorted(job.outcomes.values_list("outcome", "code")) == [REFUSED, ("indexed", "")]
        assert collection.documents.count() == 1

    def test_uploads_that_waited_together(self, collection: Collection) -> None:
        limit(collection, max_bytes=100)
        for name in "ab":
            job = accept_uploads(collection, [NewUpload(f"{name}.md", make_text(80, name).encode())])
        run_job(job.pk)
        assert sorted(job.outcomes.values_list("outcome", "code")) == [REFUSED, ("indexed", "")]

    def test_a_dry_run_foresees_it(self, collection: Collection, tmp_path: Path) -> None:
        for name in "ab":
            (tmp_path / f"{name}.md").write_text(make_text(80, name))
        limit(collection, max_bytes=100)
        with DirectoryReading(tmp_path) as reading:
            summary = foresee(collection, reading, source=None, prune=False, on_file=lambda file, total: None)
        assert dict(summary.outcomes) == {"indexed": 1, "failed": 1}

    @pytest.mark.django_db(transaction=True)
    def test_a_collection_is_imported_whole_or_not_at_all(self, collection: Collection, tmp_path: Path) -> None:
        put(collection, {"a.md": make_text(100), "b.md": make_text(100)})
        export_collection(collection, tmp_path / "manual.zip")
        limit(collection, max_bytes=399)
        with pytest.raises(QuotaExceeded, match=r"no room for b\.md.*300 of the 399"):
            import_collection(collection.tenant, tmp_path / "manual.zip", "copy")
        assert not Collection.objects.filter(slug="copy").exists()
        limit(collection, max_bytes=400)
        assert_counted(import_collection(collection.tenant, tmp_path / "manual.zip", "copy"))

    def test_what_was_removed_comes_back_only_where_there_is_room(self, collection: Collection) -> None:
        put(collection, {"a.md": make_text(100)})
        remove_documents(collection, [collection.documents.get().pk])
        limit(collection, max_bytes=99)
        with pytest.raises(QuotaExceeded):
            restore_removed(collection)
        limit(collection, max_bytes=100)
        assert restore_removed(collection) == 1


@pytest.mark.django_db(transaction=True)
def test_jobs_at_once_pass_a_limit_by_one_batch_each_at_most(collection: Collection) -> None:
    """Two that look at the same moment see the same room; with their next batch both see what the other wrote."""
    others = [collection, make_collection("second", tenant=collection.tenant)]
    limit(collection, max_documents=40)
    began = Barrier(2)

    def fill(own: Collection) -> int:
        try:
            began.wait(timeout=240)
            files = [RawDocument(f"{number}.md", f"# {number}".encode()) for number in range(100)]
            return sum(file.code == "" for file in ingest(own, None, files))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(fill, others))
    assert 40 <= sum(written) <= 40 + FIRST_BATCH_DOCUMENTS
    assert sum(count_documents(own)[0] for own in others) == get_storage(collection.tenant_id).documents
    assert put(collection, {"more.md": "# More"})[0].code == "QUOTA_EXCEEDED"


def wait_until_somebody_waits() -> None:
    deadline = time.monotonic() + 240
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waits")


@pytest.mark.django_db(transaction=True)
def test_a_recount_waits_for_who_has_written_and_not_committed(collection: Collection) -> None:
    put(collection, {"a.md": make_text(100)})
    Collection.objects.update(stored_documents=5)
    collection.refresh_from_db()

    def recount() -> None:
        quotas.recount(collection)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            put(collection, {"b.md": make_text(50)})
            done = pool.submit(recount)
            wait_until_somebody_waits()
        done.result()
    assert_counted(collection)


@pytest.mark.django_db(transaction=True)
def test_behind_the_wall_a_tenant_knows_what_it_stores_and_nobody_elses(collection: Collection) -> None:
    if not is_available() and not make_role(connection):
        pytest.skip("this database's user may not make the role")
    other = make_collection("theirs")
    put(collection, {"a.md": make_text(100)})
    put(other, {"a.md": make_text(1000)})
    limit(collection, max_bytes=150)
    with walled():
        show_tenants({collection.tenant_id})
        assert get_storage(collection.tenant_id) == Storage(1, 100, 0, 150)
        with pytest.raises(Tenant.DoesNotExist):
            get_storage(other.tenant_id)
        assert outcomes(put(collection, {"b.md": make_text(51), "c.md": make_text(50)})) == {
            "b.md": "QUOTA_EXCEEDED",
            "c.md": "indexed",
        }
        remove_documents(collection, [collection.documents.get(path="a.md").pk])
        assert get_storage(collection.tenant_id).size_bytes == 50
    assert_counted(collection)


class TestCommand:
    def ask(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            call_command("tenants", *arguments)
        return int(str(ended.value.code)), capsys.readouterr().out

    def test_it_lists_and_limits(self, collection: Collection, capsys: pytest.CaptureFixture[str]) -> None:
        put(collection, {"a.md": make_text(1500)})
        slug = collection.tenant.slug
        code, out = self.ask(capsys, "limit", slug, "--max-documents", "2000", "--max-bytes", "0", "--json")
        told = {"tenant": slug, "documents": 1, "max_documents": 2000, "bytes": 1500, "max_bytes": None}
        assert (code, json.loads(out)) == (0, {"tenants": [told]})
        assert AuditEvent.objects.get().details == "Changed max_documents, max_bytes."
        assert self.ask(capsys, "list")[1].splitlines()[1].split() == [slug, "1", "2,000", "1,500", "any"]
        self.ask(capsys, "limit", slug, "--max-documents", "default")
        collection.tenant.refresh_from_db()
        assert (collection.tenant.max_documents, collection.tenant.max_bytes) == (None, 0)

    def test_it_tells_how_much_a_limit_may_be(self, collection: Collection, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit, match="2"):
            call_command("tenants", "limit", collection.tenant.slug, "--max-documents", "9" * 5000)
        assert "from 0 (any number) to 1,000,000,000." in capsys.readouterr().err

    def test_it_refuses_what_changes_nothing(self, collection: Collection, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.ask(capsys, "limit", collection.tenant.slug)[0] == 2
        assert self.ask(capsys, "limit", collection.tenant.slug, "--max-bytes", "9" * 17)[0] == 2
        assert self.ask(capsys, "limit", "nobody", "--max-bytes", "9")[0] == 2


def test_a_command_names_each_file_that_found_no_room(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(make_text(100))
    limit(collection, max_bytes=99)
    _, summary = run_source(ensure_directory_source(collection, tmp_path))
    assert (summary.failed, summary.over_quota) == (1, 1)
