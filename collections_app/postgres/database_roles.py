"""The database roles for the web server: they may change rows, and nothing else. Policies decide which rows.

Requests take the role; a login only for the web server, which owns no table, is optional. If the database's user may not create roles,
somebody who may can run the same statements.
"""

from __future__ import annotations

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from collections_app.postgres.row_security import ROLE

# Two installations in one server share the role; if both create it at once, one finds that the other was quicker.
MAKE_ROLE = f"""
DO $$ BEGIN
    IF to_regrole('{ROLE}') IS NULL THEN
        CREATE ROLE {ROLE} NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END $$
"""
# In a second database of the server, the owner has the role already, and need not be allowed to grant it.
GIVE_ROLE = f"""
DO $$ BEGIN
    GRANT {ROLE} TO {{owner}};
EXCEPTION WHEN insufficient_privilege THEN
    IF NOT pg_has_role({{literal}}, '{ROLE}', 'MEMBER') THEN
        RAISE;
    END IF;
END $$
"""
MAKE_LOGIN = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {literal}) THEN
        CREATE ROLE {login};
    END IF;
END $$
"""

# The user who owns the tables that are made here: ours; but a superuser works on the tables of another owner.
OWNER = """
SELECT quote_ident(name), quote_literal(name), quote_ident(current_schema()) FROM (
    SELECT CASE WHEN rolsuper THEN pg_get_userbyid(relowner) ELSE rolname END AS name FROM pg_class, pg_roles
    WHERE pg_class.oid = 'collections_app_document'::regclass AND rolname = current_user
) AS owner
"""

RIGHTS = "SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}"


def make_statements(owner: str, literal: str, schema: str) -> list[str]:
    """All statements that are needed, to be run in this database by its `owner` or by somebody who may create roles; may be repeated.

    Names come quoted; `literal` is the owner's as a string.
    """
    tables = f"ALL TABLES IN SCHEMA {schema}"
    audit = f"{schema}.collections_app_auditevent"
    defaults = f"ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} GRANT"
    return [
        MAKE_ROLE.strip(),
        GIVE_ROLE.format(owner=owner, literal=literal).strip(),
        f"GRANT USAGE ON SCHEMA {schema} TO {ROLE}",
        f"GRANT {RIGHTS.format(tables=tables, role=ROLE)}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {ROLE}",
        f"{defaults} {RIGHTS.format(tables='TABLES', role=ROLE)}",
        f"{defaults} USAGE ON SEQUENCES TO {ROLE}",
        f"REVOKE INSERT, UPDATE, DELETE ON {schema}.django_migrations, {schema}.collections_app_searchedvector FROM {ROLE}",
        # The audit log cannot be changed, except that it loses references to a user or tenant that is deleted.
        f"REVOKE UPDATE, DELETE ON {audit} FROM {ROLE}",
        f"GRANT UPDATE (actor_id, tenant_id) ON {audit} TO {ROLE}",
    ]


def make_login_statements(login: str, literal: str, database: str) -> list[str]:
    """A login for the web server, with its role's rights and no others; `literal` is its name as a string. It has no password yet.

    It may see all rows until it takes the role, as requests do. A superuser can grant that, or, from PostgreSQL 16 on, a user who may see
    all rows.
    """
    return [
        MAKE_LOGIN.format(login=login, literal=literal).strip(),
        f"ALTER ROLE {login} LOGIN INHERIT BYPASSRLS",
        f"GRANT {ROLE} TO {login}",
        f"GRANT CONNECT ON DATABASE {database} TO {login}",
    ]


def get_statements(database: BaseDatabaseWrapper, login: str = "") -> list[str]:
    """The SQL that makes the web server's role, for this database's owner and schema; with what the login needs, if one is named."""
    with database.cursor() as cursor:
        cursor.execute(OWNER)
        statements = make_statements(*cursor.fetchone())
        if login:
            names = "SELECT quote_ident(%s), quote_literal(%s), quote_ident(current_database())"
            cursor.execute(names, [login, login])
            statements += make_login_statements(*cursor.fetchone())
    return statements


def is_owner(database: BaseDatabaseWrapper, user: str = "") -> bool:
    """Whether this user, or ours, owns the tables, and so may change more than rows. A superuser may do everything."""
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_class, pg_roles WHERE pg_class.oid = 'collections_app_document'::regclass "
            "AND rolname = coalesce(nullif(%s, ''), current_user) AND pg_has_role(pg_roles.oid, relowner, 'MEMBER'))",
            [user],
        )
        return bool(cursor.fetchone()[0])


def make_role(database: BaseDatabaseWrapper, login: str = "") -> bool:
    """Creates the role if this user may; returns whether it did. If not, nothing was changed."""
    statements = get_statements(database, login)
    try:
        with transaction.atomic(using=database.alias), database.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except DatabaseError:
        return False
    return True
