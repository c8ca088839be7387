from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0022_own_heading")]

    operations = [
        migrations.AddField(
            model_name="searchevent",
            name="is_narrowed",
            field=models.BooleanField(default=False, db_default=False),
        ),
    ]
