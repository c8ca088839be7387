"""Jobs and sources over REST."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collections_app.encryption import decrypt
from collections_app.jobs import accept_uploads, ensure_directory_source, start_job
from collections_app.jobs.uploads import NewUpload
from collections_app.models import Collection, FileOutcome, IngestJob, Source
from tests.collections_app.api.conftest import Caller, code_of, make_member
from tests.factories import make_collection

SOURCES = "collections/manual/sources"
OUTCOMES = {"a.md": "indexed", "b.md": "failed", "c.md": "indexed", "d.bin": "unsupported", "e.md": "not_reached"}


@pytest.fixture
def source(collection: Collection, tmp_path: Path) -> Source:
    return ensure_directory_source(collection, tmp_path)


@pytest.fixture
def job(source: Source) -> IngestJob:
    """One that has ended with some outcomes."""
    job = start_job(source)
    FileOutcome.objects.bulk_create(
        FileOutcome(tenant=job.tenant, collection=job.collection, job=job, path=path, outcome=outcome, reason="Why.")
        for path, outcome in OUTCOMES.items()
    )
    IngestJob.objects.filter(pk=job.pk).update(state="partial", done=5, total=5, finished=timezone.now())
    job.refresh_from_db()
    return job


def test_a_source_may_lower_the_largest_file_and_never_raise_it(writer: Caller, settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": 500})
    given = {"kind": "site", "location": "https://docs.example.com/"}
    assert code_of(writer.post(SOURCES, {**given, "max_file_bytes": 501})) == (400, "INVALID_PARAMETER")
    assert not Source.objects.exists()
    assert writer.post(SOURCES, {**given, "max_file_bytes": 499})[1]["max_file_bytes"] == 499
    assert writer.post(SOURCES, given)[1]["max_file_bytes"] == 500


class TestJobs:
    def test_the_newest_comes_first(self, writer: Caller, collection: Collection, job: IngestJob) -> None:
        upload = accept_uploads(collection, [NewUpload("a.md", b"a")])
        _, page = writer.get("jobs")
        assert [(entry["id"], entry["source_kind"], entry["state"]) for entry in page["results"]] == [
            (upload.pk, "upload", "queued"),
            (job.pk, "directory", "partial"),
        ]
        for query in ("state=queued", f"source_id={upload.source_id}", "collection=manual&state=queued"):
            assert [entry["id"] for entry in writer.get(f"jobs?{query}")[1]["results"]] == [upload.pk]

    @pytest.mark.parametrize("name", ["{}:manual", "{}/MANUAL", "{}%3AManual"])
    def test_a_collection_is_named_with_its_tenant_as_in_a_path(self, job: IngestJob, name: str) -> None:
        make_collection("manual")
        root = make_member(None, is_superuser=True)
        assert code_of(root.get("jobs?collection=manual")) == (400, "INVALID_PARAMETER")
        _, page = root.get(f"jobs?collection={name.format(job.tenant.slug)}")
        assert [entry["id"] for entry in page["results"]] == [job.pk]

    def test_one_tells_what_was_left_out(self, writer: Caller, job: IngestJob) -> None:
        told = {"left_out": {"in another language": 7}, "left_out_paths": {"in another language": ["de/a.html"]}}
        IngestJob.objects.update(**told)
        report = writer.get(f"jobs/{job.pk}")[1]
        assert {name: report[name] for name in told} == told

    def test_one_says_how_far_it_is_and_counts_outcomes_worst_first(self, writer: Caller, job: IngestJob) -> None:
        status, report = writer.get(f"jobs/{job.pk}")
        assert (status, report["state"], report["progress"], report["collection"]) == (200, "partial", 1.0, "manual")
        assert list(report["outcomes"].items()) == [
            ("failed", 1),
            ("unsupported", 1),
            ("not_reached", 1),
            ("indexed", 2),
        ]

    def test_one_whose_worker_is_silent_says_so(self, writer: Caller, job: IngestJob) -> None:
        IngestJob.objects.update(state="running", done=1, heartbeat=timezone.now() - timedelta(seconds=40))
        report = writer.get(f"jobs/{job.pk}")[1]
        assert "no sign of its worker for 40 s; it is started again by itself" in report["notice"]
        assert report["progress"] == 0.2

    def test_which_wait_for_which_is_asked_once_for_a_list(
        self, writer: Caller, collection: Collection, tmp_path: Path
    ) -> None:
        def queue(name: str) -> tuple[int, int]:
            """A job that waits, and the one that it waits for."""
            source = ensure_directory_source(collection, tmp_path / name)
            before = start_job(source)
            IngestJob.objects.filter(pk=before.pk).update(state="running", heartbeat=timezone.now())
            return start_job(source, follow=True).pk, before.pk

        def list_notices() -> tuple[dict[int, str], int]:
            with CaptureQueriesContext(connection) as statements:
                _, page = writer.get("jobs?state=queued")
            return {entry["id"]: entry["notice"] for entry in page["results"]}, len(statements)

        waiting = [queue("a")]
        list_notices()  # after which the caller is known
        _, count = list_notices()
        waiting += [queue("b"), queue("c")]
        notices, of_three = list_notices()
        assert of_three == count
        assert all(f"waits for the end of job {before}:" in notices[pk] for pk, before in waiting)

    def test_its_files_come_with_reason_and_mend(self, writer: Caller, job: IngestJob) -> None:
        _, page = writer.get(f"jobs/{job.pk}/files?limit=2")
        assert [file["path"] for file in page["results"]] == ["a.md", "b.md"]
        assert page["next_cursor"]
        [failed] = writer.get(f"jobs/{job.pk}/files?outcome=failed")[1]["results"]
        assert (failed["path"], failed["reason"]) == ("b.md", "Why.")
        assert "retry" in failed["mend"]

    def test_a_queued_one_is_cancelled(self, writer: Caller, source: Source) -> None:
        job = start_job(source)
        status, cancelled = writer.post(f"jobs/{job.pk}/cancel")
        assert (status, cancelled["id"], cancelled["state"]) == (202, job.pk, "cancelled")

    def test_one_that_has_ended_is_not_cancelled(self, writer: Caller, job: IngestJob) -> None:
        status, answer = writer.post(f"jobs/{job.pk}/cancel")
        assert (status, answer["error"]["details"]) == (409, {"job_id": job.pk, "state": job.state})

    def test_what_failed_is_retried(self, writer: Caller, job: IngestJob) -> None:
        status, again = writer.post(f"jobs/{job.pk}/retry")
        assert (status, again["state"], again["retry_of"]) == (202, "queued", job.pk)
        assert IngestJob.objects.get(pk=again["id"]).only == ["b.md", "e.md"]

    def test_what_cannot_be_retried_is_said(self, writer: Caller, job: IngestJob) -> None:
        job.outcomes.exclude(outcome="indexed").delete()
        IngestJob.objects.update(state="succeeded")
        assert code_of(writer.post(f"jobs/{job.pk}/retry")) == (400, "INVALID_PARAMETER")

    def test_who_only_reads_does_not_see_them(self, reader: Caller, anybody: Caller, job: IngestJob) -> None:
        Collection.objects.update(is_public=True)
        for caller in (reader, anybody, make_member(job.tenant, "viewer")):
            for method, path in (("get", "jobs"), ("get", f"jobs/{job.pk}"), ("post", f"jobs/{job.pk}/cancel")):
                assert code_of(caller.ask(method, path)) == (403, "FORBIDDEN")


class TestSources:
    def test_a_site_is_made_with_its_options(self, writer: Caller, collection: Collection) -> None:
        given = {
            "kind": "site",
            "location": "https://docs.example.com/guide/",
            "include": ["**/*.html"],
            "options": {"max_pages": 7, "language": "en"},
            "refresh_interval_seconds": 600,
        }
        status, made = writer.post(SOURCES, given)
        source = Source.objects.get()
        assert (status, made["id"], made["location"]) == (200, source.pk, "https://docs.example.com/guide/")
        assert (source.kind, source.include, source.refresh_interval_seconds) == ("site", ["**/*.html"], 600)
        assert source.options["max_pages"] == 7
        assert writer.get(SOURCES)[1]["results"] == [made]

    def test_a_source_is_looked_at_again_as_is_usual_for_its_kind(
        self, writer: Caller, collection: Collection, tmp_path: Path, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"allowed_roots": (tmp_path,)})
        (tmp_path / "docs").mkdir()
        given = {"kind": "directory", "location": str(tmp_path / "docs")}
        assert writer.post(SOURCES, given)[1]["refresh_interval_seconds"] == 300
        assert writer.post(SOURCES, {**given, "refresh_interval_seconds": 0})[1]["refresh_interval_seconds"] == 0
        assert writer.post(SOURCES, given)[1]["refresh_interval_seconds"] == 0
        site = {"kind": "site", "location": "https://docs.example.com/"}
        assert writer.post(SOURCES, site)[1]["refresh_interval_seconds"] == 86_400

    def test_a_repositorys_token_is_kept_and_never_shown(self, writer: Caller, collection: Collection) -> None:
        given = {
            "kind": "git",
            "location": "https://git.example.com/docs.git",
            "token": "very-secret",
            "options": {"branch": "main", "folder": "docs"},
            "auto_index": False,
        }
        _, made = writer.post(SOURCES, given)
        source = Source.objects.get()
        assert decrypt(source.encrypted_token) == "very-secret"
        assert (made["has_token"], made["has_webhook"], made["auto_index"]) == (True, False, False)
        assert "very-secret" not in str(made) + str(writer.get(SOURCES))

    def test_one_that_is_there_gets_the_new_settings(self, writer: Caller, collection: Collection) -> None:
        for globs in (["a/**"], ["b/**"]):
            writer.post(SOURCES, {"kind": "site", "location": "https://docs.example.com/", "include": globs})
        assert Source.objects.get().include == ["b/**"]

    @pytest.mark.parametrize(
        "given",
        [
            {},
            {"kind": "upload", "location": "x"},
            {"kind": "site", "location": "https://docs.example.com", "options": {"pages": 7}},
            {"kind": "site", "location": "https://docs.example.com", "options": {"max_pages": 0}},
            {"kind": "site", "location": "https://docs.example.com", "options": {"url": 7}},
            {"kind": "site", "location": "https://docs.example.com", "token": "x"},
            {"kind": "site", "location": "https://docs.example.com", "include": "*"},
            {"kind": "site", "location": "https://docs.example.com", "options": {"prefix": "\0"}},
            {"kind": "site", "location": "https://docs.example.com", "refresh_interval_seconds": -1},
            {"kind": "site", "location": "https://docs.example.com", "refresh_interval_seconds": 299},
            {"kind": "git", "location": "https://git.example.com/d", "options": {"branch": "a b"}},
            {"kind": "git", "location": "https://git.example.com/d", "options": {"folder": "../.."}},
        ],
    )
    def test_what_is_no_source_is_refused(self, writer: Caller, collection: Collection, given: dict[str, Any]) -> None:
        assert code_of(writer.post(SOURCES, given)) == (400, "INVALID_PARAMETER")
        assert not Source.objects.exists()

    @pytest.mark.parametrize("kind", ["site", "git"])
    @pytest.mark.parametrize("location", ["http://127.0.0.1/", "ftp://example.com/", "https://me:secret@example.com/r"])
    def test_a_location_that_leads_inside_is_refused(
        self, writer: Caller, collection: Collection, kind: str, location: str
    ) -> None:
        answer = writer.post(SOURCES, {"kind": kind, "location": location})
        assert code_of(answer) == (422, "FETCH_ERROR")
        assert "secret" not in str(answer)

    def test_a_directory_has_to_be_below_an_allowed_root(
        self, writer: Caller, collection: Collection, tmp_path: Path, settings: Any
    ) -> None:
        given = {"kind": "directory", "location": str(tmp_path / "docs")}
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "a.md").write_text("a")
        assert code_of(writer.post(SOURCES, given)) == (403, "PERMISSION_DENIED")
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"allowed_roots": (tmp_path,)})
        status, made = writer.post(SOURCES, given)
        assert (status, made["location"]) == (200, "docs")
        assert Source.objects.get().location == str(tmp_path / "docs")

    def test_a_superuser_names_any_directory(self, collection: Collection, tmp_path: Path) -> None:
        root = make_member(None, is_superuser=True)
        assert root.post(SOURCES, {"kind": "directory", "location": str(tmp_path)})[0] == 200

    def test_a_refresh_may_accept_that_most_documents_are_gone(self, writer: Caller, source: Source) -> None:
        status, _ = writer.post(f"sources/{source.pk}/refresh", {"accept_removals": True})
        assert (status, IngestJob.objects.get().accepts_removals) == (202, True)
        assert writer.post(f"sources/{source.pk}/refresh", {"accept": True})[0] == 400

    def test_a_refresh_starts_a_job_and_a_second_says_so(self, writer: Caller, source: Source) -> None:
        status, job = writer.post(f"sources/{source.pk}/refresh")
        assert (status, job["state"]) == (202, "queued")
        answer = writer.post(f"sources/{source.pk}/refresh")
        assert code_of(answer) == (409, "INVALID_PARAMETER")
        assert answer[1]["error"]["details"]["job_id"] == job["id"]

    def test_viewers_and_readers_start_nothing(self, reader: Caller, source: Source) -> None:
        for caller in (reader, make_member(source.tenant, "viewer")):
            for what in ("refresh", "webhook"):
                assert code_of(caller.post(f"sources/{source.pk}/{what}")) == (403, "FORBIDDEN")
            assert code_of(caller.get(SOURCES)) == (403, "FORBIDDEN")
        assert not IngestJob.objects.exists()
