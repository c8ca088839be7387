import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

OLD = "collections_app_sectionembedding_document_id_25363af9"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("collections_app", "0027_section_by_document")]

    operations = [
        # What an earlier try left that broke off.
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS embedding_by_section", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="sectionembedding",
            index=models.Index(fields=["document", "section"], name="embedding_by_section"),
        ),
        # It begins with the document, whose own index has nothing more to tell.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="sectionembedding",
                    name="document",
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="collections_app.document",
                    ),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {OLD}",
                    f"CREATE INDEX CONCURRENTLY {OLD} ON collections_app_sectionembedding (document_id)",
                ),
            ],
        ),
    ]
