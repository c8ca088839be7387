from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0023_narrowed_search")]

    operations = [
        migrations.AddField(
            model_name="ingestjob",
            name="taken",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="ingestjob",
            name="gives_way",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
