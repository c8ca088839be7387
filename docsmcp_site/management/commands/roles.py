"""`docsmcp roles`: the SQL that makes the role which requests take, with its rights; with --apply it is run.

Only needed on a server where the user of DATABASE_URL may not make roles: else the migration has done it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from collections_app.database_roles import get_statements, make_role


class Command(BaseCommand):
    help = "Print the SQL that makes the database's role for requests, to be run in the database by who may make roles."
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="run it instead, as the user of DATABASE_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["apply"]:
            self.stdout.write("\n".join(f"{statement};" for statement in get_statements(connection)))
        elif make_role(connection):
            self.stdout.write("The role docsmcp_web is there. Restart the web server if it runs.")
        else:
            raise CommandError(
                "This user may not make roles: have an administrator of the database run what `docsmcp roles` prints."
            )
