"""`docsmcp up`, the real one, in processes of its own on one data directory; most tests start it anew."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import os
import select
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode, urlsplit

import pytest
from django.db import OperationalError

from collections_app import jobs
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, Source
from collections_app.provisioning import get_tenant
from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE, load_config
from docsmcp_site.management.commands.up import (
    Command,
    Documents,
    announce_database,
    choose_documents,
    ensure_source,
    is_to_be_read,
    make_slug,
)
from tests.docsmcp_site.embedded_server import get_postmaster, is_running, make_open_dir
from tests.docsmcp_site.waiting import DEADLINE_SECONDS, is_alive, wait_for
from tests.free_ports import find_free_port
from tests.migrated import give_tables

COMMAND = (sys.executable, str(PROJECT_ROOT / "manage.py"))
SEARCH = {"name": "search_docs", "arguments": {"query": "llamas"}}


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    yield from make_open_dir()


@pytest.fixture(scope="module")
def docs(directory: Path) -> Path:
    docs = directory / "Tiny Docs"
    docs.mkdir()
    (docs / "good.md").write_text("# Animals\n\nThere are llamas.\n")
    (docs / "bad.md").write_text("---\ntitle: [\n---\n\n# Broken\n")
    # It is started in this directory, and must not take it for a place of modules.
    for module in ("structlog", "gunicorn", "django_q"):
        (docs / f"{module}.py").write_text("raise SystemExit('imported from the working directory')\n")
    return docs


@pytest.fixture(scope="module")
def data_dir(directory: Path) -> Path:
    return directory / "data"


def make_environment(data_dir: Path, **values: str) -> dict[str, str]:
    """Nothing of this process's settings, and an empty value hides the line of a `.env`."""
    environment = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
    return environment | dict.fromkeys(SETTING_NAMES, "") | {"DATA_DIR": str(data_dir)} | values


class Up:
    """A running `up`, ready. In the end it is stopped, and must then leave nothing behind."""

    def __init__(
        self, data_dir: Path, docs: Path | None, *arguments: str, last_signal: signal.Signals = signal.SIGTERM
    ) -> None:
        self.last_signal = last_signal
        self.data_dir = data_dir
        self.port = find_free_port()
        self.log = data_dir.parent / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "up", *([str(docs)] if docs else []), "--json", "--port", str(self.port), *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                env=make_environment(data_dir),
                cwd=docs or data_dir.parent,
            )

    def __enter__(self) -> Up:
        assert self.process.stdout
        readable, _, _ = select.select([self.process.stdout], [], [], DEADLINE_SECONDS)
        self.line = self.process.stdout.readline() if readable else b""
        if not self.line:
            self.process.kill()
            self.process.communicate()
            raise AssertionError(self.log.read_text())
        self.ready: dict[str, Any] = json.loads(self.line)
        return self

    def __exit__(self, *_: object) -> None:
        services = self.find_services()
        self.process.send_signal(self.last_signal)
        try:
            rest = self.process.communicate(timeout=DEADLINE_SECONDS)[0]
        finally:
            self.process.kill()
            self.process.communicate()
        assert (rest, self.process.returncode) == (b"", 0)  # it printed one line, and nothing else
        assert not any(map(is_alive, services))
        assert not is_running(self.data_dir)

    def find_services(self) -> dict[int, str]:
        """Process id → command of all processes that are in a group led by a child of `up`."""
        found: dict[int, tuple[int, int, str]] = {}
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                parent, group = (path / "stat").read_text().rpartition(")")[2].split()[1:3]
                found[int(path.name)] = int(parent), int(group), command
        leaders = {pid for pid, (parent, group, _) in found.items() if parent == self.process.pid and group == pid}
        return {pid: command for pid, (_, group, command) in found.items() if group in leaders}

    def find_leader(self, word: str) -> int | None:
        services = self.find_services()
        return next((pid for pid, command in services.items() if word in command and os.getpgid(pid) == pid), None)

    def search(self) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": SEARCH}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.ready['api_key']}",
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_SECONDS)
        with closing(connection):
            connection.request("POST", urlsplit(self.ready["url"]).path, json.dumps(message), headers)
            result = json.load(connection.getresponse())["result"]
        assert isinstance(result, dict)
        return result

    def answers(self) -> bool:
        try:
            return not self.search().get("isError")
        except (OSError, http.client.HTTPException, KeyError):  # none, or a JSON-RPC error
            return False

    def finds_llamas(self) -> bool:
        return self.answers() and "good.md" in self.search()["content"][0]["text"]


def refuse(data_dir: Path, *arguments: str | Path, **values: str) -> tuple[int, str]:
    """Exit code and what it said, which must be one line on standard error."""
    ended = subprocess.run(
        [*COMMAND, "up", "--json", *map(str, arguments)],
        env=make_environment(data_dir, **values),
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    return ended.returncode, ended.stderr


@pytest.fixture(scope="class")
def up(data_dir: Path, docs: Path) -> Iterator[Up]:
    with Up(data_dir, docs) as up:
        yield up


@pytest.mark.embedded
class TestOneThatRuns:
    def test_what_it_prints_works(self, up: Up, data_dir: Path) -> None:
        assert up.finds_llamas()
        assert is_signed_in(up.ready)
        assert up.ready["collection"] == "tiny-docs"
        assert up.ready["url"] == f"http://127.0.0.1:{up.port}/mcp"
        assert (data_dir / "first-run.json").stat().st_mode & 0o777 == 0o600
        assert "bad.md: PARSE_ERROR" in up.log.read_text()

    def test_another_one_on_its_data_directory_is_refused(self, up: Up, data_dir: Path, docs: Path) -> None:
        code, sentence = refuse(data_dir, docs, "--port", str(find_free_port()))
        assert code == 1
        assert f"http://127.0.0.1:{up.port}" in sentence

    def test_it_works_on_tasks(self, up: Up, data_dir: Path, docs: Path) -> None:
        """What the schedules enqueue every minute is enqueued by hand here: a source that is due is read again."""
        enqueue = (
            "from collections_app.models import IngestJob; IngestJob.objects.all().delete(); "
            "from django_q.tasks import async_task; async_task('collections_app.tasks.refresh_sources')"
        )
        (docs / "good.md").write_text("# Animals\n\nThere are llamas, and vicunas.\n")
        command = [*COMMAND, "shell", "--verbosity", "0", "--command", enqueue]
        subprocess.run(command, env=make_environment(data_dir), check=True, timeout=DEADLINE_SECONDS)
        wait_for(lambda: "vicunas" in up.search()["content"][0]["text"])


def is_signed_in(ready: dict[str, Any]) -> bool:
    """Whether the admin lets the printed user in, with the printed password."""
    cookies = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    browser.open(ready["admin_url"]).close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    form = {"username": ready["admin_user"], "password": ready["admin_password"], "csrfmiddlewaretoken": token}
    with browser.open(f"{ready['admin_url']}login/?next=/admin/", urlencode(form).encode()) as page:
        return bool(page.url == ready["admin_url"])


@pytest.mark.embedded
def test_without_a_directory_it_serves_what_is_there_and_adds_nothing(directory: Path, docs: Path) -> None:
    apart = directory / "apart"  # from what other tests add
    give_tables(apart)
    ingest = (*COMMAND, "ingest_path", str(docs), "--collection", "tiny-docs")
    subprocess.run(ingest, env=make_environment(apart), check=False, capture_output=True, timeout=DEADLINE_SECONDS)
    with Up(apart, None) as up:
        assert up.finds_llamas()
        assert up.ready["collection"] == "tiny-docs"
        assert "No directory is added: `docsmcp up DIR` adds one." in up.log.read_text()


@pytest.mark.embedded
def test_whatever_is_killed_it_answers_again(data_dir: Path, docs: Path) -> None:
    with Up(data_dir, docs, last_signal=signal.SIGINT) as up:
        web, queue = up.find_leader("run_gunicorn"), up.find_leader("run_qcluster")
        assert web
        assert queue
        for victim in (web, queue, get_postmaster(data_dir)):
            os.kill(victim, signal.SIGKILL)
        wait_for(lambda: up.find_leader("run_gunicorn") not in {None, web})
        wait_for(lambda: up.find_leader("run_qcluster") not in {None, queue})
        wait_for(up.finds_llamas)


@pytest.mark.embedded
def test_a_database_that_is_killed_while_it_starts_does_not_end_it(data_dir: Path, directory: Path) -> None:
    """In the middle of the first reading of a folder, and before the queue has begun."""
    many = directory / "many"
    many.mkdir()
    for number in range(300):
        (many / f"{number}.md").write_text(f"# Page {number}\n\n" + "There are camels. " * 200)
    up = Up(data_dir, many)
    wait_for(lambda: up.find_leader("run_qcluster") is not None)
    os.kill(get_postmaster(data_dir), signal.SIGKILL)
    with up:
        assert up.find_leader("run_gunicorn")
        wait_for(up.answers)


@pytest.mark.embedded
def test_when_it_is_killed_itself_only_the_database_is_left_and_the_next_one_has_all_data_and_prints_the_same(
    data_dir: Path, docs: Path, directory: Path
) -> None:
    killed = Up(data_dir, docs).__enter__()
    services = killed.find_services()
    assert services
    killed.process.kill()
    killed.process.communicate()
    wait_for(lambda: not any(map(is_alive, services)))
    assert is_running(data_dir)
    other = directory / "other"
    other.mkdir()
    with Up(data_dir, other, "--collection", "Other", last_signal=signal.SIGHUP) as up:
        assert up.finds_llamas()
        assert up.ready["collection"] == "other"
        kept = ("admin_user", "admin_password", "api_key")
        assert [up.ready[name] for name in kept] == [killed.ready[name] for name in kept]
        assert None not in [killed.ready[name] for name in kept]


def test_it_refuses_a_busy_port(tmp_path: Path, docs: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        code, sentence = refuse(tmp_path, docs, "--port", str(port))
    assert code == 1
    assert str(port) in sentence
    assert "--port" in sentence


def test_it_refuses_a_data_directory_that_cannot_be_written(tmp_path: Path, docs: Path) -> None:
    (tmp_path / "file").touch()
    code, sentence = refuse(tmp_path / "file" / "data", docs)
    assert code == 2
    assert "DATA_DIR" in sentence


def test_it_refuses_a_database_that_is_stopped(tmp_path: Path, docs: Path) -> None:
    url = f"postgresql://user:secret@127.0.0.1:{find_free_port()}/docs"
    code, sentence = refuse(tmp_path, docs, "--port", str(find_free_port()), DATABASE_URL=url)
    assert code == 1
    assert sentence.startswith("The database cannot be used")
    assert "secret" not in sentence


@pytest.mark.parametrize("what", ["missing", "a file"])
def test_it_refuses_what_is_no_directory_before_it_starts_anything(tmp_path: Path, what: str) -> None:
    path = tmp_path / "docs"
    if what == "a file":
        path.touch()
    code, sentence = refuse(tmp_path / "data", path)
    assert code == 2
    assert "docs" in sentence
    assert not (tmp_path / "data" / "postgres").exists()


def test_it_refuses_a_name_that_no_collection_can_have(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="is no name for a collection"):
        choose_documents(tmp_path, "no name")


def test_it_says_why_a_first_start_takes_its_time_and_no_later_one(tmp_path: Path) -> None:
    config = load_config({}, {"DATA_DIR": str(tmp_path)}, tmp_path)
    [sentence] = announce_database(config)
    assert str(tmp_path) in sentence
    assert announce_database(config.model_copy(update={"database_url": "postgresql://db/docs"})) == []
    (tmp_path / "postgres").mkdir()
    assert announce_database(config) == []


def test_it_takes_its_own_docs_when_no_directory_is_named() -> None:
    assert choose_documents(None, None) == Documents(PROJECT_ROOT / "docs", "docsmcp", are_own=True)
    assert choose_documents(None, "mine") == Documents(PROJECT_ROOT / "docs", "mine", are_own=True)


@pytest.mark.django_db
def test_its_own_docs_are_added_to_no_collection_of_others(tmp_path: Path) -> None:
    tenant = get_tenant()
    own, mine = choose_documents(None, None), choose_documents(None, "mine")
    assert own
    assert mine
    assert is_to_be_read(own, tenant)
    assert is_to_be_read(mine, tenant), "Nothing is there yet"
    ensure_source(Documents(tmp_path, "mine"), tenant)
    for number in range(12):
        Collection.objects.create(tenant=tenant, slug=f"more-{number}", name="More")
    assert not is_to_be_read(own, tenant)
    assert not is_to_be_read(mine, tenant)
    assert is_to_be_read(choose_documents(tmp_path, "mine"), tenant)
    ensure_source(own, tenant)
    assert is_to_be_read(own, tenant), "It is its own collection, however many came before"
    assert not is_to_be_read(None, tenant)


def test_it_takes_nothing_when_it_is_installed_without_its_docs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docsmcp_site.management.commands.up.PROJECT_ROOT", tmp_path)
    assert choose_documents(None, None) is None


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("corpus", "corpus"),
        ("My Docs v1.2", "my-docs-v1-2"),
        ("Übersicht", "ubersicht"),
        ("文档", "docs"),
        ("x" * 99, "x" * 63),
    ],
)
def test_a_collection_is_called_like_its_directory(name: str, slug: str) -> None:
    assert make_slug(name) == slug


class FullDisk(Exception):
    sqlstate = "53100"


def make_error(text: str, cause: Exception | None = None) -> OperationalError:
    error = OperationalError(text)
    error.__cause__ = cause
    return error


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "why"),
    [
        (
            make_error("consuming input failed: server closed the connection\nThis probably means that"),
            "the database went away (consuming input failed: server closed the connection)",
        ),
        (make_error("could not extend file", FullDisk()), "the database's disk is full, free space on it"),
    ],
)
def test_a_database_that_goes_away_while_the_folder_is_read_is_told_and_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OperationalError, why: str
) -> None:
    monkeypatch.setattr("collections_app.jobs.run_source", mock.Mock(side_effect=error))
    said = StringIO()
    command = Command(stderr=said, no_color=True)
    command.is_quiet = False
    command.ingest(Documents(tmp_path, "docs"), get_tenant(), mock.Mock())
    assert said.getvalue() == (
        f"{tmp_path} was not ingested to its end, {why}: it is read again within some minutes.\n"
    )
    assert Source.objects.get().refresh_interval_seconds == 300


@pytest.mark.django_db
def test_a_folder_that_could_not_be_noted_is_noted_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no schedule would read it."""
    before = jobs.ensure_directory_source
    supervisor = mock.Mock()

    def ensure(*args: Any, **options: Any) -> Source:
        if supervisor.tend_for.call_count < 2:
            raise OperationalError("gone")
        return before(*args, **options)

    monkeypatch.setattr("collections_app.jobs.ensure_directory_source", ensure)
    command = Command(stderr=StringIO())
    command.is_quiet = True
    command.ingest(Documents(tmp_path, "docs"), get_tenant(), supervisor)
    assert Source.objects.get().location == str(tmp_path)


@pytest.mark.django_db
def test_a_new_source_is_looked_at_again_every_five_minutes(tmp_path: Path) -> None:
    source = ensure_source(Documents(tmp_path, "docs"), get_tenant())
    assert (source.location, source.refresh_interval_seconds) == (str(tmp_path), 300)
    assert source == ensure_source(Documents(tmp_path, "docs"), get_tenant())


@pytest.mark.django_db
@pytest.mark.parametrize(("before", "after"), [(0, 300), (60, 60)])
def test_a_source_that_is_there_keeps_what_it_was_told(tmp_path: Path, before: int, after: int) -> None:
    tenant = get_tenant()
    Source.objects.create(
        tenant=tenant,
        collection=Collection.objects.create(tenant=tenant, slug="docs", name="Docs"),
        kind=Source.Kind.DIRECTORY,
        location=str(tmp_path),
        include=["*.md"],
        max_file_bytes=5,
        refresh_interval_seconds=before,
    )
    source = ensure_source(Documents(tmp_path, "docs"), tenant)
    assert (source.include, source.max_file_bytes, source.refresh_interval_seconds) == (["*.md"], 5, after)
