from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0015_left_out")]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="stored_documents",
            field=models.BigIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="collection",
            name="stored_bytes",
            field=models.BigIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="tenant",
            name="max_documents",
            field=models.PositiveIntegerField(
                blank=True, help_text="Documents that it may have; 0: any number; empty: the setting's", null=True
            ),
        ),
        migrations.AddField(
            model_name="tenant",
            name="max_bytes",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="Bytes that the files of its documents may have; 0: any number; empty: the setting's",
                null=True,
            ),
        ),
    ]
