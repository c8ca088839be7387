import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("collections_app", "0012_row_security")]

    operations = [
        # What an earlier try left that broke off.
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS section_vector_by_heading", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="sectionvector",
            index=django.contrib.postgres.indexes.GinIndex(
                models.Func("vector", template="ts_filter(%(expressions)s, '{a,b}')"),
                models.Func("collection_id", template="ARRAY[%(expressions)s]"),
                name="section_vector_by_heading",
                gin_pending_list_limit=512,
            ),
        ),
    ]
