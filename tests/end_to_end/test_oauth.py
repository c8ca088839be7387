"""The official client connects by OAuth: it is told where, registers itself, a person consents, and it renews its tokens by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from collections_app.access import connected_apps
from collections_app.models import ApiKey, Collection, ConnectedApp, Membership, User
from tests.end_to_end.test_python_sdk import MODES, find_refusal, read_text
from tests.factories import make_collection, put
from tests.oauth_session import App

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "the pilot flame burns"


@pytest.fixture(autouse=True)
def _switched_on(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": True})


@pytest.fixture
def collection() -> Collection:
    collection = make_collection("handbook")
    put(collection, {"boiler.md": "# Starting the boiler\n\nTurn the key until the pilot flame burns.\n"})
    return collection


@pytest.fixture
def app(collection: Collection) -> App:
    user = User.objects.create_user("anna", password=PASSWORD)
    Membership.objects.create(tenant=collection.tenant, user=user)
    return App("anna", PASSWORD)


def run(app: App, url: str, mode: str, use: Callable[[Client], Awaitable[Any]]) -> Any:
    async def session() -> Any:
        with anyio.fail_after(60):
            async with app.connect(url, mode) as client:
                return await use(client)

    return anyio.run(session)


async def search(client: Client) -> str:
    return read_text(await client.call_tool("search_docs", {"query": "pilot flame"}))


@pytest.mark.parametrize("mode", MODES)
def test_a_person_connects_it_and_it_finds_the_paragraph(server_url: str, app: App, mode: str) -> None:
    assert "boiler.md" in run(app, f"{server_url}/oauth/mcp", mode, search)
    assert len(app.consents) == 1


def test_it_needs_no_second_consent_and_renews_its_token(server_url: str, app: App) -> None:
    run(app, f"{server_url}/oauth/mcp", "legacy", search)
    first = app.storage.tokens
    assert first
    app.storage.tokens = first.model_copy(update={"expires_in": -1})
    connected = ConnectedApp.objects.get()
    ApiKey.objects.filter(pk=connected.api_key_id).update(expires=connected.created)
    assert "boiler.md" in run(app, f"{server_url}/oauth/mcp", "legacy", search)
    assert app.storage.tokens.access_token != first.access_token


def test_an_endpoint_of_one_collection_is_connected_alike(server_url: str, app: App, collection: Collection) -> None:
    make_collection("secrets", tenant=collection.tenant)
    url = f"{server_url}/oauth/mcp/{collection.tenant.slug}/handbook"

    async def use(client: Client) -> None:
        assert "boiler.md" in await search(client)
        assert "secrets" not in read_text(await client.call_tool("list_collections", {}))

    run(app, url, "auto", use)


def test_once_disconnected_it_asks_the_person_again(server_url: str, app: App) -> None:
    run(app, f"{server_url}/oauth/mcp", "legacy", search)
    connected_apps.end(ConnectedApp.objects.get())
    assert "boiler.md" in run(app, f"{server_url}/oauth/mcp", "legacy", search)
    assert len(app.consents) == 2


def test_a_client_of_the_endpoint_for_keys_finds_no_oauth_there(server_url: str, app: App, settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
    with pytest.raises(BaseException) as refused:  # noqa: PT011  in groups of groups
        run(app, f"{server_url}/mcp", "legacy", search)
    assert app.consents == []
    assert not isinstance(find_refusal(refused.value), MCPError)
