"""`docsmcp run_gunicorn`: the web server alone, as `docsmcp up` starts it, for where something else starts the rest."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from docsmcp_site.listening import make_authority
from docsmcp_site.web_server import GRACEFUL_SECONDS, WebServer, make_options


class Command(BaseCommand):
    help = "Run the web server alone, on MCP_SERVER_HOST and MCP_SERVER_PORT. `docsmcp up` runs everything."
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

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
        own = make_authority(config.mcp_server_host, config.mcp_server_port)
        bind = own if descriptor is None else f"fd://{descriptor}"
        WebServer(config, make_options(config, bind, options["graceful_seconds"])).run()
