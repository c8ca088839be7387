"""The list of connected apps: people see and end their own, owners all of their tenant's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app.access import connected_apps
from collections_app.models import AuditEvent, ConnectedApp, Membership, Tenant, User
from tests.collections_app.admin.conftest import connect_app
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db

LIST = "admin:collections_app_connectedapp_changelist"


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme")


def make_member(tenant: Tenant, name: str, role: str = "viewer") -> User:
    user = User.objects.create_user(name)
    Membership.objects.create(tenant=tenant, user=user, role=role)
    return user


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def show(user: User) -> str:
    response = sign_in(user).get(reverse(LIST))
    assert response.status_code == 200
    return response.content.decode()


def disconnect(user: User, *apps: ConnectedApp) -> Any:
    data = {"action": "disconnect", "_selected_action": [app.pk for app in apps], "post": "yes"}
    return sign_in(user).post(reverse(LIST), data, follow=True)


def is_connected(app: ConnectedApp) -> bool:
    return ConnectedApp.objects.get(pk=app.pk).api_key.revoked is None


def test_people_see_their_own(tenant: Tenant) -> None:
    anna, bert = make_member(tenant, "anna"), make_member(tenant, "bert")
    connect_app(tenant, anna, "Annas-app")
    connect_app(tenant, bert, "Berts-app")
    assert "Annas-app" in show(anna)
    assert "Berts-app" not in show(anna)


def test_an_owner_sees_all_of_the_tenant_and_of_no_other(tenant: Tenant) -> None:
    owner, anna = make_member(tenant, "owner", "owner"), make_member(tenant, "anna")
    elsewhere = make_tenant()
    connect_app(tenant, anna, "Annas-app")
    connect_app(elsewhere, make_member(elsewhere, "carl"), "Carls-app")
    assert "Annas-app" in show(owner)
    assert "Carls-app" not in show(owner)
    assert "Carls-app" in show(User.objects.create_superuser("root"))


def test_what_was_not_taken_up_is_not_shown(tenant: Tenant) -> None:
    anna = make_member(tenant, "anna")
    app = connect_app(tenant, anna, "Annas-app")
    ConnectedApp.objects.filter(pk=app.pk).update(code_redeemed=None)
    assert "Annas-app" not in show(anna)


def test_each_state_is_told(tenant: Tenant) -> None:
    anna = make_member(tenant, "anna")
    app = connect_app(tenant, anna)
    assert "connected" in show(anna)
    ConnectedApp.objects.filter(pk=app.pk).update(refresh_expires=timezone.now() - timedelta(days=1))
    assert "expired" in show(anna)
    connected_apps.end(ConnectedApp.objects.get())
    assert "disconnected" in show(anna)


def test_a_person_disconnects_their_own_after_a_question(tenant: Tenant) -> None:
    anna = make_member(tenant, "anna")
    app = connect_app(tenant, anna)
    data = {"action": "disconnect", "_selected_action": [app.pk]}
    asked = sign_in(anna).post(reverse(LIST), data)
    assert "refused at once" in asked.content.decode()
    assert is_connected(app)
    disconnect(anna, app)
    assert not is_connected(app)
    event = AuditEvent.objects.get(action="disconnect")
    assert (event.actor_name, event.tenant) == ("anna", tenant)


def test_nobody_disconnects_anothers(tenant: Tenant) -> None:
    anna, bert = make_member(tenant, "anna"), make_member(tenant, "bert", "editor")
    app = connect_app(tenant, anna)
    disconnect(bert, app)
    assert is_connected(app)
    disconnect(make_member(tenant, "owner", "owner"), app)
    assert not is_connected(app)


def test_the_list_says_everything_so_there_is_no_page_of_one(tenant: Tenant) -> None:
    anna = make_member(tenant, "anna")
    app = connect_app(tenant, anna)
    page = reverse("admin:collections_app_connectedapp_change", args=[app.pk])
    assert page not in show(anna)
    assert sign_in(anna).get(page).status_code == 403


@pytest.mark.parametrize("is_on", [True, False])
def test_the_sidebar_has_it_where_apps_can_be_connected(tenant: Tenant, settings: Any, is_on: bool) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": is_on})
    page = sign_in(make_member(tenant, "anna")).get(reverse("admin:index")).content.decode()
    assert ("Connected apps" in page) is is_on


def test_no_list_of_keys_has_the_keys_of_apps(tenant: Tenant) -> None:
    owner = make_member(tenant, "owner", "owner")
    connect_app(tenant, owner)
    assert (
        "Chat of owner" not in sign_in(owner).get(reverse("admin:collections_app_apikey_changelist")).content.decode()
    )
