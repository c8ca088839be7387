"""Which methods pages take, from who has no form of theirs."""

from __future__ import annotations

import pytest
from django.test import Client

from collections_app.models import Collection
from tests.factories import make_collection, make_tenant, put

READ_ONLY = [
    "/",
    "/robots.txt",
    "/sitemap.xml",
    "/docs",
    "/docs/",
    "/docs/acme/docs",
    "/docs/acme/docs/",
    "/docs/acme/docs/-/search",
    "/docs/acme/docs/-/connect",
    "/docs/acme/docs/llms.txt",
    "/docs/acme/docs/llms-full.txt",
    "/docs/acme/docs/sitemap.xml",
    "/docs/acme/docs/guide",
    "/docs/acme/docs/guide.md",
    "/docs/acme/docs/nothing",
    "/static/0123456789ab/reading.css",
    "/livez",
]


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection("docs", tenant=make_tenant("acme"), is_public=True)
    put(collection, {"guide.md": "# Guide\n\nWelcome.\n"})
    return collection


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", READ_ONLY)
@pytest.mark.usefixtures("docs")
def test_what_only_shows_says_how_it_is_asked(path: str, method: str) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/admin/login/", "/admin/logout/", "/admin/", "/invitations/abc"])
@pytest.mark.django_db
def test_what_takes_forms_asks_for_their_token(path: str) -> None:
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403


@pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource", "/mcp/.well-known/openid-configuration"])
@pytest.mark.django_db
def test_where_nothing_is_any_method_finds_nothing(path: str) -> None:
    assert Client(enforce_csrf_checks=True).post(path).status_code == 404
