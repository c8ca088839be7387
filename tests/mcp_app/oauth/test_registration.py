"""Programs register themselves, with addresses that people can safely be sent back to."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from collections_app.models import OAuthClient
from mcp_app.oauth import registration
from mcp_app.oauth.clients import find_fault, is_allowed_redirect, is_same
from tests.mcp_app.oauth.apps import CALLBACK, SECURE, post_json, register

pytestmark = pytest.mark.django_db


def test_an_app_gets_an_id_and_what_the_server_made_of_it() -> None:
    app = register(client_name=" Chat  App ", logo_uri="https://chat.example/logo.png", grant_types=["implicit"])
    assert app["client_name"] == "Chat App"
    assert app["redirect_uris"] == [CALLBACK]
    assert app["grant_types"] == ["authorization_code", "refresh_token"]
    assert "client_secret" not in app
    assert "logo_uri" not in app
    assert OAuthClient.objects.get(client_id=app["client_id"]).redirect_uris == [CALLBACK]


def test_an_app_that_does_not_say_how_it_identifies_itself_gets_a_secret() -> None:
    app = post_json("/oauth/register", {"redirect_uris": [CALLBACK]}).json()
    assert app["token_endpoint_auth_method"] == "client_secret_basic"
    assert app["client_secret"]
    assert app["client_secret_expires_at"] == 0
    assert app["client_name"] == "An app without a name"


@pytest.mark.parametrize(
    ("described", "error"),
    [
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": CALLBACK}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": [7]}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK] * 21}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "token_endpoint_auth_method": ["none"]}, "invalid_client_metadata"),
        ([], "invalid_client_metadata"),
        ("text", "invalid_client_metadata"),
    ],
)
def test_a_description_that_cannot_be_used_is_refused(described: Any, error: str) -> None:
    response = post_json("/oauth/register", described)
    assert response.status_code == 400
    assert response.json()["error"] == error
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 10_000, b"{" + b" " * 70_000 + b"}"])
def test_a_body_that_is_no_description_is_refused(body: bytes) -> None:
    response = Client().post("/oauth/register", body, "application/json", **SECURE)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_client_metadata")


def test_made_up_apps_do_not_fill_the_table_and_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "MAX_UNUSED", 2)
    ids = [register()["client_id"] for _ in range(4)]
    assert list(OAuthClient.objects.order_by("pk").values_list("client_id", flat=True)) == ids[2:]


def test_registrations_count_against_the_limit_of_the_address(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_rate_limit_requests": 2})
    statuses = [post_json("/oauth/register", {"redirect_uris": [CALLBACK]}).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]


@pytest.mark.parametrize(
    "uri",
    [
        "https://claude.ai/api/mcp/auth_callback",
        "https://chatgpt.com/connector/oauth/abc?x=1",
        "http://localhost:8080/callback",
        "http://127.0.0.1/callback",
        "http://[::1]:3334/oauth/callback",
        "cursor://anysphere.cursor-retrieval/oauth/callback",
        "com.example.app:/callback",
    ],
)
def test_people_may_be_sent_to_websites_and_programs_on_their_machine(uri: str) -> None:
    assert find_fault([uri]) == ""


@pytest.mark.parametrize(
    "uri",
    [
        "http://chat.example/callback",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https:///callback",
        "https://user@chat.example/callback",
        "https://chat.example/callback#part",
        "https://chat.example\\@evil.example/",
        "https://chat.example/ callback",
        "https://chat.example:port/",
        "https://[chat/",
        "/callback",
        "",
        "https://chat.example/\x00",
        "https://ch\u0430t.example/callback",  # a Cyrillic letter
        "https://chat.example/caf\u00e9",
        'https://chat.example/"',
        "https://chat.example/" + "x" * 2_000,
    ],
)
def test_nowhere_else(uri: str) -> None:
    assert find_fault([uri])
    assert not is_allowed_redirect(uri, ())


@pytest.mark.parametrize(
    ("uri", "allowed"),
    [
        ("https://claude.ai/callback", True),
        ("https://CLAUDE.AI/callback", True),
        ("https://claude.ai.evil.example/callback", False),
        ("https://www.chatgpt.com/callback", True),
        ("https://evilchatgpt.com/callback", False),
        ("http://localhost:1234/callback", True),
        ("editor://callback", True),
    ],
)
def test_an_operator_may_name_the_websites(uri: str, allowed: bool) -> None:
    assert is_allowed_redirect(uri, ("claude.ai", ".chatgpt.com")) is allowed


def test_an_editor_may_name_websites_besides_that_are_not_allowed(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_redirect_hosts": ("claude.ai",)})
    assert find_fault(["https://editor.example/redirect", "http://127.0.0.1/"]) == ""
    assert "OAUTH_REDIRECT_HOSTS" in find_fault(["https://editor.example/redirect"])
    assert find_fault(["http://editor.example/redirect", "http://127.0.0.1/"])


@pytest.mark.parametrize(
    ("given", "registered", "same"),
    [
        ("http://127.0.0.1:5000", "http://127.0.0.1:3000/", True),
        ("http://127.0.0.1:5000/cb", "http://127.0.0.1:3000/cb", True),
        ("http://127.0.0.1:5000/cb", "http://localhost:3000/cb", False),
        ("http://127.0.0.1:5000/cb?x=1", "http://127.0.0.1/cb", False),
        ("https://127.0.0.1:5000/cb", "https://127.0.0.1/cb", False),
        ("https://chat.example/cb", "https://chat.example/cb", True),
        ("https://chat.example:444/cb", "https://chat.example/cb", False),
        ("https://chat.example/cb/", "https://chat.example/cb", False),
    ],
)
def test_only_the_port_of_a_program_may_differ(given: str, registered: str, same: bool) -> None:
    assert is_same(given, registered) is same
