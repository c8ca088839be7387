import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from docsmcp_site.logs import configure_logging


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


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


def test_requests_that_were_refused_are_no_events(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging({"level": "DEBUG", "format": "console"})
    logging.getLogger("django.request").warning("Not Found: /wp-admin")
    logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header")
    assert capsys.readouterr().err == ""
    logging.getLogger("django.request").error("Internal Server Error: /mcp")
    assert "Internal Server Error" in capsys.readouterr().err
