"""`docsmcp roles`: prints the SQL that makes the role which requests use, with its rights; with --apply it is run.

Only needed on a server where the user of DATABASE_URL may not create roles; otherwise the migration has done it. With --login it also
makes a login only for the web server, which can change rows and nothing else.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.db import connection

from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import OwnCommand
from collections_app.postgres.database_roles import get_statements, is_owner, make_role


class Command(OwnCommand):
    help = "Print the SQL that makes the database's role for requests, to be run in the database by who may make roles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--login", default="", metavar="NAME", help="also make this login for the web server alone")
        parser.add_argument("--apply", action="store_true", help="run it instead, as the user of DATABASE_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        login = options["login"]
        if not is_owner(connection):
            raise InvalidParameter("The user of DATABASE_URL does not own the tables: run this with the owner's.")
        if login and is_owner(connection, login):
            raise InvalidParameter(
                f"{login} owns the tables, or is a superuser: choose a name of its own for the login."
            )
        if not options["apply"]:
            self.stdout.write("\n".join(f"{statement};" for statement in get_statements(connection, login)))
        elif make_role(connection, login):
            self.stdout.write("The role docsmcp_web is there. Restart the web server if it runs.")
            if login:
                self.stdout.write(f"The login {login} is there too; it needs a password: \\password {login} in psql.")
        else:
            what = "logins that see all rows" if login else "roles"
            raise InvalidParameter(
                f"This user may not make {what}: have an administrator of the database run what this prints without --apply."
            )
