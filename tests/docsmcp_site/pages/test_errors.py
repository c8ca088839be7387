"""What is told when no view answers."""

from __future__ import annotations

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory

from collections_app.models import Membership, User
from docsmcp_site.pages.errors import answer_failure, answer_forbidden
from tests.factories import make_tenant

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_people_get_a_page_that_is_the_same_for_everything(client: Client) -> None:
    first, second = (client.get(path, headers={"accept": BROWSER}) for path in ("/nothing", "/other/nothing"))
    assert first.status_code == 404
    assert first["content-type"].startswith("text/html")
    assert b"Sign in" in first.content
    assert first.content == second.content


@pytest.mark.parametrize("path", ["/api/nothing", "/mcp/nothing", "/nothing"])
def test_programs_get_json(client: Client, path: str) -> None:
    response = client.get(path, headers={"accept": "application/json"})
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("path", ["/", "/nothing", "/mcp"])
def test_a_wrong_host_is_told_so(client: Client, path: str) -> None:
    response = client.get(path, headers={"host": "rebound.example", "accept": BROWSER})
    assert response.status_code == 400
    assert b"ALLOWED_HOSTS" in response.content
    assert b"rebound.example" not in response.content


@pytest.mark.parametrize("accept", [BROWSER, "application/json"])
def test_failures_tell_nothing_of_themselves(rf: RequestFactory, accept: str) -> None:
    request: HttpRequest = rf.get("/docs/", headers={"accept": accept})
    assert answer_failure(request).status_code == 500
    assert b"logged why" in answer_failure(request).content
    assert b"not-for-you" not in answer_forbidden(request, PermissionError("not-for-you")).content


@pytest.mark.django_db
def test_a_form_out_of_date_is_told_so() -> None:
    response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"}, headers={"accept": BROWSER})
    assert response.status_code == 403
    assert b"out of date" in response.content


@pytest.mark.django_db
def test_the_admin_has_a_policy_of_its_own_and_programs_need_none(client: Client) -> None:
    admin = client.get("/admin/login/", headers={"accept": BROWSER})["content-security-policy"]
    assert "unsafe-inline" in admin
    assert "frame-ancestors 'none'" in admin
    assert "content-security-policy" not in client.get("/livez").headers


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/nothing", "/docs/nothing/", "/admin/collections_app/apikey/1/change/"])
def test_who_is_signed_in_is_not_told_to_sign_in(client: Client, path: str) -> None:
    client.force_login(make_user())
    page = client.get(path, headers={"accept": BROWSER})
    assert page.status_code == 404
    assert b"Sign in" not in page.content


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/collections_app/document/1/change/", "/admin/collections_app/tenant/add/"])
def test_a_page_of_the_admin_that_is_gone_or_not_for_somebody_leads_back_there(client: Client, path: str) -> None:
    client.force_login(make_user())
    page = client.get(path, headers={"accept": BROWSER})
    assert page.status_code in (403, 404)
    assert b'href="/admin/">The admin' in page.content
    assert (b"removed since" in page.content) == (page.status_code == 404)
    elsewhere = client.get("/docs/nothing/", headers={"accept": BROWSER})
    assert b"removed since" not in elsewhere.content
    assert b">All documentation<" in elsewhere.content


def make_user() -> User:
    tenant = make_tenant()
    user = User.objects.create_user("ada")
    Membership.objects.create(tenant=tenant, user=user, role=Membership.Role.VIEWER)
    return user
