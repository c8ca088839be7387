from importlib.metadata import version

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from mcp_app.protocol import MODERN_REVISIONS

FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
HEALTH = {"status": "ok", "service": "docsmcp", "version": version("docsmcp"), "protocol": MODERN_REVISIONS[-1]}


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html", "image/png", ""])
def test_programs_get_health_as_json(client: Client, accept: str) -> None:
    response = client.get("/", headers={"accept": accept})
    assert response.json() == HEALTH
    assert response["vary"] == "Accept"


def test_a_program_that_names_nothing_gets_json(client: Client) -> None:
    assert client.get("/").json() == HEALTH


def test_browsers_get_a_page_that_names_the_endpoint(client: Client) -> None:
    response = client.get("/", headers={"accept": FIREFOX, "host": "localhost:8001"})
    assert response["content-type"].startswith("text/html")
    assert "http://localhost:8001/mcp" in response.content.decode()
    assert "/admin/" in response.content.decode()


def test_the_page_names_no_endpoint_that_is_off(client: Client, settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_enabled": False})
    page = client.get("/", headers={"accept": FIREFOX}).content.decode()
    assert "/mcp" not in page
    assert "switched off" in page


def test_liveness_is_json(client: Client) -> None:
    assert client.get("/livez").json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/", "/livez"])
def test_only_reading_is_allowed(client: Client, path: str) -> None:
    assert client.head(path).status_code == 200
    assert client.post(path).status_code == 405


def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client.get("/livez", headers={"host": "rebound.example"}).status_code == 400
    assert client.get("/livez", headers={"host": "[::1]:8001"}).status_code == 200


def test_the_files_of_the_admin_are_served(client: Client) -> None:
    response = client.get("/static/admin/css/base.css")
    assert response.status_code == 200
    assert response["content-type"].startswith("text/css")
    assert b"body" in response.getvalue()  # reads to the end, which closes the file
