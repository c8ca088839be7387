"""`python -m tests.services.pgbouncer -- COMMAND…`: run a command with TEST_PGBOUNCER, the path of Debian's; root installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.services.postgresql import install

VARIABLE = "TEST_PGBOUNCER"
# Debian keeps it where not everybody looks.
PATH = "/usr/sbin:/usr/bin"


def find_program() -> str:
    if shutil.which("pgbouncer", path=PATH) is None:
        install("pgbouncer")
    return shutil.which("pgbouncer", path=PATH) or sys.exit("PgBouncer is missing: install it")


def main(command: list[str]) -> int:
    return subprocess.run(command, env=os.environ | {VARIABLE: find_program()}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))
