"""Lists tell what their reader needs: of which tenant a row is, how a source's last run ended, when something was, in which zone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin import site
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.formats import localize

from collections_app.admin.activity import SearchEventAdmin
from collections_app.admin.words import STATES
from collections_app.models import (
    ApiKey,
    Collection,
    Document,
    Feedback,
    FileOutcome,
    IngestJob,
    Invitation,
    Membership,
    SearchEvent,
    Source,
    Tenant,
    User,
)
from docsmcp_site.pages import static_files
from tests.collections_app.admin.conftest import Rows, make_person
from tests.factories import make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

OF_COLLECTIONS = ["document", "source", "ingestjob", "upload", "removeddocument"]


def open_list(client: Client, model: str, **query: str) -> str:
    answer = client.get(reverse(f"admin:collections_app_{model}_changelist"), query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("model", OF_COLLECTIONS)
class TestTenants:
    def test_who_sees_several_is_told_of_which_a_row_is(
        self, admin: Client, own: Rows, other: Rows, model: str
    ) -> None:
        rows = admin.get(reverse(f"admin:collections_app_{model}_changelist")).context["cl"].result_list
        assert open_list(admin, model).count('data-label="tenant"') == len(rows) > 1
        narrowed = admin.get(
            reverse(f"admin:collections_app_{model}_changelist"), {"tenant__id__exact": own[Tenant].pk}
        )
        assert {row.tenant_id for row in narrowed.context["cl"].result_list} == {own[Tenant].pk}

    def test_collections_to_choose_from_have_their_tenants_name(
        self, admin: Client, own: Rows, other: Rows, model: str
    ) -> None:
        page = open_list(admin, model)
        assert f"{own[Tenant]}: {own[Collection]}" in page
        assert f"{other[Tenant]}: {other[Collection]}" in page

    def test_who_belongs_to_one_needs_no_word_of_it(self, own: Rows, model: str) -> None:
        page = open_list(make_person("owner", own[Tenant]), model)
        assert 'data-label="tenant"' not in page
        assert "tenant__id__exact" not in page
        assert f"{own[Tenant]}: " not in page


class TestJobs:
    def test_the_filter_calls_states_what_the_rows_call_them(self, admin: Client, own: Rows) -> None:
        source = own[Source]
        of = {"tenant": source.tenant, "collection": source.collection, "source": source}
        for state in IngestJob.State:
            IngestJob.objects.create(**of, state=state)
        answer = admin.get(reverse("admin:collections_app_ingestjob_changelist"))
        states = next(each for each in answer.context["cl"].filter_specs if each.title == "state")
        chosen = [str(choice["display"]) for choice in states.choices(answer.context["cl"])]
        assert chosen == ["All", *(STATES[state] for state in IngestJob.State)]
        shown = answer.content.decode()
        assert all(shown.count(words) >= 2 for words in STATES.values())

    def test_a_job_that_failed_by_its_files_tells_the_first_reason(self, admin: Client, own: Rows) -> None:
        source = own[Source]
        of = {"tenant": source.tenant, "collection": source.collection}
        job = IngestJob.objects.create(**of, source=source, state=IngestJob.State.FAILED, only=["a.md"])
        for path, reason in {"b.md": "Later.", "a.md": "Another `<source>` has it."}.items():
            FileOutcome.objects.create(**of, job=job, path=path, outcome="failed", code="PATH_TAKEN", reason=reason)
        IngestJob.objects.create(**of, source=source, state=IngestJob.State.FAILED, error_message="`docs` is gone.")
        page = open_list(admin, "ingestjob")
        assert ("PATH_TAKEN: Another <code>&lt;source&gt;</code> has it." in page, "Later." in page) == (True, False)
        assert "<code>docs</code> is gone." in page


class TestSources:
    def test_each_tells_how_its_last_run_ended_and_leads_there(self, admin: Client, own: Rows) -> None:
        source = own[Source]
        of = {"tenant": source.tenant, "collection": source.collection, "source": source}
        job = IngestJob.objects.create(**of, state=IngestJob.State.FAILED)
        page = open_list(admin, "source")
        link = reverse("admin:collections_app_ingestjob_change", args=[job.pk])
        assert f'href="{link}">Failed, {job.created:%Y-%m-%d %H:%M} UTC</a>' in page

    def test_one_that_was_never_read_says_so(self, admin: Client, own: Rows) -> None:
        IngestJob.objects.all().delete()
        assert "never" in open_list(admin, "source")


def test_a_moment_names_its_zone(own: Rows) -> None:
    moment = own[IngestJob].created
    assert localize(moment) == f"{moment:%Y-%m-%d %H:%M} UTC"


def test_a_title_takes_no_more_room_than_there_is(admin: Client, own: Rows) -> None:
    Document.objects.update(title="A" * 1000)
    assert f"{'A' * 119}…" in (page := open_list(admin, "document"))
    assert "A" * 120 not in page


def test_a_list_that_nothing_narrows_does_not_offer_to_show_all(admin: Client, own: Rows) -> None:
    assert "Show all" not in open_list(admin, "document")
    assert "Show all" in open_list(admin, "document", q="kept")


def test_a_tenant_without_a_quota_may_ask_any_number(admin: Client) -> None:
    make_tenant("free")
    page = open_list(admin, "tenant")
    assert "any number" in page
    assert "as the setting" in page


def test_an_invitation_tells_until_when_its_link_works_and_what_to_do_without_it(own: Rows) -> None:
    invitation = own[Invitation]
    invitation.invited_by = User.objects.create_user("rosa")
    invitation.save()
    owner = make_person("owner", own[Tenant])
    page = owner.get(reverse("admin:collections_app_invitation_change", args=[invitation.pk])).content.decode()
    assert localize(invitation.expires) in page
    assert "The link is not shown again" in page
    new = owner.get(reverse("admin:collections_app_invitation_add")).content.decode()
    assert "The link is not shown again" not in new


class TestWhatAnAddressMayAsk:
    """Nothing but what the filters beside the list do: a hidden column could be read letter by letter."""

    @pytest.mark.parametrize(
        ("model", "query"),
        [
            (Source, "location__startswith=/srv"),
            (Source, "encrypted_token__startswith=g"),
            (ApiKey, "digest__startswith=a"),
            (Invitation, "digest__startswith=a"),
            (Collection, "slug__regex=("),
            (Document, "status__regex=*"),
            (Document, "title__unaccent=a"),
            (Document, "title__trigram_similar=a"),
            (Document, "tenant__slug=own"),
            (SearchEvent, "created__year=0"),
        ],
    )
    def test_other_columns_and_lookups_are_refused(self, own: Rows, model: Any, query: str) -> None:
        owner = make_person("owner", own[Tenant])
        address = reverse(f"admin:collections_app_{model._meta.model_name}_changelist")
        assert owner.get(f"{address}?{query}").status_code == 400

    @pytest.mark.parametrize("date", ["created__year=0", "created__year=9999", "created__year=99999"])
    def test_a_year_that_no_calendar_has_leads_to_the_whole_list(self, own: Rows, date: str) -> None:
        address = reverse("admin:collections_app_feedback_changelist")
        answer = make_person("viewer", own[Tenant]).get(f"{address}?{date}")
        assert answer.headers["Location"] == f"{address}?e=1"

    def test_every_choice_beside_a_list_is_taken(self, admin: Client, own: Rows, other: Rows) -> None:
        for model, page in site._registry.items():
            address = reverse(f"admin:collections_app_{model._meta.model_name}_changelist")
            cl = admin.get(address).context["cl"]
            for spec in cl.filter_specs:
                for choice in spec.choices(cl):
                    assert admin.get(address + str(choice["query_string"])).status_code == 200, (page, choice)
        moment = own[Feedback].created
        open_list(admin, "feedback", created__year=str(moment.year), created__month=str(moment.month), created__day="1")

    def test_a_folders_place_is_searched_by_who_is_told_it(self, own: Rows, other: Rows) -> None:
        Source.objects.filter(pk=own[Source].pk).update(location="/srv/hidden/own-docs")
        Source.objects.filter(pk=other[Source].pk).update(location="/srv/hidden/other-docs")
        viewer, editor = (make_person(role, own[Tenant]) for role in ("viewer", "editor"))
        Membership.objects.create(tenant=other[Tenant], user=User.objects.get(username="editor-own"), role="viewer")
        assert self.search(viewer, "/srv/") == self.search(viewer, "hidden") == set()
        assert self.search(viewer, "own-docs") == {own[Source].pk}
        assert self.search(editor, "/srv/hidden") == {own[Source].pk}
        assert self.search(editor, "docs") == {own[Source].pk, other[Source].pk}

    def search(self, client: Client, words: str) -> set[int]:
        rows = client.get(reverse("admin:collections_app_source_changelist"), {"q": words}).context["cl"].result_list
        return {row.pk for row in rows}


class TestManyRows:
    """Of a list that is not counted."""

    def test_next_is_offered_where_there_is_more(
        self, admin: Client, own: Rows, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(SearchEventAdmin, "list_per_page", 2)
        of = {"tenant": own[Tenant], "mode": "keyword", "hits": 0, "duration_ms": 1}
        for number in range(3):
            SearchEvent.objects.create(query=f"q{number}", **of)
        first, second = open_list(admin, "searchevent"), open_list(admin, "searchevent", p="2")
        assert ("?p=2" in first, ">Next<" in first, ">Previous<" in first) == (True, True, False)
        assert (">Next<" in second, "?p=1" in second) == (False, True)
        assert "9999999999" not in open_list(admin, "searchevent", q="q0")

    def test_past_the_end_is_the_whole_list(self, admin: Client, own: Rows) -> None:
        address = reverse("admin:collections_app_searchevent_changelist")
        assert admin.get(address, {"p": "7"}).headers["Location"] == f"{address}?e=1"


def test_documents_come_as_an_index_has_them(admin: Client) -> None:
    """A collection at a time: hundreds of thousands are not sorted for the first page."""
    tenant = make_tenant()
    for slug in ("zinc", "brass"):
        put(make_collection(slug, tenant=tenant), {"b.md": "# B\n", "a.md": "# A\n"})
    shown = admin.get(reverse("admin:collections_app_document_changelist")).context["cl"]
    assert [(each.collection.slug, each.path) for each in shown.result_list] == [
        ("zinc", "a.md"),
        ("zinc", "b.md"),
        ("brass", "a.md"),
        ("brass", "b.md"),
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off"
        )  # where it need not be done
    assert "Sort" not in shown.queryset[:50].explain()


def test_documents_are_added_where_one_is_an_editor(own: Rows, other: Rows) -> None:
    viewer, editor = (make_person(role, own[Tenant]) for role in ("viewer", "editor"))
    assert "Add documents" not in open_list(viewer, "collection")
    Membership.objects.create(tenant=other[Tenant], user=User.objects.get(username="editor-own"), role="viewer")
    page = open_list(editor, "collection")
    assert [reverse("admin:add_documents", args=[each[Collection].pk]) in page for each in (own, other)] == [
        True,
        False,
    ]


def test_who_changed_a_row_is_told_to_owners(own: Rows) -> None:
    for role, status in (("viewer", 403), ("editor", 403), ("owner", 200)):
        client, pk = make_person(role, own[Tenant]), own[Collection].pk
        history = reverse("admin:collections_app_collection_history", args=[pk])
        assert client.get(history).status_code == status
        page = client.get(reverse("admin:collections_app_collection_change", args=[pk])).content.decode()
        assert (history in page) is (role == "owner")


def test_every_moment_that_a_page_tells_names_its_zone() -> None:
    pages = Path(static_files.__file__).parents[2].joinpath("templates").rglob("*.html")
    lines = [line for page in pages for line in page.read_text().splitlines() if re.search(r'\|date:"[^"]*H:i', line)]
    assert lines
    assert [line for line in lines if " UTC" not in line] == []
