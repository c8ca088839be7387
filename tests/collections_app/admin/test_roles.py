"""Every page of the admin shows and changes rows of one's own tenants only, by role; another tenant's row is as one that is not there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin as django_admin
from django.db.models import Model
from django.urls import reverse

from collections_app.admin import base
from collections_app.models import (
    AnswerUsage,
    ApiKey,
    AuditEvent,
    Collection,
    ConnectedApp,
    Document,
    Feedback,
    FileOutcome,
    IngestJob,
    Invitation,
    Membership,
    RemovedDocument,
    SearchEvent,
    Source,
    Tenant,
    Upload,
    User,
)
from tests.collections_app.admin.conftest import ROLES, Rows, make_person, make_rows
from tests.factories import make_collection

pytestmark = pytest.mark.django_db

NEVER = "never"
# The least role that may: see, add, change, delete.
LEAST: dict[type[Model], tuple[str, str, str, str]] = {
    User: ("superuser", "superuser", "superuser", "superuser"),
    Tenant: ("viewer", "superuser", "owner", "owner"),
    Membership: ("owner", "superuser", "owner", NEVER),
    Invitation: ("owner", "owner", NEVER, "owner"),
    AuditEvent: ("owner", NEVER, NEVER, NEVER),
    Collection: ("viewer", "editor", "editor", "owner"),
    Source: ("viewer", NEVER, "editor", NEVER),
    Document: ("viewer", NEVER, NEVER, "editor"),
    RemovedDocument: ("viewer", NEVER, NEVER, NEVER),
    IngestJob: ("viewer", NEVER, NEVER, NEVER),
    FileOutcome: ("viewer", NEVER, NEVER, NEVER),
    Upload: ("viewer", NEVER, NEVER, NEVER),
    ApiKey: ("owner", "owner", "owner", NEVER),
    SearchEvent: ("viewer", NEVER, NEVER, NEVER),
    AnswerUsage: ("viewer", NEVER, NEVER, NEVER),
    Feedback: ("viewer", NEVER, NEVER, "owner"),
}
# People see those of their own, owners all of the tenant's: test_connected_apps.py.
PERSONAL = {ConnectedApp}
# The least role for each action of a list.
ACTIONS: dict[tuple[type[Model], str], str] = {
    (Membership, "remove"): "owner",
    (Source, "refresh"): "editor",
    (Source, "remove"): "editor",
    (Document, "release"): "editor",
    (RemovedDocument, "restore"): "editor",
    (IngestJob, "cancel"): "editor",
    (IngestJob, "retry"): "editor",
    (ApiKey, "revoke_chosen"): "owner",
}
each_role = pytest.mark.parametrize("role", ROLES)
# Where the role is too small for a page: who may not enter is sent to sign in.
REFUSED = dict.fromkeys(ROLES, 403) | {"nobody": 302}


def may(role: str, least: str) -> bool:
    return least != NEVER and ROLES.index(role) >= ROLES.index(least)


def url(model: type[Model], page: str, *args: Any) -> str:
    return reverse(f"admin:collections_app_{model._meta.model_name}_{page}", args=args)


def snapshot() -> dict[str, list[Any]]:
    """What stands in the tables; searches of sessions and the record of visits left out."""
    return {
        model.__name__: sorted(map(str, model._default_manager.values())) for model in LEAST if model is not AuditEvent
    }


def test_every_registered_model_has_its_line_here() -> None:
    assert set(django_admin.site._registry) == set(LEAST) | PERSONAL
    actions = {
        (model, getattr(action, "__name__", action))
        for model, page in django_admin.site._registry.items()
        if model not in PERSONAL
        for action in page.actions or ()
    }
    assert actions == set(ACTIONS)


@each_role
def test_a_list_has_the_rows_of_ones_own_tenants(own: Rows, other: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    for model, (least, *_) in LEAST.items():
        response = client.get(url(model, "changelist"))
        if not may(role, least):
            assert response.status_code == REFUSED[role], model
            continue
        shown = {row.pk for row in response.context["cl"].result_list}
        assert own[model].pk in shown, model
        assert (other[model].pk in shown) is (role == "superuser"), model
        if role != "superuser":
            assert not re.search(r"\bother\b", main_part(response)), model


def main_part(response: Any) -> str:
    """The list, its filters and search, without the frame of the theme."""
    text: str = response.content.decode()
    return text[text.index('id="content-main"') :]


def test_what_leads_to_owners_pages_is_shown_to_owners(own: Rows) -> None:
    for role in ("viewer", "owner"):
        page = main_part(make_person(role, own[Tenant]).get(url(Tenant, "changelist")))
        assert (url(Membership, "changelist") in page) is (role == "owner")


def test_beside_a_list_no_more_is_offered_than_somebody_looks_through(
    own: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("second", "third"):
        make_collection(slug, tenant=own[Tenant])
    monkeypatch.setattr(base, "MAX_CHOICES", 2)
    response = make_person("owner", own[Tenant]).get(url(Document, "changelist"))
    [offered] = [each for each in response.context["cl"].filter_specs if each.title == "collection"]
    assert len(offered.lookup_choices) == 2


@each_role
def test_a_row_opens_for_who_may_see_it(own: Rows, other: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    hidden = 302 if role == "nobody" else 404
    for model, (least, *_) in LEAST.items():
        of_own, of_other, absent = (
            client.get(url(model, "change", pk)).status_code for pk in (own[model].pk, other[model].pk, 2_000_000_000)
        )
        assert of_own == (200 if may(role, least) else hidden), model
        assert of_other == (200 if role == "superuser" else hidden), model
        assert absent == hidden, model


@each_role
def test_the_form_for_a_new_row_is_for_who_may_add_one(own: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    found = {model: client.get(url(model, "add")).status_code for model in LEAST}
    assert found == {model: 200 if may(role, add) else REFUSED[role] for model, (_, add, _, _) in LEAST.items()}


@pytest.mark.parametrize("role", ROLES[:-1])
def test_nothing_is_changed_or_deleted_without_the_role_for_it(own: Rows, other: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    before = snapshot()
    for model, (see, add, change, delete) in LEAST.items():
        if not may(role, add):
            assert client.post(url(model, "add"), {"name": "x"}).status_code == REFUSED[role], model
        for row, is_own in ((own[model], True), (other[model], False)):
            there = {200, 302, 403} if is_own and may(role, see) else {302, 404}
            chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
            if not (is_own and may(role, change)):
                assert client.post(url(model, "change", row.pk), {"name": "x"}).status_code in there, model
            if not (is_own and may(role, delete)):
                assert client.post(url(model, "delete", row.pk), {"post": "yes", "typed": row}).status_code in there
                assert client.post(url(model, "changelist"), chosen).status_code in {200, 302, 403}, model
        assert snapshot() == before, model


@pytest.mark.parametrize("role", ROLES[1:-1])
def test_a_page_says_which_role_it_needs(own: Rows, role: str) -> None:
    """Of a row that is not even seen it says nothing."""
    client = make_person(role, own[Tenant])
    for model, (see, add, change, delete) in LEAST.items():
        row = own[model].pk
        pages = [
            (see, client.get(url(model, "changelist"))),
            (add, client.get(url(model, "add"))),
            (change if may(role, see) else NEVER, client.post(url(model, "change", row), {"name": "x"})),
            (delete if may(role, see) else NEVER, client.get(url(model, "delete", row))),
        ]
        for least, response in pages:
            if least != NEVER and not may(role, least):
                needed = "a superuser" if least == "superuser" else f"the role {least} in this tenant"
                assert f"This needs {needed}: ask" in response.content.decode(), (model, least)


@pytest.mark.parametrize("role", ROLES[:-1])
def test_an_action_does_nothing_to_another_tenants_rows_nor_without_the_role(own: Rows, other: Rows, role: str) -> None:
    client = make_person(role, own[Tenant])
    before = snapshot()
    for (model, action), least in ACTIONS.items():
        rows = [other[model].pk] if may(role, least) else [own[model].pk, other[model].pk]
        response = client.post(url(model, "changelist"), {"action": action, "_selected_action": rows, "post": "yes"})
        assert response.status_code in {200, 302, 403}, model
        assert snapshot() == before, (model, action)


def test_the_role_in_one_tenant_counts_nothing_in_another(own: Rows, other: Rows) -> None:
    client = make_person("editor", own[Tenant])
    Membership.objects.create(tenant=other[Tenant], user=User.objects.get(username="editor-own"), role="viewer")
    assert client.get(url(Source, "change", other[Source].pk)).status_code == 200
    assert client.post(url(Source, "change", other[Source].pk), {"include": "x"}).status_code == 403
    chosen = {"action": "refresh", "_selected_action": [own[Source].pk, other[Source].pk]}
    page = client.post(url(Source, "changelist"), chosen, follow=True).content.decode()
    assert "1 left as they are: this needs the role editor there." in page
    assert list(IngestJob.objects.filter(state="queued").values_list("tenant", flat=True)) == [own[Tenant].pk]


def test_a_form_offers_the_tenants_in_which_it_may_be_saved(own: Rows, other: Rows) -> None:
    client = make_person("editor", own[Tenant])
    Membership.objects.create(tenant=other[Tenant], user=User.objects.get(username="editor-own"), role="viewer")
    third = make_rows("third")
    form = client.get(url(Collection, "add")).context["adminform"].form
    assert set(form.fields["tenant"].queryset) == {own[Tenant]}
    for tenant in (other[Tenant], third[Tenant]):
        new = {"tenant": tenant.pk, "slug": "new", "name": "New", "language": "english"}
        assert "Select a valid choice" in client.post(url(Collection, "add"), new).content.decode()
    assert not Collection.objects.filter(slug="new").exists()


def test_an_owner_sees_what_its_tenant_may_store_and_a_superuser_changes_it(own: Rows) -> None:
    tenant = own[Tenant]
    address = reverse("admin:collections_app_tenant_change", args=[tenant.pk])
    given = {"name": "Own", "monthly_quota": "7", "max_documents": "5", "max_bytes": "60"}
    owner = make_person("owner", tenant)
    assert re.search("documents, [0-9]", owner.get(address).content.decode())
    assert owner.post(address, given).status_code == 302
    tenant.refresh_from_db()
    assert (tenant.monthly_quota, tenant.max_documents, tenant.max_bytes) == (7, None, None)
    make_person("superuser", tenant).post(address, given)
    tenant.refresh_from_db()
    assert (tenant.max_documents, tenant.max_bytes) == (5, 60)


def test_an_owner_lowers_what_its_tenant_may_do_and_a_superuser_raises_it(own: Rows) -> None:
    tenant, key = own[Tenant], own[ApiKey]
    Tenant.objects.filter(pk=tenant.pk).update(rate_limit=50, monthly_quota=1_000, monthly_answer_cost=5)
    ApiKey.objects.filter(pk=key.pk).update(rate_limit=50)
    address = reverse("admin:collections_app_tenant_change", args=[tenant.pk])
    raised = {"name": "Own", "rate_limit": "51", "monthly_quota": "0", "monthly_answer_cost": ""}
    owner, operator = make_person("owner", tenant), make_person("superuser", tenant)
    page = owner.post(address, raised).content.decode()
    for most in ("50", "1,000", "5.00"):
        assert f"At most {most}, which holds now: an operator of the server can raise it." in page
    lowered = {"name": "Own", "rate_limit": "40", "monthly_quota": "900", "monthly_answer_cost": "4"}
    page = owner.post(address, lowered, follow=True).content.decode()
    assert "Keys that had a higher rate limit follow the tenant&#x27;s now: 1." in page
    tenant.refresh_from_db()
    key.refresh_from_db()
    assert (tenant.rate_limit, tenant.monthly_quota, tenant.monthly_answer_cost) == (40, 900, 4)
    assert key.rate_limit is None
    assert operator.post(address, raised).status_code == 302
    tenant.refresh_from_db()
    assert (tenant.rate_limit, tenant.monthly_quota, tenant.monthly_answer_cost) == (51, 0, None)


def test_only_an_owner_makes_a_collection_public(own: Rows) -> None:
    fields = {"name": "Own", "language": "english", "is_public": "on", "content_policy": "flag"}
    formsets = {f"{prefix}-{name}": "0" for prefix in ("synonyms", "pins") for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    for role, is_public in (("editor", False), ("owner", True)):
        client = make_person(role, own[Tenant])
        saved = client.post(url(Collection, "change", own[Collection].pk), fields | formsets)
        assert saved.status_code == 302
        own[Collection].refresh_from_db()
        assert own[Collection].is_public is is_public


@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_the_sidebar_offers_what_may_be_opened(own: Rows, role: str) -> None:
    page = make_person(role, own[Tenant]).get(url(Collection, "changelist"))
    links = [item["link"] for group in page.context["sidebar_navigation"] for item in group["items"]]
    assert (url(ApiKey, "changelist") in links) is (role == "owner")
    assert url(User, "changelist") not in links
    client = make_person(role, make_rows("next")[Tenant])
    assert {client.get(link).status_code for link in links} == {200}


def test_who_is_switched_off_does_not_come_in(own: Rows) -> None:
    client = make_person("owner", own[Tenant])
    User.objects.filter(username="owner-own").update(is_active=False)
    assert client.get(url(Collection, "changelist")).status_code == 302


@pytest.mark.parametrize(
    "query", ["p=x", "p=9999", "o=zz", "q=%00", "tenant__id__exact=x", "state__exact=%00", "_to_field=x", "foo=bar"]
)
def test_an_address_that_is_made_up_breaks_no_list(own: Rows, query: str) -> None:
    client = make_person("owner", own[Tenant])
    assert client.get(f"{url(IngestJob, 'changelist')}?{query}").status_code in {200, 302, 400}


@pytest.mark.parametrize("page", ["x", "99"])
def test_nor_does_it_break_the_search_of_the_sidebar(own: Rows, page: str) -> None:
    client = make_person("owner", own[Tenant])
    assert client.get("/admin/search/", {"s": "job"}).status_code == 200
    assert client.get("/admin/search/", {"s": "job", "page": page}).status_code == 404


def test_the_redirect_to_an_objects_public_page_is_not_there(own: Rows) -> None:
    assert make_person("superuser", own[Tenant]).get("/admin/r/1/1/").status_code == 404


@each_role
def test_no_page_of_a_row_links_to_one_that_is_not_for_the_person(own: Rows, role: str) -> None:
    """Of the rows that it names: a search its key, a membership its user."""
    SearchEvent.objects.filter(pk=own[SearchEvent].pk).update(api_key=own[ApiKey])
    client = make_person(role, own[Tenant])
    for model in django_admin.site._registry:
        page = client.get(url(model, "change", own[model].pk))
        if page.status_code != 200:
            continue
        for link in set(re.findall(r'href="(/admin/collections_app/\w+/[^"/]+/change/)', page.text)):
            assert client.get(link).status_code == 200, (model, link)


def test_who_may_see_a_row_that_another_names_finds_the_link(own: Rows) -> None:
    key = url(ApiKey, "change", own[ApiKey].pk)
    event = url(SearchEvent, "change", own[SearchEvent].pk)
    SearchEvent.objects.filter(pk=own[SearchEvent].pk).update(api_key=own[ApiKey])
    assert f'href="{key}"' not in make_person("editor", own[Tenant]).get(event).text
    assert f'href="{key}"' in make_person("owner", own[Tenant]).get(event).text
