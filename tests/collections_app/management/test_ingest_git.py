"""`docsmcp ingest_git`."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collections_app.models import Collection, Document, IngestJob, Source
from tests.collections_app.management.conftest import Run
from tests.collections_app.sources.git_server import Served, make_commit, serve

TOKEN = "a-token-of-a-forge"


@pytest.fixture
def repository(tmp_path: Path, settings: Any) -> Iterator[Served]:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"fetch_allowed_hosts": ("127.0.0.1",)})
    with serve(tmp_path) as served:
        make_commit(served.repo, {"README.md": "# Read me\n", "docs/a.md": "# A\n", "docs/b.md": "# B\n"})
        yield served


def get_paths() -> list[str]:
    return sorted(Document.objects.values_list("path", flat=True))


def test_it_fills_a_collection(run: Run, repository: Served) -> None:
    code, out, _ = run("ingest_git", repository.url, "--collection", "docs")
    assert code == 0
    assert "3 indexed" in out
    assert get_paths() == ["README.md", "docs/a.md", "docs/b.md"]


def test_it_takes_a_folder_only(run: Run, repository: Served) -> None:
    assert run("ingest_git", repository.url, "--collection", "docs", "--folder", "docs", "--exclude", "b.md")[0] == 0
    assert get_paths() == ["a.md"]


def test_it_removes_what_is_gone_when_told(run: Run, repository: Served) -> None:
    run("ingest_git", repository.url, "--collection", "docs")
    make_commit(repository.repo, {"README.md": "# Read me\n"})
    code, out, _ = run("ingest_git", repository.url, "--collection", "docs", "--prune")
    assert code == 0
    assert "2 removed" in out
    assert get_paths() == ["README.md"]


def test_a_dry_run_writes_nothing(run_json: Any, repository: Served) -> None:
    code, report = run_json("ingest_git", repository.url, "--collection", "docs", "--dry-run")
    assert (code, report["outcomes"], report["dry_run"]) == (0, {"indexed": 3}, True)
    assert not Collection.objects.exists()


@pytest.mark.parametrize("way", ["environment", "standard input"])
def test_a_token_comes_by_a_way_that_nobody_else_sees(
    run: Run, repository: Served, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    repository.token = "Basic " + b64encode(f"x-access-token:{TOKEN}".encode()).decode()
    monkeypatch.setenv("FORGE_TOKEN", TOKEN)
    monkeypatch.setattr("sys.stdin", io.StringIO(TOKEN + "\n"))
    given = ["--token-env", "FORGE_TOKEN"] if way == "environment" else ["--token-stdin"]
    code, out, err = run("ingest_git", repository.url, "--collection", "docs", *given)
    assert code == 0, err
    assert TOKEN not in out + err
    source = Source.objects.get()
    assert TOKEN not in source.location + source.encrypted_token + str(source.options)
    assert run("sync_sources", "--source", source.pk)[0] == 0


def test_a_token_that_is_not_there_is_refused(run: Run, repository: Served) -> None:
    code, _, err = run("ingest_git", repository.url, "--collection", "docs", "--token-env", "NO_SUCH_VARIABLE")
    assert code == 2
    assert "NO_SUCH_VARIABLE" in err
    assert not Source.objects.exists()


def test_what_is_no_branch_is_refused(run: Run, repository: Served) -> None:
    code, _, err = run("ingest_git", repository.url, "--collection", "docs", "--branch", "a b")
    assert (code, err) == (2, "--branch 'a b': a branch's name has no spaces.\n")


def test_a_branch_that_is_not_there_is_told(run: Run, repository: Served) -> None:
    code, _, err = run("ingest_git", repository.url, "--collection", "docs", "--branch", "nope")
    assert code == 2
    assert "nope" in err
    assert not Source.objects.exists()


def test_a_source_that_was_read_before_stays_when_it_cannot_be_read(run: Run, repository: Served) -> None:
    run("ingest_git", repository.url, "--collection", "docs")
    repository.token = "now it wants one"
    code, _, _ = run("ingest_git", repository.url, "--collection", "docs")
    assert code == 2
    assert Source.objects.get().documents.exists()


def test_in_the_background_it_leaves_a_job(run: Run, repository: Served) -> None:
    code, out, _ = run("ingest_git", repository.url, "--collection", "docs", "--background")
    assert code == 0
    assert f"docsmcp jobs show {IngestJob.objects.get().pk} --follow" in out
    assert repository.requests == []
