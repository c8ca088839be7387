from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("collections_app", "0026_left_out_paths")]

    operations = [
        # Words alone: the database has nothing to do.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="document",
                    name="recipe",
                    field=models.CharField(
                        blank=True,
                        editable=False,
                        help_text="What else the text was made by: ingest/recipes.py",
                        max_length=16,
                    ),
                ),
            ],
        ),
        # What an earlier try left that broke off.
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS section_by_document", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="section", index=models.Index(fields=["document"], name="section_by_document")
        ),
    ]
