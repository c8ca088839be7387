from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0024_turns_of_jobs")]

    operations = [
        migrations.AddField(
            model_name="source",
            name="is_operators",
            field=models.BooleanField(db_default=True, default=True, editable=False),
        ),
    ]
