from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0025_directories_of_operators")]

    operations = [
        migrations.AddField(
            model_name="ingestjob",
            name="left_out_paths",
            field=models.JSONField(db_default={}, default=dict, editable=False),
        ),
    ]
