from importlib.metadata import version

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from collections_app.access.principal import Principal
from docsmcp_site.pages import health
from mcp_app.protocol.revisions import MODERN_REVISIONS
from tests.factories import make_collection, put

FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
HEALTH = {"status": "ok", "service": "docsmcp", "version": version("docsmcp"), "protocol": MODERN_REVISIONS[-1]}


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html", "image/png", ""])
def test_programs_get_health_as_json(client: Client, accept: str) -> None:
    response = client.get("/", headers={"accept": accept})
    assert response.json() == HEALTH
    assert response["vary"] == "Accept"


def test_a_program_that_names_nothing_gets_json(client: Client) -> None:
    assert client.get("/").json() == HEALTH


@pytest.mark.django_db
def test_browsers_get_a_page_that_names_the_endpoint(client: Client) -> None:
    response = client.get("/", headers={"accept": FIREFOX, "host": "localhost:8001"})
    assert response["content-type"].startswith("text/html")
    assert "http://localhost:8001/mcp" in response.content.decode()
    assert "/admin/" in response.content.decode()


@pytest.mark.django_db
def test_the_page_names_no_endpoint_that_is_off(client: Client, settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_enabled": False})
    page = client.get("/", headers={"accept": FIREFOX}).content.decode()
    assert "/mcp" not in page
    assert "switched off" in page


@pytest.mark.django_db
def test_the_page_names_what_everybody_may_read(client: Client) -> None:
    public, private = make_collection(is_public=True), make_collection()
    put(public, {"guide.md": "# Guide\n"})
    page = client.get("/", headers={"accept": FIREFOX}).content.decode()
    assert f'href="/docs/{public.tenant.slug}/{public.slug}/"' in page
    assert "1 page" in page
    assert private.slug not in page


def test_the_page_answers_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(principal: Principal) -> None:
        raise OperationalError("the server is away")

    monkeypatch.setattr(health, "get_readable_collections", fail)
    response = client.get("/", headers={"accept": FIREFOX})
    assert response.status_code == 200
    assert "Public collections" not in response.content.decode()


@pytest.mark.django_db
def test_an_address_gets_the_page_as_often_as_others_and_its_health_always(client: Client, settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_rate_limit_requests": 2})
    answers = [client.get("/", headers={"accept": FIREFOX}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["retry-after"]) > 0
    assert client.get("/").json() == HEALTH


def test_only_reading_is_allowed(client: Client) -> None:
    assert client.head("/").status_code == 200
    assert client.post("/").status_code == 405


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused(client: Client) -> None:
    assert client.get("/", headers={"accept": FIREFOX, "host": "rebound.example"}).status_code == 400
    assert client.get("/", headers={"accept": FIREFOX, "host": "[::1]:8001"}).status_code == 200
