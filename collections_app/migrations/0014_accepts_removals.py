from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0013_heading_index")]

    operations = [
        migrations.AddField(
            model_name="ingestjob",
            name="accepts_removals",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Remove them even if they are most of its documents"
            ),
        ),
    ]
