import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.db.utils import DatabaseError
from django.db.transaction import atomic

import collections_app.models.library


def create_extension(apps, schema_editor):
    """Where pgvector is there and this role may: without it search is by keyword, and `docsmcp doctor` says so."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if not cursor.fetchone():
            return
        try:
            with atomic(schema_editor.connection.alias):
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except DatabaseError:
            pass


class Migration(migrations.Migration):

    dependencies = [
        ('collections_app', '0006_answers'),
    ]

    operations = [
        migrations.RunPython(create_extension, migrations.RunPython.noop),
        migrations.CreateModel(
            name='EmbeddingModel',
            fields=[
                ('id', models.SmallAutoField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, unique=True)),
                ('dimension', models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.DeleteModel(name='SectionEmbedding'),
        migrations.CreateModel(
            name='SectionEmbedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('vector', django.contrib.postgres.fields.ArrayField(base_field=collections_app.models.library.Float4Field(), size=None)),
                ('collection', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.collection')),
                ('document', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.document')),
                ('model', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.embeddingmodel')),
                ('section', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.section')),
                ('tenant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.tenant')),
            ],
            options={
                'indexes': [models.Index(fields=['collection', 'model'], name='embedding_by_collection')],
            },
        ),
        migrations.CreateModel(
            name='EmbeddedCollection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index_version', models.PositiveBigIntegerField()),
                ('collection', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='embedded', to='collections_app.collection')),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.embeddingmodel')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.tenant')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tenant', 'collection', 'model'), name='embedded_once_by_a_model')],
            },
        ),
    ]
