"""The Django database backend `docsmcp_site.database.embedded_backend`: Django's backend for PostgreSQL, with the embedded server.

Knows which embedded servers this process used, and releases them at its end. Starts nothing before the first
connection, and never stops anything from a process that was forked after this module was imported.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from django.db import connections

from docsmcp_site.database.embedded_postgres import EmbeddedPostgres

_importing_process = os.getpid()
_servers_used: list[EmbeddedPostgres] = []


@cache
def get_server(data_dir: str) -> EmbeddedPostgres:
    """The server of the data directory, which this process uses from now on."""
    server = EmbeddedPostgres(Path(data_dir))
    _servers_used.append(server)
    return server


def release() -> None:
    """Closes this thread's connections, then stops each embedded server that this process used and nobody else uses.

    For the end of a top-level process; does nothing if no embedded server was used. Raises EmbeddedPostgresError.
    """
    if _servers_used and os.getpid() == _importing_process:
        connections.close_all()
        for server in _servers_used:
            server.release()
