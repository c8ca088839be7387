"""`docsmcp run_gunicorn`: the web server alone, as `docsmcp up` starts it, for setups in which something else starts the rest.

Before gunicorn starts, refuses an address that cannot be used (StartError) and a descriptor that is no socket (InvalidParameter).
"""

from __future__ import annotations

import os
import stat
from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import OwnCommand
from docsmcp_site.processes.listening import listen, make_authority
from docsmcp_site.processes.web_server import GRACEFUL_SECONDS, WebServer, make_options

# Variable by which gunicorn, when it replaces itself at SIGUSR2, tells its successor about their common socket.
INHERITED = "GUNICORN_FD"


class Command(OwnCommand):
    help = "Run the web server alone, on MCP_SERVER_HOST and MCP_SERVER_PORT. `docsmcp up` runs everything."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fd", type=int, metavar="N", help="instead, on this listening socket, which is inherited")
        parser.add_argument(
            "--graceful-seconds",
            type=int,
            default=GRACEFUL_SECONDS,
            metavar="N",
            help="how long requests that run may go on when it is told to stop (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        config, descriptor = settings.DOCSMCP, options["fd"]
        if descriptor is None:
            bind = make_authority(config.mcp_server_host, config.mcp_server_port)
            if INHERITED not in os.environ:
                listen(config.mcp_server_host, config.mcp_server_port).close()
        else:
            bind = f"fd://{descriptor}"
            check_socket(descriptor)
        WebServer(config, make_options(config, bind, options["graceful_seconds"])).run()


def check_socket(descriptor: int) -> None:
    try:
        is_socket = stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except (OSError, OverflowError):
        is_socket = False
    if not is_socket:
        raise InvalidParameter(
            f"--fd {descriptor}: no socket was inherited under this number. Without --fd it listens on MCP_SERVER_HOST and MCP_SERVER_PORT."
        )
