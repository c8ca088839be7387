from django.db import migrations, models

# Its columns are those that the table had when it was made: see migration 0012. One more at the end needs no other rights.
COLUMNS = """SELECT * FROM collections_app_sectionvector
WHERE (SELECT NOT row_security_active('collections_app_sectionvector'::regclass)) OR tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])
    OR collection_id IN (SELECT id FROM collections_app_collection WHERE is_public)
"""
ADD_COLUMN = f"CREATE OR REPLACE VIEW collections_app_searchedvector AS {COLUMNS}"
DROP_COLUMN = (
    "DROP VIEW collections_app_searchedvector",
    "ALTER TABLE collections_app_sectionvector DROP COLUMN heading_words",
    f"CREATE VIEW collections_app_searchedvector AS {COLUMNS}",
    """DO $$ BEGIN
    IF to_regrole('docsmcp_web') IS NOT NULL THEN
        GRANT SELECT ON collections_app_searchedvector TO docsmcp_web;
    END IF;
END $$""",
)


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0021_language")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE collections_app_sectionvector ADD COLUMN heading_words smallint NOT NULL DEFAULT 0 CHECK (heading_words >= 0)",
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(ADD_COLUMN, DROP_COLUMN),
            ],
            state_operations=[
                migrations.AddField(
                    model_name="sectionvector",
                    name="heading_words",
                    field=models.PositiveSmallIntegerField(
                        default=0, db_default=0, help_text="Different ones of its own heading; 0 where that is not known"
                    ),
                )
            ],
        )
    ]
