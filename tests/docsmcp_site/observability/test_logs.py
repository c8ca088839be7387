import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from django.test import Client
from django.urls import resolvers

from docsmcp_site.observability.logs import configure_logging


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """After what other tests made of the queue's logger, and as it was before."""
    root, queue = logging.getLogger(), logging.getLogger("django-q")
    handlers, level, level_of_queue = root.handlers[:], root.level, queue.level
    queue.setLevel(logging.NOTSET)
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    queue.setLevel(level_of_queue)


def test_records_of_both_kinds_are_json_objects_of_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "INFO", "format": "json"})
    structlog.get_logger("a.b").info("call", tool="search_docs", text="two\nlines")
    logging.getLogger("c").warning("lost %s", "it", extra={"key": 3})
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert {**first, "timestamp": ""} == {
        "event": "call",
        "tool": "search_docs",
        "text": "two\nlines",
        "level": "info",
        "logger": "a.b",
        "timestamp": "",
    }
    assert (second["event"], second["level"], second["key"]) == ("lost it", "warning", 3)


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_is_in_the_record(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    configure_logging({"level": "INFO", "format": log_format})
    for logger in (structlog.get_logger("a"), logging.getLogger("b")):
        try:
            raise ValueError("broken")
        except ValueError:
            logger.exception("it failed")
    assert capsys.readouterr().err.count("ValueError: broken") == 2


def test_what_is_less_severe_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "WARNING", "format": "console"})
    structlog.get_logger("a").info("quiet")
    logging.getLogger("django").info("quiet")
    structlog.get_logger("a").warning("loud")
    assert "quiet" not in (logged := capsys.readouterr().err)
    assert "loud" in logged


def test_that_a_task_was_put_into_the_queue_is_no_event(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "INFO", "format": "console"})
    logging.getLogger("django-q").info("Enqueued [docsmcp] 10")
    assert capsys.readouterr().err == ""
    logging.getLogger("django-q").info("Q Cluster docsmcp running.")
    assert "running" in capsys.readouterr().err


def test_requests_that_were_refused_are_no_events(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "DEBUG", "format": "console"})
    logging.getLogger("django.request").warning("Not Found: /wp-admin")
    logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header")
    logging.getLogger("django.security.DisallowedModelAdminLookup").error("Filtering by password__startswith")
    assert capsys.readouterr().err == ""
    logging.getLogger("django.request").error("Internal Server Error: /mcp")
    assert "Internal Server Error" in capsys.readouterr().err


@pytest.mark.parametrize("log_format", ["json", "console"])
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/api/search?q=our+secret&limit=3", "Internal Server Error: /api/search"),
        ("/docs/acme/guide/-/search?q=our%20secret", "Internal Server Error: /docs/acme/guide/-/search"),
        ("/docs/acme/guide/start.md", "Internal Server Error: /docs/acme/guide/start.md"),
        ("/invitations/our-secret_token", "Internal Server Error: /invitations/…"),
    ],
)
def test_a_request_that_failed_is_told_without_what_it_asked(
    capsys: pytest.CaptureFixture[str],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    log_format: str,
    address: str,
    told: str,
) -> None:
    """By Django itself, whatever fails: here what every request passes."""

    def fail(*args: object) -> None:
        raise RuntimeError("broken")

    configure_logging({"level": "INFO", "format": log_format})
    monkeypatch.setattr(resolvers.URLResolver, "resolve", fail)
    client.raise_request_exception = False
    assert client.get(address).status_code == 500
    logged = capsys.readouterr().err
    assert (told in logged, "RuntimeError: broken" in logged, "secret" in logged) == (True, True, False)
    assert "WSGIRequest" not in logged


def test_so_is_one_that_the_web_server_tells_of(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "INFO", "format": "json"})
    logging.getLogger("gunicorn.error").error("Error handling request %s %s", "GET", "/api/search?q=our+secret")
    assert json.loads(capsys.readouterr().err)["event"] == "Error handling request GET /api/search"
