from __future__ import annotations

import errno
import os
import socket
from unittest import mock

import pytest

from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.listening import is_answering, listen, make_base_url


def get_port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def test_it_refuses_a_busy_port_and_names_the_flag() -> None:
    with (
        listen("127.0.0.1", 0) as busy,
        pytest.raises(StartError, match=r"Port [0-9]+ of 127.0.0.1 .* MCP_SERVER_PORT .*up --port`, `make up PORT="),
    ):
        listen("127.0.0.1", get_port(busy))


def test_it_takes_a_port_that_was_in_use_a_moment_ago() -> None:
    with listen("127.0.0.1", 0) as first:
        port = get_port(first)
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()  # whoever closes first is left with a connection in TIME_WAIT
    listen("127.0.0.1", port).close()


def test_it_refuses_an_address_of_another_machine() -> None:
    with pytest.raises(StartError, match=r"192\.0\.2\.1 is no address of this machine"):
        listen("192.0.2.1", 0)


def test_it_refuses_a_name_that_is_unknown() -> None:
    with (
        mock.patch("socket.getaddrinfo", side_effect=socket.gaierror(socket.EAI_NONAME, "unknown")),
        pytest.raises(StartError, match=r"docs\.example is no address of this machine"),
    ):
        listen("docs.example", 0)


@pytest.mark.parametrize(("number", "mend"), [(errno.EACCES, "above 1023"), (errno.ENOBUFS, "No buffer space")])
def test_it_says_what_the_system_says(number: int, mend: str) -> None:
    error = OSError(number, os.strerror(number))
    with mock.patch("socket.socket.bind", side_effect=error), pytest.raises(StartError, match=mend):
        listen("127.0.0.1", 80)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8001"),
        ("docs.example", "http://docs.example:8001"),
        ("0.0.0.0", "http://127.0.0.1:8001"),  # noqa: S104
        ("::", "http://[::1]:8001"),
        ("fd00::1", "http://[fd00::1]:8001"),
    ],
)
def test_urls_name_an_address_that_can_be_reached(host: str, url: str) -> None:
    assert make_base_url(host, 8001) == url


def test_nobody_answers_where_nobody_listens() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = get_port(listener)
    assert not is_answering("127.0.0.1", port)
