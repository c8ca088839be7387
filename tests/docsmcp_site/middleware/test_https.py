"""Cookies of a session travel over https alone once they were given over https, which only a trusted proxy may say."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection
from ipaddress import ip_network
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from collections_app.models import User
from tests.running_web_server import running_web_server

pytestmark = pytest.mark.django_db

BEHIND_PROXY: dict[str, Any] = {"HTTP_X_FORWARDED_PROTO": "https", "REMOTE_ADDR": "10.0.0.7"}


@pytest.fixture
def trusting(settings: Any) -> None:
    settings.DOCSMCP = django_settings.DOCSMCP.model_copy(update={"trusted_proxies": (ip_network("10.0.0.0/24"),)})


def sign_in(client: Client, **environ: Any) -> None:
    User.objects.create_superuser("root", password="right")
    client.get("/admin/login/", **environ)
    assert client.post("/admin/login/", {"username": "root", "password": "right"}, **environ).status_code == 302


def are_secure(client: Client) -> list[bool]:
    return [bool(client.cookies[name]["secure"]) for name in ("sessionid", "csrftoken")]


@pytest.mark.parametrize("is_secure", [True, False])
def test_cookies_are_secure_where_the_request_was(client: Client, is_secure: bool) -> None:
    sign_in(client, secure=is_secure)
    assert are_secure(client) == [is_secure] * 2
    assert client.cookies["sessionid"]["samesite"] == "Lax"
    assert client.cookies["sessionid"]["httponly"]


@pytest.mark.usefixtures("trusting")
def test_a_trusted_proxy_says_so(client: Client) -> None:
    sign_in(client, **BEHIND_PROXY)
    assert are_secure(client) == [True, True]


def test_anybody_else_may_say_what_it_likes(client: Client) -> None:
    sign_in(client, **BEHIND_PROXY)
    assert are_secure(client) == [False, False]


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("said", ["http", "https, http", ""])
def test_a_trusted_proxy_may_say_that_it_was_not(client: Client, said: str) -> None:
    sign_in(client, **BEHIND_PROXY | {"HTTP_X_FORWARDED_PROTO": said})
    assert are_secure(client) == [False, False]


@pytest.mark.usefixtures("trusting")
def test_a_form_that_came_over_https_is_taken(client: Client) -> None:
    """Its Origin is compared with the scheme of the request."""
    strict = Client(enforce_csrf_checks=True)
    User.objects.create_superuser("root", password="right")
    strict.get("/admin/login/", **BEHIND_PROXY)
    given = {"username": "root", "password": "right", "csrfmiddlewaretoken": strict.cookies["csrftoken"].value}
    headers = BEHIND_PROXY | {"HTTP_ORIGIN": "https://testserver", "HTTP_HOST": "testserver"}
    assert strict.post("/admin/login/", given, **headers).status_code == 302


@pytest.mark.any_database
@pytest.mark.parametrize(("trusted", "is_believed"), [("", False), ("127.0.0.1", True)])
def test_the_web_server_believes_a_proxy_on_its_own_machine_only_where_it_is_named(
    trusted: str, is_believed: bool
) -> None:
    with (
        running_web_server(HTTPS_ONLY="true", TRUSTED_PROXIES=trusted) as port,
        closing(HTTPConnection("127.0.0.1", port)) as proxy,
    ):
        proxy.request("GET", "/admin/login/", headers={"X-Forwarded-Proto": "https"})
        assert (proxy.getresponse().status == 301) != is_believed
