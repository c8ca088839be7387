"""People put documents into collections without a terminal, where they are editors, and are told beside the field what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from collections_app import jobs, site_preview
from collections_app.admin.adding import choosing, places
from collections_app.admin.adding.forms import NewCollectionForm
from collections_app.encryption import decrypt
from collections_app.exceptions import JobUnfinished
from collections_app.models import AuditEvent, Collection, Document, IngestJob, Source, Tenant, Upload
from tests.collections_app.admin.conftest import make_person
from tests.collections_app.clients.loopback import HOST, LoopbackSite, links, page, serve_site
from tests.factories import make_collection, make_tenant, put
from tests.other_thread import start

pytestmark = pytest.mark.django_db

EDITORS_ONLY = ["add_documents", "site", "repository", "folder", "preview_site"]


@pytest.fixture
def site(configure: Callable[..., None]) -> Iterator[LoopbackSite]:
    configure(fetch_allowed_hosts=(HOST,))
    with serve_site() as site:
        yield site


def name_page(name: str, collection: Collection) -> str:
    if name in ("site", "repository", "folder"):
        return reverse("admin:add_place", args=[collection.pk, name])
    return reverse(f"admin:{name}", args=[collection.pk])


def place(collection: Collection, way: str, **given: Any) -> tuple[str, dict[str, Any]]:
    """Where to send the form of such a place, and what a browser would send."""
    usual: dict[str, Any] = {"include": "", "exclude": "", "max_file_bytes": "1000000", "refresh": "86400"}
    if way == "site":
        usual |= {"follow_links": "on", "max_pages": "10000"}
    return name_page(way, collection), usual | given


def send_files(client: Client, collection: Collection, *files: tuple[str, bytes], **form: Any) -> Any:
    given = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(name_page("add_documents", collection), {"file": given, **form})


def send_from_script(client: Client, collection: Collection, *files: tuple[str, bytes], **form: Any) -> Any:
    client.defaults["HTTP_ACCEPT"] = "application/json"
    return send_files(client, collection, *files, **form)


class TestWhoMay:
    @pytest.mark.parametrize("name", [*EDITORS_ONLY, "collection_sources"])
    def test_another_tenants_collection_is_not_there(self, collection: Collection, name: str) -> None:
        stranger = make_person("owner", make_tenant())
        assert stranger.get(name_page(name, collection)).status_code == 404
        assert stranger.post(name_page(name, collection)).status_code == 404

    @pytest.mark.parametrize("name", EDITORS_ONLY)
    def test_a_viewer_adds_nothing(self, collection: Collection, name: str) -> None:
        viewer = make_person("viewer", collection.tenant)
        assert viewer.get(name_page(name, collection)).status_code == 403
        assert viewer.post(name_page(name, collection)).status_code == 403

    def test_a_viewer_sees_the_sources_and_nothing_to_press(self, collection: Collection, tmp_path: Path) -> None:
        source = jobs.ensure_directory_source(collection, tmp_path)
        viewer = make_person("viewer", collection.tenant)
        shown = viewer.get(name_page("collection_sources", collection)).content.decode()
        assert tmp_path.name in shown
        assert "Read again" not in shown
        assert name_page("add_documents", collection) not in shown
        for name in ("read_source", "source_webhook"):
            assert viewer.post(reverse(f"admin:{name}", args=[source.pk])).status_code == 403
        assert not IngestJob.objects.exists()

    @pytest.mark.parametrize("name", ["read_source", "source_webhook"])
    def test_another_tenants_source_is_not_there(self, collection: Collection, tmp_path: Path, name: str) -> None:
        source = jobs.ensure_directory_source(collection, tmp_path)
        stranger = make_person("owner", make_tenant())
        assert stranger.post(reverse(f"admin:{name}", args=[source.pk])).status_code == 404
        assert not IngestJob.objects.exists()

    def test_nobody_adds_without_signing_in(self, collection: Collection) -> None:
        answer = send_files(Client(), collection, ("a.md", b"# A\n"))
        assert answer.status_code == 302
        assert "login" in answer.headers["Location"]
        assert not Upload.objects.exists()

    def test_a_form_without_its_token_is_refused(self, collection: Collection) -> None:
        careful = Client(enforce_csrf_checks=True)
        careful.cookies = make_person("editor", collection.tenant).cookies
        assert send_files(careful, collection, ("a.md", b"# A\n")).status_code == 403
        assert not Upload.objects.exists()


class TestChoosing:
    def test_only_collections_to_which_one_may_add_are_offered(self, editor: Client, collection: Collection) -> None:
        strange = make_collection("secrets")
        shown = editor.get(reverse("admin:add")).content.decode()
        assert name_page("add_documents", collection) in shown
        assert strange.name not in shown

    def test_each_tells_how_many_documents_it_has(self, editor: Client, collection: Collection) -> None:
        put(collection, {"a.md": "# A\n\nllamas\n", "b.md": "# B\n\nalpacas\n"})
        assert "2 documents" in editor.get(reverse("admin:add")).content.decode()

    def test_of_too_many_the_rest_is_searched(
        self, editor: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(choosing, "MAX_COLLECTIONS", 1)
        assert "Search in all" not in editor.get(reverse("admin:add")).content.decode()
        make_collection("other", tenant=collection.tenant)
        assert "Search in all" in editor.get(reverse("admin:add")).content.decode()

    def test_a_viewer_is_told_what_is_missing(self, collection: Collection) -> None:
        viewer = make_person("viewer", collection.tenant)
        shown = viewer.get(reverse("admin:add")).content.decode()
        assert "role editor or owner" in shown
        assert collection.name not in shown
        refused = viewer.get(reverse("admin:new_collection"), headers={"accept": "text/html"})
        assert refused.status_code == 403
        assert "needs the role editor" in refused.content.decode()

    def test_a_new_collection_leads_to_its_documents(self, editor: Client, collection: Collection) -> None:
        given = {"name": "Admin Guide 2", "tenant": collection.tenant_id, "language": "german"}
        answer = editor.post(reverse("admin:new_collection"), given)
        made = Collection.objects.get(slug="admin-guide-2")
        assert (made.tenant, made.name, made.language) == (collection.tenant, "Admin Guide 2", "german")
        assert answer.headers["Location"] == name_page("add_documents", made)
        assert made.is_language_settled

    @pytest.mark.django_db(transaction=True)
    def test_a_form_that_was_sent_twice_at_once_is_told_what_the_first_made(
        self, editor: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save = NewCollectionForm.save

        def save_too_late(form: NewCollectionForm) -> Collection:
            start(partial(save, form)).result()
            return save(form)

        monkeypatch.setattr(NewCollectionForm, "save", save_too_late)
        given = {"name": "Twice", "tenant": collection.tenant_id, "language": "german"}
        page = editor.post(reverse("admin:new_collection"), given).content.decode()
        assert "There is a collection “twice” already" in page
        assert Collection.objects.filter(slug="twice").count() == 1

    def test_its_language_may_be_found_out(self, editor: Client, collection: Collection) -> None:
        assert "As the first documents are in" in editor.get(reverse("admin:new_collection")).content.decode()
        editor.post(
            reverse("admin:new_collection"), {"name": "Handbuch", "tenant": collection.tenant_id, "language": ""}
        )
        made = Collection.objects.get(slug="handbuch")
        assert (made.language, made.is_language_settled) == ("english", False)

    @pytest.mark.parametrize(
        ("slug", "said"), [("manual", "already. Choose another"), ("no spaces", "use 1 to 63 letters")]
    )
    def test_a_short_name_that_will_not_do_is_refused_beside_its_field(
        self, editor: Client, collection: Collection, slug: str, said: str
    ) -> None:
        given = {"name": "Manual", "slug": slug, "tenant": collection.tenant_id, "language": "english"}
        answer = editor.post(reverse("admin:new_collection"), given)
        assert said in answer.context["form"].errors["slug"][0]
        assert Collection.objects.count() == 1

    def test_a_short_name_keeps_the_letters_of_umlauts(self, editor: Client, collection: Collection) -> None:
        given = {"name": "Größen & Maße", "tenant": collection.tenant_id, "language": "german"}
        editor.post(reverse("admin:new_collection"), given)
        assert Collection.objects.exclude(pk=collection.pk).get().slug == "grossen-masse"

    def test_names_without_latin_letters_get_short_names_of_their_own(
        self, editor: Client, collection: Collection
    ) -> None:
        for name in ("使用手册", "Справочник", "管理指南"):
            editor.post(
                reverse("admin:new_collection"), {"name": name, "tenant": collection.tenant_id, "language": "english"}
            )
        made = Collection.objects.exclude(pk=collection.pk).order_by("pk").values_list("slug", flat=True)
        assert list(made) == ["docs", "docs-2", "docs-3"]

    @pytest.mark.parametrize(
        ("name", "kept"), [("Boats \u202egnorw", "Boats gnorw"), ("مرحبا 🚣\ufe0f", "مرحبا 🚣\ufe0f"), ("\u202e", None)]
    )
    def test_a_name_keeps_no_character_that_turns_a_page_round(
        self, editor: Client, collection: Collection, name: str, kept: str | None
    ) -> None:
        given = {"name": name, "slug": "new", "tenant": collection.tenant_id, "language": "english"}
        answer = editor.post(reverse("admin:new_collection"), given)
        assert Collection.objects.filter(slug="new").values_list("name", flat=True).first() == kept
        assert kept or "can be seen" in answer.context["form"].errors["name"][0]

    def test_a_collection_is_made_in_no_other_tenant(self, editor: Client) -> None:
        given = {"name": "Mine now", "tenant": make_tenant().pk, "language": "english"}
        answer = editor.post(reverse("admin:new_collection"), given)
        assert answer.context["form"].errors["tenant"]
        assert Collection.objects.count() == 1


class TestFiles:
    def test_they_are_stored_and_their_job_is_shown(self, editor: Client, collection: Collection) -> None:
        answer = send_files(editor, collection, ("a.md", b"# A\n"), ("all.zip", b"PK"))
        job = IngestJob.objects.get()
        assert answer.headers["Location"] == reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert job.requested_by.startswith("editor-")
        assert sorted(Upload.objects.values_list("path", flat=True)) == ["a.md", "all.zip"]

    def test_a_picture_is_refused_with_the_reason(self, editor: Client, collection: Collection) -> None:
        answer = send_from_script(editor, collection, ("a.png", b"\x89PNG\r\n\x1a\n"))
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("The file is a picture, which is not read. Give what it shows")
        assert not Upload.objects.exists()

    def test_what_the_tenant_has_no_room_for_is_refused(self, editor: Client, collection: Collection) -> None:
        Tenant.objects.update(max_bytes=5)
        told = send_from_script(editor, collection, ("a.md", b"1"), ("b.md", b"12345")).json()
        assert [(file["path"], file["code"]) for file in told["files"]] == [("a.md", ""), ("b.md", "QUOTA_EXCEEDED")]
        shown = send_files(editor, collection, ("b.md", b"123456"))
        assert shown.status_code == 400
        assert "0 of the 5 that they may have" in shown.content.decode()

    def test_a_folder_keeps_its_paths(self, editor: Client, collection: Collection) -> None:
        files = [("a.md", b"a"), ("a.md", b"b")]
        send_files(editor, collection, *files, path=["x/a.md", "y/a.md"], folder="/guides/")
        assert {u.path: bytes(u.content or b"") for u in Upload.objects.all()} == {
            "guides/x/a.md": b"a",
            "guides/y/a.md": b"b",
        }

    def test_a_script_is_told_of_each_file(
        self, editor: Client, collection: Collection, configure: Callable[..., None]
    ) -> None:
        configure(max_file_bytes=5)
        answer = send_from_script(editor, collection, ("a.md", b"1"), ("b.md", b"123456"))
        job = IngestJob.objects.get()
        told = answer.json()
        assert told["url"] == reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert [(file["path"], file["accepted"]) for file in told["files"]] == [("a.md", True), ("b.md", False)]
        assert "at most 5" in told["files"][1]["reason"]

    @pytest.mark.parametrize(
        ("files", "form", "said"),
        [
            ((), {}, "No file was chosen"),
            ((("a.md", b"a"),), {"path": ["a.md", "b.md"]}, "did not all arrive"),
            ((("a.md", b"a"),), {"folder": "../up"}, ".."),
        ],
    )
    def test_what_cannot_be_taken_is_said_and_nothing_is_stored(
        self, editor: Client, collection: Collection, files: Any, form: Any, said: str
    ) -> None:
        answer = send_files(editor, collection, *files, **form)
        assert answer.status_code == 400
        assert said in answer.content.decode()
        assert not IngestJob.objects.exists()

    def test_without_a_script_each_refused_file_is_named(
        self, editor: Client, collection: Collection, configure: Callable[..., None]
    ) -> None:
        configure(max_file_bytes=5)
        given = {"file": [SimpleUploadedFile("a.md", b"1"), SimpleUploadedFile("b.md", b"123456")]}
        shown = editor.post(name_page("add_documents", collection), given, follow=True).content.decode()
        assert "b.md: It has 6 bytes" in shown
        assert "1 files were taken" in shown

    @pytest.mark.parametrize("send", [send_files, send_from_script])
    def test_more_than_the_limit_is_refused_before_it_is_read(
        self,
        editor: Client,
        collection: Collection,
        configure: Callable[..., None],
        send: Callable[..., Any],
    ) -> None:
        configure(max_upload_bytes=1_000)
        answer = send(editor, collection, ("a.md", b"x" * 2_000))
        assert answer.status_code == 413
        assert "at most 1,000 bytes" in answer.content.decode()
        assert answer.wsgi_request._read_started is False


class TestPlaces:
    def test_a_site_is_kept_and_read(self, editor: Client, collection: Collection) -> None:
        address, given = place(
            collection, "site", location="example.org/docs/", include="*.html\n guide/ ", language="en", refresh="3600"
        )
        answer = editor.post(address, given)
        source, job = Source.objects.get(), IngestJob.objects.get()
        assert answer.headers["Location"] == reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert (source.kind, source.location) == ("site", "https://example.org/docs/")
        assert (source.include, source.refresh_interval_seconds) == (["*.html", "guide/"], 3600)
        assert source.options["language"] == "en"
        assert job.source == source

    def test_a_repository_is_kept_with_its_token_encrypted(self, editor: Client, collection: Collection) -> None:
        address, given = place(
            collection, "repository", location="https://example.org/r.git", branch="main", folder="docs", token="t0ken"
        )
        editor.post(address, given)
        source = Source.objects.get()
        assert source.location == "https://example.org/r.git#main:docs"
        assert decrypt(source.encrypted_token) == "t0ken"
        editor.post(address, given | {"token": ""})
        assert decrypt(Source.objects.get().encrypted_token) == "t0ken"

    @pytest.mark.parametrize(
        ("way", "given", "field"),
        [
            ("site", {"location": ""}, "location"),
            ("site", {"location": "ftp://example.org/"}, "location"),
            ("site", {"location": "http://127.0.0.1/"}, "location"),
            ("site", {"location": "nonsense"}, "location"),
            ("site", {"location": "https://nonsense/docs/"}, "location"),
            ("repository", {"location": "nonsense"}, "location"),
            ("site", {"location": "https://example.org/", "language": "klingon!"}, "language"),
            ("site", {"location": "https://example.org/", "max_pages": "0"}, "max_pages"),
            ("site", {"location": "https://example.org/", "exclude": "x" * 501}, "exclude"),
            ("repository", {"location": "https://example.org/r.git", "branch": "a b"}, "branch"),
            ("repository", {"location": "https://example.org/r.git", "folder": "../up"}, "folder"),
            ("folder", {"location": "/"}, "location"),
        ],
    )
    def test_a_mistake_stands_beside_its_field(
        self, editor: Client, collection: Collection, tmp_path: Path, configure: Any, way: str, given: Any, field: str
    ) -> None:
        configure(allowed_roots=(tmp_path,))
        address, form = place(collection, way, **given)
        answer = editor.post(address, form)
        assert list(answer.context["form"].errors) == [field]
        assert f'id="id_{field}_error"' in answer.content.decode()
        assert not Source.objects.exists()

    def test_a_host_without_a_dot_is_one_that_the_operator_names(
        self, editor: Client, collection: Collection, configure: Any
    ) -> None:
        address, form = place(collection, "site", location="wiki:8080/docs/")
        [said] = editor.post(address, form).context["form"].errors["location"]
        assert said.startswith(
            "wiki is no whole name of a host: it has no dot. Give the whole address, such as https://"
        )
        configure(fetch_allowed_hosts=("wiki:8080",))
        editor.post(address, form)
        assert Source.objects.get().location == "https://wiki:8080/docs/"

    def test_where_a_network_is_allowed_a_host_without_a_dot_is_left_to_the_fetch(
        self, editor: Client, collection: Collection, configure: Any
    ) -> None:
        configure(fetch_allowed_hosts=("10.0.0.0/8",))
        editor.post(*place(collection, "site", location="http://wiki/docs/"))
        assert Source.objects.get().location == "http://wiki/docs/"

    @pytest.mark.parametrize("number", ["2130706433", "0x7F000001"])
    @pytest.mark.parametrize("allowed", [(), ("10.0.0.0/8",)])
    def test_a_number_is_no_host(
        self, editor: Client, collection: Collection, configure: Any, number: str, allowed: tuple[str, ...]
    ) -> None:
        configure(fetch_allowed_hosts=allowed)
        address, form = place(collection, "site", location=f"http://{number}/docs/")
        [said] = editor.post(address, form).context["form"].errors["location"]
        assert said.startswith(f"{number.lower()} is a number and no name of a host.")

    def test_an_address_for_ssh_is_told_as_such(self, editor: Client, collection: Collection) -> None:
        address, form = place(collection, "repository", location="git@example.org:team/r.git")
        [said] = editor.post(address, form).context["form"].errors["location"]
        assert said.startswith("This is an address for SSH")

    def test_what_was_done_is_in_the_audit_log(self, editor: Client, collection: Collection) -> None:
        address, form = place(collection, "repository", location="https://example.org/r.git", token="t0ken-of-mine")
        editor.post(address, form)
        send_files(editor, collection, ("a.md", b"# A\n"))
        source = Source.objects.get(kind="git")
        editor.post(reverse("admin:source_webhook", args=[source.pk]))
        events = AuditEvent.objects.order_by("pk")
        assert [event.action for event in events] == ["add", "upload", "new webhook secret"]
        source.refresh_from_db()
        secrets = ["t0ken-of-mine", decrypt(source.encrypted_webhook_secret)]
        assert not any(secret in f"{event.details}{event.object_name}" for event in events for secret in secrets)

    def test_pages_of_a_site_may_lie_elsewhere(self, editor: Client, collection: Collection) -> None:
        below = "https://example.org/manual/"
        address, form = place(collection, "site", location="https://example.org/manual/start.html", below=below)
        editor.post(address, form)
        assert Source.objects.get().options["prefix"] == below

    def test_a_token_is_never_shown_again(self, editor: Client, collection: Collection) -> None:
        address, form = place(collection, "repository", location="", token="t0ken-of-mine")
        assert "t0ken-of-mine" not in editor.post(address, form).content.decode()

    def test_a_folder_below_the_allowed_ones_is_read(
        self, editor: Client, collection: Collection, tmp_path: Path, configure: Callable[..., None]
    ) -> None:
        configure(allowed_roots=(tmp_path,))
        (tmp_path / "docs").mkdir()
        address, form = place(collection, "folder", location=str(tmp_path / "docs"), refresh="300")
        assert editor.post(address, form).status_code == 302
        assert IngestJob.objects.get().source.location == str((tmp_path / "docs").resolve())

    def test_without_allowed_ones_it_is_said_whom_to_ask(self, editor: Client, collection: Collection) -> None:
        shown = editor.get(name_page("folder", collection)).content.decode()
        assert "ALLOWED_ROOTS" in shown
        assert 'name="location"' not in shown

    def test_a_place_that_is_read_already_leads_to_that_job(self, editor: Client, collection: Collection) -> None:
        address, form = place(collection, "site", location="https://example.org/")
        first = editor.post(address, form).headers["Location"]
        assert editor.post(address, form).headers["Location"] == first
        assert IngestJob.objects.count() == 1

    def test_a_job_that_ended_meanwhile_is_shown_too(
        self, editor: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address, form = place(collection, "site", location="https://example.org/")
        first = editor.post(address, form).headers["Location"]
        IngestJob.objects.update(state=IngestJob.State.SUCCEEDED)
        monkeypatch.setattr(places, "start_job", Mock(side_effect=JobUnfinished("It is being read already.")))
        assert editor.post(address, form).headers["Location"] == first

    def test_another_way_is_not_there(self, editor: Client, collection: Collection) -> None:
        assert editor.get(name_page("site", collection).replace("site", "carrier-pigeon")).status_code == 404


class TestPreview:
    @pytest.fixture(autouse=True)
    def pages(self, site: LoopbackSite) -> None:
        site.routes["/docs/"] = page(links("a.html", "b.html", "old/c.html"))
        site.routes |= {f"/docs/{name}.html": page("text") for name in ("a", "b", "old/c")}

    def ask(self, client: Client, collection: Collection, site: LoopbackSite, **given: str) -> str:
        _, form = place(collection, "site", **{"location": site.url("/docs/"), **given})
        answer = client.post(name_page("preview_site", collection), form)
        assert answer.status_code == 200
        return answer.content.decode()

    def test_it_tells_which_pages_would_be_taken(
        self, editor: Client, collection: Collection, site: LoopbackSite
    ) -> None:
        shown = self.ask(editor, collection, site, exclude="old/")
        assert "3 pages would be taken" in shown
        assert "a.html" in shown
        assert "1 left out" in shown
        assert not Source.objects.exists()
        assert not Document.objects.exists()

    def test_mistakes_are_told_instead(self, editor: Client, collection: Collection, site: LoopbackSite) -> None:
        assert "First page: " in self.ask(editor, collection, site, location="")
        assert "First page: " in self.ask(editor, collection, site, location=site.url("/nowhere/"))

    def test_a_site_with_more_pages_than_are_looked_at_has_at_least_those(
        self, editor: Client, collection: Collection, site: LoopbackSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(site_preview, "MOST_PAGES", 2)
        assert "At least 2 pages" in self.ask(editor, collection, site)

    def test_a_site_that_is_too_slow_is_told_as_such(
        self, editor: Client, collection: Collection, site: LoopbackSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(site_preview, "PREVIEW_SECONDS", 0)
        assert "too slow to be looked at" in self.ask(editor, collection, site)

    def test_one_too_many_at_once_is_asked_to_come_again(
        self, editor: Client, collection: Collection, site: LoopbackSite
    ) -> None:
        taken = [site_preview._places.acquire(blocking=False) for _ in range(site_preview.PREVIEWS_AT_ONCE)]
        try:
            assert "Try again in some seconds" in self.ask(editor, collection, site)
        finally:
            for _ in taken:
                site_preview._places.release()
        assert "4 pages would be taken" in self.ask(editor, collection, site)


class TestSources:
    @pytest.fixture
    def source(self, collection: Collection, tmp_path: Path) -> Source:
        (tmp_path / "a.md").write_text("# A\n")
        return jobs.ensure_directory_source(collection, tmp_path, refresh_interval_seconds=300)

    def test_each_tells_of_its_last_run_and_the_next(
        self, editor: Client, collection: Collection, source: Source
    ) -> None:
        job, _ = jobs.run_source(source)
        shown = editor.get(name_page("collection_sources", collection)).content.decode()
        assert reverse("admin:collections_app_ingestjob_change", args=[job.pk]) in shown
        assert f"{job.created:%Y-%m-%d}" in shown
        assert str(Path(source.location).parent) not in shown

    @pytest.mark.parametrize("address", ["collection_sources", "collections_app_source_changelist"])
    def test_it_tells_that_removals_are_held(
        self, editor: Client, collection: Collection, source: Source, address: str
    ) -> None:
        IngestJob.objects.create(
            tenant=collection.tenant,
            collection=collection,
            source=source,
            prune=True,
            state="partial",
            error_code="REMOVALS_HELD",
        )
        IngestJob.objects.update(error_message="Say `<yes>`.")
        of = [collection.pk] if address == "collection_sources" else []
        shown = editor.get(reverse(f"admin:{address}", args=of)).content.decode()
        assert "Done, but removals are held" in shown
        assert ("Say <code>&lt;yes&gt;</code>." in shown) == bool(of)

    def test_what_is_gone_is_removed_from_there_even_if_a_later_job_did_not_look(
        self, editor: Client, collection: Collection, source: Source
    ) -> None:
        of = {"tenant": collection.tenant, "collection": collection, "source": source}
        held = IngestJob.objects.create(**of, prune=True, state="partial", error_code="REMOVALS_HELD")
        IngestJob.objects.create(**of, only=["a.md"], state="succeeded")
        shown = editor.get(name_page("collection_sources", collection)).content.decode()
        accept, again = (
            reverse("admin:accept_removals", args=[held.pk]),
            reverse("admin:read_source", args=[source.pk]),
        )
        assert -1 < shown.find(f'action="{accept}"') < shown.find(f'action="{again}"'), "It comes first"
        assert f"since job {held.pk}, " in shown
        viewer = make_person("viewer", collection.tenant)
        assert accept not in viewer.get(name_page("collection_sources", collection)).content.decode()

    def test_one_is_read_again(self, editor: Client, source: Source) -> None:
        answer = editor.post(reverse("admin:read_source", args=[source.pk]))
        job = IngestJob.objects.get(source=source)
        assert answer.headers["Location"] == reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert editor.get(reverse("admin:read_source", args=[source.pk])).status_code == 405

    def test_a_webhooks_secret_is_shown_once_and_a_reload_makes_no_other(self, editor: Client, source: Source) -> None:
        address = reverse("admin:source_webhook", args=[source.pk])
        assert "None yet" in editor.get(address).content.decode()
        made = editor.post(address, follow=True)
        assert made.redirect_chain == [(address, 302)]
        source.refresh_from_db()
        secret = decrypt(source.encrypted_webhook_secret)
        assert secret in made.content.decode()
        assert "no-store" in made.headers["Cache-Control"]
        later = editor.get(address).content.decode()
        assert secret not in later
        assert f"http://testserver{reverse('hook', args=[source.pk])}" in later
        source.refresh_from_db()
        assert decrypt(source.encrypted_webhook_secret) == secret
