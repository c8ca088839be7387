import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0029_moved_pages")]

    operations = [
        migrations.AlterField(
            model_name="movedpage",
            name="source",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="moved_pages",
                to="collections_app.source",
            ),
        ),
        migrations.AddField(
            model_name="movedpage",
            name="archive",
            field=models.CharField(blank=True, db_default="", default="", max_length=1000),
        ),
    ]
