"""A backup is made while the server serves and ingests; the data directory is lost; a new one is filled, and all is there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests.docsmcp_site.embedded_server import make_open_dir
from tests.migrated import give_tables
from tests.other_process import TIMEOUT_SECONDS, run_python
from tests.running_server import COLLECTION, NO_LIMIT, make_environment, start_process, write_pages

pytestmark = pytest.mark.embedded

TOKEN = "a token of a forge"
FILES = 400

STORE_TOKEN = """
from collections_app.encryption import encrypt
from collections_app.models import Collection, Source
collection = Collection.objects.get(slug="handbook")
Source.objects.create(tenant=collection.tenant, collection=collection, kind="git", location="https://git.example/x.git",
    auto_index=False, encrypted_token=encrypt(sys.argv[1]))
"""
CHECK = """
from collections_app.encryption import decrypt
from collections_app.models import Collection, IngestJob, Source
from collections_app.postgres.row_security import is_available
from tests.index_check import check_index
for collection in Collection.objects.all():
    check_index(collection)
print(decrypt(Source.objects.get(kind="git").encrypted_token), is_available(), sep="|")
"""


@pytest.fixture
def open_dir() -> Iterator[Path]:
    yield from make_open_dir()


def run_script(environment: dict[str, str], script: str, *arguments: str) -> str:
    return run_python(environment, "-c", f"import sys, django\ndjango.setup()\n{script}", *arguments)


def run_docsmcp(environment: dict[str, str], *arguments: str | Path) -> str:
    return run_python(environment, "-m", "docsmcp_site.command_line", *arguments)


def search(url: str, key: str, query: str) -> Any:
    call = {"name": "search_docs", "arguments": {"query": query, "format": "json"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    with urlopen(Request(url, body, headers), timeout=240) as answer:  # noqa: S310  our own server
        return json.load(answer)["result"]["structuredContent"]["results"]


def test_what_was_backed_up_under_load_serves_from_a_new_data_directory(open_dir: Path) -> None:
    write_pages(open_dir / COLLECTION, {"orchid.md": "# Orchid\n\nIt blooms.\n"})
    more = open_dir / "more"
    write_pages(more, {f"{n:03}.md": f"# Page {n}\n\n{'tulips and daffodils ' * 200}\n" for n in range(FILES)})
    common = {"DJANGO_SETTINGS_MODULE": "docsmcp_site.settings", "EMBEDDINGS_KIND": "none", **NO_LIMIT}
    old = make_environment(open_dir, common | {"DATA_DIR": str(open_dir / "old")})
    new = make_environment(open_dir, common | {"DATA_DIR": str(open_dir / "new")})
    backup = open_dir / "backup.tar"
    give_tables(open_dir / "old")

    with start_process(open_dir, old) as server:
        run_script(old, STORE_TOKEN, TOKEN)
        command = [sys.executable, "-m", "docsmcp_site.command_line", "ingest_path", str(more), "--collection", "more"]
        with subprocess.Popen(command, cwd=PROJECT_ROOT, env=old, stderr=subprocess.DEVNULL) as ingest:
            run_docsmcp(old, "backup", backup)
            with pytest.raises(AssertionError, match="is there already"):
                run_docsmcp(old, "backup", backup)
            assert search(server.url, server.key, "orchid"), "it serves meanwhile"
            assert ingest.wait(TIMEOUT_SECONDS) == 0
        key = server.key

    EmbeddedPostgres(open_dir / "old").stop()
    shutil.rmtree(open_dir / "old")
    assert backup.stat().st_mode & 0o077 == 0

    run_docsmcp(new, "restore", backup)
    with pytest.raises(AssertionError, match="not empty"):
        run_docsmcp(new, "restore", backup)
    assert run_script(new, CHECK) == f"{TOKEN}|True"
    with start_process(open_dir, new) as server:
        assert [hit["path"] for hit in search(server.url, key, "orchid")] == ["orchid.md"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b" * 600])
def test_what_is_no_backup_is_refused(open_dir: Path, content: bytes) -> None:
    (open_dir / "x.tar").write_bytes(content)
    environment = make_environment(open_dir, {"DJANGO_SETTINGS_MODULE": "docsmcp_site.settings"})
    with pytest.raises(AssertionError, match="is no backup of docsmcp"):
        run_docsmcp(environment, "restore", open_dir / "x.tar")


def test_an_empty_database_is_not_backed_up(open_dir: Path) -> None:
    environment = make_environment(open_dir, {"DJANGO_SETTINGS_MODULE": "docsmcp_site.settings"})
    (open_dir / "data" / "postgres").mkdir(parents=True)
    with pytest.raises(AssertionError, match="nothing to back up"):
        run_docsmcp(environment, "backup", open_dir / "backup.tar")
