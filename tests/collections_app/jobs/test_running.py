"""A job runs: what it writes, and what it says of each file however it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django_q.models import OrmQ

from collections_app import parsing
from collections_app.clients import retries
from collections_app.clients.http import FetchedPage, HttpClient
from collections_app.exceptions import FetchError, ParseError
from collections_app.indexing import fulltext
from collections_app.ingest import batch_parser, batches
from collections_app.jobs import (
    NewUpload,
    accept_uploads,
    cancel_job,
    lifecycle,
    readings,
    request_stop,
    restore_removed,
    run,
    run_job,
    running,
    start_job,
)
from collections_app.jobs import heartbeat as heartbeats
from collections_app.jobs.outcomes import save_outcomes
from collections_app.models import Collection, Document, FileOutcome, IngestJob, RemovedDocument, Section, Source
from collections_app.parsing.documents import RawDocument
from collections_app.reports.jobs import count_warned
from collections_app.reports.sources import find_held_runs
from collections_app.sources import RefusedFile, UnchangedFile
from tests.collections_app.clients.loopback import Answer, Asked, page, serve_site
from tests.collections_app.jobs.readings import FakeReading, Step, make_files, make_source, use_reading
from tests.factories import find_paths, make_collection
from tests.held_lock import held_lock
from tests.index_check import check_index, check_job
from tests.other_thread import start

pytestmark = pytest.mark.django_db

DEADLINE_SECONDS = 240


@pytest.fixture
def collection() -> Collection:
    return make_collection()


@pytest.fixture
def source(collection: Collection) -> Source:
    return make_source(collection)


@pytest.fixture
def read(source: Source, monkeypatch: pytest.MonkeyPatch) -> Callable[..., IngestJob]:
    """Run a job over a source that gives these files."""

    def read(*steps: Step, of: Source | None = None, prune: bool = True, **options: Any) -> IngestJob:
        use_reading(monkeypatch, FakeReading(steps, **options))
        job = start_job(of or source, prune=prune)
        run_job(job.pk)
        job.refresh_from_db()
        return job

    return read


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def get_outcomes(job: IngestJob) -> dict[str, str]:
    return dict(job.outcomes.values_list("path", "outcome"))


def list_paths() -> list[str]:
    return list(Document.objects.filter(status="success").values_list("path", flat=True))


def test_a_job_brings_its_collection_up_to_the_source(read: Callable[..., IngestJob], collection: Collection) -> None:
    job = read(*make_files(3))
    assert (job.state, job.done, job.total, job.attempts, job.error_message) == ("succeeded", 3, 3, 1, "")
    assert check_job(job) == {"indexed": 3}
    assert find_paths(collection, "llamas") == ["000.md", "001.md", "002.md"]
    check_index(collection)


def test_uploads_become_documents_with_what_was_said_of_them(collection: Collection) -> None:
    metadata = {"Title": "Given", "keywords": ["x", "y"], "owner": "us", "productLine": "Pro"}
    job = accept_uploads(
        collection,
        [
            NewUpload("a.md", b"---\ntitle: Own\nowner: them\n---\n# A\n\nllamas\n", metadata=metadata),
            NewUpload("b.md", b"# B\n"),
        ],
    )
    run_job(job.pk)
    assert check_job(job) == {"indexed": 2}
    document = Document.objects.get(path="a.md")
    assert (document.title, document.keywords) == ("Given", ["x", "y"])
    assert document.metadata == {"owner": "us", "productLine": "Pro"}


def test_what_need_not_be_fetched_is_there_before_anything_is_fetched(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], list[str]]] = []

    class SilentSite(HttpClient):
        def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int = 0) -> FetchedPage:
            outcomes = FileOutcome.objects.filter(outcome="indexed").values_list("path", flat=True)
            seen.append((find_paths(collection, "llamas"), list(outcomes)))
            raise FetchError("The server did not answer within 30 seconds.")

    monkeypatch.setattr(readings, "HttpClient", SilentSite)
    sent = [NewUpload("a.html", None, url="https://x.org/a"), NewUpload("b.md", b"# B\n\nllamas\n")]
    job = accept_uploads(collection, sent)
    run_job(job.pk)
    assert seen == [(["b.md"], ["b.md"])]
    assert check_job(job) == {"indexed": 1, "failed": 1}


def test_a_url_that_was_uploaded_is_asked_for_twice_at_most(
    collection: Collection, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "get_delay", lambda *of_retry: 0.0)
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"fetch_allowed_hosts": ("127.0.0.1",)})
    with serve_site() as site:
        site.routes["/a"] = page(status=503)
        job = accept_uploads(collection, [NewUpload("a.html", None, url=site.url("/a"))])
        run_job(job.pk)
        assert len(site.asked) == 2
    assert check_job(job) == {"failed": 1}


def test_uploads_wait_once_for_a_host_that_does_not_answer(collection: Collection, settings: Any) -> None:
    limits = {"fetch_allowed_hosts": ("127.0.0.1",), "fetch_timeout": 0.2}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=limits)
    with serve_site() as site:

        def answer_too_late(asked: Asked) -> Answer:
            site.closing.wait(30)
            return page()

        site.routes |= {"/a": answer_too_late, "/b": answer_too_late}
        sent = [NewUpload(f"{name}.html", None, url=site.url(f"/{name}")) for name in "ab"]
        job = accept_uploads(collection, sent)
        run_job(job.pk)
        assert len(site.asked) == 1
    assert check_job(job) == {"failed": 2}


def test_other_words_of_the_uploader_are_read_again(collection: Collection) -> None:
    for title in ("First", "Second"):
        run_job(accept_uploads(collection, [NewUpload("a.md", b"# A\n", metadata={"title": title})]).pk)
    assert Document.objects.get().title == "Second"


def test_files_uploaded_during_a_run_follow_it(collection: Collection) -> None:
    first = accept_uploads(collection, [NewUpload("a.md", b"# A\n")])
    lifecycle.take_job(first.pk)
    second = accept_uploads(collection, [NewUpload("b.md", b"# B\n")])
    IngestJob.objects.filter(pk=first.pk).update(state="succeeded")
    OrmQ.objects.all().delete()
    running.wake_next(first)
    assert [task.task["args"][0] for task in OrmQ.objects.all()] == [second.pk]


def test_a_finished_job_is_left_alone(read: Callable[..., IngestJob]) -> None:
    job = read(*make_files(1))
    Document.objects.update(content="touched")
    run_job(job.pk)
    assert Document.objects.get().content == "touched"
    run_job(job.pk + 1)  # and one that does not exist


@pytest.mark.django_db(transaction=True)
def test_a_source_that_is_held_is_left_alone(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    use_reading(monkeypatch, FakeReading(make_files(1)))
    job = start_job(source)
    with held_lock(lifecycle.RUN_LOCK, source.pk):
        run_job(job.pk)
        job.refresh_from_db()
        assert job.state == "queued"
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "succeeded"


def test_documents_and_their_outcomes_are_written_together(
    read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = save_outcomes

    def break_off(job: IngestJob, files: Any) -> None:
        save(job, files)
        if files[0].path != "000.md":
            raise ZeroDivisionError

    monkeypatch.setattr(run, "save_outcomes", break_off)
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    job = read(*make_files(3))
    assert (job.state, job.error_code) == ("failed", "INTERNAL_ERROR")
    assert get_outcomes(job) == {"000.md": "indexed", "001.md": "not_reached", "002.md": "not_reached"}
    assert list_paths() == ["000.md"]


def test_a_source_that_fails_on_the_way_keeps_what_it_gave(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    def vanish() -> None:
        raise FetchError("The disk was pulled out.")

    read(*make_files(4))
    job = read(*make_files(2, "new text"), vanish, *make_files(4)[2:])
    assert (job.state, job.error_code, job.error_message) == ("failed", "FETCH_ERROR", "The disk was pulled out.")
    assert check_job(job) == {"indexed": 2, "not_reached": 2}
    assert len(list_paths()) == 4
    check_index(collection)


def test_what_the_source_has_no_more_leaves_and_can_come_back(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    read(*make_files(3))
    before = list(Section.objects.filter(document__path="002.md").values_list("section_id", "anchor", "content"))
    job = read(*make_files(2))
    assert (job.state, job.done) == ("succeeded", 2)
    assert check_job(job) == {"unchanged": 2, "removed": 1}
    assert find_paths(collection, "llamas") == ["000.md", "001.md"]
    assert restore_removed(collection) == 1
    assert find_paths(collection, "llamas") == ["000.md", "001.md", "002.md"]
    assert (
        list(Section.objects.filter(document__path="002.md").values_list("section_id", "anchor", "content")) == before
    )
    check_index(collection)
    assert check_job(read(*make_files(2))) == {"unchanged": 2}  # it was brought back to stay


@pytest.mark.parametrize("options", [{"is_complete": False}, {"prune": False}])
def test_nothing_leaves_unless_the_whole_source_was_seen_and_it_was_asked_for(
    read: Callable[..., IngestJob], options: dict[str, bool]
) -> None:
    read(*make_files(3))
    assert check_job(read(*make_files(2), **options)) == {"unchanged": 2}
    assert not RemovedDocument.objects.exists()


def test_a_site_of_which_most_pages_fail_has_failed_and_loses_nothing(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    site = make_source(collection, "site", "https://x.org/")
    read(*make_files(5), of=site)
    refused = [RefusedFile(f"{n:03}.md", FetchError("It answered 500.")) for n in range(3)]
    job = read(*refused, make_files(4)[3], of=site)
    assert job.state == "failed"
    assert check_job(job) == {"failed": 3, "unchanged": 1}
    assert len(list_paths()) == 5


def test_pages_that_are_gone_leave_while_those_that_fail_for_now_stay(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    site = make_source(collection, "site", "https://x.org/")
    read(*make_files(5), of=site)
    job = read(*make_files(3), RefusedFile("003.md", FetchError("It answered 503.")), of=site)
    assert job.state == "partial"
    assert check_job(job) == {"unchanged": 3, "failed": 1, "removed": 1}
    kept = Document.objects.get(path="003.md")
    assert (kept.status, kept.error_message) == ("success", "It answered 503.")


@pytest.mark.parametrize(("before", "after"), [(12, 1), (21, 10)])
def test_most_of_a_source_leaves_only_when_somebody_confirms_it(
    source: Source, read: Callable[..., IngestJob], before: int, after: int
) -> None:
    read(*make_files(before))
    job = read(*make_files(after))
    assert (job.state, job.error_code, check_job(job)) == ("partial", "REMOVALS_HELD", {"unchanged": after})
    assert f"no longer has {before - after} documents" in job.error_message
    assert f"--source {source.pk} --accept-removals" in job.error_message
    assert len(list_paths()) == before
    for options in ({"is_complete": False}, {"prune": False}):
        assert list(find_held_runs(Source.objects.all())) == [job], "Nobody has looked since"
        assert read(*make_files(after), **options).state == "succeeded"
    assert list(find_held_runs(Source.objects.all())) == [job]
    confirmed = start_job(source, accepts_removals=True)
    run_job(confirmed.pk)
    assert check_job(confirmed) == {"unchanged": after, "removed": before - after}


@pytest.mark.parametrize("prune", [True, False])
def test_what_was_renamed_and_changed_is_found_too_once_somebody_confirms_that_the_rest_goes(
    source: Source, read: Callable[..., IngestJob], *, prune: bool
) -> None:
    lines = "".join(f"Line {n}.\n" for n in range(9))
    read(*make_files(14), RawDocument("old/sail.md", f"# Sail\n\n{lines}".encode()))
    new = [*make_files(1), RawDocument("new/sail.md", f"# Sail\n\n{lines}More.\n".encode())]
    assert check_job(read(*new, prune=prune)) == {"unchanged": 1, "indexed": 1}
    confirmed = start_job(source, prune=True, accepts_removals=True)
    run_job(confirmed.pk)
    assert check_job(confirmed) == {"unchanged": 2, "removed": 14}
    assert list(source.moved_pages.values_list("address", "target")) == [("old/sail", "new/sail.md")]


@pytest.mark.parametrize(("before", "kept", "new"), [(10, 0, 1), (20, 10, 0), (12, 0, 12)])
def test_what_is_few_or_half_or_replaced_leaves_unasked(
    read: Callable[..., IngestJob], before: int, kept: int, new: int
) -> None:
    files = make_files(before + new)
    read(*files[:before])
    job = read(*files[:kept], *files[before:])
    assert (job.state, check_job(job)["removed"]) == ("succeeded", before - kept)


def test_a_file_that_its_source_calls_unchanged_is_not_touched(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    read(*make_files(1))
    Document.objects.update(error_code="FETCH_ERROR", error_message="It answered 503.")
    job = read(UnchangedFile("000.md"))
    assert check_job(job) == {"unchanged": 1}
    assert Document.objects.get().error_message == ""
    assert check_job(read(UnchangedFile("other.md"), is_complete=False)) == {"failed": 1}


def test_a_run_that_did_not_look_for_what_is_gone_says_so(
    read: Callable[..., IngestJob], collection: Collection
) -> None:
    assert [read(*make_files(2), is_complete=is_complete).error_code for is_complete in (True, False)] == [
        "",
        "NOT_PRUNED",
    ]
    assert read(*make_files(2), is_complete=False, prune=False).error_code == ""
    broken = [RefusedFile("a.html", FetchError("It answered 503."))]
    failed = read(*broken, of=make_source(collection, "site", "https://x.org/"))
    assert (failed.state, failed.error_code) == ("failed", "")


def test_what_was_listed_and_never_came_is_not_reached(read: Callable[..., IngestJob]) -> None:
    job = read(*make_files(1), also_listed=["late.md"])
    assert job.state == "partial"
    assert get_outcomes(job) == {"000.md": "indexed", "late.md": "not_reached"}


def test_a_job_that_goes_on_keeps_what_it_did_before(
    read: Callable[..., IngestJob], source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [RawDocument("000.md", b"# Page\n\n{{ site.name }}\n"), *make_files(3)[1:]]
    use_reading(monkeypatch, FakeReading(files))
    job = start_job(source)
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    monkeypatch.setattr(running, "break_off", lambda job, error, **options: None)  # as if the process had died
    parse = parsing.parse

    def die_at_the_last(raw: RawDocument, *policy: Any) -> object:
        if raw.path == "002.md":
            raise KeyboardInterrupt
        return parse(raw, *policy)

    monkeypatch.setattr(batch_parser, "parse", die_at_the_last)
    with pytest.raises(KeyboardInterrupt):
        run_job(job.pk)
    assert FileOutcome.objects.count() < 3
    monkeypatch.undo()
    use_reading(monkeypatch, FakeReading(files))
    run_job(job.pk)
    assert check_job(job) == {"indexed": 3}
    assert (job.state, job.attempts, job.done) == ("succeeded", 2, 3)
    assert count_warned(job) == 1, "Also of what it had read before"


def make_slow_index(meanwhile: Callable[[], object]) -> Callable[..., None]:
    """What indexes for longer than a test may take, and lets something else happen while the database is at it."""

    def index_slowly(*arguments: Any) -> None:
        start(meanwhile)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(100)")
        raise AssertionError

    return index_slowly


class TestCancel:
    """At each stage; what was written stays, and the rest is told."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture(autouse=True)
    def _fast(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(heartbeats, "HEARTBEAT_SECONDS", 0.02)
        monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)

    def cancel(self) -> None:
        """And go on no sooner than the run can know."""
        job = IngestJob.objects.get(state="running")
        with transaction.atomic():
            cancel_job(job)
        asked = IngestJob.objects.get(pk=job.pk).heartbeat
        wait_until(lambda: IngestJob.objects.get(pk=job.pk).heartbeat != asked)
        asked = IngestJob.objects.get(pk=job.pk).heartbeat
        wait_until(lambda: IngestJob.objects.get(pk=job.pk).heartbeat != asked)

    def check(self, job: IngestJob, files: int) -> None:
        outcomes = check_job(job)
        assert job.state == "cancelled"
        assert set(outcomes) <= {"indexed", "cancelled"}
        assert sum(outcomes.values()) == files
        assert outcomes["indexed"] == job.done == Document.objects.count()
        check_index(job.collection)

    def test_while_it_lists(self, read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
        def enter_slowly(reading: FakeReading) -> FakeReading:
            self.cancel()
            return reading

        monkeypatch.setattr(FakeReading, "__enter__", enter_slowly)
        # Otherwise a beat may end the very statement that writes what was listed, and then nothing is told of the files.
        monkeypatch.setattr(heartbeats.Heartbeat, "ending_statements", nullcontext)
        self.check(read(*make_files(3)), 3)

    def test_while_it_fetches(self, read: Callable[..., IngestJob]) -> None:
        self.check(read(*make_files(3), self.cancel, RawDocument("late.md", b"# Late\n")), 4)
        assert not Document.objects.filter(path="late.md").exists()

    def test_while_it_parses(self, read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
        parse = parsing.parse

        def parse_slowly(raw: RawDocument, *policy: Any) -> object:
            if raw.path == "001.md":
                try:
                    self.cancel()
                finally:
                    connection.close()
            return parse(raw, *policy)

        monkeypatch.setattr(batch_parser, "parse", parse_slowly)
        self.check(read(*make_files(4)), 4)
        assert Document.objects.count() < 4

    def test_while_it_writes(self, read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
        take = run.Run.take

        def cancel_then_take(self_: run.Run, file: Any) -> None:
            take(self_, file)
            if file.path == "000.md":
                self.cancel()

        monkeypatch.setattr(run.Run, "take", cancel_then_take)
        self.check(read(*make_files(4)), 4)
        assert Document.objects.count() < 4

    def test_while_the_database_works_at_a_statement(
        self, read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index_slowly = make_slow_index(lambda: cancel_job(IngestJob.objects.get(state="running")))
        monkeypatch.setattr(fulltext, "replace_in_index", index_slowly)
        self.check(read(*make_files(3)), 3)
        assert not Document.objects.exists()

    def test_while_it_settles(self, read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
        settle = fulltext.settle_index

        def cancel_then_settle(*arguments: Any) -> None:
            self.cancel()
            settle(*arguments)

        monkeypatch.setattr(fulltext, "MANY_DOCUMENTS", 1)
        monkeypatch.setattr(fulltext, "settle_index", cancel_then_settle)
        self.check(read(*make_files(2)), 2)
        assert Document.objects.count() == 2


def test_a_process_that_ends_puts_its_job_back(read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        job = read(*make_files(1), request_stop, *make_files(3)[1:])
    finally:
        running._stop_requested.clear()
    assert (job.state, job.attempts) == ("queued", 0)
    assert [task.task["args"][0] for task in OrmQ.objects.all()][-1] == job.pk
    use_reading(monkeypatch, FakeReading(make_files(3)))
    run_job(job.pk)
    assert check_job(job) == {"indexed": 3}


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_waits_for_no_statement(
    read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "HEARTBEAT_SECONDS", 0.02)
    with monkeypatch.context() as slowly:
        slowly.setattr(fulltext, "replace_in_index", make_slow_index(request_stop))
        try:
            job = read(*make_files(3))
        finally:
            running._stop_requested.clear()
    assert (job.state, job.attempts) == ("queued", 0)
    assert not Document.objects.exists()
    use_reading(monkeypatch, FakeReading(make_files(3)))
    run_job(job.pk)
    assert check_job(job) == {"indexed": 3}


def test_a_job_that_takes_too_long_goes_on_later_and_not_for_ever(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    def time_out() -> None:
        raise SystemExit

    job = start_job(source)
    for state in ("queued", "queued", "failed"):
        use_reading(monkeypatch, FakeReading([*make_files(1), time_out], also_listed=["late.md"]))
        with pytest.raises(SystemExit):
            run_job(job.pk)
        job.refresh_from_db()
        assert job.state == state
    assert (job.attempts, job.error_code) == (3, "WORKER_DIED")
    assert get_outcomes(job)["late.md"] == "not_reached"


def test_a_full_disk_is_named_on_the_job(read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch) -> None:
    class DiskFull(Exception):
        sqlstate = "53100"

    def fail(*arguments: object) -> None:
        raise DatabaseError("could not extend file") from DiskFull()

    monkeypatch.setattr(fulltext, "replace_in_index", fail)
    job = read(*make_files(2))
    assert (job.state, job.error_code) == ("failed", "DISK_FULL")
    assert "disk is full" in job.error_message
    assert check_job(job) == {"not_reached": 2}


def test_a_fault_of_one_text_is_no_fault_of_the_others(
    read: Callable[..., IngestJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(raw: RawDocument, *policy: Any) -> object:
        if raw.path == "001.md":
            raise ParseError("It is written backwards.")
        return parse(raw, *policy)

    parse = parsing.parse
    monkeypatch.setattr(batch_parser, "parse", refuse)
    job = read(*make_files(3))
    assert job.state == "partial"
    assert check_job(job) == {"indexed": 2, "failed": 1}
    failed = job.outcomes.get(outcome="failed")
    assert (failed.code, failed.reason) == ("PARSE_ERROR", "It is written backwards.")
