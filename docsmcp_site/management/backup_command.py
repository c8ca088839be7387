"""What `backup` and `restore` share: their arguments, their messages on failure, and the place of the secret key."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings

from collections_app.management.command_base import NOTHING_DONE, SOME_FAILED, OwnCommand, is_away
from docsmcp_site.database.postgres_tools import BackupError, ToolFailed


class BackupCommand(OwnCommand):
    parse_file: Callable[[str], Path]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=self.parse_file, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"].expanduser().absolute()
        try:
            self.act(file)
        except BackupError as error:
            self.refuse(str(error), SOME_FAILED if isinstance(error, ToolFailed) else NOTHING_DONE)
        except OSError as error:
            sentence = f"{error.filename or file}: {error.strerror or error}."
            if is_away(error):
                self.refuse(sentence, SOME_FAILED)
            self.refuse(f"{sentence} Check the path, and this user's rights.", NOTHING_DONE)

    def refuse(self, sentence: str, exit_code: int) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(exit_code)

    def act(self, file: Path) -> None:
        raise NotImplementedError

    def find_secret_key(self) -> Path | None:
        """The file of the secret key; None if SECRET_KEY is set: then keeping it is up to the operator."""
        return None if settings.DOCSMCP.secret_key else settings.DOCSMCP.data_dir / "secret_key"
