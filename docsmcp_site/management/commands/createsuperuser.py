"""`docsmcp createsuperuser`: Django's command, which asks for name and password."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from collections_app.exceptions import InvalidParameter
from collections_app.models import User
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
        if not options["interactive"]:
            check_given_password(options)
        return super().handle(*args, **options)


def check_given_password(options: Mapping[str, Any]) -> None:
    """Checks a password that was not asked for, which Django accepts unchecked, by the rules for people. Raises InvalidParameter."""
    password = os.environ.get("DJANGO_SUPERUSER_PASSWORD")
    if password is None:
        return
    name = options["username"] or os.environ.get("DJANGO_SUPERUSER_USERNAME", "")
    email = options["email"] or os.environ.get("DJANGO_SUPERUSER_EMAIL", "")
    try:
        validate_password(password, User(username=name, email=email))
    except ValidationError as error:
        reasons = " ".join(error.messages)
        raise InvalidParameter(
            f"DJANGO_SUPERUSER_PASSWORD is no password to take: {reasons} Set another one."
        ) from None
