"""`docsmcp sync_sources`."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from collections_app import jobs
from collections_app.jobs.lifecycle import RUN_LOCK
from collections_app.models import Collection, Document, IngestJob, RemovedDocument, Source
from tests.collections_app.management.conftest import Run
from tests.factories import find_paths, make_collection, make_tenant
from tests.held_lock import held_lock


def get_paths() -> list[str]:
    return list(Document.objects.values_list("path", flat=True))


def let_pass(seconds: int) -> None:
    """As if every job had been made so much earlier."""
    IngestJob.objects.update(created=timezone.now() - timedelta(seconds=seconds))


def test_it_reads_only_what_is_due(run: Run, source: Source) -> None:
    assert run("sync_sources")[1] == "No source is due.\n"
    source.refresh_interval_seconds = 300
    source.save()
    code, out, _ = run("sync_sources")
    assert (code, get_paths()) == (0, ["a.md", "b.md", "c.md"])
    assert f"Source {source.pk}: 3 indexed" in out
    assert run("sync_sources")[1] == "No source is due.\n"
    let_pass(301)
    assert "3 unchanged" in run("sync_sources", "--due")[1]


def test_a_source_that_is_not_to_be_read_by_itself_is_not_due(run: Run, source: Source) -> None:
    Source.objects.update(refresh_interval_seconds=300, auto_index=False)
    assert run("sync_sources")[1] == "No source is due.\n"
    assert run("sync_sources", "--source", source.pk)[0] == 0
    assert len(get_paths()) == 3


def test_it_removes_what_is_gone(run: Run, source: Source, folder: Path) -> None:
    run("sync_sources", "--all")
    (folder / "b.md").unlink()
    assert "1 removed" in run("sync_sources", "--all")[1]
    assert get_paths() == ["a.md", "c.md"]


def test_it_removes_most_of_a_source_only_when_told_so(run: Run, source: Source, folder: Path) -> None:
    for number in range(12):
        (folder / f"{number}.md").write_text(f"# Page {number}\n")
    run("sync_sources", "--all")
    for number in range(12):
        (folder / f"{number}.md").unlink()
    code, _, told = run("sync_sources", "--all")
    assert (code, len(get_paths())) == (1, 15)
    assert "--accept-removals" in told
    code, out, _ = run("sync_sources", "--source", source.pk, "--accept-removals")
    assert (code, get_paths()) == (0, ["a.md", "b.md", "c.md"])
    assert "12 removed" in out


def test_one_source_that_cannot_be_read_stops_no_other(run_json: Any, source: Source, tmp_path: Path) -> None:
    gone = jobs.ensure_directory_source(source.collection, tmp_path / "gone")
    code, report = run_json("sync_sources", "--all")
    assert code == 1
    results = {result["source"]: result for result in report["sources"]}
    assert results[source.pk]["outcomes"] == {"indexed": 3}
    assert results[gone.pk]["error"]["code"] == "INVALID_PARAMETER"


def test_nothing_done_is_no_success(run: Run, source: Source, folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert run("sync_sources", "--all")[0] == 2
    assert run("sync_sources", "--source", 999)[0] == 2


def test_in_the_background_it_leaves_jobs(run_json: Any, source: Source) -> None:
    code, report = run_json("sync_sources", "--all", "--background")
    job = IngestJob.objects.get()
    assert (code, report["sources"]) == (0, [{"source": source.pk, "job": job.pk, "state": "queued"}])
    code, report = run_json("sync_sources", "--all", "--background")
    assert code == 2
    assert f"job {job.pk}" in report["sources"][0]["error"]["message"]


def test_it_lists_sources(run: Run, run_json: Any, source: Source) -> None:
    run("sync_sources", "--all")
    lines = run("sync_sources", "--list")[1].splitlines()
    assert lines[0].split()[:4] == ["SOURCE", "COLLECTION", "KIND", "DOCUMENTS"]
    assert lines[1].split()[:5] == [str(source.pk), "docs", "directory", "3", str(IngestJob.objects.get().pk)]
    assert lines[1].endswith(source.location)
    _, report = run_json("sync_sources", "--list")
    assert report["sources"][0]["last_job"]["state"] == "succeeded"
    assert report["sources"][0]["next_refresh"] is None


def test_it_names_no_source_of_another_tenant(run: Run, source: Source) -> None:
    other = make_collection("other")
    assert run("sync_sources", "--list", "--tenant", other.tenant.slug)[1] == "There are no sources.\n"
    assert run("sync_sources", "--remove", source.pk, "--tenant", other.tenant.slug)[0] == 2
    assert Source.objects.filter(pk=source.pk).exists()


def test_a_removed_source_takes_its_documents_along_and_they_can_come_back(
    run: Run, source: Source, collection: Collection
) -> None:
    run("sync_sources", "--all")
    code, out, _ = run("sync_sources", "--remove", source.pk)
    assert (code, get_paths(), find_paths(collection, "llamas")) == (0, [], [])
    assert "went with it: 3." in out
    assert not Source.objects.exists()
    assert RemovedDocument.objects.count() == 3
    assert run("restore_documents", "--collection", "docs")[0] == 0
    assert sorted(find_paths(collection, "llamas")) == ["a.md", "b.md", "c.md"]


@pytest.mark.usefixtures("transactional_db")
def test_of_a_source_without_documents_nothing_can_come_back(run: Run, source: Source) -> None:
    code, out, _ = run("sync_sources", "--remove", source.pk)
    assert (code, out) == (0, f"Source {source.pk} is gone. Documents that went with it: 0.\n")


def test_a_source_that_is_being_read_is_not_removed(run: Run, source: Source) -> None:
    with held_lock(RUN_LOCK, source.pk):
        code, _, err = run("sync_sources", "--remove", source.pk)
    assert code == 2
    assert "being ingested already" in err
    assert Source.objects.exists()


def test_it_lists_and_reads_those_of_every_tenant(run: Run, run_json: Any, source: Source, folder: Path) -> None:
    other = jobs.ensure_directory_source(make_collection("docs", tenant=make_tenant("acme")), folder)
    listed = run("sync_sources", "--list", "--all-tenants")[1].splitlines()[1:]
    assert [line.split()[:2] for line in listed] == [
        [str(source.pk), "default/docs"],
        [str(other.pk), "acme/docs"],
    ]
    assert [each["tenant"] for each in run_json("sync_sources", "--list", "--all-tenants")[1]["sources"]] == [
        "default",
        "acme",
    ]
    code, out, _ = run("sync_sources", "--all", "--all-tenants")
    assert (code, f"Source {other.pk} of acme/docs: 3 indexed" in out) == (0, True)
    assert Document.objects.count() == 6


def test_it_reads_uploads_too_when_told_to(run: Run, run_json: Any, collection: Collection) -> None:
    job = jobs.accept_uploads(collection, [jobs.NewUpload("a.md", b"# A")])
    jobs.run_job(job.pk)
    assert run("sync_sources", "--all")[1] == "There are no sources to read.\n"
    Document.objects.update(recipe="of an earlier")
    code, report = run_json("sync_sources", "--all", "--uploads")
    assert (code, [each["outcomes"] for each in report["sources"]]) == (0, [{"indexed": 1}])
    code, _, err = run("sync_sources", "--uploads")
    assert (code, "--all" in err) == (2, True)


def test_what_a_held_removal_tells_to_type_names_the_tenant(run: Run, folder: Path) -> None:
    source = jobs.ensure_directory_source(make_collection("docs", tenant=make_tenant("acme")), folder)
    for number in range(12):
        (folder / f"{number}.md").write_text(f"# Page {number}\n")
    run("sync_sources", "--tenant", "acme", "--all")
    for number in range(12):
        (folder / f"{number}.md").unlink()
    told = f"`docsmcp sync_sources --tenant acme --source {source.pk} --accept-removals`"
    assert told in run("sync_sources", "--tenant", "acme", "--all")[2]
