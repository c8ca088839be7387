"""`docsmcp restore FILE`: a backup back into a new data directory."""

from __future__ import annotations

from pathlib import Path

from docsmcp_site.backup import restore
from docsmcp_site.embedded_postgres import EmbeddedPostgres
from docsmcp_site.management.backup_command import BackupCommand


class Command(BackupCommand):
    help = "Fill the empty database of DATA_DIR from a file that `docsmcp backup` has written."

    def act(self, file: Path, server: EmbeddedPostgres) -> None:
        key = self.find_secret_key()
        about = restore(file, server, key)
        self.stdout.write(f"Restored what docsmcp {about.version} had on {about.created}. `docsmcp up` serves it.")
        if key is None:
            self.stdout.write("SECRET_KEY must be the one that the backup was made under.")
