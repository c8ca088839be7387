"""`docsmcp backup FILE`: writes the database into one file while the server keeps working."""

from __future__ import annotations

from pathlib import Path

from collections_app.management.named_paths import parse_output
from docsmcp_site.database.backup import back_up
from docsmcp_site.database.postgres_tools import BackupError
from docsmcp_site.management.backup_command import BackupCommand


class Command(BackupCommand):
    parse_file = staticmethod(parse_output)
    help = "Write the database, with the secret key of DATA_DIR, to a file. The server may go on meanwhile."

    def act(self, file: Path) -> None:
        if file.exists():
            raise BackupError(f"{file} is there already: choose another name, or move it away.")
        key = self.find_secret_key()
        back_up(file, key)
        self.stdout.write(f"{file}: {file.stat().st_size / 1_000_000:,.1f} MB. Keep it where only you can read it.")
        if key is None:
            self.stdout.write("SECRET_KEY is not in it: keep it beside, stored tokens cannot be read without it.")
