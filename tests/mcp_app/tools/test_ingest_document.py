"""ingest_document: what is taken, what is refused and how, and what is told of the outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest

from collections_app.access.principal import Principal, Scope
from collections_app.models import Collection, Document, FileOutcome, IngestJob, Tenant, Upload
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.tools import ingest_document
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.fake_tools import make_message
from tests.mcp_app.tools.conftest import CallTool, Result, data_of, error_of, text_of

pytestmark = pytest.mark.django_db

Ingest = Callable[..., Result]


@pytest.fixture
def writer(collection: Collection) -> Principal:
    return make_principal(collection, scopes=[Scope.READ, Scope.WRITE])


@pytest.fixture
def ingest(call: CallTool, writer: Principal) -> Ingest:
    def ingest(**arguments: Any) -> Result:
        return call("ingest_document", writer, **arguments)

    return ingest


@pytest.fixture
def root(tmp_path: Path, settings: Any) -> Path:
    """A directory in which clients may name files; beside it is one in which they may not."""
    root = tmp_path / "allowed"
    (root / "guide").mkdir(parents=True)
    (root / "guide" / "install.txt").write_text("Unpack the archive.")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("The code is 1234.")
    (root / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"allowed_roots": (root,)})
    return root


def get_upload() -> Upload:
    return Upload.objects.get()


class TestTaking:
    def test_a_text_is_stored_and_its_job_queued_before_the_answer(
        self, ingest: Ingest, collection: Collection, writer: Principal
    ) -> None:
        data = data_of(
            ingest(collection="manual", path="new/page.md", content="# New\n", metadata={"title": "T"}, format="json")
        )
        upload, job = get_upload(), IngestJob.objects.get()
        assert (upload.collection, upload.path, bytes(upload.content or b"")) == (collection, "new/page.md", b"# New\n")
        assert upload.metadata == {"title": "T"}
        assert (job.state, job.only, job.requested_by) == ("queued", ["new/page.md"], writer.label)
        assert data == {
            "job_id": job.pk,
            "state": "queued",
            "collection": "manual",
            "path": "new/page.md",
            "outcome": None,
            "code": "",
            "reason": "",
        }

    def test_the_text_says_which_job_it_is_and_what_to_call(self, ingest: Ingest) -> None:
        text = text_of(ingest(path="new.md", content="# New\n"))
        job = IngestJob.objects.get()
        assert text == f"new.md in manual: queued as job {job.pk}.\nNext: ingestion_status(job_id={job.pk})"

    @pytest.mark.parametrize("path", ["report.doc", "settings.json"])
    def test_a_format_that_is_not_read_is_refused_at_once(self, ingest: Ingest, path: str) -> None:
        assert error_of(ingest(path=path, content="x"))["code"] == "UNSUPPORTED_FORMAT"
        assert not Upload.objects.exists()

    @pytest.mark.parametrize(
        ("path", "stored"),
        [
            ("notes", "notes.md"),
            ("a/b.rst", "a/b.rst"),
            ("./a//b", "a/b.md"),
            ("a\\b.md", "a/b.md"),
            ("release-notes/v2.0", "release-notes/v2.0.md"),
            ("guide/1.2 Install", "guide/1.2 Install.md"),
            ("API.YAML", "API.YAML"),
            ("manual.adoc", "manual.adoc"),
            ("all.tar.gz", "all.tar.gz"),
        ],
    )
    def test_a_path_without_the_ending_of_a_format_is_markdown(self, ingest: Ingest, path: str, stored: str) -> None:
        assert data_of(ingest(path=path, content="openapi: 3.1.0", format="json"))["path"] == stored
        assert get_upload().path == stored

    def test_an_empty_text_is_a_text(self, ingest: Ingest) -> None:
        ingest(path="empty.md", content="")
        assert get_upload().content == b""

    def test_what_models_call_the_arguments_is_taken(self, ingest: Ingest) -> None:
        assert not ingest(filename="a.md", text="# A", library="MANUAL", metadata='{"category": "x"}').get("isError")
        assert get_upload().metadata == {"category": "x"}

    def test_a_second_document_joins_the_job_that_has_not_begun(self, ingest: Ingest) -> None:
        first, second = (data_of(ingest(path=f"{n}.md", content="x", format="json"))["job_id"] for n in "ab")
        assert first == second

    def test_a_url_is_left_for_the_job_to_fetch(self, ingest: Ingest) -> None:
        data = data_of(ingest(url="https://docs.example.com/guide/index.html#top", format="json"))
        upload = get_upload()
        assert (upload.url, upload.content) == ("https://docs.example.com/guide/index.html", None)
        assert upload.path == data["path"] == "docs.example.com/guide"

    def test_at_an_endpoint_of_one_collection_that_is_the_one(
        self, call: CallTool, writer: Principal, collection: Collection
    ) -> None:
        make_collection("other", tenant=collection.tenant)
        call("ingest_document", writer, (collection.tenant.slug, "manual"), path="a.md", content="x")
        assert get_upload().collection == collection


class TestRefusing:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ({}, "Give one of content (with path), url and file_path"),
            ({"path": "a.md"}, "Give one of"),
            ({"path": "a.md", "content": "x", "url": "https://example.com"}, "Give one of"),
            ({"content": "x"}, "path is required"),
            ({"path": "../a.md", "content": "x"}, ".."),
            ({"path": "/etc/passwd", "content": "x"}, "absolute"),
            ({"path": "a\nb.md", "content": "x"}, "control characters"),
            ({"path": "a" * 1001, "content": "x"}, "longer"),
            ({"path": "a.md", "content": "x", "wait": 26}, "at most 25, not 26."),
            ({"path": "a.md", "content": "x", "wait": 25.5}, "at most 25, not 25.5."),
            ({"path": "a.md", "content": "x", "wait": -0.5}, "at least 0, not -0.5."),
            ({"path": "a.md", "content": "x", "wait": "soon"}, "must be a number"),
            ({"path": "a.md", "content": "x", "collektion": "manual"}, "did you mean 'collection'"),
            ({"path": "a.md", "content": "x", "metadata": "title"}, "object"),
        ],
    )
    def test_a_call_that_makes_no_document_says_why(self, ingest: Ingest, arguments: dict[str, Any], said: str) -> None:
        error = error_of(ingest(**arguments))
        assert error["code"] == "INVALID_PARAMETER"
        assert said in error["message"]
        assert not Upload.objects.exists()

    @pytest.mark.parametrize(
        "url",
        [
            "ftp://example.com/a",
            "file:///etc/passwd",
            "http://127.0.0.1/a",
            "http://localhost:8001/",
            "http://169.254.169.254/latest/meta-data",
            "http://[::1]/",
            "https://user:secret@example.com/",
            "https://",
            "nonsense",
        ],
    )
    def test_a_url_that_leads_inside_is_refused_at_once(self, ingest: Ingest, url: str) -> None:
        error = error_of(ingest(url=url))
        assert error["code"] in {"FETCH_ERROR", "INVALID_PARAMETER"}
        assert "secret" not in error["message"]
        assert not Upload.objects.exists()

    def test_too_much_text_is_refused_with_the_limit(self, ingest: Ingest, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": 10})
        error = error_of(ingest(path="a.md", content="é" * 6))
        assert error["code"] == "FILE_TOO_LARGE"
        assert error["details"] == {"size_bytes": 12, "max_file_bytes": 10}

    def test_what_the_tenant_has_no_room_for_is_refused(self, ingest: Ingest) -> None:
        Tenant.objects.update(max_bytes=5)
        error = error_of(ingest(path="a.md", content="123456"))
        assert (error["code"], error["details"]["max_bytes"]) == ("QUOTA_EXCEEDED", 5)
        assert "ask the operator" in error["message"]
        assert not Upload.objects.exists()

    def test_an_unknown_collection_is_not_made(self, ingest: Ingest) -> None:
        error = error_of(ingest(collection="manuel", path="a.md", content="x"))
        assert error["code"] == "COLLECTION_NOT_FOUND"
        assert "Did you mean manual?" in error["message"]
        assert Collection.objects.count() == 1

    def test_another_tenants_collection_is_an_unknown_one(self, ingest: Ingest) -> None:
        make_collection("secrets", is_public=True)
        error = error_of(ingest(collection="secrets", path="a.md", content="x"))
        assert error["code"] == "COLLECTION_NOT_FOUND"

    def test_of_several_collections_one_has_to_be_named(self, ingest: Ingest, collection: Collection) -> None:
        make_collection("other", tenant=collection.tenant)
        error = error_of(ingest(path="a.md", content="x"))
        assert error["details"] == {"collections": ["manual", "other"]}

    @pytest.mark.parametrize("name", ["Manuals", "manuals,", ["manuals", "manuals"]])
    def test_a_library_of_several_versions_is_none_of_them(
        self, ingest: Ingest, collection: Collection, name: object
    ) -> None:
        make_collection("newer", tenant=collection.tenant)
        Collection.objects.update(library="manuals")
        Collection.objects.filter(slug="newer").update(version="2")
        error = error_of(ingest(collection=name, path="a.md", content="x"))
        assert error["code"] == "INVALID_PARAMETER"
        assert error["details"] == {"collections": ["manual", "newer"]}
        assert "say which one: manual, newer." in error["message"]
        assert not Upload.objects.exists()
        assert not ingest(collection="newer", path="a.md", content="x").get("isError")

    def test_a_key_that_only_reads_has_no_such_tool(self, collection: Collection) -> None:
        params = {"name": "ingest_document", "arguments": {"path": "a.md", "content": "x"}}
        reply = get_dispatcher().handle(
            json.dumps(make_message("tools/call", params)).encode(), make_principal(collection)
        )
        assert json.loads(reply.body or b"")["error"]["code"] == -32602


class TestFilesOfTheServer:
    def test_a_file_below_an_allowed_root_is_copied_in(self, ingest: Ingest, root: Path) -> None:
        data = data_of(ingest(file_path=str(root / "guide" / "install.txt"), format="json"))
        assert data["path"] == "guide/install.txt"
        assert bytes(get_upload().content or b"") == b"Unpack the archive."

    def test_it_can_have_another_path(self, ingest: Ingest, root: Path) -> None:
        assert (
            data_of(ingest(file_path=str(root / "guide/install.txt"), path="x.txt", format="json"))["path"] == "x.txt"
        )

    @pytest.mark.parametrize(
        "name",
        [
            "../outside/secret.md",
            "../outside/nothing.md",
            "../nowhere/at/all",
            "link.md",
            "guide/../../outside/secret.md",
            "../../../../../../etc/passwd",
            "../allowed-too/x.md",
        ],
    )
    def test_anything_else_is_one_and_the_same_refusal(self, ingest: Ingest, root: Path, name: str) -> None:
        error = error_of(ingest(file_path=f"{root}/{name}"))
        assert error == error_of(ingest(file_path="/no/such/file"))
        assert error["code"] == "PERMISSION_DENIED"
        assert str(root) not in error["message"]

    @pytest.mark.parametrize("name", ["install.txt", "guide/install.txt", "~/x", ""])
    def test_relative_paths_are_refused(self, ingest: Ingest, root: Path, name: str) -> None:
        assert ingest(file_path=name)["isError"]

    @pytest.mark.parametrize("name", ["guide", "guide/none.md", "guide/" + "x" * 300])
    def test_what_is_no_file_inside_is_told(self, ingest: Ingest, root: Path, name: str) -> None:
        error = error_of(ingest(file_path=str(root / name)))
        assert error["code"] == "INVALID_PARAMETER"
        assert str(root) not in error["message"]

    def test_without_allowed_roots_there_are_none(self, ingest: Ingest, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("x")
        assert error_of(ingest(file_path=str(tmp_path / "a.md")))["code"] == "PERMISSION_DENIED"

    def test_the_older_tool_takes_its_old_arguments(self, call: CallTool, writer: Principal, root: Path) -> None:
        result = call(
            "r2r_ingest_document",
            writer,
            file_path=str(root / "guide" / "install.txt"),
            collection_id="manual",
            metadata={"title": "Install"},
            ingestion_mode="fast",
            run_async=True,
        )
        assert "guide/install.txt in manual: queued" in text_of(result)
        assert get_upload().metadata == {"title": "Install"}


class Run:
    """Stands for the worker while a call waits: what the job looks like at each look."""

    def __init__(self, *looks: dict[str, Any], **outcome: Any) -> None:
        self.looks = looks
        self.outcome = outcome
        self.waits: list[float] = []

    def wait_for_job(self, job: IngestJob, seconds: float) -> Iterator[IngestJob]:
        self.waits.append(seconds)
        for look in self.looks:
            for name, value in look.items():
                setattr(job, name, value)
            if job.state not in IngestJob.UNFINISHED and self.outcome:
                [path] = job.only or []
                FileOutcome.objects.create(
                    tenant=job.tenant, collection=job.collection, job=job, path=path, **self.outcome
                )
            yield job


RUNNING = {"state": "running", "stage": "indexing", "done": 0, "total": 1}
SUCCEEDED = {"state": "succeeded", "done": 1, "total": 1}
FAILED = {"state": "failed", "done": 1, "total": 1}


class TestWaiting:
    @pytest.fixture
    def wait(self, ingest: Ingest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
        def wait(run: Run, **arguments: Any) -> str:
            monkeypatch.setattr(ingest_document, "wait_for_job", run.wait_for_job)
            return text_of(ingest(**{"path": "new.md", "content": "x", "wait": 5} | arguments))

        return wait

    @pytest.mark.parametrize(
        ("end", "outcome", "said"),
        [
            (SUCCEEDED, {"outcome": "indexed"}, "new.md in manual: indexed (job"),
            (SUCCEEDED, {"outcome": "unchanged"}, "unchanged (job"),
            (SUCCEEDED, {"outcome": "duplicate"}, "duplicate (job"),
            (
                FAILED,
                {"outcome": "failed", "code": "PARSE_ERROR", "reason": "Line 3."},
                "failed: PARSE_ERROR Line 3. (job",
            ),
            (FAILED, {"outcome": "unsupported", "reason": "No text."}, "Do what the reason says"),
            (FAILED, {"outcome": "quarantined"}, "An editor looks at its findings"),
        ],
    )
    def test_the_outcome_is_told_with_what_to_do(
        self, wait: Callable[..., str], end: dict[str, Any], outcome: dict[str, str], said: str
    ) -> None:
        assert said in wait(Run(RUNNING, end, **outcome))

    def test_what_can_be_read_is_the_next_call(self, wait: Callable[..., str]) -> None:
        text = wait(Run(SUCCEEDED, outcome="indexed"))
        assert text.endswith('Next: table_of_contents(path="new.md", collection="manual")')

    def test_a_key_that_may_not_read_is_named_no_tool_to_read_with(
        self, call: CallTool, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ingest_document, "wait_for_job", Run(SUCCEEDED, outcome="indexed").wait_for_job)
        writer = make_principal(collection, scopes=[Scope.WRITE])
        text = text_of(call("ingest_document", principal=writer, path="new.md", content="x", wait=5))
        assert re.fullmatch(r"new\.md in manual: indexed \(job \d+\)", text)

    def test_what_failed_is_to_be_sent_again(self, wait: Callable[..., str]) -> None:
        told = wait(Run(FAILED, outcome="failed", code="PARSE_ERROR", reason="Line 3.")).splitlines()
        assert told[1:] == ["Mend what the reason says, then send it again with ingest_document."]

    @pytest.mark.parametrize(("text", "is_cleaned"), [("Reef\u200b\u200b\u200b early.", True), ("Reef early.", False)])
    def test_text_that_was_taken_out_is_told(
        self, collection: Collection, wait: Callable[..., str], text: str, *, is_cleaned: bool
    ) -> None:
        put(collection, {"new.md": f"# Boats\n\n{text}\n"})
        document = Document.objects.get(path="new.md")
        told = wait(Run(SUCCEEDED, outcome="indexed", document=document))
        said = 'Some of its text was taken out: ingestion_status(path="new.md", collection="manual") says what.'
        assert (said in told) is is_cleaned

    def test_json_says_whether_text_was_taken_out(
        self, collection: Collection, ingest: Ingest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(collection, {"new.md": "# Boats\n\nReef\u200b\u200b\u200b early.\n"})
        run = Run(SUCCEEDED, outcome="indexed", document=Document.objects.get(path="new.md"))
        monkeypatch.setattr(ingest_document, "wait_for_job", run.wait_for_job)
        assert data_of(ingest(path="new.md", content="x", wait=5, format="json"))["cleaned"] is True

    def test_a_duplicate_names_what_it_equals(
        self, collection: Collection, ingest: Ingest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(collection, {"copy.md": "# FAQ\n\nAsk about the archive.\n"})
        copy = Document.objects.get(path="copy.md")
        run = Run(SUCCEEDED, outcome="duplicate", document=copy)
        monkeypatch.setattr(ingest_document, "wait_for_job", run.wait_for_job)
        data = data_of(ingest(path="new.md", content="x", wait=5, format="json"))
        assert data["duplicate_of"] == "faq.md"

    def test_in_words_a_duplicate_names_it_too(self, collection: Collection, wait: Callable[..., str]) -> None:
        put(collection, {"copy.md": "# FAQ\n\nAsk about the archive.\n"})
        copy = Document.objects.get(path="copy.md")
        text = wait(Run(SUCCEEDED, outcome="duplicate", document=copy))
        assert "duplicate of faq.md, which has the same text: both can be read, and search shows them once (job" in text

    def test_the_outcome_is_told_before_the_job_has_ended(self, wait: Callable[..., str]) -> None:
        class Early(Run):
            def wait_for_job(self, job: IngestJob, seconds: float) -> Iterator[IngestJob]:
                looks = super().wait_for_job(job, seconds)
                yield next(looks)
                FileOutcome.objects.create(
                    tenant=job.tenant, collection=job.collection, job=job, path="new.md", outcome="indexed"
                )
                yield next(looks)
                raise AssertionError("It went on waiting.")

        assert "new.md in manual: indexed (job" in wait(Early(RUNNING, RUNNING | {"done": 1, "total": 2}))

    @pytest.mark.parametrize(("wait", "most"), [(20, ingest_document.ENDING_SECONDS), (1, 1)])
    def test_the_end_of_a_job_without_other_files_is_waited_for(
        self, ingest: Ingest, monkeypatch: pytest.MonkeyPatch, wait: int, most: float
    ) -> None:
        class Ending(Run):
            def wait_for_job(self, job: IngestJob, seconds: float) -> Iterator[IngestJob]:
                for look in super().wait_for_job(job, seconds):
                    if len(self.waits) == 1:
                        FileOutcome.objects.create(
                            tenant=job.tenant, collection=job.collection, job=job, path="new.md", outcome="indexed"
                        )
                        self.looks = (SUCCEEDED,)
                    yield look

        run = Ending(RUNNING | {"done": 1})
        monkeypatch.setattr(ingest_document, "wait_for_job", run.wait_for_job)
        data = data_of(ingest(path="new.md", content="x", wait=wait, format="json"))
        assert (data["state"], data["outcome"]) == ("succeeded", "indexed")
        assert most - 0.5 < run.waits[1] <= most

    def test_past_the_wait_it_is_still_running(self, wait: Callable[..., str]) -> None:
        text = wait(Run(RUNNING, RUNNING))
        job = IngestJob.objects.get()
        assert text == f"new.md in manual: running as job {job.pk}.\nNext: ingestion_status(job_id={job.pk})"

    def test_a_job_that_failed_as_a_whole_says_why(self, wait: Callable[..., str]) -> None:
        end = FAILED | {"error_code": "INTERNAL_ERROR", "error_message": "The disk is full."}
        assert "has ended as failed. INTERNAL_ERROR The disk is full." in wait(Run(end))

    def test_the_answer_comes_before_the_calls_deadline(self, wait: Callable[..., str]) -> None:
        run = Run(RUNNING)
        wait(run, wait=25)
        assert run.waits[0] < ingest_document.INGEST_DOCUMENT.deadline_seconds

    @pytest.mark.parametrize(("asked", "waited"), [(0.5, 1), ("2.1", 3), (3, 3), (4.0, 4)])
    def test_a_part_of_a_second_is_a_second(self, wait: Callable[..., str], asked: Any, waited: int) -> None:
        wait(run := Run(RUNNING), wait=asked)
        assert run.waits == [waited]

    def test_progress_is_reported_while_it_grows(self, writer: Principal, monkeypatch: pytest.MonkeyPatch) -> None:
        run = Run({"state": "queued"}, RUNNING, RUNNING, SUCCEEDED, outcome="indexed")
        monkeypatch.setattr(ingest_document, "wait_for_job", run.wait_for_job)
        arguments = {"path": "new.md", "content": "x", "wait": 5}
        params = {"name": "ingest_document", "arguments": arguments, "_meta": {"progressToken": "p"}}
        reply = get_dispatcher().handle(
            json.dumps(make_message("tools/call", params)).encode(), writer, may_stream=True
        )
        messages = [json.loads(message) for message in reply.iter_messages() if message]
        assert [message["params"] for message in messages[:-1]] == [
            {"progressToken": "p", "progress": 0, "message": "queued"},
            {"progressToken": "p", "progress": 1, "total": 1, "message": "indexed"},
        ]
        assert "indexed" in messages[-1]["result"]["content"][0]["text"]

    @pytest.fixture
    def slots(self, monkeypatch: pytest.MonkeyPatch) -> Semaphore:
        """The one slot that there is."""
        slots = Semaphore(1)
        monkeypatch.setattr(ingest_document, "get_slots", lambda: slots)
        return slots

    def test_without_a_free_slot_the_answer_comes_at_once_and_says_how_to_ask(
        self, wait: Callable[..., str], slots: Semaphore
    ) -> None:
        slots.acquire()
        run = Run(SUCCEEDED, outcome="indexed")
        lines = wait(run).splitlines()
        job = IngestJob.objects.get()
        assert run.waits == []
        assert lines[0] == f"new.md in manual: queued as job {job.pk}."
        assert "did not wait" in lines[1]
        assert lines[2] == f"Next: ingestion_status(job_id={job.pk})"

    def test_what_did_not_wait_says_so_in_json_too(self, ingest: Ingest, slots: Semaphore) -> None:
        slots.acquire()
        data = data_of(ingest(path="new.md", content="x", wait=5, format="json"))
        assert (data["state"], data["notice"]) == ("queued", ingest_document.NO_SLOT)

    def test_the_slot_is_held_while_the_call_waits_and_free_afterwards(
        self, wait: Callable[..., str], slots: Semaphore
    ) -> None:
        class Watched(Run):
            free: list[bool] = []  # noqa: RUF012

            def wait_for_job(self, job: IngestJob, seconds: float) -> Iterator[IngestJob]:
                for look in super().wait_for_job(job, seconds):
                    self.free.append(slots.acquire(blocking=False))
                    yield look

        run = Watched(RUNNING, SUCCEEDED, outcome="indexed")
        wait(run)
        assert run.free == [False, False]
        assert slots.acquire(blocking=False)

    def test_who_leaves_gives_the_slot_back(
        self, writer: Principal, slots: Semaphore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ingest_document, "wait_for_job", Run(RUNNING, RUNNING, RUNNING).wait_for_job)
        arguments = {"path": "new.md", "content": "x", "wait": 5}
        params = {"name": "ingest_document", "arguments": arguments, "_meta": {"progressToken": "p"}}
        reply = get_dispatcher().handle(
            json.dumps(make_message("tools/call", params)).encode(), writer, may_stream=True
        )
        messages: Any = reply.iter_messages()
        next(messages)
        assert not slots.acquire(blocking=False)
        messages.close()
        assert slots.acquire(blocking=False)
