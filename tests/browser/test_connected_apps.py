"""A person is sent here by an app, allows it to read, is sent back, and later disconnects it."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, Watched, watching
from tests.browser.test_looks import LOOKS, list_faults
from tests.http_server import QuietHandler, serving

VERIFIER = "v" * 64
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
SEARCH = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_docs", "arguments": {"query": "lamp stays dark"}},
}


class Callback(QuietHandler):
    """Where the app is told its code."""

    def do_GET(self) -> None:
        body = b"<!doctype html><link rel=icon href=data:,><title>Chat</title><h1>Back in the app</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def callback() -> Iterator[str]:
    handler: type[BaseHTTPRequestHandler] = Callback
    with serving(handler) as port:
        yield f"http://127.0.0.1:{port}/callback"


def register(site: Site, callback: str, name: str = "Chat") -> str:
    about = {"client_name": name, "redirect_uris": [callback], "token_endpoint_auth_method": "none"}
    found: str = httpx.post(f"{site.url}/oauth/register", json=about, trust_env=False).json()["client_id"]
    return found


def make_address(client_id: str, callback: str) -> str:
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": callback,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "1",
    }
    return f"/oauth/authorize?{urlencode(asked)}"


def redeem(site: Site, client_id: str, callback: str, code: str) -> dict[str, Any]:
    form = {"grant_type": "authorization_code", "client_id": client_id, "redirect_uri": callback, "code": code}
    answer = httpx.post(f"{site.url}/oauth/token", data={**form, "code_verifier": VERIFIER}, trust_env=False)
    tokens: dict[str, Any] = answer.json()
    return tokens


def search(site: Site, token: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    return httpx.post(f"{site.url}/oauth/mcp", json=SEARCH, headers=headers, trust_env=False)


def read_code(page: Page) -> str:
    expect(page.get_by_role("heading", name="Back in the app")).to_be_visible()
    return dict(parse_qsl(urlsplit(page.url).query))["code"]


def test_an_app_is_connected_and_disconnected(page: Page, site: Site, callback: str) -> None:
    client_id = register(site, callback)
    page.goto(make_address(client_id, callback))
    expect(page.get_by_role("heading", name="Connect Chat")).to_be_visible()
    expect(page.get_by_text("a program on your own computer")).to_be_visible()
    page.get_by_label("Get answers from this server's language model").uncheck()
    page.get_by_role("button", name="Connect", exact=True).click()
    tokens = redeem(site, client_id, callback, read_code(page))
    assert tokens["scope"] == "read"
    assert "dark-lamps.md" in search(site, tokens["access_token"]).text

    page.goto("/admin/collections_app/connectedapp/")
    row = page.get_by_role("row").filter(has_text="Chat").first
    expect(row).to_contain_text("connected")
    row.get_by_role("checkbox").check()
    page.get_by_role("combobox", name="Action").select_option(label="Disconnect")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("is disconnected")).to_be_visible()
    assert search(site, tokens["access_token"]).status_code == 401


def test_whoever_is_not_signed_in_signs_in_first_and_may_say_no(visitor: Watched, site: Site, callback: str) -> None:
    page = visitor.open(make_address(register(site, callback), callback))
    page.get_by_label("Username").fill(site.user)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Do not connect").click()
    expect(page.get_by_role("heading", name="Back in the app")).to_be_visible()
    assert "error=access_denied" in page.url


@pytest.mark.parametrize("look", LOOKS)
def test_everybody_can_use_the_page(look: str, browser: Browser, site: Site, signed_in: Any, callback: str) -> None:
    with watching(browser, site, **LOOKS[look], storage_state=signed_in) as watched:
        page = watched.open("/admin/collections/new/")
        page.get_by_label("Name", exact=True).fill("N" * 200)
        page.get_by_label("Short name").fill(f"offered-{look}")
        page.get_by_role("button", name="Make it and add documents").click()
        page.goto(make_address(register(site, callback, "A" * 100), callback))
        expect(page.get_by_text("N" * 200).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert list_faults(page) == []
