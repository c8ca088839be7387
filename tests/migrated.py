"""An embedded database that has its tables: made once for all processes of a test session, and copied where only its content matters.

Copying takes a small part of the time of migrating. Commands that migrate from nothing are tested where nothing is copied.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE

# The directory of the session; processes that pytest starts inherit it.
VARIABLE = "DOCSMCP_TESTS_MIGRATED"


def give_tables(data_dir: Path) -> None:
    """Puts a database with all tables into a data directory that has none, unless this is no test session."""
    if VARIABLE not in os.environ:
        return
    shared = Path(os.environ[VARIABLE])
    data_dir.mkdir(exist_ok=True)
    with (shared.parent / "migrating").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            _migrate(shared)
    # Its files belong to the user that the server runs as.
    subprocess.run(["cp", "-a", shared / "postgres", data_dir], check=True)  # noqa: S607


def _migrate(shared: Path) -> None:
    new = shared.with_suffix(".new")
    inherited = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
    own = {"DATA_DIR": str(new), "LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "docsmcp_site.settings"}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=PROJECT_ROOT, env=inherited | dict.fromkeys(SETTING_NAMES, "") | own, check=True)
    new.rename(shared)
