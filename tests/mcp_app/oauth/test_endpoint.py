"""The endpoint for access tokens, where clients find it, and that nothing leads them there from /mcp."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from collections_app.models import ApiKey, Collection
from tests.factories import make_collection, put
from tests.mcp_app.oauth.apps import PING, SECURE, Browser, call, call_tool, connect, post_json

pytestmark = pytest.mark.django_db


def get(path: str) -> Any:
    return Client().get(path, **SECURE)


class TestChallenge:
    def test_without_a_token_it_says_where_to_get_one(self) -> None:
        response = post_json("/oauth/mcp", PING)
        assert response.status_code == 401
        challenge = response["WWW-Authenticate"]
        assert 'resource_metadata="https://testserver/.well-known/oauth-protected-resource/oauth/mcp"' in challenge
        assert 'scope="read ask"' in challenge
        assert "error=" not in challenge
        assert response.json()["error"]["code"] == -31401
        assert response.json()["id"] == 1

    def test_an_endpoint_of_one_collection_names_its_own(self) -> None:
        challenge = post_json("/oauth/mcp/acme/guide/", PING)["WWW-Authenticate"]
        [address] = re.findall(r'resource_metadata="https://testserver([^"]+)"', challenge)
        assert get(address).json()["resource"] == "https://testserver/oauth/mcp/acme/guide"

    @pytest.mark.parametrize("token", ["dmct_00000000_wrong", "dmcp_00000000_a-key", "", "nonsense"])
    def test_a_bad_token_is_an_error_of_its_own(self, token: str) -> None:
        response = call(token)
        assert response.status_code == 401
        assert 'error="invalid_token"' in response["WWW-Authenticate"]
        assert "Connect it again" in response.json()["error"]["message"]

    def test_public_collections_need_a_token_here_too(self, collection: Collection) -> None:
        Collection.objects.update(is_public=True)
        assert post_json("/oauth/mcp", PING).status_code == 401
        assert post_json("/mcp", PING).status_code == 200


class TestKeysAndTokens:
    """Each is for its own address (RFC 8707)."""

    @pytest.fixture
    def token(self, browser: Browser) -> str:
        found: str = connect(browser)["access_token"]
        return found

    def test_a_token_is_no_key(self, token: str, collection: Collection) -> None:
        assert call(token).status_code == 200
        assert call(token, "/mcp").status_code == 401
        bearer: Any = {"headers": {"Authorization": f"Bearer {token}"}, **SECURE}
        assert Client().get("/api/collections", **bearer).status_code == 401
        assert Client().get(f"/docs/{collection.tenant.slug}/handbook/", **bearer).status_code == 401

    def test_a_key_is_no_token(self, collection: Collection) -> None:
        _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="agent")
        assert call(secret, "/mcp").status_code == 200
        assert call(secret).status_code == 401

    def test_the_key_of_an_app_is_in_no_list_of_keys(self, token: str, collection: Collection) -> None:
        assert ApiKey.objects.given_to_agents().count() == 0


def test_what_is_another_tenants_is_as_what_is_not_there(browser: Browser, collection: Collection) -> None:
    token = connect(browser)["access_token"]
    secret = make_collection("secrets")
    put(secret, {"plans.md": "# Plans of the holidays\n"})
    told = call(token, f"/oauth/mcp/{secret.tenant.slug}/secrets")
    missing = call(token, f"/oauth/mcp/{secret.tenant.slug}/missing")
    assert told.json()["error"] == {**missing.json()["error"], "message": told.json()["error"]["message"]}
    assert told.json()["error"]["message"].replace("secrets", "missing") == missing.json()["error"]["message"]
    assert "secrets" not in call_tool(token, "list_collections")
    assert "Plans" not in call_tool(token, "search_docs", query="holidays")


class TestMetadata:
    def test_the_resource_names_its_authorization_server(self) -> None:
        described = get("/.well-known/oauth-protected-resource/oauth/mcp").json()
        assert described["resource"] == "https://testserver/oauth/mcp"
        assert described["authorization_servers"] == ["https://testserver/oauth"]
        assert described["scopes_supported"] == ["read", "ask", "write"]

    def test_the_server_is_described_where_its_issuer_says(self) -> None:
        described = get("/.well-known/oauth-authorization-server/oauth").json()
        assert described["issuer"] == "https://testserver/oauth"
        assert described["code_challenge_methods_supported"] == ["S256"]
        assert described["client_id_metadata_document_supported"] is True
        assert described["authorization_response_iss_parameter_supported"] is True
        for name in ("authorization", "token", "registration", "revocation"):
            assert described[f"{name}_endpoint"].startswith("https://testserver/oauth/")

    def test_any_website_may_read_it_and_ask_for_tokens(self) -> None:
        for path in ("/.well-known/oauth-authorization-server/oauth", "/oauth/token", "/oauth/register"):
            response = Client().options(path, headers={"Origin": "https://inspector.example"}, **SECURE)
            assert response.status_code == 204
            assert response["Access-Control-Allow-Origin"] == "*"
            assert "Authorization" in response["Access-Control-Allow-Headers"]

    @pytest.mark.parametrize(
        "path",
        [
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-protected-resource/mcp/acme/guide",
            "/.well-known/oauth-protected-resource/oauth/other",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/mcp",
            "/.well-known/openid-configuration",
            "/.well-known/openid-configuration/oauth",
            "/oauth/.well-known/openid-configuration",
            "/mcp/.well-known/openid-configuration",
            "/oauth/mcp/.well-known/openid-configuration",
        ],
    )
    def test_clients_of_the_endpoint_for_keys_find_none(self, path: str) -> None:
        response = get(path)
        assert response.status_code == 404
        assert response["Content-Type"] == "application/json"

    def test_it_is_only_read(self) -> None:
        response = post_json("/.well-known/oauth-authorization-server/oauth", {})
        assert (response.status_code, response["Allow"]) == (405, "GET, OPTIONS")
        assert get("/oauth/token").status_code == 405


@pytest.mark.parametrize("switched_off", ["oauth_enabled", "mcp_enabled"])
def test_where_it_is_off_there_is_nothing(settings: Any, switched_off: str) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={switched_off: False})
    for path in ("/oauth/mcp", "/oauth/mcp/acme/guide", "/oauth/token", "/oauth/register", "/oauth/revoke"):
        response = post_json(path, PING)
        assert response.status_code == 404
        assert response["Content-Type"] == "application/json"
        assert "WWW-Authenticate" not in response
    for path in (
        "/.well-known/oauth-protected-resource/oauth/mcp",
        "/.well-known/oauth-authorization-server/oauth",
        "/oauth/authorize",
    ):
        assert get(path).status_code == 404
