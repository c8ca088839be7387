"""The role of the database that requests take, and its rights: rows, and nothing else. Which rows is row_security.py's and the policies'.

Refuses nothing: where the database's user may not make roles, whoever may runs the same statements.
"""

from __future__ import annotations

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from collections_app.row_security import ROLE

# Two installations in one server share the role; two that make it at once find that the other one was quicker.
MAKE_ROLE = f"""
DO $$ BEGIN
    IF to_regrole('{ROLE}') IS NULL THEN
        CREATE ROLE {ROLE} NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END $$
"""

RIGHTS = "SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}"


def make_statements(owner: str, schema: str) -> list[str]:
    """All that is needed, to be run in this database by its `owner` or by who may make roles, as often as one likes. Names come quoted."""
    tables = f"ALL TABLES IN SCHEMA {schema}"
    defaults = f"ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} GRANT"
    return [
        MAKE_ROLE.strip(),
        f"GRANT {ROLE} TO {owner}",
        f"GRANT USAGE ON SCHEMA {schema} TO {ROLE}",
        f"GRANT {RIGHTS.format(tables=tables, role=ROLE)}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {ROLE}",
        f"{defaults} {RIGHTS.format(tables='TABLES', role=ROLE)}",
        f"{defaults} USAGE ON SEQUENCES TO {ROLE}",
        f"REVOKE INSERT, UPDATE, DELETE ON {schema}.django_migrations, {schema}.collections_app_searchedvector FROM {ROLE}",
    ]


def get_statements(database: BaseDatabaseWrapper) -> list[str]:
    """For this database, as its user and schema are called."""
    with database.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_user), quote_ident(current_schema())")
        return make_statements(*cursor.fetchone())


def make_role(database: BaseDatabaseWrapper) -> bool:
    """Whether this user may, and did; if not, nothing was changed."""
    statements = get_statements(database)
    try:
        with transaction.atomic(using=database.alias), database.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except DatabaseError:
        return False
    return True
