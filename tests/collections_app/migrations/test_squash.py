"""One migration makes all tables of a new database, and stands for those that it replaces: older databases have got theirs by these.

That both kinds of database have the same, after each was made, is in tests/end_to_end/test_upgrade.py.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from docsmcp_site.database.preparation import is_migration_due
from tests.schema import read_schema

SQUASH = ("collections_app", "0001_squashed_0030_moved_pages_of_exports_and_archives")


def test_it_leaves_the_models_as_the_migrations_that_it_replaces_do() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    *_, last = loader.disk_migrations[SQUASH].replaces
    changes = MigrationAutodetector(loader.project_state(last), loader.project_state(SQUASH)).changes(loader.graph)
    assert [op.describe() for app in changes.values() for each in app for op in each.operations] == []


@pytest.mark.django_db
def test_it_leaves_nothing_for_after_its_transaction() -> None:
    """Django would record it only then: killed before, it would leave tables that the next one makes again."""
    loader = MigrationLoader(None)
    with connection.schema_editor(collect_sql=True) as editor:
        loader.disk_migrations[SQUASH].apply(loader.project_state(SQUASH, at_end=False), editor, collect_sql=True)
        assert editor.collected_sql
        assert not editor.deferred_sql


@pytest.mark.django_db
def test_a_database_that_has_all_that_it_replaces_is_ready() -> None:
    """The release before has made it, and knows nothing of this step."""
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied(*SQUASH)
    assert not is_migration_due()
    *_, last = MigrationLoader(None).disk_migrations[SQUASH].replaces
    recorder.record_unapplied(*last)
    assert is_migration_due()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE collections_app_pin ADD COLUMN x text",
        "ALTER TABLE collections_app_pin ALTER COLUMN path TYPE varchar(999)",
        "ALTER TABLE collections_app_pin ALTER COLUMN path SET DEFAULT ''",
        "ALTER TABLE collections_app_pin ALTER COLUMN path DROP NOT NULL",
        "ALTER TABLE collections_app_pin ALTER COLUMN path SET STORAGE PLAIN",
        'ALTER TABLE collections_app_pin ALTER COLUMN path TYPE varchar(1000) COLLATE "C"',
        "ALTER TABLE collections_app_pin RENAME COLUMN path TO x",
        "ALTER TABLE collections_app_pin SET UNLOGGED",
        "ALTER TABLE collections_app_pin SET (fillfactor = 50)",
        "ALTER TABLE collections_app_pin DROP CONSTRAINT pin_once",
        "ALTER TABLE collections_app_pin DROP CONSTRAINT pin_once, ADD CONSTRAINT pin_once UNIQUE (tenant_id, path)",
        "ALTER TABLE collections_app_pin DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE collections_app_pin FORCE ROW LEVEL SECURITY",
        "ALTER TABLE collections_app_pin ALTER COLUMN id SET INCREMENT 2",
        "CREATE INDEX x ON collections_app_pin (path)",
        "DROP INDEX section_vector_by_heading",
        "ALTER INDEX section_vector_by_heading SET (gin_pending_list_limit = 1024)",
        "ALTER POLICY own_rows ON collections_app_pin USING (true)",
        "ALTER POLICY own_rows ON collections_app_pin WITH CHECK (true)",
        "DROP POLICY public_rows ON collections_app_pin",
        "CREATE OR REPLACE FUNCTION docsmcp_tenants() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE RETURN ARRAY[1::bigint]",
        "ALTER FUNCTION docsmcp_tenants() VOLATILE",
        "REVOKE EXECUTE ON FUNCTION docsmcp_tenants() FROM PUBLIC",
        "CREATE TRIGGER x BEFORE UPDATE ON collections_app_pin FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE RULE x AS ON DELETE TO collections_app_pin DO INSTEAD NOTHING",
        "CREATE OR REPLACE VIEW collections_app_searchedvector AS SELECT * FROM collections_app_sectionvector",
        "ALTER VIEW collections_app_searchedvector SET (security_barrier)",
        "CREATE STATISTICS x ON tenant_id, collection_id FROM collections_app_pin",
        "CREATE TYPE x AS ENUM ('a')",
        "GRANT SELECT ON collections_app_pin TO PUBLIC",
        "GRANT SELECT (path) ON collections_app_pin TO PUBLIC",
        "GRANT CREATE ON SCHEMA public TO PUBLIC",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC",
        "CREATE ROLE docsmcp_x",
        "COMMENT ON TABLE collections_app_pin IS 'x'",
    ],
)
def test_what_is_compared_shows_each_difference(change: str) -> None:
    with connection.cursor() as cursor:
        before = read_schema(cursor)
        cursor.execute(change)
        assert read_schema(cursor) != before
