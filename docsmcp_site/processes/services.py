"""The services of `docsmcp up`: the web server and the queue, as docsmcp commands, and how each signals that it is ready."""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from docsmcp_site.configuration.config import PROJECT_ROOT, Config
from docsmcp_site.processes.listening import is_answering
from docsmcp_site.processes.supervisor import Service

# After Ctrl-C: gunicorn cuts short what still runs, before the supervisor does.
GRACEFUL_SECONDS = "5"


@contextmanager
def making_services(config: Config, listener: socket.socket) -> Iterator[list[Service]]:
    """The services, over a socket that stays open while they are restarted. They live as long as the block."""
    readable, writable = os.pipe()
    try:
        yield [make_web_service(config, listener), make_queue_service(readable, writable)]
    finally:
        os.close(readable)
        os.close(writable)


def make_web_service(config: Config, listener: socket.socket) -> Service:
    return Service(
        name="web server",
        command=(*find_entry(), "run_gunicorn", "--fd", str(listener.fileno()), "--graceful-seconds", GRACEFUL_SECONDS),
        is_ready=lambda: is_answering(config.mcp_server_host, config.mcp_server_port),
        descriptors=(listener.fileno(),),
    )


def make_queue_service(readable: int, writable: int) -> Service:
    """The service writes to the pipe once its processes run."""
    return Service(
        name="queue",
        command=(*find_entry(), "run_qcluster", "--ready-fd", str(writable)),
        is_ready=lambda: bool(select.select([readable], [], [], 0)[0]),
        descriptors=(writable,),
    )


def find_entry() -> tuple[str, ...]:
    """The command line that runs `docsmcp`, from a source checkout (installed or not) or from the package.

    Neither puts the working directory, which may be a folder of anybody's documents, on Python's module path.
    """
    manage = PROJECT_ROOT / "manage.py"
    return (
        (sys.executable, str(manage)) if manage.is_file() else (sys.executable, "-P", "-m", "docsmcp_site.command_line")
    )
