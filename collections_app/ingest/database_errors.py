"""What an error of PostgreSQL is about: the text that was written, or the server.

Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

from __future__ import annotations

from django.db import DatabaseError

DISK_FULL = "53100"
# Connection, insufficient resources, operator intervention, system error, internal error.
_SERVER_CLASSES = ("08", "53", "57", "58", "XX")


def get_state(error: DatabaseError) -> str:
    """The five characters of its SQLSTATE; empty when the connection itself failed."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def is_about_the_text(error: DatabaseError) -> bool:
    """Whether the same statement may go through with less or other text in it."""
    state = get_state(error)
    return bool(state) and not state.startswith(_SERVER_CLASSES)


def is_disk_full(error: DatabaseError) -> bool:
    return get_state(error) == DISK_FULL
