import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0010_usage")]

    operations = [
        # Vectors are read once for each term of a question: kept whole in their row, none has to be fetched and unpacked each time.
        # Of those that are there this becomes true with `docsmcp reindex`.
        migrations.RunSQL(
            "ALTER TABLE collections_app_sectionvector SET (toast_tuple_target = 8160)",
            "ALTER TABLE collections_app_sectionvector RESET (toast_tuple_target)",
        ),
        migrations.AddIndex(
            model_name="sectionvector",
            index=django.contrib.postgres.indexes.GinIndex(
                "vector",
                models.Func("collection_id", template="ARRAY[%(expressions)s]"),
                name="section_vector_by_collection",
                gin_pending_list_limit=512,
            ),
        ),
        migrations.RemoveIndex(model_name="sectionvector", name="section_vector_gin"),
        migrations.AddIndex(
            model_name="termstatistic",
            index=models.Index(fields=["tenant", "term", "collection"], name="term_statistic_by_term"),
        ),
    ]
