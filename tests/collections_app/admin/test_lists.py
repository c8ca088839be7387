"""Lists tell what their reader needs: of which tenant a row is, how a source's last run ended, when something was, in which zone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import localize

from collections_app.admin.words import STATES
from collections_app.models import Collection, Document, IngestJob, Invitation, Source, Tenant, User
from tests.collections_app.admin.conftest import Rows, make_person
from tests.factories import make_tenant

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
