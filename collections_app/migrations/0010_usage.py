import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("collections_app", "0009_keys")]

    operations = [
        migrations.AddIndex(
            model_name="searchevent",
            index=models.Index(fields=["tenant", "-created"], name="search_event_of_tenant"),
        ),
        migrations.AddIndex(
            model_name="searchevent",
            index=models.Index(
                condition=models.Q(("hits", 0)), fields=["tenant", "-created"], name="search_event_in_vain"
            ),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(
                condition=models.Q(("status__in", ["failed", "quarantined"])),
                fields=["tenant", "status", "collection", "path"],
                name="document_not_served",
            ),
        ),
        migrations.CreateModel(
            name="DailyUsage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("call", models.CharField(max_length=100)),
                ("requests", models.PositiveIntegerField()),
                ("errors", models.PositiveIntegerField()),
                ("total_ms", models.FloatField()),
                (
                    "latencies",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveIntegerField(),
                        help_text="Requests by how long they took: see latency.py",
                        size=12,
                    ),
                ),
                (
                    "api_key",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="collections_app.apikey",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="collections_app.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-day", "call"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "day", "api_key", "call"), name="daily_usage_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentRead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("last_read", models.DateTimeField()),
                ("reads", models.PositiveBigIntegerField()),
                (
                    "document",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="read_counts",
                        to="collections_app.document",
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
                "constraints": [models.UniqueConstraint(fields=("tenant", "document"), name="document_read_once")],
            },
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.CharField(blank=True, max_length=1000)),
                (
                    "path",
                    models.CharField(blank=True, help_text="The document that it is about", max_length=1000),
                ),
                ("helpful", models.BooleanField()),
                ("comment", models.CharField(blank=True, max_length=1000)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "api_key",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to="collections_app.apikey"
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to="collections_app.collection"
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
                "verbose_name_plural": "feedback",
                "ordering": ["-created"],
                "indexes": [models.Index(fields=["tenant", "-created"], name="feedback_recent")],
            },
        ),
    ]
