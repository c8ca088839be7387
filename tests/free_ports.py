"""Ports for servers that are told theirs by number, in this process or in others."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"
_reserved: list[socket.socket] = []


def find_free_port() -> int:
    """One that nothing else is given while this process lasts, however late its server starts, or none does: nobody listens until then.

    A socket is bound to it that does not listen. With SO_REUSEADDR, which servers set, others may be bound to it by its number; the
    system, which chooses ports by itself for servers and for clients, passes it over.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((HOST, 0))
    _reserved.append(holder)
    return int(holder.getsockname()[1])
