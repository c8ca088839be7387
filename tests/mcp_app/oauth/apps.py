"""What an app, and the browser of a person who connects it, do: for tests of OAuth over Django's test client."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.test import Client

from collections_app.models import User

ORIGIN = "http://testserver"
CALLBACK = "https://chat.example/callback"
VERIFIER = "v" * 64
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
SECURE: dict[str, Any] = {"secure": True}
FORM = "application/x-www-form-urlencoded"


def post_json(path: str, value: Any, **headers: str) -> Any:
    return Client().post(path, json.dumps(value), "application/json", headers=headers, **SECURE)


def post_form(path: str, form: dict[str, str] | list[tuple[str, str]], **headers: str) -> Any:
    return Client().post(path, urlencode(form), FORM, headers=headers, **SECURE)


def register(**described: Any) -> dict[str, Any]:
    """An app that registered itself, without a secret unless it says otherwise."""
    about = {"client_name": "Chat", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none", **described}
    response = post_json("/oauth/register", about)
    assert response.status_code == 201, response.content
    registered: dict[str, Any] = response.json()
    return registered


def ask_for(client_id: str, /, **changes: str) -> dict[str, str]:
    """The parameters with which an app sends a person to the consent page; an empty one is left out."""
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": CALLBACK,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "of the app",
        "scope": "read ask",
        "resource": "https://testserver/oauth/mcp",
        **changes,
    }
    return {name: value for name, value in asked.items() if value}


@dataclass
class Browser:
    """Of a person who is signed in."""

    person: User | None
    client: Client = field(default_factory=Client)

    def __post_init__(self) -> None:
        if self.person:
            self.client.force_login(self.person)

    def open(self, asked: dict[str, str]) -> Any:
        return self.client.get("/oauth/authorize", asked, **SECURE)

    def answer(self, asked: dict[str, str], **form: Any) -> Any:
        filled = {"may": ["read", "ask"], "reach": "all", "allow": "1"} | form
        return self.client.post("/oauth/authorize", filled, query_params=asked, **SECURE)

    def allow(self, asked: dict[str, str], **form: Any) -> str:
        """The code."""
        response = self.answer(asked, **form)
        assert response.status_code == 302, response.content.decode()
        return read_return(response)["code"]


def read_return(response: Any) -> dict[str, str]:
    """What an app is told by the address that a person is sent back to."""
    parts = urlsplit(response["Location"])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == CALLBACK
    return dict(parse_qsl(parts.query))


def send_token(**form: str) -> Any:
    headers = {"Authorization": form.pop("authorization")} if "authorization" in form else {}
    return post_form("/oauth/token", {name: each for name, each in form.items() if each}, **headers)


def redeem(client_id: str, code: str, **changes: str) -> Any:
    asked = {"client_id": client_id, "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER, **changes}
    return send_token(grant_type="authorization_code", **asked)


def renew(client_id: str, refresh_token: str, **changes: str) -> Any:
    return send_token(
        **{"grant_type": "refresh_token", "client_id": client_id, "refresh_token": refresh_token, **changes}
    )


def connect(browser: Browser, client_id: str = "", **form: Any) -> dict[str, Any]:
    """A connected app's tokens, with its client_id."""
    client_id = client_id or register()["client_id"]
    response = redeem(client_id, browser.allow(ask_for(client_id), **form))
    assert response.status_code == 200, response.content
    return {**response.json(), "client_id": client_id}


def call(token: str, path: str = "/oauth/mcp", message: Any = PING) -> Any:
    return post_json(path, message, Authorization=f"Bearer {token}", Accept="application/json")


def list_tools(token: str, path: str = "/oauth/mcp") -> set[str]:
    response = call(token, path)
    assert response.status_code == 200, response.content
    return {tool["name"] for tool in response.json()["result"]["tools"]}


def call_tool(token: str, name: str, path: str = "/oauth/mcp", **arguments: Any) -> str:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    text: str = call(token, path, message).json()["result"]["content"][0]["text"]
    return text
