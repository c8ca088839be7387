"""Programs whose id is the address of a document: it is read from there, and only it says where people are sent back to."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from collections_app.clients.http import FetchedPage, HttpClient
from collections_app.exceptions import FetchError
from collections_app.models import ConnectedApp, OAuthClient
from mcp_app.oauth.client_documents import is_document_address
from tests.mcp_app.oauth.apps import CALLBACK, Browser, ask_for, call, redeem

ADDRESS = "https://chat.example/oauth/client.json"
DOCUMENT = {"client_id": ADDRESS, "client_name": "Chat", "redirect_uris": [CALLBACK]}

Serve = Callable[..., list[str]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Puts a document at its address; the list has what was fetched."""

    def put(content: Any, status: int = 200) -> list[str]:
        fetched: list[str] = []

        def request(self: Any, url: str, **options: Any) -> FetchedPage:
            fetched.append(url)
            if isinstance(content, Exception):
                raise content
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
            return FetchedPage(url, status, "application/json", body, {})

        monkeypatch.setattr(HttpClient, "request", request)
        return fetched

    return put


def test_an_app_is_connected_without_registering(browser: Browser, serve: Serve) -> None:
    fetched = serve(DOCUMENT)
    code = browser.allow(ask_for(ADDRESS))
    assert call(redeem(ADDRESS, code).json()["access_token"]).status_code == 200
    assert fetched == [ADDRESS]


def test_it_is_read_anew_after_some_minutes(browser: Browser, serve: Serve) -> None:
    serve(DOCUMENT)
    browser.open(ask_for(ADDRESS))
    serve({**DOCUMENT, "redirect_uris": ["https://chat.example/new"]})
    assert browser.open(ask_for(ADDRESS)).status_code == 200
    OAuthClient.objects.update(read=timezone.now() - timedelta(minutes=11))
    assert browser.open(ask_for(ADDRESS)).status_code == 400
    assert browser.open(ask_for(ADDRESS, redirect_uri="https://chat.example/new")).status_code == 200


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({**DOCUMENT, "client_id": "https://chat.example/other.json"}, "names another address"),
        ({**DOCUMENT, "redirect_uris": ["http://chat.example/"]}, "cannot be used: a redirect URI"),
        ({"client_id": ADDRESS}, "cannot be used: redirect_uris must be"),
        ([], "no JSON object"),
        (b"<html>", "no JSON object"),
        (FetchError("The server cannot be reached."), "cannot be read: The server cannot be reached."),
    ],
)
def test_a_document_that_cannot_be_used_is_told_the_person(
    browser: Browser, serve: Serve, content: Any, told: str
) -> None:
    serve(content)
    response = browser.open(ask_for(ADDRESS))
    assert response.status_code == 400
    assert told in html.unescape(response.content.decode())
    assert not OAuthClient.objects.exists()


def test_an_error_of_its_server_is_told(browser: Browser, serve: Serve) -> None:
    serve(DOCUMENT, status=404)
    assert "answered 404" in browser.open(ask_for(ADDRESS)).content.decode()


def test_slow_websites_do_not_hold_up_all_web_threads(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page of a website that does not answer opens another one meanwhile, as somebody would who wants to hold them up."""
    seen: list[str] = []

    def request(self: Any, url: str, **options: Any) -> FetchedPage:
        seen.append(browser.open(ask_for(f"{ADDRESS}?{len(seen)}")).content.decode())
        raise FetchError("The server did not answer.")

    monkeypatch.setattr(HttpClient, "request", request)
    for _ in range(2):
        seen.clear()
        assert "The server did not answer." in browser.open(ask_for(ADDRESS)).content.decode()
        assert len(seen) == 2
        assert "Open this page again in some seconds" in seen[0]


def test_nothing_is_fetched_for_who_is_not_signed_in(db: None, serve: Serve) -> None:
    fetched = serve(DOCUMENT)
    assert Browser(None).open(ask_for(ADDRESS)).status_code == 302
    assert fetched == []


def test_addresses_of_this_network_are_not_fetched(browser: Browser) -> None:
    response = browser.open(ask_for("https://127.0.0.1/client.json"))
    assert response.status_code == 400
    assert "cannot be read" in response.content.decode()
    assert not ConnectedApp.objects.exists()


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        (ADDRESS, True),
        ("https://chat.example/client", True),
        ("http://chat.example/client.json", False),
        ("https://chat.example", False),
        ("https://chat.example/", False),
        ("https://chat.example/a/../client.json", False),
        ("https://chat.example/client.json#x", False),
        ("https://user@chat.example/client.json", False),
        ("https://chat.example/" + "x" * 500, False),
        ("https://[chat/x", False),
        ("app_registered", False),
    ],
)
def test_what_is_such_an_address(address: str, is_one: bool) -> None:
    assert is_document_address(address) is is_one
