"""`docsmcp createsuperuser`: Django's, which asks for name and password."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.management.commands import createsuperuser

from collections_app.exceptions import InvalidParameter
from docsmcp_site.management.account_command import AccountCommand

WITHOUT_TERMINAL = (
    "Nobody answers questions here: run this at a terminal, or as `docsmcp createsuperuser --noinput --username NAME --email ADDRESS`, "
    "with the password in the environment variable DJANGO_SUPERUSER_PASSWORD."
)


class Command(AccountCommand, createsuperuser.Command):
    help = "Make an account that may do everything in the admin."

    def handle(self, *args: Any, **options: Any) -> str | None:
        if options["interactive"] and not (self.stdin and self.stdin.isatty()):
            raise InvalidParameter(WITHOUT_TERMINAL)
        return super().handle(*args, **options)
