import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from collections_app.postgres.trigrams import TRIGRAMS

# Behind a policy no index answers `@>`, as none answers `@@`: see migration 0012. The second table of one row makes it a view that nobody
# can write through, whatever rights a role is given to all tables.
MAKE_VIEW = """
CREATE VIEW collections_app_searcheddocument AS
SELECT id, tenant_id, collection_id, path, category, format, keywords, metadata
FROM collections_app_document, (VALUES (true)) AS read_only
WHERE (SELECT NOT row_security_active('collections_app_document'::regclass)) OR tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])
    OR collection_id IN (SELECT id FROM collections_app_collection WHERE is_public)
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("collections_app", "0018_source_follows_setting")]

    operations = [
        # What an earlier try left that broke off.
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS document_by_part_of_path", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="document",
            index=django.contrib.postgres.indexes.GinIndex(
                models.Func("path", template=TRIGRAMS), name="document_by_part_of_path", gin_pending_list_limit=512
            ),
        ),
        migrations.RunSQL("DROP VIEW IF EXISTS collections_app_searcheddocument", migrations.RunSQL.noop),
        migrations.RunSQL(MAKE_VIEW, "DROP VIEW collections_app_searcheddocument"),
    ]
