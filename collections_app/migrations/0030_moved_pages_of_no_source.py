import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Those that came with an exported collection."""

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
    ]
