from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0014_accepts_removals")]

    operations = [
        migrations.AddField(
            model_name="ingestjob",
            name="left_out",
            field=models.JSONField(db_default={}, default=dict, editable=False),
        ),
    ]
