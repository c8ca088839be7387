"""A run in a command's own process whose job somebody cancels from elsewhere."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from collections_app import jobs
from collections_app.jobs import run as runs
from collections_app.models import Document, IngestJob, Source
from collections_app.provisioning import get_tenant
from docsmcp_site.management.commands.up import Command, Documents
from tests.collections_app.management.conftest import Run
from tests.factories import make_tenant


@pytest.fixture(autouse=True)
def cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once its documents are written."""

    def cancel(run: runs.Run) -> None:
        raise jobs.Cancelled(run.job)

    monkeypatch.setattr(runs.Run, "embed", cancel)


def test_ingesting_says_that_it_was_cancelled_and_what_stays(run: Run, run_json: Any, folder: Path) -> None:
    code, out, err = run("ingest_path", folder, "--collection", "docs")
    job = IngestJob.objects.get()
    assert (code, out, job.state, Document.objects.count()) == (1, "", "cancelled", 3)
    assert err == f"Job {job.pk} was cancelled. What was written stays; `docsmcp jobs retry {job.pk}` does the rest.\n"
    code, report = run_json("ingest_path", folder, "--collection", "docs")
    assert (code, report) == (1, {"job": job.pk + 1, "state": "cancelled", "dry_run": False})


def test_what_is_told_to_type_names_the_tenant(run: Run, folder: Path) -> None:
    make_tenant("acme")
    assert (
        "`docsmcp jobs retry --tenant acme "
        in run("ingest_path", folder, "--collection", "docs", "--tenant", "acme")[2]
    )


def test_syncing_goes_on_with_the_next_source(run: Run, run_json: Any, source: Source, tmp_path: Path) -> None:
    other = jobs.ensure_directory_source(source.collection, tmp_path / "other")
    (tmp_path / "other").mkdir()
    code, out, err = run("sync_sources", "--all")
    assert (code, out) == (1, "")
    assert f"Source {source.pk}: Job {source.jobs.get().pk} was cancelled. What was written stays" in err
    assert f"Source {other.pk}: Job {other.jobs.get().pk} was cancelled." in err
    code, report = run_json("sync_sources", "--source", source.pk)
    [result] = report["sources"]
    assert (code, result["state"]) == (1, "cancelled")


@pytest.mark.django_db
def test_what_is_served_is_served_all_the_same(folder: Path) -> None:
    said = StringIO()
    command = Command(stderr=said, no_color=True)
    command.is_quiet = False
    command.ingest(Documents(folder, "docs"), get_tenant(), mock.Mock())
    job = IngestJob.objects.get()
    assert said.getvalue() == (
        f"{folder} was not ingested to its end, job {job.pk} was cancelled: it is read again within some minutes.\n"
    )
