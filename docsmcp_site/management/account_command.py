"""What `createsuperuser` and `changepassword` add to Django's commands: a failure is one sentence and exit code 2."""

from __future__ import annotations

import getpass
import warnings
from typing import Any

from django.core.management.base import CommandError

from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import OwnCommand


class AccountCommand(OwnCommand):
    """A mixin in front of Django's command. Refuses, by InvalidParameter, to ask where nobody can answer."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        warnings.simplefilter("ignore", getpass.GetPassWarning)  # it says itself that the password can be seen
        try:
            return super().handle(*args, **options)
        except CommandError as error:
            raise InvalidParameter(str(error).removeprefix("Error: ")) from None
        except EOFError:
            self.stderr.write("")  # ends the line of the question
            raise InvalidParameter("Nobody answers the question for a password: run this at a terminal.") from None
