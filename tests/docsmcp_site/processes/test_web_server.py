from __future__ import annotations

import socket
import sys
from datetime import timedelta
from pathlib import Path
from threading import Semaphore
from types import SimpleNamespace
from unittest import mock

import pytest
from django.core.management import call_command
from django.test import override_settings
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]
from gunicorn.workers.gthread import TConn  # type: ignore[import-untyped]

from collections_app.exceptions import InvalidParameter
from docsmcp_site.configuration.config import Config
from docsmcp_site.configuration.loading import load_config
from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.listening import listen
from docsmcp_site.processes.services import make_web_service
from docsmcp_site.processes.supervisor import Timing
from docsmcp_site.processes.web_server import YIELD_SECONDS, FairWorker, WebServer, compute_yield_seconds, make_options
from mcp_app.entries import DEADLINE_SECONDS


def make_config(tmp_path: Path, **values: str) -> Config:
    return load_config({}, {"DATA_DIR": str(tmp_path), **values}, tmp_path)


def make_server(tmp_path: Path, **values: str) -> WebServer:
    config = make_config(tmp_path, **values)
    return WebServer(config, make_options(config, "127.0.0.1:8001"))


def test_gunicorn_takes_every_option(tmp_path: Path) -> None:
    cfg = make_server(tmp_path, WEB_WORKERS="3", WEB_THREADS="5").cfg
    assert (cfg.workers, cfg.threads, cfg.worker_class, cfg.address) == (3, 5, FairWorker, [("127.0.0.1", 8001)])
    assert cfg.control_socket_disable


def test_an_address_may_be_as_long_as_nginx_lets_it_be(tmp_path: Path) -> None:
    """Whoever connects an app and signs in first has the app's whole request in it."""
    request = b"GET /admin/login/?next=%s HTTP/1.1\r\nHost: docs.example\r\n\r\n" % (b"x" * 8_000)
    parsed = next(RequestParser(make_server(tmp_path).cfg, [request], ("127.0.0.1", 1)))
    assert len(parsed.query) == len("next=") + 8_000


def test_of_several_workers_the_one_with_more_connections_lets_the_others_go_first() -> None:
    waits = [compute_yield_seconds(2, connections) for connections in (0, 1, 2, 40, 1000)]
    assert waits[0] == 0
    assert waits == sorted(set(waits))
    assert waits[-1] < YIELD_SECONDS
    assert compute_yield_seconds(1, 1000) == 0


def test_a_connection_that_says_nothing_takes_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = FairWorker.__new__(FairWorker)  # one that is made has the signals of the process
    worker.slow_places = Semaphore(1)
    waits: list[float] = []
    own, client = socket.socketpair()
    with client:
        connection = TConn(make_server(tmp_path).cfg, own, ("127.0.0.1", 1), ("127.0.0.1", 2))
        monkeypatch.setattr(connection, "wait_for_data", lambda seconds: waits.append(seconds))
        assert worker.handle(connection)
        connection.close()
    assert waits == [0]


def test_a_worker_that_ends_lets_every_tool_call_end_first(tmp_path: Path) -> None:
    assert make_server(tmp_path).cfg.graceful_timeout > DEADLINE_SECONDS


def test_gunicorn_has_stopped_before_its_supervisor_loses_patience(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        command = make_web_service(make_config(tmp_path), listener).command
    assert float(command[command.index("--graceful-seconds") + 1]) < Timing().stop_seconds


@pytest.mark.parametrize(
    ("level", "gunicorn_level"), [("INFO", "WARNING"), ("DEBUG", "DEBUG"), ("ERROR", "ERROR"), ("WARNING", "WARNING")]
)
def test_gunicorn_is_quiet_while_all_is_well(tmp_path: Path, level: str, gunicorn_level: str) -> None:
    loggers = make_server(tmp_path, LOG_LEVEL=level).cfg.logconfig_dict["loggers"]
    assert loggers["gunicorn.error"]["level"] == gunicorn_level


def test_no_record_is_made_of_a_request_that_no_handler_would_take(tmp_path: Path) -> None:
    """The dispatcher writes what was done."""
    cfg = make_server(tmp_path).cfg
    logger = cfg.logger_class.__new__(cfg.logger_class)  # its making would configure the logging of all tests
    logger.cfg = cfg
    with mock.patch.object(logger, "atoms") as atoms:
        logger.access(SimpleNamespace(), SimpleNamespace(), {}, timedelta())
    atoms.assert_not_called()


def test_a_mistake_in_a_view_shows_before_a_request_comes(tmp_path: Path) -> None:
    wsgi = SimpleNamespace(application=object())
    with mock.patch.dict(sys.modules, {"docsmcp_site.wsgi": wsgi}):
        assert make_server(tmp_path).load() is wsgi.application
        with override_settings(ROOT_URLCONF="docsmcp_site.no_such_module"), pytest.raises(ModuleNotFoundError):
            make_server(tmp_path).load()


def test_a_port_that_is_in_use_is_one_sentence(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as busy:
        config = make_config(tmp_path, MCP_SERVER_PORT=str(busy.getsockname()[1]))
        with override_settings(DOCSMCP=config), pytest.raises(StartError, match=r"in use .* MCP_SERVER_PORT"):
            call_command("run_gunicorn")


def test_only_a_socket_can_be_inherited(tmp_path: Path) -> None:
    with (
        (tmp_path / "file").open("w") as file,
        pytest.raises(InvalidParameter, match=f"--fd {file.fileno()}: no socket"),
    ):
        call_command("run_gunicorn", fd=file.fileno())
    with pytest.raises(InvalidParameter, match="--fd 99999: no socket"):
        call_command("run_gunicorn", fd=99999)
