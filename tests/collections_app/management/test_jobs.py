"""`docsmcp jobs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, load_command_class

from collections_app import jobs
from collections_app.management.job_text import format_jobs
from collections_app.models import Collection, IngestJob, Source
from tests.collections_app.management.conftest import Run
from tests.factories import make_collection, make_tenant


@pytest.fixture
def job(source: Source, folder: Path) -> IngestJob:
    """One that has ended, with one failure."""
    (folder / "bad.md").write_text("---\ntitle: [\n---\n")
    return jobs.run_source(source)[0]


def test_it_lists_the_newest_first(run: Run, job: IngestJob, source: Source) -> None:
    newer = jobs.run_source(source)[0]
    lines = run("jobs", "list")[1].splitlines()
    assert [line.split()[0] for line in lines] == ["JOB", str(newer.pk), str(job.pk)]
    assert "4 of 4" in lines[1]
    assert len(run("jobs", "list", "--limit", 1)[1].splitlines()) == 2
    assert len(run("jobs", "list", "--limit", "00000000000002")[1].splitlines()) == 3


def test_which_wait_for_which_is_asked_once_for_a_list(
    collection: Collection, tmp_path: Path, django_assert_num_queries: Any
) -> None:
    for name in ("a", "b"):
        source = jobs.ensure_directory_source(collection, tmp_path / name)
        before = jobs.start_job(source)
        IngestJob.objects.filter(pk=before.pk).update(state="running")
        jobs.start_job(source, follow=True)
    listed = list(IngestJob.objects.select_related("collection", "source"))
    with django_assert_num_queries(1):
        table = format_jobs(listed, lambda each: each.slug)
    for before in IngestJob.objects.filter(state="running"):
        assert table.count(f"It waits for the end of job {before.pk}:") == 1


@pytest.mark.parametrize("count", ["0", "00", "-1", "many", "1000001", "0000000001999999999999", "9" * 5000])
def test_it_refuses_a_limit_that_is_none(count: str) -> None:
    with pytest.raises(CommandError, match=f"'{count[:40]}' is no number of rows"):
        call_command("jobs", "list", f"--limit={count}")


def test_moments_are_written_as_in_the_rest_api(run_json: Any, job: IngestJob) -> None:
    [listed] = run_json("jobs", "list")[1]["jobs"]
    assert listed["created"] == job.created.isoformat()


def test_it_lists_those_of_a_state_or_a_collection(run: Run, run_json: Any, job: IngestJob) -> None:
    assert run("jobs", "list", "--state", "running")[1] == "There are no jobs.\n"
    _, report = run_json("jobs", "list", "--state", "partial", "--collection", "docs")
    assert [listed["job"] for listed in report["jobs"]] == [job.pk]
    assert run("jobs", "list", "--collection", "nope")[0] == 2


def test_a_duplicate_names_what_it_equals_and_was_called(run: Run, source: Source, folder: Path) -> None:
    jobs.run_source(source)
    (folder / "a.md").rename(folder / "z.md")
    job, _ = jobs.run_source(source)
    out = run("jobs", "show", job.pk)[1]
    assert "  duplicate: z.md: as a.md, which this run did not find: moved? A run with --prune removes it\n" in out


def test_it_counts_documents_that_text_was_taken_out_of(run: Run, run_json: Any, source: Source, folder: Path) -> None:
    (folder / "z.md").write_text("# Z\n\nlla\u200b\u200b\u202emas\n")
    job, _ = jobs.run_source(source)
    assert (
        "\ntaken out     text of documents: 1 (invisible characters of 1; their pages in the admin quote it)\n"
        in run("jobs", "show", job.pk)[1]
    )
    assert run_json("jobs", "show", job.pk)[1]["cleaned"] == 1


def test_it_shows_warnings_of_documents_that_did_not_change(
    run: Run, run_json: Any, source: Source, folder: Path
) -> None:
    (folder / "z.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    jobs.run_source(source)
    job, _ = jobs.run_source(source)
    out = run("jobs", "show", job.pk, "--limit", 1)[1]
    assert "\nearlier       Unchanged, and worth a look: 1 with warnings\n" in out
    assert "\n  unchanged: z.html: " in out
    assert "it was read as Windows-1252" in out
    report = run_json("jobs", "show", job.pk)[1]
    assert (report["still_warned"], report["still_cleaned"]) == (1, 0)


def test_it_names_some_of_what_was_left_out(run: Run, run_json: Any, source: Source, folder: Path) -> None:
    for number in range(7):
        (folder / f"{number}.org").write_text("* A\n")
    job, _ = jobs.run_source(source)
    assert "(0.org, 1.org, 2.org, 3.org, 4.org, …)\n" in run("jobs", "show", job.pk)[1]
    (paths,) = run_json("jobs", "show", job.pk)[1]["left_out_paths"].values()
    assert paths == [f"{number}.org" for number in range(5)]


def test_a_long_message_is_cut_in_the_list_and_whole_in_the_job(run: Run, run_json: Any, job: IngestJob) -> None:
    message = "The source no longer has most of its documents. " * 8
    IngestJob.objects.update(error_message=message.strip())
    [line] = run("jobs", "list")[1].splitlines()[1:]
    assert line.endswith("  The source no longer has most of its documents. The source no longer has most o…")
    assert message.strip() in run("jobs", "show", job.pk)[1]
    assert run_json("jobs", "list")[1]["jobs"][0]["message"] == message.strip()


def test_control_characters_that_stand_in_a_row_are_not_printed(run: Run, job: IngestJob) -> None:
    job.outcomes.filter(path="bad.md").update(reason="red \x1b[31m", source_url="")
    IngestJob.objects.filter(pk=job.pk).update(error_message="\x1b]0;mine\x07", requested_by="a\x9bb")
    for command in (["list"], ["show", job.pk], ["show", job.pk, "--limit", 10]):
        out = run("jobs", *command)[1]
        assert all(line.isprintable() for line in out.splitlines())
        assert "]0;mine" in out


def test_it_shows_what_failed_first(run: Run, job: IngestJob) -> None:
    code, out, _ = run("jobs", "show", job.pk)
    assert code == 0
    assert out.splitlines()[0].split() == ["Job", str(job.pk), "partial"]
    assert "1 failed, 3 indexed" in out
    files = [line.strip() for line in out.splitlines() if line.startswith("  ")]
    assert files[0].startswith("failed: bad.md: PARSE_ERROR")
    assert files[1] == "indexed: a.md"
    assert "3 more" in run("jobs", "show", job.pk, "--limit", 1)[1]


def test_it_shows_warnings_before_what_was_read_without_any(run: Run, source: Source, folder: Path) -> None:
    (folder / "z.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    job = jobs.run_source(source)[0]
    lines = run("jobs", "show", job.pk, "--limit", 2)[1].splitlines()
    files = [line.strip() for line in lines if line.startswith("  ")]
    assert files[0].startswith("indexed: z.html: ")
    assert files[1] == "indexed: a.md"


def test_a_reason_that_many_files_share_is_said_once(run: Run, source: Source, folder: Path) -> None:
    for number in range(7):
        (folder / f"bad{number}.md").write_text("---\ntitle: [\n---\n")
    job = jobs.run_source(source)[0]
    lines = run("jobs", "show", job.pk)[1].splitlines()
    (often,) = (line for line in lines if line.startswith("often"))
    assert "7 × failed: PARSE_ERROR" in often
    assert often.endswith("(bad0.md, bad1.md, bad2.md, …)")
    assert "  failed: bad6.md: PARSE_ERROR (as above)" in lines


def test_it_shows_as_json(run_json: Any, job: IngestJob) -> None:
    code, report = run_json("jobs", "show", job.pk)
    assert (code, report["state"], report["outcomes"]) == (0, "partial", {"failed": 1, "indexed": 3})
    assert report["files"][0]["path"] == "bad.md"


def test_it_follows_a_job_to_its_end(run: Run, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    queued = jobs.start_job(source)
    wait = jobs.wait_for_job

    def run_meanwhile(job: IngestJob, seconds: float) -> Iterator[IngestJob]:
        jobs.run_job(job.pk)
        yield from wait(job, seconds)

    monkeypatch.setattr(jobs, "wait_for_job", run_meanwhile)
    code, out, _ = run("jobs", "show", queued.pk, "--follow")
    assert code == 0
    assert "succeeded" in out


def test_following_a_job_that_did_not_succeed_says_so_by_its_exit_code(run: Run, job: IngestJob) -> None:
    assert run("jobs", "show", job.pk, "--follow")[0] == 1


def test_it_does_not_cancel_what_has_ended(run: Run, source: Source) -> None:
    job, _ = jobs.run_source(source)
    code, out, err = run("jobs", "cancel", job.pk)
    assert (code, out) == (2, "")
    assert "has ended already: succeeded" in err


def test_it_is_told_to_be_quiet_before_or_behind_the_action() -> None:
    parser = load_command_class("collections_app", "jobs").create_parser("docsmcp", "jobs")
    for arguments in (["-v", "0", "list"], ["list", "-v", "0"]):
        assert parser.parse_args(arguments).verbosity == 0
    assert parser.parse_args(["list"]).verbosity == 1


def test_it_cancels(run: Run, source: Source) -> None:
    queued = jobs.start_job(source)
    code, out, _ = run("jobs", "cancel", queued.pk)
    assert (code, out) == (0, f"Job {queued.pk}: cancelled\n")


def test_it_retries_what_failed(run_json: Any, job: IngestJob) -> None:
    code, report = run_json("jobs", "retry", job.pk)
    retry = IngestJob.objects.get(pk=report["job"])
    assert (code, retry.state, retry.only, retry.retry_of_id) == (0, "queued", ["bad.md"], job.pk)


def test_it_refuses_to_retry_what_has_not_ended(run: Run, source: Source) -> None:
    queued = jobs.start_job(source)
    code, _, err = run("jobs", "retry", queued.pk)
    assert code == 2
    assert f"job {queued.pk}" in err


@pytest.mark.parametrize("action", ["show", "cancel", "retry"])
def test_a_job_of_another_tenant_is_not_there(run: Run, job: IngestJob, action: str) -> None:
    make_tenant("acme")
    code, _, err = run("jobs", action, job.pk, "--tenant", "acme")
    assert code == 2
    assert f"Tenant 'acme' has no job {job.pk}: `docsmcp jobs list`" in err


def test_it_lists_those_of_every_tenant(run: Run, run_json: Any, job: IngestJob, folder: Path) -> None:
    other = make_collection("docs", tenant=make_tenant("acme"))
    theirs, _ = jobs.run_source(jobs.ensure_directory_source(other, folder), requested_by="a test")
    lines = run("jobs", "list", "--all-tenants")[1].splitlines()[1:]
    assert [line.split()[0] for line in lines] == [str(theirs.pk), str(job.pk)]
    assert ["acme/docs" in lines[0], "default/docs" in lines[1]] == [True, True]
    _, report = run_json("jobs", "list", "--all-tenants")
    assert [each["tenant"] for each in report["jobs"]] == ["acme", "default"]
    assert "--all-tenants" in run("jobs", "show", theirs.pk)[2]
