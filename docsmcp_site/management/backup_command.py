"""What `backup` and `restore` share: how they are called, what they say when it was not done, and where the secret key is kept."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from collections_app.exceptions import InvalidParameter
from docsmcp_site.postgres_tools import BackupError


class BackupCommand(BaseCommand):
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"].expanduser().absolute()
        try:
            self.act(file)
        except BackupError as error:
            raise InvalidParameter(str(error)) from None
        except OSError as error:
            raise InvalidParameter(f"{file}: {error.strerror or error}.") from None

    def act(self, file: Path) -> None:
        raise NotImplementedError

    def find_secret_key(self) -> Path | None:
        """Where it is kept; None where SECRET_KEY is set, and so is the operator's to keep."""
        return None if settings.DOCSMCP.secret_key else settings.DOCSMCP.data_dir / "secret_key"
