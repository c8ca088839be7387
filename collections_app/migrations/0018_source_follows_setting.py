from typing import Any

from django.conf import settings
from django.db import migrations, models

# More than any setting. The release before, whose processes go on meanwhile, takes the lesser of the two as this one does, and no null.
FOLLOWS_SETTING = 2**63 - 1


def follow_setting(apps: Any, schema_editor: Any) -> None:
    """The numbers that the setting is no higher than were never anybody's choice, or made no difference."""
    sources = apps.get_model("collections_app", "Source").objects.using(schema_editor.connection.alias)
    sources.filter(max_file_bytes__gte=settings.DOCSMCP.max_file_bytes).update(max_file_bytes=FOLLOWS_SETTING)


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0017_count_documents")]

    operations = [
        migrations.AlterField(
            model_name="source",
            name="max_file_bytes",
            field=models.PositiveBigIntegerField(
                blank=True,
                default=FOLLOWS_SETTING,
                help_text="The largest file that is taken, up to what MAX_FILE_BYTES says",
                null=True,
            ),
        ),
        migrations.RunPython(follow_setting, migrations.RunPython.noop, elidable=True),
    ]
