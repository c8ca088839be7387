import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLE = "collections_app_connectedapp"
# As migration 0012 has it, for a table of which only its tenant sees anything.
OWN = "tenant_id = ANY ((SELECT docsmcp_tenants())::bigint[])"


class Migration(migrations.Migration):
    dependencies = [
        ("collections_app", "0030_moved_pages_of_exports_and_archives"),
    ]

    operations = [
        migrations.CreateModel(
            name="OAuthClient",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.CharField(max_length=500, unique=True)),
                ("name", models.CharField(help_text="As it calls itself: nobody has checked that", max_length=200)),
                (
                    "redirect_uris",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2000), size=None),
                ),
                (
                    "auth_method",
                    models.CharField(
                        choices=[("none", "None"), ("client_secret_post", "Post"), ("client_secret_basic", "Basic")],
                        default="none",
                        max_length=20,
                    ),
                ),
                ("secret_digest", models.CharField(blank=True, default="", max_length=64)),
                ("is_document", models.BooleanField(default=False)),
                (
                    "read",
                    models.DateTimeField(
                        auto_now_add=True, help_text="When it registered, or its document was read last"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="apikey",
            name="person",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="ConnectedApp",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("resource", models.CharField(help_text="The path of the MCP endpoint", max_length=300)),
                ("redirect_uri", models.CharField(max_length=2000)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("code_digest", models.CharField(max_length=64, unique=True)),
                ("code_challenge", models.CharField(max_length=128)),
                ("code_expires", models.DateTimeField()),
                ("code_redeemed", models.DateTimeField(null=True)),
                ("refresh_digest", models.CharField(blank=True, default="", max_length=64)),
                ("refresh_expires", models.DateTimeField(null=True)),
                ("old_refresh_digest", models.CharField(blank=True, default="", max_length=64)),
                ("old_refresh_expires", models.DateTimeField(null=True)),
                (
                    "api_key",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="app", to="collections_app.apikey"
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connected_apps",
                        to="collections_app.tenant",
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="connected",
                        to="collections_app.oauthclient",
                    ),
                ),
            ],
            options={
                "verbose_name": "connected app",
                "ordering": ["-created"],
                "indexes": [models.Index(fields=["tenant", "-created"], name="connected_app_recent")],
            },
        ),
        migrations.RunSQL(
            [
                f"CREATE POLICY own_rows ON {TABLE} USING ({OWN}) WITH CHECK ({OWN})",
                f"ALTER TABLE {TABLE} ENABLE ROW LEVEL SECURITY",
            ],
            [
                f"ALTER TABLE {TABLE} DISABLE ROW LEVEL SECURITY",
                f"DROP POLICY own_rows ON {TABLE}",
            ],
        ),
    ]
