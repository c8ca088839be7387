"""Cursors, which say where a list continues: opaque, signed, and valid only for the list and the caller that they were made for."""

from __future__ import annotations

from typing import Any

from django.core import signing

from collections_app.access.principal import Principal
from collections_app.exceptions import InvalidParameter


def make_cursor(kind: str, principal: Principal, position: list[Any]) -> str:
    """A cursor for the list `kind`. `position` (JSON values) is where the next page begins."""
    return signing.dumps(position, salt=make_salt(kind, principal), compress=True)


def read_cursor(kind: str, principal: Principal, cursor: str) -> list[Any]:
    """The position in a cursor. Raises InvalidParameter for one that was not made for this list and caller."""
    try:
        position = signing.loads(cursor, salt=make_salt(kind, principal))
    except signing.BadSignature:
        raise InvalidParameter(
            "This cursor is not valid here: it goes on only with the list that it was given with, for the same key. "
            "Leave it out to begin at the first page."
        ) from None
    return list(position)


def make_salt(kind: str, principal: Principal) -> str:
    return f"docsmcp.cursor.{kind}.{principal.api_key_id}.{principal.user_id}"
