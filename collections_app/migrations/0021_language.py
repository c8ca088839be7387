from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0020_searched_document")]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="is_language_settled",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="Somebody chose it, or it was found out from the documents: indexing/languages.py",
            ),
        ),
        migrations.AddField(
            model_name="reindexing",
            name="by_queue",
            field=models.BooleanField(
                db_default=False, default=False, help_text="The queue begins it, and goes on where it was broken off"
            ),
        ),
    ]
