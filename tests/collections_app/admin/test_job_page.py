"""A job's page tells how far it is without reloading, what became of each file and what to do; editors cancel and retry."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from collections_app import jobs
from collections_app.admin.words import FILES_IN_WORDS, STATES
from collections_app.exceptions import UnusablePath
from collections_app.models import AuditEvent, Collection, Document, FileOutcome, IngestJob, Source
from collections_app.reports.jobs import list_shared_reasons
from tests.collections_app.admin.conftest import make_person
from tests.factories import make_collection, make_tenant

pytestmark = pytest.mark.django_db

PARTS = ["job_progress", "job_files"]
CHANGES = ["cancel_job", "retry_job", "accept_removals"]


@pytest.fixture
def collection() -> Collection:
    return make_collection("manual")


@pytest.fixture
def source(collection: Collection, tmp_path: Path) -> Source:
    (tmp_path / "good.md").write_text("# Good\n\ntext\n")
    (tmp_path / "broken.md").write_text("---\ntitle: [\n---\n# Broken\n")
    return jobs.ensure_directory_source(collection, tmp_path)


@pytest.fixture
def editor(collection: Collection) -> Client:
    return make_person("editor", collection.tenant)


@pytest.fixture
def viewer(collection: Collection) -> Client:
    return make_person("viewer", collection.tenant)


def get_url(name: str, job: IngestJob) -> str:
    return reverse(f"admin:{name}", args=[job.pk])


def show(client: Client, job: IngestJob, **query: str) -> str:
    answer = client.get(get_url("collections_app_ingestjob_change", job), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_words_are_there_for_every_state_and_outcome() -> None:
    assert set(STATES) == set(IngestJob.State)
    assert set(FILES_IN_WORDS) == set(FileOutcome.Outcome)


def test_each_file_tells_why_and_what_to_do(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    shown = show(viewer, job)
    document = Document.objects.get(path="good.md")
    assert reverse("admin:collections_app_document_change", args=[document.pk]) in shown
    assert "PARSE_ERROR" in shown
    assert "Whoever keeps the files mends what the reason says" in shown
    assert shown.index("broken.md") < shown.index("good.md")


def test_a_duplicate_of_what_the_run_did_not_find_may_have_been_moved(viewer: Client, source: Source) -> None:
    jobs.run_source(source)
    Path(source.location, "good.md").rename(Path(source.location, "better.md"))
    shown = show(viewer, jobs.run_source(source)[0])
    document = Document.objects.get(path="good.md")
    link = reverse("admin:collections_app_document_change", args=[document.pk])
    assert f'As <a href="{link}">good.md</a>, which this run did not find: was it moved?' in shown


def test_a_reason_that_many_files_share_is_told_above_them(viewer: Client, source: Source) -> None:
    for number in range(6):
        Path(source.location, f"broken{number}.md").write_text(Path(source.location, "broken.md").read_text())
    job, _ = jobs.run_source(source)
    shown = show(viewer, job)
    assert "7 × failed: PARSE_ERROR" in shown
    assert "(broken.md, broken0.md, broken1.md, …)" in shown


def test_a_duplicate_names_the_file_that_says_the_same(viewer: Client, source: Source) -> None:
    Path(source.location, "twin.md").write_text(Path(source.location, "good.md").read_text())
    job, _ = jobs.run_source(source)
    good = Document.objects.get(path="good.md")
    shown = show(viewer, job, outcome="duplicate")
    link = reverse("admin:collections_app_document_change", args=[good.pk])
    assert f'As <a href="{link}">good.md</a>: search shows one of them.' in shown
    assert FileOutcome.objects.get(path="twin.md").reason == "", "It is no warning"


def test_it_tells_which_documents_had_text_taken_out(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    assert "taken out" not in show(viewer, job)
    Path(source.location, "good.md").write_text("# Good\n\nte\u200b\u200b\u202ext\n")
    job, _ = jobs.run_source(source)
    shown = show(viewer, job)
    assert '<dt>With text taken out</dt><dd class="dm-count">1</dd>' in shown
    assert shown.count("Text was taken out of it: its page says what.") == 1


def test_what_is_to_be_done_fits_what_cannot_be_read(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    FileOutcome.objects.filter(job=job, path="good.md").update(
        outcome="unsupported", reason="There is no file in the archive."
    )
    assert "Do what the reason says; convert a file whose format is not read" in show(
        viewer, job, outcome="unsupported"
    )


def test_it_tells_what_was_left_out(viewer: Client, source: Source) -> None:
    Path(source.location, "guide.org").write_text("* Guide\n")
    job, _ = jobs.run_source(source)
    IngestJob.objects.filter(pk=job.pk).update(left_out={**job.left_out, "`<b>`: Leave it.": 7})
    shown = show(viewer, job)
    assert "<li>1 × <code>.org</code>: Convert it to Markdown" in shown
    assert "(guide.org)</li>" in shown
    assert "<li>7 × <code>&lt;b&gt;</code>: Leave it.</li>" in shown, "Of older jobs the paths are not known"


def test_code_in_the_reason_of_a_file_is_shown_as_code_here_and_on_the_page_of_its_document(
    viewer: Client, source: Source
) -> None:
    Path(source.location, "boat.md").write_text("---\ntitle: [x\n---\n# Boat\n")
    job, _ = jobs.run_source(source)
    document = Document.objects.get(path="boat.md")
    page = viewer.get(reverse("admin:collections_app_document_change", args=[document.pk])).content.decode()
    assert "between the <code>---</code> lines" in show(viewer, job)
    assert page.count("between the <code>---</code> lines") == 2, "Its state, and what the job did"


def test_it_counts_and_shows_warnings(viewer: Client, source: Source) -> None:
    Path(source.location, "old.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    job, _ = jobs.run_source(source)
    shown = show(viewer, job)
    assert '<dt>With warnings</dt><dd class="dm-count">1</dd>' in shown
    assert "it was read as Windows-1252" in shown


def test_it_leads_to_unchanged_documents_that_are_worth_a_look(viewer: Client, source: Source) -> None:
    Path(source.location, "old.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    Path(source.location, "odd.md").write_text("# Odd\n\nte\u200b\u200b\u202ext\n")
    assert "worth a look" not in show(viewer, jobs.run_source(source)[0])
    job, _ = jobs.run_source(source)
    shown = show(viewer, job)
    assert "<dt>With warnings</dt>" not in shown
    assert "it was read as Windows-1252" in shown
    listed = f"{reverse('admin:collections_app_document_changelist')}?source__id__exact={source.pk}&amp;look="
    for look, words, path in (
        ("warnings", "with warnings", "old.html"),
        ("taken-out", "with text taken out", "odd.md"),
    ):
        assert f'<a href="{listed}{look}">1 {words}</a>' in shown
        documents = viewer.get(f"{listed}{look}".replace("&amp;", "&")).context["cl"].queryset
        assert [document.path for document in documents] == [path]


def test_what_unchanged_files_share_does_not_displace_why_others_fail(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.reports.jobs.SHARED_REASONS", 1)
    job, _ = jobs.run_source(source)
    told = [("unchanged", "It was read as Windows-1252.")] * 7 + [("failed", "It is too large.")] * 5
    own = {"tenant_id": job.tenant_id, "collection_id": job.collection_id, "job": job}
    files = [FileOutcome(**own, path=f"{n}.md", outcome=each[0], reason=each[1]) for n, each in enumerate(told)]
    FileOutcome.objects.bulk_create(files)
    assert [shared.outcome for shared in list_shared_reasons(job)] == ["failed"]


def test_files_are_narrowed_to_an_outcome_or_a_path(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    assert "good.md" not in show(viewer, job, outcome="failed")
    assert "broken.md" not in show(viewer, job, path="GOOD")
    assert "No file is like that" in show(viewer, job, path="\0nowhere")


def test_tens_of_thousands_of_files_come_in_pages(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    files = [
        FileOutcome(
            tenant_id=job.tenant_id, collection_id=job.collection_id, job=job, path=f"p/{n:05}.md", outcome="unchanged"
        )
        for n in range(20_000)
    ]
    FileOutcome.objects.bulk_create(files, batch_size=5_000)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        shown = show(viewer, job, outcome="unchanged", page="400")
    assert "Page 400 of 400" in shown
    assert "p/19999.md" in shown
    assert "p/00000.md" not in shown
    assert len(queries) < 25


def test_a_document_that_has_left_is_no_link(viewer: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    gone = Document.objects.get(path="good.md").pk
    Path(source.location, "good.md").unlink()
    jobs.run_source(source, prune=True)
    assert reverse("admin:collections_app_document_change", args=[gone]) not in show(viewer, job)


def test_progress_is_asked_for_until_the_job_has_ended(viewer: Client, source: Source) -> None:
    job = jobs.start_job(source)
    address = get_url("job_progress", job)
    waiting = viewer.get(address).content.decode()
    assert f'hx-get="{address}"' in waiting
    assert "Waiting for its turn" in waiting
    jobs.run_job(job.pk)
    ended = viewer.get(address).content.decode()
    assert f'hx-get="{address}"' not in ended
    assert "Done, but some files were not taken" in ended
    assert 'hx-swap-oob="true"' in ended
    assert "broken.md" in ended


def test_a_running_job_tells_its_part(viewer: Client, source: Source) -> None:
    job = jobs.start_job(source)
    IngestJob.objects.update(state="running", stage="indexing", done=30, total=120, started=timezone.now())
    shown = viewer.get(get_url("job_progress", job)).content.decode()
    assert 'value="25"' in shown
    assert "30 of 120 files" in shown
    assert 'data-announce="Reading files, 20 %"' in shown


@pytest.mark.parametrize(
    ("state", "done", "said"),
    [("running", 6, "Reading files"), ("cancelled", 30, "Cancelled"), ("failed", 119, "Failed")],
)
def test_no_part_is_said_of_a_job_that_has_hardly_begun_or_has_ended(
    viewer: Client, source: Source, state: str, done: int, said: str
) -> None:
    job = jobs.start_job(source)
    IngestJob.objects.update(state=state, stage="indexing", done=done, total=120, started=timezone.now())
    assert f'data-announce="{said}"' in viewer.get(get_url("job_progress", job)).content.decode()


def test_an_editor_confirms_that_most_documents_are_gone(editor: Client, viewer: Client, source: Source) -> None:
    for number in range(12):
        Path(source.location, f"{number}.md").write_text(f"# Page {number}\n")
    jobs.run_source(source)
    for number in range(12):
        Path(source.location, f"{number}.md").unlink()
    job, _ = jobs.run_source(source, prune=True)
    assert get_url("accept_removals", job) not in show(viewer, job)
    shown = show(editor, job)
    assert "Done, but removals are held" in shown
    assert -1 < shown.find(get_url("accept_removals", job)) < shown.find(get_url("retry_job", job)), "It comes first"
    assert '<button class="dm-button" id="accept-removals">' in shown
    assert '<button class="dm-button dm-second">Retry what failed' in shown
    editor.post(get_url("accept_removals", job))
    confirming = IngestJob.objects.get(accepts_removals=True)
    assert (confirming.prune, confirming.requested_by.startswith("editor-")) == (True, True)
    jobs.run_job(confirming.pk)
    assert get_url("accept_removals", confirming) not in show(editor, confirming)
    assert source.documents.count() == 2


def test_an_editor_cancels_and_retries(editor: Client, source: Source) -> None:
    job = jobs.start_job(source)
    assert get_url("cancel_job", job) in show(editor, job)
    assert "Cancelled" in editor.post(get_url("cancel_job", job), follow=True).content.decode()
    assert IngestJob.objects.get().state == "cancelled"
    assert get_url("retry_job", job) in show(editor, job)
    editor.post(get_url("retry_job", job))
    retrying = IngestJob.objects.get(retry_of=job)
    assert retrying.requested_by.startswith("editor-")


def test_a_job_that_ended_meanwhile_is_not_cancelled(editor: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    assert "has ended already" in editor.post(get_url("cancel_job", job), follow=True).content.decode()
    assert not AuditEvent.objects.filter(action="cancel").exists()


def test_nothing_is_offered_where_nothing_is_worth_a_retry(editor: Client, source: Source) -> None:
    Path(source.location, "broken.md").unlink()
    job, _ = jobs.run_source(source)
    assert get_url("retry_job", job) not in show(editor, job)
    assert "worth another try" in editor.post(get_url("retry_job", job), follow=True).content.decode()


def test_a_path_that_no_document_may_have_is_not_worth_a_retry(editor: Client, source: Source) -> None:
    job, _ = jobs.run_source(source)
    assert job.state == "partial"
    assert get_url("retry_job", job) in show(editor, job)
    FileOutcome.objects.filter(job=job, path="broken.md").update(code=UnusablePath.code)
    assert get_url("retry_job", job) not in show(editor, job)
    said = editor.post(get_url("retry_job", job), follow=True).content.decode()
    assert "no file of it failed or was left out that another try could mend" in said


def test_a_viewer_changes_nothing(viewer: Client, source: Source) -> None:
    job = jobs.start_job(source)
    shown = show(viewer, job)
    for name in CHANGES:
        assert get_url(name, job) not in shown
        assert viewer.post(get_url(name, job)).status_code == 403
    assert IngestJob.objects.get().state == "queued"


@pytest.mark.parametrize("name", [*PARTS, *CHANGES, "collections_app_ingestjob_change"])
def test_another_tenants_job_is_not_there(source: Source, name: str) -> None:
    job = jobs.start_job(source)
    stranger = make_person("owner", make_tenant())
    assert stranger.get(get_url(name, job)).status_code in (404, 405)
    assert stranger.post(get_url(name, job)).status_code == 404
    assert IngestJob.objects.get().state == "queued"


@pytest.mark.parametrize("name", CHANGES)
def test_looking_changes_nothing(editor: Client, source: Source, name: str) -> None:
    job = jobs.start_job(source)
    assert editor.get(get_url(name, job)).status_code == 405
    assert IngestJob.objects.get().state == "queued"


def test_names_of_files_are_text(viewer: Client, source: Source) -> None:
    Path(source.location, "<img src=x>.md").write_text("# X\n")
    job, _ = jobs.run_source(source)
    assert "<img src=x>" not in show(viewer, job)
