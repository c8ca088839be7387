from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from collections_app.reading import page_index
from tests.factories import make_collection, make_tenant, put

pytestmark = pytest.mark.django_db
PATH = "/docs/acme/docs/-/connect"


@pytest.fixture(autouse=True)
def _docs(db: None) -> None:
    docs = make_collection("docs", tenant=make_tenant("acme"), is_public=True)
    put(docs, {f"{folder}/{number}.md": f"# Page {folder}{number}\n" for folder in "ab" for number in range(3)})


def test_the_page_tells_each_client_the_collections_own_endpoint(client: Client) -> None:
    page = client.get(PATH).content.decode()
    assert page.count("http://testserver/mcp/acme/docs") > 4
    assert "YOUR_API_KEY" in page
    for name in ("Claude Code", "Cursor", "VS Code", "AGENTS.md", "llms.txt"):
        assert name in page


def test_a_public_collection_needs_no_key_unless_all_do(client: Client, settings: Settings) -> None:
    assert "without a key" in client.get(PATH).content.decode()
    assert "API key" not in client.get(PATH).context["snippet"]
    make_collection("private", tenant=make_tenant("other"))
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
    assert client.get(PATH).status_code == 404


def test_the_snippet_names_pages_of_every_category(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "- `b/2.md` Page b2" in client.get(PATH).content.decode()
    monkeypatch.setattr(page_index, "INDEX_CHARACTERS", 45)
    page = client.get(PATH).content.decode()
    assert "- `a/0.md`" in page
    assert "- `b/0.md`" in page
    assert "- `a/1.md`" not in page
    assert "6 pages, among them:" in page


def test_apps_without_a_key_are_told_theirs_where_they_can_be_connected(client: Client, settings: Settings) -> None:
    assert "/oauth/mcp" not in client.get(PATH).content.decode()
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": True})
    assert "http://testserver/oauth/mcp/acme/docs" in client.get(PATH).content.decode()


def test_no_endpoint_is_named_that_is_off(client: Client, settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_enabled": False})
    page = client.get(PATH).content.decode()
    assert "switched off" in page
    assert "/mcp/" not in page
