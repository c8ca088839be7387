"""What a benchmark on rows begins and ends with."""

from __future__ import annotations

from collections.abc import Callable

from docsmcp_site import embedded_backend
from docsmcp_site.database_preparation import preparing_database


def run_with_database(main: Callable[[], None]) -> None:
    """The database is made ready before, and let go afterwards: it ends with its last process."""
    try:
        with preparing_database():
            pass
        main()
    finally:
        embedded_backend.release()
