"""The web server's own login, which `docsmcp roles --login` makes, for tests: their connection becomes its for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from collections_app.postgres.database_roles import make_role

LOGIN = "docsmcp_test_login"


@contextmanager
def signed_in_as_web_login() -> Iterator[None]:
    """Everything until the end of the block, or of the test's transaction, is sent by the login."""
    if not make_role(connection, LOGIN):
        pytest.skip("this database's user may not make the login")
    with connection.cursor() as cursor:
        cursor.execute(f"SET SESSION AUTHORIZATION {LOGIN}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET SESSION AUTHORIZATION")
