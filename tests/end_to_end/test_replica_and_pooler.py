"""A primary with a streaming replica, PgBouncer before it, a web server with a login of its own: what `make chaos` shows, calmly."""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.chaos.databases import Pooler, Postgres, make_primary, make_replica
from tests.chaos.installation import Kept, Web, make_environment, run_command
from tests.chaos.traffic import Caller, Journal, make_page
from tests.other_process import run_python
from tests.services.pgbouncer import VARIABLE

pytestmark = pytest.mark.skipif(VARIABLE not in os.environ, reason="needs PgBouncer: make test-services")

DEADLINE_SECONDS = 240
LOGIN, PASSWORD = "docsmcp_login", "a password of letters alone"
PAGES = {f"page-{n}.md": f"zebra{n}word" for n in range(5)}


@dataclass
class Parts:
    primary: Postgres
    replica: Postgres
    web: Web
    settings: dict[str, str]
    callers: dict[str, Caller]
    asked: int = 0

    def call(self, tool: str, tenant: str = "ours", **arguments: object) -> dict[str, object] | None:
        """What the tool gave; None where it was refused."""
        return self.callers[tenant].call(tool, dict(arguments))

    def find(self, word: str, tenant: str = "ours") -> list[str]:
        """Paths, each once. Each question is a new one, which no cache answers."""
        self.asked += 1
        data = self.call("search_docs", tenant, query=f"{word} unheard{self.asked}")
        assert data is not None
        results: Any = data["results"]
        return list(dict.fromkeys(result["path"] for result in results))

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.web.port}{path}") as response:
            text: str = response.read().decode()
            return text

    def count_reads(self, by: str) -> float:
        found = re.search(rf'^docsmcp_replica_reads_total{{by="{by}"}} (\S+)', self.get("/metrics"), re.MULTILINE)
        return float(found[1]) if found else 0

    def upload(self, path: str, word: str) -> None:
        assert self.call("ingest_document", collection="docs", path=path, content=make_page(path, word))


def sign_in(url: str) -> str:
    """As the web server's own login."""
    return re.sub("//[^@]+@", f"//{LOGIN}:{PASSWORD.replace(' ', '%20')}@", url)


@pytest.fixture(scope="module")
def parts() -> Iterator[Parts]:
    with tempfile.TemporaryDirectory(prefix="docsmcp-pooled-") as name, ExitStack() as stack:
        directory = Path(name)
        directory.chmod(0o711)
        primary = make_primary(directory / "primary")
        primary.start()
        stack.callback(primary.stop)
        settings = {
            "DATABASE_URL": primary.url,
            "SECRET_KEY": "pooled" * 10,
            "DATA_DIR": str(directory / "data"),
            "EMBEDDINGS_KIND": "none",
            "QUEUE_WORKERS": "1",
            "LOG_LEVEL": "WARNING",
        }
        keys = fill(directory, settings, primary)
        replica = make_replica(directory / "replica", primary)
        pooler = Pooler(directory / "pooler", primary, {LOGIN: PASSWORD})
        for daemon in (replica, pooler):
            daemon.start()
            stack.callback(daemon.stop)
        queue = Kept("queue", "run_qcluster", settings, directory / "queue.log")
        stack.callback(queue.stop)
        own = {
            "DATABASE_URL": sign_in(pooler.url),
            "DATABASE_DIRECT_URL": sign_in(primary.url),
            "DATABASE_REPLICA_URL": sign_in(replica.url),
            "DATABASE_ROW_SECURITY": "on",
            "WEB_WORKERS": "1",
            "MCP_RATE_LIMIT_REQUESTS": "1000000",
        }
        web = Web("web", settings | own, directory / "web.log")
        stack.callback(web.stop)
        callers = {tenant: Caller([web.port], key, Journal()) for tenant, key in keys.items()}
        for caller in callers.values():
            stack.callback(caller.connections[0].close)
        yield Parts(primary, replica, web, settings | own, callers)


def fill(directory: Path, settings: dict[str, str], primary: Postgres) -> dict[str, str]:
    """Two tenants with a collection each, the login; the key of each tenant."""
    folder = directory / "pages"
    folder.mkdir()
    for path, word in PAGES.items():
        (folder / path).write_text(make_page(path, word))
    script = f"""
import django
django.setup()
from django.core.management import call_command
from pathlib import Path
from collections_app.jobs import ensure_directory_source, run_source
from collections_app.models import ApiKey, Tenant
from collections_app.provisioning import ensure_collection
call_command("migrate", verbosity=0)
call_command("roles", login={LOGIN!r}, apply=True, verbosity=0)
for slug in ("ours", "theirs"):
    tenant, _ = Tenant.objects.get_or_create(slug=slug, name=slug)
    run_source(ensure_directory_source(ensure_collection(tenant, "docs"), Path({str(folder)!r})))
    print("KEY", slug, ApiKey.objects.issue(tenant=tenant, name="k", scopes=["read", "write"])[1])
"""
    printed = run_python(make_environment(settings), "-c", script)
    with psycopg.connect(primary.url, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {LOGIN} PASSWORD '{PASSWORD}'")
    return dict(re.findall(r"^KEY (\S+) (\S+)$", printed, re.MULTILINE))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_searches_and_pages_come_from_the_replica(parts: Parts) -> None:
    def is_read(page: str) -> bool:
        data = parts.call("get_doc_page", path=page)
        return data is not None and "zebra2word" in str(data["content"])

    before = parts.count_reads("replica")
    wait_until(lambda: parts.find("zebra1word") == ["page-1.md"] and parts.count_reads("replica") > before)
    searched = parts.count_reads("replica")
    wait_until(lambda: is_read("page-2.md") and parts.count_reads("replica") > searched)


def test_what_was_uploaded_is_done_by_the_queue_and_found(parts: Parts) -> None:
    parts.upload("uploaded/one.md", "ostrichword")
    wait_until(lambda: parts.find("ostrichword") == ["uploaded/one.md"])
    assert parts.find("ostrichword", "theirs") == []


def test_behind_a_replica_that_lags_nothing_is_missed(parts: Parts) -> None:
    parts.replica.ask("SELECT pg_wal_replay_pause()::text")
    try:
        before = parts.count_reads("behind") + parts.count_reads("left")
        parts.upload("uploaded/late.md", "pelicanword")
        wait_until(lambda: parts.find("pelicanword") == ["uploaded/late.md"])
        assert parts.count_reads("behind") + parts.count_reads("left") > before
    finally:
        parts.replica.ask("SELECT pg_wal_replay_resume()::text")


def test_a_replica_that_is_away_is_missed_by_nobody_and_taken_back(parts: Parts) -> None:
    parts.replica.stop()
    try:
        assert parts.find("zebra3word") == ["page-3.md"]
        assert parts.count_reads("left") > 0
    finally:
        parts.replica.start()
    before = parts.count_reads("replica")
    wait_until(lambda: parts.find("zebra3word") == ["page-3.md"] and parts.count_reads("replica") > before)


# Two threads, each a request of another tenant, take turns at the pooler's sessions; a third is nobody, a fourth outside of the wall.
TAKE_TURNS = """
import django
django.setup()
from threading import Thread
from django.conf import settings
from django.db import connection, transaction
from collections_app.models import Document, Tenant
from collections_app.postgres.row_security import show_tenants, walled
from docsmcp_site.database.databases import prepare_serving

prepare_serving(settings.DOCSMCP)
tenants = dict(Tenant.objects.values_list("slug", "pk"))
seen = {"ours": set(), "theirs": set(), "nobody": set(), "outside": set()}

def look(who):
    for turn in range(60):
        if who == "outside":
            seen[who].add(Document.objects.values("tenant").distinct().count())
            continue
        with walled():
            if who in tenants:
                show_tenants({tenants[who]})
            if turn % 2:
                with transaction.atomic():
                    seen[who] |= set(Document.objects.values_list("tenant__slug", flat=True))
            seen[who] |= set(Document.objects.values_list("tenant__slug", flat=True))
    connection.close()

threads = [Thread(target=look, args=[who]) for who in seen]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print({who: sorted(found) for who, found in seen.items()})
"""


def test_through_the_pooler_each_sees_its_own_whoever_had_the_session_before(parts: Parts) -> None:
    seen = run_python(make_environment(parts.settings), "-c", TAKE_TURNS).splitlines()[-1]
    assert seen == str({"ours": ["ours"], "theirs": ["theirs"], "nobody": [], "outside": [2]})


def test_probes_and_metrics_get_on_with_the_web_servers_login(parts: Parts) -> None:
    assert json.loads(parts.get("/readyz"))["status"] == "ok"
    assert 'docsmcp_jobs{state="queued"}' in parts.get("/metrics")


def test_with_the_web_servers_settings_no_table_is_changed(parts: Parts) -> None:
    with (
        psycopg.connect(parts.settings["DATABASE_URL"], prepare_threshold=None) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("ALTER TABLE collections_app_document DISABLE ROW LEVEL SECURITY")
    with pytest.raises(SystemExit, match="owner's"):
        run_command(parts.settings, "roles")
