from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0008_people")]

    operations = [
        migrations.AlterField(
            model_name="apikey",
            name="last_used",
            field=models.DateTimeField(blank=True, editable=False, help_text="Of the present secret", null=True),
        ),
        migrations.AddField(
            model_name="apikey",
            name="old_prefix",
            field=models.CharField(blank=True, db_index=True, default="", editable=False, max_length=16),
        ),
        migrations.AddField(
            model_name="apikey",
            name="old_digest",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="apikey",
            name="old_expires",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="apikey",
            name="old_last_used",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
