import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from collections_app.postgres.trigrams import TRIGRAMS


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
    ]
