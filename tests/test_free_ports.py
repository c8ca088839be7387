from __future__ import annotations

import socket

import pytest

from tests.free_ports import HOST, find_free_port


def test_a_port_is_kept_for_the_server_that_is_told_it() -> None:
    port = find_free_port()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind((HOST, port))
    for _ in range(2):
        with socket.create_server((HOST, port)), socket.create_connection((HOST, port)):
            pass


def test_until_then_nobody_answers_there() -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HOST, find_free_port()))
