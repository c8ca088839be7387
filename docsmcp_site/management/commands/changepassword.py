"""`docsmcp changepassword NAME`: Django's command, which asks for a new password."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword

from collections_app.exceptions import InvalidParameter
from collections_app.models import User
from docsmcp_site.management.account_command import AccountCommand


class Command(AccountCommand, changepassword.Command):
    help = "Give an account another password."

    def handle(self, *args: Any, **options: Any) -> str | None:
        name = options["username"] or getpass.getuser()
        if not User.objects.filter(username=name).exists():
            raise InvalidParameter(
                f"There is no account {name!r}: name one, as in `docsmcp changepassword NAME`. "
                "`docsmcp createsuperuser` makes another one."
            )
        return super().handle(*args, **options)
