"""What `backup` and `restore` share: they are for the embedded database, and say what to do about an operator's own server."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from docsmcp_site.backup import BackupError
from docsmcp_site.embedded_postgres import EmbeddedPostgres


class BackupCommand(BaseCommand):
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.DOCSMCP.database_url:
            raise CommandError(
                "DATABASE_URL is set: use PostgreSQL's own tools, pg_dump and pg_restore, as docs/operations.md shows."
            )
        server = EmbeddedPostgres(settings.DOCSMCP.data_dir)
        try:
            self.act(options["file"].expanduser().absolute(), server)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None

    def act(self, file: Path, server: EmbeddedPostgres) -> None:
        raise NotImplementedError

    def find_secret_key(self) -> Path | None:
        """Where it is kept; None where SECRET_KEY is set, and so is the operator's to keep."""
        return None if settings.DOCSMCP.secret_key else settings.DOCSMCP.data_dir / "secret_key"
