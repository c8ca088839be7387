from django.db import migrations, models

# What is searched is a view, which has the columns that the table had when it was made: see migration 0012.
ROWS = """collections_app_sectionvector
WHERE (SELECT NOT row_security_active('collections_app_sectionvector'::regclass)) OR tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])
    OR collection_id IN (SELECT id FROM collections_app_collection WHERE is_public)
"""
COLUMNS = "id, part, words, page_words, vector, collection_id, document_id, section_id, tenant_id"
# One more at the end needs no other rights; with one less it has to be made anew.
SHOW = f"CREATE OR REPLACE VIEW collections_app_searchedvector AS SELECT * FROM {ROWS}"
HIDE = (
    "DROP VIEW collections_app_searchedvector",
    f"CREATE VIEW collections_app_searchedvector AS SELECT {COLUMNS} FROM {ROWS}",  # noqa: S608
    """DO $$ BEGIN
    IF to_regrole('docsmcp_web') IS NOT NULL THEN
        GRANT SELECT ON collections_app_searchedvector TO docsmcp_web;
    END IF;
END $$""",
)
# Behind a long query, such as a backup's, this would wait, and everybody else behind this: better that it is tried again.
DO_NOT_WAIT = "SET LOCAL lock_timeout = '10s'"


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0021_language")]

    operations = [
        migrations.RunSQL(DO_NOT_WAIT, migrations.RunSQL.noop),
        migrations.AddField(
            model_name="sectionvector",
            name="heading_words",
            field=models.SmallIntegerField(
                default=0, db_default=0, help_text="Different ones of its own heading; 0 where that is not known"
            ),
        ),
        migrations.RunSQL(SHOW, HIDE),
    ]
