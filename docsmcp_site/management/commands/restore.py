"""`docsmcp restore FILE`: restores a backup into an empty database, the embedded one or the server of DATABASE_URL."""

from __future__ import annotations

from pathlib import Path

from collections_app.management.named_paths import parse_input
from collections_app.postgres.row_security import ROLE, is_available
from docsmcp_site.database.backup import restore
from docsmcp_site.management.backup_command import BackupCommand


class Command(BackupCommand):
    parse_file = staticmethod(parse_input)
    help = "Fill the empty database of DATA_DIR, or of DATABASE_URL, from a file that `docsmcp backup` has written."

    def act(self, file: Path) -> None:
        key = self.find_secret_key()
        about = restore(file, key)
        self.stdout.write(f"Restored what docsmcp {about.version} had on {about.created}. Start the server again.")
        if key is None:
            self.stdout.write("SECRET_KEY must be the one that the backup was made under.")
        if not is_available():
            self.stdout.write(
                f"This user may not make the role {ROLE}: have an administrator of the database run what `docsmcp roles` prints."
            )
