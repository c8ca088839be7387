"""Turns DATABASE_URL, as libpq reads it, into Django's terms. Connects to nothing; raises ValueError for a URL that it refuses."""

from __future__ import annotations

from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

_SCHEMES = ("postgresql://", "postgres://")
_DJANGO_NAMES = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}


def parse_database_url(url: str) -> dict[str, Any]:
    """NAME, USER, PASSWORD, HOST, PORT and OPTIONS of Django's DATABASES.

    The grammar is libpq's (PostgreSQL manual, "Connection URIs"): percent-decoding, several hosts, a socket directory
    by `?host=`, and any connection parameter as an option. The database must be named. Raises ValueError, which quotes
    no part of the URL: it may contain a password.
    """
    if not url.startswith(_SCHEMES):
        raise ValueError("not a PostgreSQL URL")
    try:
        parameters = conninfo_to_dict(url)
    except ProgrammingError:
        raise ValueError("not a PostgreSQL URL that libpq can read") from None
    if not parameters.get("dbname"):
        raise ValueError("no database is named")
    if set("@/") & set(str(parameters["dbname"])) or "@" in str(parameters.get("host", "")):
        # libpq would connect to another host, and report the rest of the password as the name of a database.
        raise ValueError("a sign in the password is not percent-encoded")
    if not all(_is_port(port) for port in str(parameters.get("port", "")).split(",") if port):
        raise ValueError("a port is not from 1 to 65535")
    options = {name: value for name, value in parameters.items() if name not in _DJANGO_NAMES}
    return {django: parameters.get(libpq, "") for libpq, django in _DJANGO_NAMES.items()} | {"OPTIONS": options}


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) <= 65535
