"""Editors change where a source leads and what of it is taken, with the checks of a new one; the next reading follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from collections_app import jobs
from collections_app.encryption import decrypt
from collections_app.models import AuditEvent, Collection, Document, IngestJob, RemovedDocument, Source
from collections_app.sources.git import GitOptions
from collections_app.sources.selection import FileChoice
from collections_app.sources.site import SiteOptions
from tests.collections_app.admin.conftest import make_person
from tests.collections_app.clients.loopback import HOST, Answer, Asked, LoopbackSite, links, page, serve_site
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db

REPOSITORY = "https://example.org/r.git"


@pytest.fixture
def site(configure: Callable[..., None]) -> Iterator[LoopbackSite]:
    configure(fetch_allowed_hosts=(HOST,))
    with serve_site() as site:
        site.routes["/docs/"] = page(links("a.html", "old/b.html"))
        site.routes |= {"/docs/a.html": answer_once, "/docs/old/b.html": page("text of b")}
        yield site


def answer_once(asked: Asked) -> Answer:
    """A page that did not change since anybody asked for it."""
    if asked.headers.get("if-none-match"):
        return Answer(status=304, content_type=None)
    return page("text of a", ETag='"1"')


def get_address(source: Source) -> str:
    return reverse("admin:collections_app_source_change", args=[source.pk])


def fill(client: Client, source: Source, **given: Any) -> dict[str, Any]:
    """What a browser would send of the form as it is shown, with these fields filled in otherwise; None is a box that is not ticked."""
    shown_page: Any = html.fromstring(client.get(get_address(source)).content.decode())
    [form] = [form for form in shown_page.forms if "max_file_bytes" in form.fields]
    empty = dict.fromkeys(form.xpath(".//input[not(@type='checkbox')]/@name"), "")
    shown = empty | dict(form.form_values()) | given
    return {name: value for name, value in shown.items() if value is not None}


def save(client: Client, source: Source, **given: Any) -> Any:
    return client.post(get_address(source), fill(client, source, **given))


def make_site(collection: Collection, **options: Any) -> Source:
    return jobs.ensure_site_source(collection, SiteOptions(**{"url": "https://example.org/docs/", **options}))


def make_repository(collection: Collection, url: str = REPOSITORY, **options: str) -> Source:
    return jobs.ensure_git_source(collection, url, GitOptions(**options), token="t0ken")


def list_paths(collection: Collection) -> list[str]:
    return list(Document.objects.filter(collection=collection).values_list("path", flat=True))


class TestChanging:
    def test_all_that_was_given_of_a_site(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection)
        below = "https://example.org/"
        answer = save(
            editor, source, location="https://example.org/guide/start.html", below=below, language="en", follow_links=None,
            max_pages="50", max_file_bytes="1000", include="guide/*\r\n*.html", exclude="old/", refresh="3600",
        )  # fmt: skip
        assert answer.headers["Location"] == reverse("admin:collection_sources", args=[collection.pk])
        changed = Source.objects.get()
        assert (changed.pk, changed.location) == (source.pk, "https://example.org/guide/start.html")
        assert changed.options == {"prefix": below, "language": "en", "follow_links": False, "max_pages": 50}
        assert (changed.include, changed.exclude, changed.max_file_bytes) == (["guide/*", "*.html"], ["old/"], 1000)
        assert changed.refresh_interval_seconds == 3600
        assert not IngestJob.objects.exists()

    def test_branch_and_folder_of_a_repository(self, editor: Client, collection: Collection) -> None:
        source = make_repository(collection, branch="main")
        save(editor, source, branch="next", folder="docs")
        changed = Source.objects.get()
        assert changed.location == f"{REPOSITORY}#next:docs"
        assert changed.options == {"branch": "next", "folder": "docs"}
        assert decrypt(changed.encrypted_token) == "t0ken"

    def test_a_token_goes_to_no_other_address(self, editor: Client, collection: Collection) -> None:
        source = make_repository(collection)
        save(editor, source, location="https://elsewhere.example/r.git")
        assert Source.objects.get().encrypted_token == ""
        save(editor, source, token="another")
        assert decrypt(Source.objects.get().encrypted_token) == "another"

    def test_patterns_of_what_is_uploaded(self, editor: Client, collection: Collection) -> None:
        jobs.accept_uploads(collection, [jobs.NewUpload("a.md", b"# A\n")])
        save(editor, Source.objects.get(), exclude="drafts/")
        assert Source.objects.get().exclude == ["drafts/"]

    def test_a_folder_stays_below_the_allowed_ones(
        self, editor: Client, collection: Collection, tmp_path: Path, configure: Callable[..., None]
    ) -> None:
        configure(allowed_roots=(tmp_path / "open",))
        for name in ("open/a", "open/b", "shut"):
            (tmp_path / name).mkdir(parents=True)
        source = jobs.ensure_directory_source(collection, tmp_path / "open/a")
        assert "ALLOWED_ROOTS" in save(editor, source, location=str(tmp_path / "shut")).content.decode()
        save(editor, source, location=str(tmp_path / "open/b"))
        assert Source.objects.get().location == str((tmp_path / "open/b").resolve())

    def test_what_is_read_of_a_folder_outside_is_the_operators_to_say(
        self, editor: Client, collection: Collection, tmp_path: Path
    ) -> None:
        source = jobs.ensure_directory_source(collection, tmp_path, FileChoice(["public/"], max_file_bytes=1000))
        for change in ({"include": ""}, {"exclude": "old/"}, {"max_file_bytes": "2000"}):
            assert "only a superuser" in save(editor, source, **change).content.decode()
        kept = Source.objects.get()
        assert (kept.include, kept.exclude, kept.max_file_bytes) == (["public/"], [], 1000)
        save(editor, source, refresh="3600")
        assert Source.objects.get().refresh_interval_seconds == 3600
        save(make_person("superuser", collection.tenant), source, include="*.md")
        assert (Source.objects.get().include, Source.objects.get().is_operators) == (["*.md"], True)

    def test_what_an_editor_changed_is_read_as_long_as_it_is_allowed(
        self, editor: Client, collection: Collection, tmp_path: Path, configure: Callable[..., None]
    ) -> None:
        (tmp_path / "a.md").write_text("# A\n\nwords\n")
        configure(allowed_roots=(tmp_path,))
        source = jobs.ensure_directory_source(collection, tmp_path)
        save(editor, source, include="*.md")
        job = jobs.start_job(Source.objects.get())
        jobs.run_job(job.pk)
        configure(allowed_roots=())
        source.refresh_from_db()
        again = jobs.start_job(source)
        jobs.run_job(again.pk)
        for each in (job, again):
            each.refresh_from_db()
        assert (job.state, again.state, again.error_code) == ("succeeded", "failed", "PERMISSION_DENIED")
        assert "ALLOWED_ROOTS" in again.error_message
        assert str(tmp_path) not in again.error_message
        assert collection.documents.count() == 1

    def test_a_schedule_of_its_own_stays_until_another_is_chosen(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection)
        Source.objects.update(refresh_interval_seconds=60)
        save(editor, source, exclude="old/")
        assert Source.objects.get().refresh_interval_seconds == 60
        Source.objects.update(auto_index=False)
        save(editor, source, exclude="older/")
        assert not Source.objects.get().auto_index
        save(editor, source, refresh="3600")
        changed = Source.objects.get()
        assert (changed.refresh_interval_seconds, changed.auto_index) == (3600, True)
        page = save(editor, source, refresh="60", **{"initial-refresh": "60"})
        assert "Give 300 or more, or 0 for never" in page.content.decode()
        assert Source.objects.get().refresh_interval_seconds == 3600


class TestRefusing:
    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"location": "http://127.0.0.1/"}, "location"),
            ({"location": "https://example.org/docs/", "below": "ftp://example.org/"}, "below"),
            ({"language": "klingon!"}, "language"),
            ({"max_pages": "0"}, "max_pages"),
            ({"max_file_bytes": "0"}, "max_file_bytes"),
            ({"max_file_bytes": "10485761"}, "max_file_bytes"),  # MAX_FILE_BYTES has one less
        ],
    )
    def test_a_mistake_stands_beside_its_field(
        self, editor: Client, collection: Collection, given: Any, field: str
    ) -> None:
        source = make_site(collection)
        before = Source.objects.values().get()
        assert list(save(editor, source, **given).context["form"].errors) == [field]
        assert Source.objects.values().get() == before
        assert not AuditEvent.objects.exists()

    def test_a_place_that_another_source_has(self, editor: Client, collection: Collection) -> None:
        make_site(collection, url="https://example.org/other/")
        source = make_site(collection)
        answer = save(editor, source, location="https://example.org/other/")
        assert "another source for that place" in answer.context["form"].errors["location"][0]
        source.refresh_from_db()
        assert source.location == "https://example.org/docs/"

    def test_a_viewer_looks_and_changes_nothing(self, collection: Collection) -> None:
        source, viewer = make_repository(collection, branch="main"), make_person("viewer", collection.tenant)
        shown = viewer.get(get_address(source)).content.decode()
        assert "main" in shown
        assert '<form method="post" class="dm-card"' not in shown
        assert viewer.post(get_address(source), {"location": "https://example.org/x.git"}).status_code == 403
        assert Source.objects.get().location == source.location

    def test_another_tenants_source_is_not_there(self, collection: Collection) -> None:
        source, stranger = make_site(collection), make_person("owner", make_tenant())
        assert stranger.get(get_address(source)).status_code == 404
        assert stranger.post(get_address(source), {"location": "https://example.org/x/"}).status_code == 404

    def test_what_is_secret_is_not_shown(self, editor: Client, collection: Collection) -> None:
        assert "t0ken" not in editor.get(get_address(make_repository(collection))).content.decode()


class TestTwoWindows:
    def test_what_one_did_not_touch_the_other_keeps(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection, include=("guide/",))
        window = fill(editor, source, exclude="drafts/", follow_links=None)
        save(editor, source, include="guide/\nhelp/", max_pages="7")
        assert editor.post(get_address(source), window).status_code == 302
        source.refresh_from_db()
        assert (source.include, source.exclude) == (["guide/", "help/"], ["drafts/"])
        assert (source.options["max_pages"], source.options["follow_links"]) == (7, False)

    def test_what_both_changed_is_told_first(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection)
        window = fill(editor, source, include="guide/", refresh="300")
        save(editor, source, include="help/\nmore/", refresh="3600")
        answer = editor.post(get_address(source), window)
        errors = answer.context["form"].errors
        assert set(errors) == {"include", "refresh"}
        assert "now it is “help/, more/”. Save again" in errors["include"][0]
        assert "now it is “Every hour”" in errors["refresh"][0]
        source.refresh_from_db()
        assert (source.include, source.refresh_interval_seconds) == (["help/", "more/"], 3600)
        form = answer.context["form"]
        again = window | {name: form.data[name] for name in ("initial-include", "initial-refresh")}
        assert editor.post(get_address(source), again).status_code == 302
        source.refresh_from_db()
        assert (source.include, source.refresh_interval_seconds) == (["guide/"], 300)

    def test_blanks_that_are_stored_around_a_pattern_are_no_change_of_another_window(
        self, editor: Client, collection: Collection
    ) -> None:
        source = make_site(collection, include=("docs/ ",))
        assert save(editor, source, include="guide/").status_code == 302
        source.refresh_from_db()
        assert source.include == ["guide/"]

    def test_an_interval_that_was_shown_may_be_another_meanwhile(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection)
        Source.objects.update(refresh_interval_seconds=7200)
        window = fill(editor, source, exclude="drafts/")
        Source.objects.update(refresh_interval_seconds=3600)
        assert editor.post(get_address(source), window).status_code == 302
        source.refresh_from_db()
        assert (source.exclude, source.refresh_interval_seconds) == (["drafts/"], 3600)


class TestAudit:
    def test_it_names_what_was_changed_and_not_what_was_typed(self, editor: Client, collection: Collection) -> None:
        source = make_repository(collection)
        save(editor, source, branch="next", token="n3w-token")
        event = AuditEvent.objects.get()
        assert (event.action, event.object_id) == ("change", str(source.pk))
        assert event.details == "Changed Branch or tag, Access token."

    def test_nothing_is_said_of_nothing(self, editor: Client, collection: Collection) -> None:
        source = make_site(collection, include=("*.html", "guide/"))
        save(editor, source, include="*.html\r\nguide/\r\n")
        assert not AuditEvent.objects.exists()


class TestReading:
    def test_the_next_one_takes_what_is_asked_for_now(
        self, editor: Client, collection: Collection, site: LoopbackSite
    ) -> None:
        source = make_site(collection, url=site.url("/docs/"))
        jobs.run_source(source, prune=True)
        assert list_paths(collection) == ["a.html", "index.html", "old/b.html"]
        answer = save(editor, source, exclude="old/", read="1")
        job = IngestJob.objects.get(state="queued")
        assert answer.headers["Location"] == reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert list_paths(collection) == ["a.html", "index.html", "old/b.html"], "Not before the reading"
        jobs.run_job(job.pk)
        assert list_paths(collection) == ["a.html", "index.html"]
        assert RemovedDocument.objects.get().path == "old/b.html"

    def test_pages_that_did_not_change_are_found_at_their_new_paths(
        self, editor: Client, collection: Collection, site: LoopbackSite
    ) -> None:
        source = make_site(collection, url=site.url("/docs/"))
        jobs.run_source(source, prune=True)
        save(editor, source, below=site.url("/"), read="1")
        jobs.run_job(IngestJob.objects.get(state="queued").pk)
        assert IngestJob.objects.latest("pk").state == "succeeded"
        assert list_paths(collection) == ["docs", "docs/a.html", "docs/old/b.html"]

    def test_one_waits_for_that_which_follows_what_was_there_before(
        self, editor: Client, collection: Collection
    ) -> None:
        source = make_site(collection)
        job = jobs.start_job(source)
        IngestJob.objects.update(state="running")
        save(editor, source, exclude="old/", read="1")
        assert IngestJob.objects.get(state="queued").pk != job.pk

    def test_it_can_be_looked_at_first_whatever_its_schedule(
        self, editor: Client, collection: Collection, site: LoopbackSite
    ) -> None:
        source = make_site(collection, url=site.url("/docs/"))
        Source.objects.update(refresh_interval_seconds=60)
        given = fill(editor, source, exclude="old/")
        shown = editor.post(reverse("admin:preview_site", args=[collection.pk]), given).content.decode()
        assert "2 pages would be taken" in shown
