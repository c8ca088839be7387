"""The rules by which the database keeps tenants apart, the role that they hold for, and the view that is searched.

A table's owner is above them: commands, workers and migrations see everything, as they must. See docs/security.md.
"""

from typing import Any

from django.db import migrations

from collections_app.postgres.database_roles import make_role

# Of these everybody may read what belongs to a public collection. Of all others only who belongs to the tenant sees anything.
READABLE = (
    "document",
    "section",
    "sectionvector",
    "sectionembedding",
    "embeddedcollection",
    "termstatistic",
    "synonym",
    "pin",
)
OTHERS = (
    "source",
    "removeddocument",
    "upload",
    "ingestjob",
    "fileoutcome",
    "reindexing",
    "membership",
    "apikey",
    "collectiongrant",
    "invitation",
    "auditevent",
    "datarequest",
    "exportpart",
    "monthlyrequests",
    "searchevent",
    "answerusage",
    "dailyusage",
    "documentread",
    "feedback",
)

# Subqueries that depend on no row are run once a statement.
OWN = "= ANY ((SELECT docsmcp_tenants())::bigint[])"
PUBLIC = "IN (SELECT id FROM collections_app_collection WHERE is_public)"

# Behind a long query, such as a backup's, this would wait, and everybody else behind this: better that it is tried again.
DO_NOT_WAIT = "SET LOCAL lock_timeout = '10s'"

MAKE_FUNCTION = """
CREATE FUNCTION docsmcp_tenants() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(nullif(current_setting('docsmcp.tenants', true), ''), ',')::bigint[]
"""

# No index answers `@@` behind a policy, as PostgreSQL does not know that it keeps to itself what it looks at. So what is searched is a
# view with its owner's rights, which asks the same of each row. Who is above the policies of the table sees all of the view too.
MAKE_VIEW = f"""
CREATE VIEW collections_app_searchedvector AS SELECT * FROM collections_app_sectionvector
WHERE (SELECT NOT row_security_active('collections_app_sectionvector'::regclass)) OR tenant_id {OWN} OR collection_id {PUBLIC}
"""


def make_policies(table: str, own: str, public: str = "") -> list[str]:
    name = f"collections_app_{table}"
    statements = [
        f"CREATE POLICY own_rows ON {name} USING ({own} {OWN}) WITH CHECK ({own} {OWN})",
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
    ]
    return [f"CREATE POLICY public_rows ON {name} FOR SELECT USING ({public})", *statements] if public else statements


def make_all() -> list[str]:
    return [
        DO_NOT_WAIT,
        MAKE_FUNCTION,
        *make_policies("tenant", "id", "id IN (SELECT tenant_id FROM collections_app_collection WHERE is_public)"),
        *make_policies("collection", "tenant_id", "is_public"),
        *(statement for table in READABLE for statement in make_policies(table, "tenant_id", f"collection_id {PUBLIC}")),
        *(statement for table in OTHERS for statement in make_policies(table, "tenant_id")),
        MAKE_VIEW,
    ]


def drop_all() -> list[str]:
    tables = ["tenant", "collection", *READABLE, *OTHERS]
    open_to_all = {"tenant", "collection", *READABLE}
    return [
        DO_NOT_WAIT,
        "DROP VIEW collections_app_searchedvector",
        *(f"ALTER TABLE collections_app_{table} DISABLE ROW LEVEL SECURITY" for table in tables),
        *(f"DROP POLICY own_rows ON collections_app_{table}" for table in tables),
        *(f"DROP POLICY public_rows ON collections_app_{table}" for table in tables if table in open_to_all),
        "DROP FUNCTION docsmcp_tenants()",
    ]


def try_to_make_role(apps: Any, schema_editor: Any) -> None:
    """Where this user may not, the operator does it: `docsmcp roles`."""
    make_role(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0011_index")]

    operations = [
        migrations.RunSQL([*make_all()], [*drop_all()]),
        migrations.RunPython(try_to_make_role, migrations.RunPython.noop),
    ]
