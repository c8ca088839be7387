import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import collections_app.models.embeddings


# Where pgvector is there, and this role may make it; collections_app/postgres/pgvector.py does it where it comes later.
USE_PGVECTOR = """
DO $$
BEGIN
    IF EXISTS (
        SELECT FROM pg_available_extensions
        WHERE name = 'vector' AND string_to_array(coalesce(installed_version, default_version), '.')::int[] >= ARRAY[0, 8]
    ) THEN
        CREATE EXTENSION IF NOT EXISTS vector;
        ALTER TABLE collections_app_sectionembedding ALTER COLUMN vector TYPE vector;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('collections_app', '0006_answers'),
    ]

    operations = [
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
                ('vector', django.contrib.postgres.fields.ArrayField(base_field=collections_app.models.embeddings.Float4Field(), size=None)),
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
                ('is_indexed', models.BooleanField(default=False, help_text='It has an index of its own, having very many sections')),
                ('collection', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='embedded', to='collections_app.collection')),
                ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.embeddingmodel')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.tenant')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tenant', 'collection', 'model'), name='embedded_once_by_a_model')],
            },
        ),
        migrations.RunSQL(USE_PGVECTOR, migrations.RunSQL.noop),
    ]
