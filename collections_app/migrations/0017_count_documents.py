from typing import Any

from django.db import migrations, transaction

# The count sees what others committed before they let go of the collection's row.
LOCK = "SELECT FROM collections_app_collection WHERE id = %s FOR NO KEY UPDATE"
COUNT = """
UPDATE collections_app_collection SET (stored_documents, stored_bytes) =
    (SELECT count(*), coalesce(sum(size_bytes), 0) FROM collections_app_document WHERE tenant_id = %s AND collection_id = %s)
WHERE id = %s
"""


def count_documents(apps: Any, schema_editor: Any) -> None:
    """Of one collection at a time: only who writes to that one waits meanwhile."""
    connection = schema_editor.connection
    collections = apps.get_model("collections_app", "Collection").objects.using(connection.alias)
    for pk, tenant_id in collections.order_by("pk").values_list("pk", "tenant_id"):
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(LOCK, [pk])
            cursor.execute(COUNT, [tenant_id, pk, pk])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("collections_app", "0016_quotas")]

    operations = [migrations.RunPython(count_documents, migrations.RunPython.noop, elidable=True)]
