"""Django's settings for the tests: the project's own, over defaults, a directory and a database of the session.

Nothing of the developer's counts, neither `.env` nor exported variables, except DATABASE_URL when it is exported: then
that server is used instead of the embedded one. The directory is removed, and the server stopped, when pytest ends.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from docsmcp_site.configuration.config import SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests import migrated

_directory = Path(tempfile.mkdtemp(prefix="docsmcp-tests-"))
_directory.chmod(0o711)  # when root runs the tests, the server's account must get through


def _clean_up(process_id: int) -> None:
    if os.getpid() == process_id:
        EmbeddedPostgres(_directory / "data").stop()
        shutil.rmtree(_directory, ignore_errors=True)


atexit.register(_clean_up, os.getpid())

# Of the first process, whose children take it over: it ends last.
os.environ.setdefault(migrated.VARIABLE, str(_directory / "migrated"))

_row_security = os.environ.get("DATABASE_ROW_SECURITY") or "off"

# An empty variable stands for the default, and hides the line of `.env`.
os.environ |= {**dict.fromkeys(SETTING_NAMES, ""), "DATABASE_URL": os.environ.get("DATABASE_URL", "")}
# Most tests' rows are seen without the wall; with it on, all of them hold too (`DATABASE_ROW_SECURITY=on pytest`).
os.environ["DATABASE_ROW_SECURITY"] = _row_security
os.environ["DATA_DIR"] = str(_directory / "data")
os.environ.pop(FLAGS_VARIABLE, None)

from docsmcp_site.settings import *  # noqa: E402, F403  the environment had to be ready

# The tests' tables are this version's, and many tests ask no database.
MIDDLEWARE = [each for each in MIDDLEWARE if each != "docsmcp_site.middleware.readiness.wait_for_tables"]  # noqa: F405

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Commands that tests start are the real thing.
os.environ["DJANGO_SETTINGS_MODULE"] = "docsmcp_site.settings"
