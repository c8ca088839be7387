"""What every answer carries, what `check --deploy` says, and what HTTPS_ONLY means."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client, override_settings

from collections_app.models import User
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.factories import make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
PAGES = ["/", "/docs/", "/docs/acme/docs/", "/docs/acme/docs/page", "/admin/login/", "/admin/", "/no/such/page"]
ANSWERS = [*PAGES, "/api/collections", "/api/no/such", "/mcp", "/docs/acme/docs/llms.txt"]


@pytest.fixture
def client(client: Client) -> Client:
    put(make_collection("docs", tenant=make_tenant("acme"), is_public=True), {"page.md": "# Page\n"})
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("path", ANSWERS)
def test_every_answer_says_how_a_browser_may_use_it(client: Client, path: str) -> None:
    response = client.get(path, headers={"accept": "text/html"})
    assert {name: response.get(name) for name in HEADERS} == HEADERS
    assert "Server" not in response
    if path != "/mcp":  # no browser shows what answers a POST of JSON
        assert response.get("X-Frame-Options") == "DENY"


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_policy_that_lets_nothing_foreign_in(client: Client, path: str) -> None:
    policy = client.get(path, headers={"accept": "text/html"}).get("Content-Security-Policy", "")
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy or path.startswith("/admin/")


LONG_KEY = "".join(map(str, range(30)))
# These are the process's.
NOT_CHECKED = {"DATABASES", "INSTALLED_APPS", "LOGGING", "LOGGING_CONFIG"}


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"HTTPS_ONLY": "true"}, set()),
        ({"HTTPS_ONLY": "false"}, set()),
        ({"HTTPS_ONLY": "true", "ALLOWED_HOSTS": "docs.example.org", "SECRET_KEY": LONG_KEY}, set()),
        ({"MCP_SERVER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "localhost,[::1],127.0.0.1"}, set()),  # noqa: S104
        ({"ALLOWED_HOSTS": "localhost,docs.example.org"}, {"docsmcp.W003"}),
        ({"MCP_SERVER_HOST": "192.0.2.7"}, {"docsmcp.W003"}),
        ({"MCP_SERVER_HOST": "0.0.0.0"}, {"docsmcp.W003", "docsmcp.W004"}),  # noqa: S104
        ({"SECRET_KEY": LONG_KEY[:49]}, {"security.W009"}),
    ],
)
def test_the_check_for_deployment_finds_what_is_not_done(
    environment: dict[str, str], found: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    of_environment = runpy.run_path(str(PROJECT_ROOT / "docsmcp_site" / "settings.py"))
    changed = {name: value for name, value in of_environment.items() if name.isupper() and name not in NOT_CHECKED}
    with override_settings(**changed):
        assert {each.id for each in run_checks(include_deployment_checks=True) if not each.is_silenced()} == found


@pytest.mark.any_database
def test_the_check_for_deployment_fails_for_what_is_not_done() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"],
        cwd=PROJECT_ROOT,
        env={**os.environ, "MCP_SERVER_HOST": "0.0.0.0"},  # noqa: S104
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert set(re.findall(r"\((\w+\.\w\d+)\)", done.stderr)) == {"docsmcp.W003", "docsmcp.W004"}
    assert done.returncode == 1, done.stderr


@pytest.fixture
def https_only(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000


@pytest.mark.usefixtures("https_only")
def test_with_https_only_pages_lead_there_and_programs_are_answered() -> None:
    client = Client()
    page = client.get("/docs/")
    assert (page.status_code, page["Location"]) == (301, "https://testserver/docs/")
    assert client.get("/mcp").status_code == 405
    assert client.get("/api/collections").status_code == 200
    assert client.get("/livez").status_code == 200
    assert client.get("/docs/", secure=True)["Strict-Transport-Security"] == "max-age=31536000"
