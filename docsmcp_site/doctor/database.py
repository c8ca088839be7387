"""Checks of the database itself: that it answers, what it can do, and that its tables are this version's."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, connections

from collections_app.postgres.database_roles import is_owner
from collections_app.postgres.replicas import REPLICA, ReplicaUnfit, look
from collections_app.postgres.row_security import holds_for_us, is_available, list_unprotected
from docsmcp_site.database.preparation import (
    OLDEST_VERSION,
    check_version,
    is_migration_due,
    list_unknown_migrations,
)
from docsmcp_site.doctor.findings import Verdict, describe_bytes, fail, ok, warn
from docsmcp_site.exceptions import StartError

# Connections of this host besides the workers': the queue's own processes, and a command now and then.
OTHER_CONNECTIONS = 6


def fetch_row(sql: str) -> tuple[Any, ...]:
    """The only row; a row of nulls if there is none."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone() or (None,)


def check_database() -> Verdict:
    try:
        check_version()
        (version,) = fetch_row("SHOW server_version")
    except StartError as error:
        return fail(str(error), f"use PostgreSQL {OLDEST_VERSION} or later")
    except OperationalError as error:
        return fail(f"it cannot be used: {str(error).partition(chr(10))[0]}", "start it, or correct DATABASE_URL")
    where = "as DATABASE_URL says" if settings.DOCSMCP.database_url else "embedded, in DATA_DIR"
    return ok(f"PostgreSQL {version}, {where}{describe_size()}")


def describe_size() -> str:
    try:
        (size,) = fetch_row("SELECT pg_database_size(current_database())")
    except DatabaseError:  # the right is missing
        return ""
    return f"; it takes {describe_bytes(size)}"


def check_encoding() -> Verdict:
    (encoding,) = fetch_row("SHOW server_encoding")
    if encoding == "UTF8":
        return ok("UTF8")
    return fail(f"the database's encoding is {encoding}", "make a database with ENCODING 'UTF8'")


def check_connections() -> Verdict:
    opened, most = fetch_row(
        "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'), "
        "current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
    )
    config = settings.DOCSMCP
    wanted = (
        config.web_workers * (config.database_pool_size or config.web_threads)
        + config.queue_workers
        + 1
        + OTHER_CONNECTIONS
    )
    what = f"{opened} of {most} are open; this host's settings may take {wanted}"
    if wanted > most:
        return warn(what, "raise max_connections of the database, or lower WEB_WORKERS or WEB_THREADS")
    if opened > 0.9 * most:
        return warn(what, "see who holds them (pg_stat_activity), or raise max_connections")
    return ok(what)


def check_replica() -> Verdict:
    if REPLICA not in connections.settings:
        return ok("none is set")
    try:
        look({})
    except DatabaseError as error:
        what = f"it cannot be used: {str(error).partition(chr(10))[0]}; the primary does its work"
        return warn(what, "start it, or correct DATABASE_REPLICA_URL")
    except ReplicaUnfit as reason:
        return warn(f"{reason}; the primary does its work", "see that it streams, and that its host keeps up")
    return ok("it keeps up")


def check_pgvector() -> Verdict:
    version, installed = fetch_row(
        "SELECT max(default_version), max(installed_version) FROM pg_available_extensions WHERE name = 'vector'"
    )
    if version is None:
        return warn(
            "it is not there; search by keyword does not need it",
            "for semantic and hybrid search, install pgvector 0.8 or later on the database's host",
        )
    return ok(f"{installed} is installed" if installed else f"{version} is available")


def check_migrations() -> Verdict:
    if is_migration_due():
        return fail("the tables are not those of this version", "run `docsmcp migrate`, or `docsmcp up`")
    if unknown := list_unknown_migrations():
        what = (
            f"the tables are of a later release: {len(unknown)} migrations are not known here, the first {unknown[0]}"
        )
        return warn(
            what, "bring this host to that release, unless the upgrade is under way: docs/operations.md, Upgrading"
        )
    return ok("the tables are those of this version")


def check_row_security() -> Verdict:
    choice = settings.DOCSMCP.database_row_security
    if holds_for_us():
        return fail(
            "the database's user does not own the tables, so it sees no tenant's rows",
            "let DATABASE_URL name their owner, or a login that `docsmcp roles --login` makes",
        )
    if choice == "off":
        return ok("off: DATABASE_ROW_SECURITY")
    if unprotected := list_unprotected():
        return fail(
            f"the database does not keep tenants apart in {', '.join(unprotected)}",
            "make the policies of these tables anew, as migration 0001_squashed does, and ENABLE ROW LEVEL SECURITY",
        )
    if is_available():
        less = "" if is_owner(connection) else "; its user owns no table"
        return ok(f"the database keeps the tenants of requests apart{less}")
    what = (
        "the role docsmcp_web is missing, has not all of its rights, or is none that this user may take: "
        "nothing but the application keeps tenants apart"
    )
    mend = "run what `docsmcp roles` prints, or `docsmcp roles --apply`"
    return fail(what, mend) if choice == "on" else warn(what, mend)
