"""The address that the web server listens on: reserved before anything else starts, named in URLs, checked for an answer.

Raises StartError for an address that cannot be used, with what to do about it.
"""

from __future__ import annotations

import errno
import http.client
import socket
from contextlib import ExitStack, closing, suppress
from typing import Any

from docsmcp_site.exceptions import StartError

BACKLOG = 1024
ANSWER_SECONDS = 1.0

# How the settings are written, as variables and with `docsmcp up` and `make up`.
HOST = "MCP_SERVER_HOST (`docsmcp up --host`, `make up HOST=…`)"
PORT = "MCP_SERVER_PORT (`docsmcp up --port`, `make up PORT=…`)"
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  a wildcard is listened on, and reached by loopback


def listen(host: str, port: int) -> socket.socket:
    """A listening socket for the web server to inherit. Clients that connect earlier wait for its answer. Raises StartError."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return _bind(family, address)
    except OSError as error:
        raise StartError(_explain(error, host, port)) from error


def _bind(family: int, address: tuple[Any, ...]) -> socket.socket:
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address[0] == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(BACKLOG)
        stack.pop_all()
    return listener


def _explain(error: OSError, host: str, port: int) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: choose another one by {HOST}."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use by another program: stop that, or choose another port by {PORT}."
    if error.errno == errno.EACCES:
        return f"This user may not listen on port {port}: choose one above 1023 by {PORT}."
    return f"Nothing can listen on port {port} of {host} ({error.strerror}): choose others by {HOST} and {PORT}."


def make_base_url(host: str, port: int) -> str:
    """The URL by which this machine reaches the server, without a path or a final slash."""
    return f"http://{make_authority(_LOOPBACK.get(host, host), port)}"


def make_authority(host: str, port: int) -> str:
    """HOST:PORT, an IPv6 address in brackets (RFC 3986, section 3.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_answering(host: str, port: int) -> bool:
    """Whether a web server answers there. It may refuse the Host name: that is an answer too."""
    connection = http.client.HTTPConnection(_LOOPBACK.get(host, host), port, timeout=ANSWER_SECONDS)
    with closing(connection), suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/livez")
        return connection.getresponse().status < 500
    return False
