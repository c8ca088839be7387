"""What PostgreSQL's catalogs say of a database: all that migrations make except rows, in texts that can be compared.

Object ids are left out. Of an extension there are its name and version, and not what belongs to it.
"""

from __future__ import annotations

from typing import Any

# What the queries below have in common: tables, views, indexes and sequences that we made; other objects that no extension made.
PARTS = {
    "ours": "relnamespace = 'public'::regnamespace AND pg_class.oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')",
    "of_no_extension": "NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')",
}

# By kind of object.
QUERIES = {
    "relations": """
        SELECT relname, relkind, relpersistence, reloptions, amname, relrowsecurity, relforcerowsecurity, relreplident,
            pg_get_userbyid(relowner), relacl::text[]
        FROM pg_class LEFT JOIN pg_am ON pg_am.oid = relam WHERE {ours}
    """,
    # Columns stand one behind the other, whatever their numbers: a column that was dropped keeps its own.
    "columns": """
        SELECT relname, rank() OVER (PARTITION BY relname ORDER BY attnum), attname, format_type(atttypid, atttypmod), attnotnull,
            pg_get_expr(adbin, adrelid), attidentity, attgenerated, attcollation::regcollation::text, attstorage, attcompression,
            attstattarget, attoptions, attacl::text[]
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped AND {ours}
    """,
    "indexes": """
        SELECT relname, pg_get_indexdef(indexrelid), indisvalid, indisready, indisclustered
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE {ours}
    """,
    "constraints": """
        SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated
        FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE {ours}
    """,
    "views": "SELECT relname, pg_get_viewdef(oid) FROM pg_class WHERE relkind IN ('v', 'm') AND {ours}",
    "sequences": """
        SELECT sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle, cache_size
        FROM pg_sequences WHERE schemaname = 'public'
    """,
    "functions": """
        SELECT proname, pg_get_functiondef(oid), pg_get_userbyid(proowner), proacl::text[]
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a' AND oid {of_no_extension}
    """,
    "triggers": """
        SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled FROM pg_trigger WHERE NOT tgisinternal
    """,
    "rules": "SELECT tablename, rulename, definition FROM pg_rules WHERE schemaname = 'public'",
    "policies": """
        SELECT tablename, policyname, permissive, roles::text[], cmd, qual, with_check FROM pg_policies WHERE schemaname = 'public'
    """,
    "types": """
        SELECT typname, typtype, format_type(typbasetype, typtypmod), typnotnull, typdefault,
            (SELECT string_agg(enumlabel, ' ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid)
        FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r') AND oid {of_no_extension}
    """,
    "statistics": """
        SELECT stxname, pg_get_statisticsobjdef(oid), stxstattarget FROM pg_statistic_ext
        WHERE stxnamespace = 'public'::regnamespace
    """,
    "extensions": "SELECT extname, extversion, extnamespace::regnamespace::text FROM pg_extension",
    "schemas": "SELECT nspname, pg_get_userbyid(nspowner), nspacl::text[] FROM pg_namespace WHERE nspname !~ '^pg_'",
    "default privileges": """
        SELECT pg_get_userbyid(defaclrole), defaclnamespace::regnamespace::text, defaclobjtype, defaclacl::text[] FROM pg_default_acl
    """,
    "roles": """
        SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolbypassrls, rolconfig,
            ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = pg_roles.oid)
        FROM pg_roles WHERE rolname !~ '^pg_'
    """,
    "settings": "SELECT setrole::regrole::text, setconfig FROM pg_db_role_setting",
    "comments": """
        SELECT relname, objsubid, description FROM pg_description JOIN pg_class ON pg_class.oid = objoid
        WHERE classoid = 'pg_class'::regclass AND {ours}
    """,
}


def read_schema(cursor: Any) -> dict[str, list[str]]:
    """By kind of object a line for each, sorted. `cursor` is psycopg's or Django's."""
    schema = {}
    for kind, query in QUERIES.items():
        cursor.execute(query.format(**PARTS))
        schema[kind] = sorted(" | ".join(map(_write, row)) for row in cursor.fetchall())
    return schema


def _write(value: Any) -> str:
    """Of a list, such as privileges, the order says nothing: it is that in which they were given."""
    return str(sorted(value) if isinstance(value, list) else value)
