"""`docsmcp doctor`: each thing that can be wrong is found, named, and comes with what to do."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule, Task
from django_q.signing import SignedPackage

from collections_app import jobs
from collections_app.clients.embeddings import EmbeddingFailed
from collections_app.encryption import encrypt
from collections_app.indexing.embedding import embed_new
from collections_app.indexing.languages import change_language
from collections_app.jobs import NewUpload, accept_uploads
from collections_app.models import Document, IngestJob, Reindexing, Source, Tenant
from collections_app.postgres.pgvector import ensure_pgvector
from docsmcp_site import doctor
from docsmcp_site.database.preparation import ensure_schedules
from docsmcp_site.doctor import database, examine, work
from docsmcp_site.doctor.findings import State, Verdict, describe_bytes, describe_seconds, ok
from docsmcp_site.middleware.readiness import examine_parts, is_ready
from tests.collections_app.text.test_languages import ENGLISH, GERMAN
from tests.factories import earlier_release, make_collection, make_tenant, put
from tests.fake_embedder import FakeEmbedder, using
from tests.fake_provider import CLIENT_ID, serving_provider
from tests.fake_reranker import FakeReranker, reranking_by_answers
from tests.fake_upstream import FakeUpstream, fail, say

pytestmark = pytest.mark.django_db

OK, WARN, FAIL = State.OK, State.WARN, State.FAIL
Configure = Callable[..., None]
Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def schedules(db: None) -> None:
    ensure_schedules()


@pytest.fixture
def configure(settings: Any) -> Configure:
    def configure(**changes: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update=changes)

    return configure


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Do what a remedy says; gives the exit code and what is printed."""

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            call_command(*arguments)
        return int(ended.value.code or 0), capsys.readouterr().out

    return run


def look_at(name: str) -> Verdict:
    verdicts = {finding.name: finding.verdict for finding in examine()}
    for found, verdict in verdicts.items():
        assert bool(verdict.mend) == (verdict.state != OK), f"{found}: what is not well, and only that, has its mend"
    return verdicts[name]


def list_commands(mend: str) -> list[list[str]]:
    """The words of each, behind `docsmcp`."""
    return [command.split() for command in re.findall(r"`docsmcp ([^`]*)`", mend)]


def make_source(kind: str = "directory", location: str = "/docs") -> Source:
    collection = make_collection()
    return Source.objects.create(tenant=collection.tenant, collection=collection, kind=kind, location=location)


def make_job(source: Source, **values: Any) -> IngestJob:
    return IngestJob.objects.create(tenant=source.tenant, collection=source.collection, source=source, **values)


def ago(seconds: float) -> Any:
    return timezone.now() - timedelta(seconds=seconds)


def test_all_is_well_where_all_is_well() -> None:
    states = {finding.name: finding.verdict.state for finding in examine()}
    assert FAIL not in states.values()
    assert {"database", "pgvector", "worker", "tasks", "embedder", "disk", "origins"} <= set(states)


def test_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0
    assert len(lines) == len(list(examine()))
    assert lines[0].split()[:2] == ["ok", "database"]


def test_as_json_and_by_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    Schedule.objects.all().delete()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json")
    report = json.loads(capsys.readouterr().out)
    worker = next(finding for finding in report["findings"] if finding["name"] == "worker")
    assert (ended.value.code, report["works"], worker["state"]) == (1, False, "fail")
    assert "docsmcp up" in worker["mend"]


def test_a_database_that_does_not_answer_is_one_line() -> None:
    command = [sys.executable, "-m", "docsmcp_site.command_line", "doctor"]
    address = ["--database-url", "postgres://u:hunter2@127.0.0.1:1/docs"]
    done = subprocess.run([*command, *address], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("fail  database ")
    assert "disk" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_embedder_is_tried(configure: Configure) -> None:
    assert "dimensions" in look_at("embedder").what
    configure(embeddings_kind="none")
    assert look_at("embedder").state == OK
    configure(embeddings_kind="onnx")
    missing = look_at("embedder")
    assert missing.state == WARN
    assert "EMBEDDINGS_DIRECTORY" in missing.what
    with using(FakeEmbedder()) as embedder:
        embedder.error = EmbeddingFailed("It is away.")
        configure(embeddings_kind="static")
        assert look_at("embedder").state == FAIL


def test_settings_of_an_embedder_that_nothing_reads(configure: Configure) -> None:
    with using(FakeEmbedder()):
        configure(embeddings_base_url="http://127.0.0.1:1/v1", embeddings_model="m")
        found = look_at("embedder")
        assert found.state is WARN
        assert found.what.endswith("as EMBEDDINGS_KIND is static, nothing reads EMBEDDINGS_BASE_URL, EMBEDDINGS_MODEL")
        configure(embeddings_base_url="", embeddings_model="", embeddings_directory=Path("/models"))
        assert look_at("embedder").state is OK


def test_the_reranker_is_tried(configure: Configure, upstream: FakeUpstream) -> None:
    assert look_at("reranker") == ok("none, as RERANK_KIND says")
    configure(rerank_kind="tei")
    assert look_at("reranker").what.endswith("RERANK_KIND is tei: set RERANK_BASE_URL.")
    configure(rerank_base_url=upstream.base_url)
    assert look_at("reranker") == ok("tei")
    configure(rerank_directory=Path("/models"))
    assert look_at("reranker").what == "tei; as RERANK_KIND is tei, nothing reads RERANK_DIRECTORY"
    upstream.rerank = say(b'[{"index": 0, "score": 0.1}, {"index": 1, "score": 0.2}]')
    assert (look_at("reranker").state, "llamas" in look_at("reranker").what) == (WARN, True)
    upstream.rerank = fail(500)
    assert look_at("reranker").state is FAIL


def test_a_reranker_that_is_too_slow_is_told(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeReranker, "score", lambda *_, **__: [1.0])
    with reranking_by_answers(settings):
        slow = look_at("reranker")
    assert (slow.state, "within 5 s" in slow.what) == (WARN, True)


def test_the_provider_of_single_sign_on_is_looked_for(configure: Configure) -> None:
    assert look_at("sign in") == ok("by password")
    configure(oidc_client_id=CLIENT_ID)
    assert look_at("sign in").what == "by password; nothing reads OIDC_CLIENT_ID"
    with serving_provider() as provider:
        configure(oidc_issuer=provider.issuer)
        assert look_at("sign in") == ok(f"by password, and at {provider.issuer}")
        configure(oidc_tenant="nobodys")
        assert look_at("sign in").what == "there is no tenant nobodys"
        make_tenant("nobodys")
        assert look_at("sign in").state is OK
        provider.changes["/realms/staff/.well-known/openid-configuration"] = {"issuer": "https://other.example/"}
        wrong = look_at("sign in")
        assert (wrong.state, "calls itself 'https://other.example/', and not" in wrong.what) == (FAIL, True)


def test_the_language_model_s_server_is_looked_for(configure: Configure, upstream: FakeUpstream) -> None:
    assert look_at("language model") == ok("none is set: `ask_docs` gives passages")
    configure(llm_base_url=upstream.base_url, llm_model="small")
    assert look_at("language model") == ok("the server of small answers")
    assert upstream.count() == 0
    upstream.models = fail(401)
    assert look_at("language model").state is FAIL
    configure(llm_base_url="http://127.0.0.1:1/v1")
    away = look_at("language model")
    assert (away.state, "cannot be reached" in away.what) == (FAIL, True)


@pytest.mark.parametrize(
    ("changes", "unread", "missing"),
    [
        ({"llm_model": "small", "llm_api_key": "sesame"}, "LLM_MODEL, LLM_API_KEY", "LLM_BASE_URL"),
        ({"llm_base_url": "http://127.0.0.1:1/v1"}, "LLM_BASE_URL", "LLM_MODEL"),
        ({"llm_allowed_models": ("large",)}, "LLM_ALLOWED_MODELS", "LLM_BASE_URL and LLM_MODEL"),
    ],
)
def test_settings_of_a_language_model_that_is_none(
    configure: Configure, changes: dict[str, Any], unread: str, missing: str
) -> None:
    configure(**changes)
    found = look_at("language model")
    assert (found.state, found.what.endswith(f"nothing reads {unread} without {missing}")) == (WARN, True)
    assert found.mend.startswith(f"set {missing}, ")


def test_credentials_of_the_language_model_that_nothing_reads(configure: Configure, upstream: FakeUpstream) -> None:
    configure(llm_base_url=upstream.base_url, llm_model="small", llm_client_id="me", llm_client_secret="secret")
    found = look_at("language model")
    assert (found.state, "nothing reads LLM_CLIENT_ID, LLM_CLIENT_SECRET" in found.what) == (WARN, True)


def test_collections_that_wait_for_their_embeddings_are_named(configure: Configure) -> None:
    if not ensure_pgvector():
        pytest.skip("pgvector is not there")
    with using(FakeEmbedder()):
        put(collection := make_collection("manual", tenant=make_tenant("acme")), {"a.md": "# Llamas\n"})
        waiting = look_at("embeddings")
        assert waiting.state == WARN
        assert "acme/manual" in waiting.what
        assert list_commands(waiting.mend) == [
            ["reindex", "--tenant", "acme", "--collection", "manual", "--embeddings"]
        ]
        embed_new(collection)
        assert look_at("embeddings").state == OK
    configure(embeddings_kind="none")
    assert look_at("embeddings").state == OK


def test_tables_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "is_migration_due", lambda: True)
    assert "docsmcp migrate" in look_at("migrations").mend
    assert "worker" not in {finding.name for finding in examine()}


def test_tables_of_a_later_release_are_warned_of_and_served() -> None:
    assert look_at("migrations").state is OK
    recorder = MigrationRecorder(connection)
    for name in ("0998_first", "0997_second"):
        recorder.record_applied("collections_app", name)
    found = look_at("migrations")
    assert found.state is WARN
    assert found.what == (
        "the tables are of a later release: 2 migrations are not known here, the first collections_app.0998_first"
    )
    assert look_at("worker").state is OK
    assert is_ready(examine_parts())


def test_a_check_that_breaks_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_luck() -> Verdict:
        raise ValueError("black cat")

    monkeypatch.setattr(doctor, "SURROUNDING_CHECKS", (check_luck,))
    verdict = look_at("luck")
    assert verdict.state == FAIL
    assert "black cat" not in verdict.what


def test_a_queue_of_an_earlier_release_lacks_schedules() -> None:
    """Between `migrate` and its restart."""
    Schedule.objects.filter(name="rebuild indexes").delete()
    verdict = look_at("worker")
    assert (verdict.state, verdict.what) == (FAIL, "these schedules are missing: rebuild indexes")
    assert verdict.mend.endswith("where a queue of an earlier release runs, restart it with this one")


@pytest.mark.parametrize(("overdue_seconds", "state"), [(0, OK), (work.OVERDUE_SECONDS + 10, FAIL)])
def test_a_worker_is_alive_while_schedules_are_kept(overdue_seconds: float, state: State) -> None:
    Schedule.objects.update(next_run=ago(overdue_seconds))
    assert look_at("worker").state == state


def test_tasks_that_wait_without_a_worker() -> None:
    OrmQ.objects.create(key="docsmcp", payload="x", lock=ago(5))
    assert look_at("tasks").state == OK
    OrmQ.objects.update(lock=ago(work.WAITING_SECONDS + 60))
    verdict = look_at("tasks")
    assert verdict.state == FAIL
    assert "1 waiting, the oldest for 2 minutes" in verdict.what


def test_tasks_that_wait_behind_running_jobs(configure: Configure) -> None:
    configure(queue_workers=1)
    OrmQ.objects.create(key="docsmcp", payload="x", lock=ago(work.WAITING_SECONDS + 60))
    make_job(make_source(), state="running", heartbeat=timezone.now())
    assert look_at("tasks").state == WARN


def test_tasks_that_failed() -> None:
    Task.objects.create(id="1", name="t", func="f", started=ago(20), stopped=ago(10), success=False)
    assert look_at("tasks").state == WARN
    Task.objects.update(stopped=ago(3 * 86_400))
    assert look_at("tasks").state == OK


def test_jobs_without_a_sign_of_life() -> None:
    job = make_job(make_source(), state="running", heartbeat=timezone.now())
    assert look_at("jobs").state == OK
    IngestJob.objects.update(heartbeat=ago(work.SILENT_SECONDS + 10))
    verdict = look_at("jobs")
    assert verdict.state == WARN
    assert str(job.pk) in verdict.what


def test_sources_that_fail(run: Run) -> None:
    source = make_source()
    job = make_job(source, state="failed")
    verdict = look_at("sources")
    assert verdict.state == WARN
    assert f"({source.kind} of {source.collection.tenant.slug}/{source.collection.slug})" in verdict.what
    [one] = list_commands(verdict.mend)
    assert run(*one)[1].splitlines()[1].startswith(f"{job.pk} ")
    make_job(source, state="succeeded")
    assert look_at("sources").state == OK


def test_a_retry_whose_files_are_still_bad_is_no_failure_of_the_source() -> None:
    source = make_source()
    make_job(source, state="partial")
    make_job(source, state="failed", only=["broken.docx"])
    assert look_at("sources").state == OK
    make_job(source, state="failed", only=["broken.docx"], error_message="The directory is gone.")
    assert look_at("sources").state == WARN


def test_of_several_sources_the_newest_are_named() -> None:
    sources = [make_source() for _ in range(3)]
    for source in sources:
        make_job(source, state="failed")
    verdict = look_at("sources")
    named = re.findall(r"(\d+) \(directory", verdict.what)
    assert named == [str(source.pk) for source in reversed(sources)]
    assert list_commands(verdict.mend)[1] == ["jobs", "list", "--all-tenants", "--state", "failed"]


def test_secrets_that_were_stored_under_another_key(settings: Any) -> None:
    source = make_source("git", "https://localhost/docs.git")
    assert look_at("stored secrets").state == OK
    Source.objects.update(encrypted_token=encrypt("a token"))
    assert look_at("stored secrets").state == OK
    settings.SECRET_KEY = "another" * 10
    verdict = look_at("stored secrets")
    assert verdict.state == FAIL
    assert str(source.pk) in verdict.what


def test_tenants_that_have_hardly_any_room_left(configure: Configure) -> None:
    for slug, size_bytes in (("small", 80), ("large", 95), ("free", 1000)):
        put(make_collection(tenant=make_tenant(slug)), {"a.md": "x" * size_bytes})
    Tenant.objects.filter(slug="free").update(max_bytes=0)
    assert look_at("quotas").state == OK
    configure(max_tenant_bytes=100)
    verdict = look_at("quotas")
    assert (verdict.state, "store (1): " in verdict.what, "large (95%)" in verdict.what) == (WARN, True, True)


def test_an_index_that_is_half_rebuilt() -> None:
    collection = make_collection()
    Reindexing.objects.create(tenant=collection.tenant, collection=collection, position="a.md")
    command = f"docsmcp reindex --tenant {collection.tenant.slug} --collection {collection.slug} "
    assert command in look_at("indexes").mend


def test_half_rebuilt_indexes_are_named_in_order() -> None:
    for slug in ("b", "a"):
        collection = make_collection("docs", tenant=make_tenant(slug))
        Reindexing.objects.create(tenant=collection.tenant, collection=collection)
    found = look_at("indexes")
    assert found.what == "a rebuild is under way or was broken off in a/docs, b/docs"
    assert list_commands(found.mend)[1] == ["reindex", "--all", "--all-tenants", "--vectors"]


def test_a_rebuild_that_the_queue_does_needs_nobody() -> None:
    collection = make_collection("docs", tenant=make_tenant("acme"))
    change_language(collection, "german")
    assert look_at("indexes").what == "a rebuild by another language is due or under way in acme/docs"


def test_documents_in_another_language_than_their_index() -> None:
    collection = make_collection()
    put(collection, {"a.md": f"# Gondeln\n\n{GERMAN * 8}"})
    put(make_collection(), {"a.md": f"# Lifts\n\n{ENGLISH * 8}"})
    put(make_collection(language="simple"), {"a.md": f"# Gondeln\n\n{GERMAN * 8}"})
    found = look_at("languages")
    where = f"{collection.tenant.slug}/{collection.slug}"
    assert found.what == (
        f"indexed by another language than that of their documents: {where} (english, its documents german)"
    )
    assert f"--tenant {collection.tenant.slug} --collection {collection.slug} --language german`" in found.mend
    change_language(collection, "german")
    assert look_at("languages").state is OK


def test_an_index_of_an_earlier_release() -> None:
    collection = make_collection("docs", tenant=make_tenant("acme"))
    put(collection, {"a.md": "# A\n\ngear\n"})
    assert look_at("indexes").state is OK
    with earlier_release():
        put(collection, {"b.md": "# B\n\ngear\n"})
    found = look_at("indexes")
    assert found.what == "an earlier release made some, which are searched less well: acme/docs (1 of 2 sections)"
    assert found.mend == "`docsmcp reindex --tenant acme --collection docs --vectors`, while everything goes on"


def test_of_many_collections_all_are_counted_and_done_by_one_command(run: Run) -> None:
    with earlier_release():
        for number in range(5):
            put(make_collection("docs", tenant=make_tenant(f"t{number}")), {"a.md": "# A\n"})
    found = look_at("indexes")
    assert found.what.endswith(
        "t0/docs (1 of 1 sections), t1/docs (1 of 1 sections), t2/docs (1 of 1 sections) and 2 more"
    )
    one, every = list_commands(found.mend)
    assert run(*one)[0] == 0
    assert look_at("indexes").what.endswith("t3/docs (1 of 1 sections) and 1 more")
    assert run(*every)[0] == 0
    assert look_at("indexes").state is OK


def test_removals_that_wait_for_somebody_to_confirm_them(run: Run, tmp_path: Path) -> None:
    sources = []
    for slug in ("acme", "zebra"):
        folder = tmp_path / slug
        folder.mkdir()
        for number in range(20):
            (folder / f"{number}.md").write_text(f"# Page {number}\n")
        sources.append(jobs.ensure_directory_source(make_collection("docs", tenant=make_tenant(slug)), folder))
        jobs.run_source(sources[-1], prune=True)
        for number in range(19):
            (folder / f"{number}.md").unlink()
    assert look_at("sources").state is OK
    for source in sources:
        jobs.run_source(source, prune=True)
    found = look_at("sources")
    assert found.state is WARN
    assert found.what == (
        "most documents of these are gone, and kept: "
        f"{sources[1].pk} (directory of zebra/docs), {sources[0].pk} (directory of acme/docs)"
    )
    [command] = list_commands(found.mend)
    assert run(*command)[0] == 0
    assert look_at("sources").what.startswith(f"most documents of these are gone, and kept: {sources[0].pk} ")
    Document.objects.filter(source=sources[0]).exclude(path="19.md").update(recipe="0123456789abcdef")
    assert look_at("documents").state is OK, "Reading the source again would change nothing"


def test_documents_that_an_earlier_release_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    sources: list[Source] = []
    for slug in ("acme", "zebra"):
        collection = make_collection("docs", tenant=make_tenant(slug))
        jobs.run_job(accept_uploads(collection, [NewUpload("b.md", b"# B")]).pk)
        jobs.run_source(jobs.ensure_directory_source(collection, tmp_path))
        sources += Source.objects.filter(collection=collection).order_by("pk")
    assert look_at("documents").state is OK
    Document.objects.update(recipe="0123456789abcdef")
    found = look_at("documents")
    assert found.state is WARN
    assert found.what.startswith("the parsers of an earlier release read 4 of them, of the sources ")
    assert f"{sources[0].pk} (upload of acme/docs), " in found.what
    assert found.what.endswith(" and 1 more")
    one, every = list_commands(found.mend)
    assert (one[-1], run(*one)[0]) == (str(sources[0].pk), 0)
    assert look_at("documents").what.startswith("the parsers of an earlier release read 3 of them, ")
    assert run(*every)[0] == 0
    assert look_at("documents").state is OK


def test_documents_that_nobody_needs_to_do_anything_about(tmp_path: Path) -> None:
    """A schedule reads them again, they have no source, or this release has tried."""
    (tmp_path / "a.md").write_text("# A\n")
    source = jobs.ensure_directory_source(make_collection(), tmp_path)
    jobs.run_source(source)
    put(source.collection, {"b.md": "# B", "c.md": "# C"})
    Document.objects.update(recipe="0123456789abcdef")
    Document.objects.filter(path="c.md").update(error_code="PARSE_ERROR")
    assert look_at("documents").state is WARN
    Source.objects.update(refresh_interval_seconds=300)
    found = look_at("documents")
    assert found.state is OK
    assert "; 1 when their sources are read again, as scheduled; 1 that belong to no source" in found.what


def test_a_directory_that_nobody_needed_yet_is_no_fault(settings: Any, tmp_path: Path) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"data_dir": tmp_path / "not" / "yet"})
    assert look_at("disk").state in {OK, WARN}


@pytest.mark.parametrize(("free", "state"), [(10**12, OK), (5 * 10**8, WARN), (10**6, FAIL)])
def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, configure: Configure, free: int, state: State) -> None:
    configure(database_url="", secret_key="")
    usage = type(shutil.disk_usage("/"))(10**13, 0, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert look_at("disk").state == state
    configure(database_url="postgresql://db/docs", secret_key="k" * 50)
    assert look_at("disk").state == (OK if state == OK else WARN)


def test_it_is_told_how_large_the_database_is() -> None:
    assert re.search(r"; it takes [0-9.,]+ [kMG]B$", look_at("database").what)


def test_a_store_of_uploads_that_does_not_answer(configure: Configure, tmp_path: Path) -> None:
    configure(upload_store=f"file://{tmp_path}")
    assert look_at("upload store").state == State.OK
    (tmp_path / "file").touch()
    configure(upload_store=f"file://{tmp_path / 'file'}")
    assert look_at("upload store").state == State.FAIL


def test_a_directory_of_uploads_is_looked_at_and_not_made(configure: Configure, tmp_path: Path) -> None:
    away = tmp_path / "share" / "uploads"
    configure(upload_store=f"file://{away}")
    verdict = look_at("upload store")
    assert (verdict.state, f"`mkdir -m 0700 {away}`" in verdict.mend) == (FAIL, True)
    assert not list(tmp_path.iterdir())
    away.mkdir(parents=True)
    verdict = look_at("upload store")
    assert (verdict.state, "can be written" in verdict.what, "free there" in verdict.what) == (OK, True, True)
    assert not list(away.iterdir())


def test_a_directory_of_uploads_that_cannot_be_written_or_is_full(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    configure(upload_store=f"file://{tmp_path}")
    with monkeypatch.context() as full:
        usage = type(shutil.disk_usage("/"))(10**13, 0, 10**6)
        full.setattr(shutil, "disk_usage", lambda path: usage)
        assert "no upload is taken" in look_at("upload store").mend
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "may not write" in look_at("upload store").what


def test_uploads_that_an_earlier_release_left_readable(configure: Configure, tmp_path: Path) -> None:
    (tmp_path / "uploads").mkdir(mode=0o755)
    (tmp_path / "uploads").chmod(0o755)
    configure(upload_store=f"file://{tmp_path}")
    assert look_at("upload store").mend == f"`chmod -R go= {tmp_path / 'uploads'}`"


def test_uploads_in_a_store_that_this_host_does_not_name(configure: Configure, tmp_path: Path) -> None:
    configure(upload_store=f"file://{tmp_path}")
    accept_uploads(make_collection(), [NewUpload("a.md", b"# A")])
    assert look_at("upload store").state == OK
    configure(upload_store="")
    assert look_at("upload store").state == FAIL


def test_a_broker_that_does_not_answer(configure: Configure) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        configure(redis_url=f"redis://:hunter2@127.0.0.1:{unused.getsockname()[1]}/0")
        verdict = look_at("broker")
    assert verdict.state == FAIL
    assert "hunter2" not in verdict.what


def test_a_setting_that_is_misspelt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_at("settings").state == OK
    monkeypatch.setenv("EMBEDDING_KIND", "none")
    assert look_at("settings").what == "EMBEDDING_KIND is no setting; did you mean EMBEDDINGS_KIND?"


def test_a_server_that_answers_to_any_name(configure: Configure) -> None:
    configure(mcp_server_host="0.0.0.0")  # noqa: S104
    assert "ALLOWED_HOSTS" in look_at("hosts").mend
    configure(allowed_hosts=("docs.example.org",))
    assert look_at("hosts").state == OK


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, OK),
        ({"allowed_hosts": ("docs.example.org",)}, WARN),
        ({"allowed_hosts": ("docs.example.org",), "https_only": True}, OK),
        ({"allowed_hosts": ("localhost", ".localhost", "[::1]")}, OK),
        ({"mcp_server_host": "192.0.2.7"}, WARN),
    ],
)
def test_a_server_that_others_reach_by_http(configure: Configure, changes: dict[str, Any], state: State) -> None:
    configure(**changes)
    assert look_at("https").state == state


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, OK),
        ({"oauth_enabled": True}, WARN),
        ({"oauth_enabled": True, "oauth_redirect_hosts": ("claude.ai",)}, OK),
        ({"oauth_enabled": True, "oauth_redirect_hosts": ("claude.ai",), "mcp_enabled": False}, WARN),
    ],
)
def test_apps_of_any_website_that_ask_people(configure: Configure, changes: dict[str, Any], state: State) -> None:
    configure(**changes)
    assert look_at("connected apps").state == state


@pytest.mark.parametrize(
    ("origin", "state"),
    [("https://app.example.org", OK), ("http://localhost:3000", OK), ("http://app.example.org", WARN)],
)
def test_origins_that_are_not_encrypted(configure: Configure, origin: str, state: State) -> None:
    configure(mcp_allowed_origins=(origin,))
    assert look_at("origins").state == state


def test_a_key_that_other_hosts_have_not(configure: Configure) -> None:
    configure(database_url="postgres://elsewhere/docs", secret_key="")
    assert look_at("secret key").state == WARN
    configure(secret_key="x" * 50)
    assert look_at("secret key").state == OK


def test_a_queue_with_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep_status() -> None:
        get_broker().set_stat(f"{Conf.Q_STAT}:{Conf.SECRET_KEY}", SignedPackage.dumps("its status", True), 3)

    alone = look_at("secret key").state
    keep_status()
    assert look_at("secret key").state == alone != FAIL
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(Conf, "SECRET_KEY", "another")
        keep_status()
    assert look_at("secret key").state == FAIL
    monkeypatch.setattr("docsmcp_site.doctor.surroundings.get_broker", mock.Mock(side_effect=OSError))
    assert look_at("secret key").state == alone


def test_roots_that_are_not_there(configure: Configure, tmp_path: Path) -> None:
    configure(allowed_roots=(tmp_path,))
    assert look_at("allowed roots").state == OK
    configure(allowed_roots=(tmp_path, tmp_path / "gone"))
    assert look_at("allowed roots").state == FAIL


def test_hosts_of_sources_that_have_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: str, port: object) -> list[str]:
        if host == "gone.example.org":
            raise socket.gaierror
        return ["an address"]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert look_at("names").state == OK
    make_source("site", "https://docs.example.org/guide/")
    assert look_at("names").state == OK
    make_source("git", "https://gone.example.org/docs.git")
    assert look_at("names").state == WARN
    assert "gone.example.org" in look_at("names").what


@pytest.mark.parametrize(
    ("seconds", "said"), [(90, "90 seconds"), (150, "2 minutes"), (7300, "2 hours"), (200_000, "2 days")]
)
def test_spans_are_said_in_a_unit_that_fits(seconds: float, said: str) -> None:
    assert describe_seconds(seconds) == said


@pytest.mark.parametrize(("count", "said"), [(8_000, "8 kB"), (7_600_000, "7.6 MB"), (83_800_000_000, "83.8 GB")])
def test_sizes_are_said_in_a_unit_that_fits(count: int, said: str) -> None:
    assert describe_bytes(count) == said


def test_a_table_that_was_made_anew_without_its_policies(configure: Configure) -> None:
    configure(database_row_security="auto")
    assert look_at("row security").state != FAIL
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE collections_app_section DISABLE ROW LEVEL SECURITY")
    verdict = look_at("row security")
    assert verdict.state == FAIL
    assert "apart in collections_app_section" in verdict.what
