"""All of it works where the database keeps tenants apart, and knows the web server by a login of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from collections_app.models import Collection, ConnectedApp, Membership, OAuthClient, User
from mcp_app.oauth import registration
from tests.mcp_app.oauth.apps import (
    SECURE,
    Browser,
    ask_for,
    call,
    call_tool,
    connect,
    list_tools,
    post_form,
    redeem,
    register,
    renew,
)
from tests.web_login import signed_in_as_web_login


@pytest.fixture(autouse=True)
def _behind_the_wall(_switched_on: None, browser: Browser, settings: Any) -> Iterator[None]:
    """The person and the collection are there before."""
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_row_security": "on"})
    with signed_in_as_web_login():
        yield


def test_an_app_is_connected_renewed_and_given_back(browser: Browser) -> None:
    first = connect(browser)
    assert "thirty days" in call_tool(first["access_token"], "search_docs", query="holidays")
    second = renew(first["client_id"], first["refresh_token"]).json()
    assert call(second["access_token"]).status_code == 200
    post_form("/oauth/revoke", {"client_id": first["client_id"], "token": second["refresh_token"]})
    assert call(second["access_token"]).status_code == 401


def test_collections_are_chosen_and_a_code_that_comes_again_ends_it(browser: Browser, collection: Collection) -> None:
    client_id = register()["client_id"]
    code = browser.allow(ask_for(client_id), reach="chosen", chosen=[collection.pk])
    token = redeem(client_id, code).json()["access_token"]
    assert "handbook" in call_tool(token, "list_collections")
    redeem(client_id, code)
    assert call(token).status_code == 401


def test_a_person_disconnects_it(browser: Browser) -> None:
    token = connect(browser)["access_token"]
    page = reverse("admin:collections_app_connectedapp_changelist")
    chosen = {"action": "disconnect", "_selected_action": [ConnectedApp.objects.get().pk], "post": "yes"}
    assert "Chat" in browser.client.get(page, **SECURE).content.decode()
    browser.client.post(page, chosen, **SECURE)
    assert call(token).status_code == 401


def test_a_superuser_connects_one_too(collection: Collection) -> None:
    User.objects.create_superuser("root")
    token = connect(Browser(User.objects.get(username="root")), may=["read", "write"])["access_token"]
    assert "ingest_document" in list_tools(token)


def test_it_ends_when_the_person_leaves(browser: Browser) -> None:
    tokens = connect(browser)
    Membership.objects.all().delete()
    assert call(tokens["access_token"]).status_code == 401
    assert renew(tokens["client_id"], tokens["refresh_token"]).status_code == 400


def test_connected_apps_are_not_forgotten_for_registrations(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody is signed in, no connection of any tenant is seen."""
    monkeypatch.setattr(registration, "MAX_UNUSED", 1)
    connected = connect(browser)
    unused = [register()["client_id"] for _ in range(2)]
    ids = set(OAuthClient.objects.values_list("client_id", flat=True))
    assert ids == {connected["client_id"], unused[1]}
    assert call(connected["access_token"]).status_code == 200
