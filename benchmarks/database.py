"""What a benchmark on rows begins and ends with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from collections_app.models import Tenant
from collections_app.postgres.row_security import show_tenants, walled
from docsmcp_site.database import embedded_backend
from docsmcp_site.database.preparation import preparing_database


def run_with_database(main: Callable[[], None]) -> None:
    """The database is made ready before, and let go afterwards: it ends with its last process."""
    try:
        with preparing_database():
            pass
        main()
    finally:
        embedded_backend.release()


@contextmanager
def behind_wall(tenant: Tenant) -> Iterator[None]:
    """As the web server asks for a caller of that tenant: row-level security holds, and bars indexes that answer without it."""
    with walled():
        show_tenants([tenant.pk])
        yield
