from django.db import migrations

# Behind a policy no index answers `@>`, as none answers `@@`: see migration 0012. The second table of one row makes it a view that nobody
# can write through, whatever rights a role is given to all tables.
MAKE_VIEW = """
CREATE VIEW collections_app_searcheddocument AS
SELECT id, tenant_id, collection_id, path, category, format, keywords, metadata
FROM collections_app_document, (VALUES (true)) AS read_only
WHERE (SELECT NOT row_security_active('collections_app_document'::regclass)) OR tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])
    OR collection_id IN (SELECT id FROM collections_app_collection WHERE is_public)
"""

# Default privileges give it this, if they are those of who makes the view.
LET_READ = """
DO $$ BEGIN
    IF to_regrole('docsmcp_web') IS NOT NULL THEN
        GRANT SELECT ON collections_app_searcheddocument TO docsmcp_web;
    END IF;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0019_path_index")]

    operations = [migrations.RunSQL([MAKE_VIEW, LET_READ], "DROP VIEW collections_app_searcheddocument")]
