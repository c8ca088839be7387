"""The environment of another process that is to work on the tests' database."""

from __future__ import annotations

import os
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from docsmcp_site.configuration.config import SETTING_NAMES


def make_worker_environment() -> dict[str, str]:
    """Default settings, but for where things are."""
    own = {"DATABASE_URL": get_database_url(), "DATA_DIR": str(settings.DOCSMCP.data_dir), "LOG_LEVEL": "ERROR"}
    return {**os.environ, **dict.fromkeys(SETTING_NAMES, ""), **own}


def get_database_url() -> str:
    given = connection.get_connection_params()
    user, password = quote(str(given["user"])), quote(str(given.get("password") or ""))
    return f"postgresql://{user}:{password}@{given['host']}:{given['port']}/{given['dbname']}"
