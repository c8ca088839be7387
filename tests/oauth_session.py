"""The official Python client where nobody gave it a key: it finds the authorization server, registers, and sends a person to consent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import anyio
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.consenting import allow

CALLBACK = "http://localhost:3030/callback"


class Storage:
    """What an app keeps between its sessions."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class App:
    """An app of a person with this account; `consents` are the addresses that the person was sent to."""

    def __init__(self, user: str, password: str) -> None:
        self.user, self.password = user, password
        self.storage = Storage()
        self.consents: list[str] = []

    @asynccontextmanager
    async def connect(self, url: str, mode: str) -> AsyncIterator[Client]:
        provider = OAuthClientProvider(
            url,
            OAuthClientMetadata(client_name="Test app", redirect_uris=[AnyUrl(CALLBACK)]),
            self.storage,
            self.send_person,
            self.await_return,
        )
        async with (
            create_mcp_http_client(auth=provider) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode, cache=None) as client,
        ):
            yield client

    async def send_person(self, address: str) -> None:
        self.consents.append(address)

    async def await_return(self) -> AuthorizationCodeResult:
        consent = self.consents[-1]
        location = await anyio.to_thread.run_sync(lambda: allow(consent, self.user, self.password))
        told = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])
