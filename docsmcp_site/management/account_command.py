"""What `createsuperuser` and `changepassword` add to Django's: what cannot be done is one sentence, and ends with exit code 2."""

from __future__ import annotations

import getpass
import warnings
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from collections_app.exceptions import InvalidParameter


class AccountCommand(BaseCommand):
    """Stands before Django's command among the bases. Refuses, by InvalidParameter, to ask where nobody answers."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        warnings.simplefilter("ignore", getpass.GetPassWarning)  # it says itself that a password is seen
        try:
            return super().handle(*args, **options)
        except CommandError as error:
            raise InvalidParameter(str(error).removeprefix("Error: ")) from None
        except EOFError:
            self.stderr.write("")  # behind the question
            raise InvalidParameter("Nobody answers the question for a password: run this at a terminal.") from None
