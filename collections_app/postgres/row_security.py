"""Row-level security: the database itself keeps tenants apart while a request is answered. The policies are in migration 0001_squashed.

Each statement of a request is sent with the role that the policies apply to, and with the caller's tenants, in one message and only for
that statement's transaction, so nothing stays on a connection that others use next. Until the caller is known, only public rows are seen.
It protects against a forgotten filter, not against somebody who can send SQL of their own: docs/security.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any

from django.apps import apps
from django.db import DataError, ProgrammingError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from psycopg import ServerCursor
from psycopg.pq import TransactionStatus

from collections_app.postgres.prepared_cursor import PreparedCursor

ROLE = "docsmcp_web"

OUTSIDE = "SET LOCAL ROLE NONE"
READ_BEHIND_WALL = (
    "collections_app_document, collections_app_searchedvector, collections_app_searcheddocument, django_session"
)
# PostgreSQL accepts these in an aborted transaction, and they must be sent alone.
TRANSACTION_CONTROL = ("SAVEPOINT ", "RELEASE ", "ROLLBACK ")

# The tenants whose rows this thread's statements see; None: everybody's.
_tenants: ContextVar[tuple[int, ...] | None] = ContextVar("tenants", default=None)


def show_tenants(tenant_ids: Iterable[int]) -> None:
    """From now on this request sees the rows of these tenants, and public ones. Has no effect without row security."""
    _tenants.set(tuple(sorted(tenant_ids)))


def show_everything() -> None:
    """From now on this thread's statements see the rows of every tenant: for superusers."""
    _tenants.set(None)


@contextmanager
def as_owner() -> Iterator[None]:
    """Bypasses row security in the block: for code that must look before it knows the caller, or writes what a request passed to it."""
    token = _tenants.set(None)
    try:
        yield
    finally:
        _tenants.reset(token)


@contextmanager
def walled() -> Iterator[None]:
    """Applies row security to every statement of this thread in the block. At first nobody's rows are seen; nothing stays behind."""
    token = _tenants.set(())
    try:
        with ExitStack() as stack:
            for each in connections.all():
                stack.callback(leave_role, each)
                stack.enter_context(each.execute_wrapper(send_behind_wall))
            yield
    finally:
        _tenants.reset(token)


def iter_walled(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of a streamed answer, each made under row security with the tenants of now."""
    return iter_for(_tenants.get(), iter(parts))


def iter_for(tenants: tuple[int, ...] | None, parts: Iterator[bytes]) -> Iterator[bytes]:
    while True:
        with walled():
            _tenants.set(tenants)
            part = next(parts, None)
        if part is None:
            return
        yield part


def is_available() -> bool:
    """Whether this database has the role with its rights, and its user may take it. Raises what a lost database raises."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {ROLE}")
            cursor.execute("SELECT row_security_active('collections_app_document')")
            is_active = bool(cursor.fetchone()[0])
            cursor.execute(f"SELECT FROM {READ_BEHIND_WALL} LIMIT 0")
            cursor.execute(OUTSIDE)  # in case this is part of a longer transaction
            return is_active
    except (DataError, ProgrammingError):  # there is no such role, or the right is missing
        return False


def list_unprotected() -> list[str]:
    """The tables with tenants' rows that lack row-level security, for example because somebody recreated them by hand; sorted."""
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True) if is_of_tenants(model)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE oid = ANY(%s::regclass[]) AND NOT relrowsecurity", [tables])
        return sorted(name for (name,) in cursor.fetchall())


def is_of_tenants(model: type[Model]) -> bool:
    return model._meta.label == "collections_app.Tenant" or any(field.name == "tenant" for field in model._meta.fields)


def holds_for_us() -> bool:
    """Whether the policies apply to this database's own user too, who then sees nothing: it neither owns the tables nor may bypass them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_security_active('collections_app_document')")
        return bool(cursor.fetchone()[0])


def send_behind_wall(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """A wrapper around Django's statements: sends the settings that decide what a statement sees first, in the same message."""
    database, cursor = context["connection"], context["cursor"]
    settings = make_settings(database)
    if not settings or (isinstance(sql, str) and sql.startswith(TRANSACTION_CONTROL)):
        return execute(sql, params, many, context)
    if isinstance(cursor.cursor, PreparedCursor):
        cursor.cursor.settings |= settings
        return execute(sql, params, many, context)
    statements = [f"SET LOCAL {name} = '{value}'" for name, value in settings.items()]
    # psycopg sends these in its own way.
    if many or not isinstance(sql, str) or isinstance(cursor.cursor, ServerCursor):
        with transaction.atomic(using=database.alias, savepoint=False):
            database.connection.execute("; ".join(statements))
            return execute(sql, params, many, context)
    result = execute("; ".join([*statements, sql]), params, many, context)
    for _ in statements:
        cursor.nextset()
    return result


def make_settings(database: BaseDatabaseWrapper) -> dict[str, str]:
    tenants = _tenants.get()
    if tenants is None:
        return {"role": "none"} if database.in_atomic_block else {}
    return {"role": ROLE, "docsmcp.tenants": ",".join(map(str, tenants))}


def leave_role(database: BaseDatabaseWrapper) -> None:
    """Resets the role, in case a transaction continues after the block."""
    session = database.connection
    if session is not None and session.info.transaction_status == TransactionStatus.INTRANS:
        session.execute(OUTSIDE)
