import django.db.models.deletion
from django.db import migrations, models

TABLE = "collections_app_movedpage"
# As migration 0012 has them, for a table of which everybody may read what belongs to a public collection.
OWN = "tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])"
PUBLIC = "collection_id IN (SELECT id FROM collections_app_collection WHERE is_public)"


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0028_embedding_by_section")]

    operations = [
        migrations.CreateModel(
            name="MovedPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=500)),
                ("target", models.CharField(max_length=1000)),
                ("is_told", models.BooleanField(default=False)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moved_pages",
                        to="collections_app.collection",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moved_pages",
                        to="collections_app.source",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="collections_app.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "collection", "address", "source"), name="moved_page_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            [
                f"CREATE POLICY public_rows ON {TABLE} FOR SELECT USING ({PUBLIC})",
                f"CREATE POLICY own_rows ON {TABLE} USING ({OWN}) WITH CHECK ({OWN})",
                f"ALTER TABLE {TABLE} ENABLE ROW LEVEL SECURITY",
            ],
            [
                f"ALTER TABLE {TABLE} DISABLE ROW LEVEL SECURITY",
                f"DROP POLICY own_rows ON {TABLE}",
                f"DROP POLICY public_rows ON {TABLE}",
            ],
        ),
    ]
