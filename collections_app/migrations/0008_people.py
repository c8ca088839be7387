import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collections_app', '0007_embeddings'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='answerusage',
            options={'ordering': ['-day'], 'verbose_name': 'cost of answers', 'verbose_name_plural': 'costs of answers'},
        ),
        migrations.AlterModelOptions(
            name='apikey',
            options={'ordering': ['-created'], 'verbose_name': 'API key'},
        ),
        migrations.AlterModelOptions(
            name='fileoutcome',
            options={'ordering': ['path'], 'verbose_name': 'outcome of a file', 'verbose_name_plural': 'outcomes of files'},
        ),
        migrations.AlterModelOptions(
            name='ingestjob',
            options={'ordering': ['-created'], 'verbose_name': 'job'},
        ),
        migrations.AlterModelOptions(
            name='membership',
            options={'verbose_name': 'member'},
        ),
        migrations.AlterModelOptions(
            name='searchevent',
            options={'ordering': ['-created'], 'verbose_name': 'search', 'verbose_name_plural': 'searches'},
        ),
        migrations.AlterModelOptions(
            name='upload',
            options={'verbose_name': 'uploaded file'},
        ),
        migrations.CreateModel(
            name='DataRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('export', 'Export of everything'), ('delete_collection', 'Deletion of a collection'), ('delete_tenant', 'Deletion of everything')], max_length=20)),
                ('subject', models.CharField(help_text='The slug of the tenant or collection', max_length=200)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('succeeded', 'Succeeded'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('requested_by', models.CharField(max_length=200)),
                ('size_bytes', models.PositiveBigIntegerField(default=0)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('attempted', models.DateTimeField(null=True)),
                ('finished', models.DateTimeField(null=True)),
                ('collection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='collections_app.collection')),
                ('tenant', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='data_requests', to='collections_app.tenant')),
            ],
            options={
                'verbose_name': 'export or deletion',
                'verbose_name_plural': 'exports and deletions',
                'ordering': ['-created'],
            },
        ),
        migrations.CreateModel(
            name='ExportPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('request', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='collections_app.datarequest')),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='collections_app.tenant')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(choices=[('viewer', 'Viewer: reads'), ('editor', 'Editor: also uploads, ingests, releases from quarantine'), ('owner', 'Owner: also keys, limits, members, export, delete')], default='viewer', max_length=10)),
                ('digest', models.CharField(db_index=True, editable=False, max_length=64)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expires', models.DateTimeField(editable=False)),
                ('accepted', models.DateTimeField(editable=False, null=True)),
                ('invited_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tenant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='collections_app.tenant')),
            ],
            options={
                'ordering': ['-created'],
            },
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tenant_slug', models.CharField(blank=True, max_length=63)),
                ('actor_name', models.CharField(max_length=200)),
                ('action', models.CharField(max_length=40)),
                ('object_type', models.CharField(blank=True, max_length=100)),
                ('object_id', models.CharField(blank=True, max_length=100)),
                ('object_name', models.CharField(blank=True, max_length=300)),
                ('details', models.CharField(blank=True, max_length=500)),
                ('address', models.CharField(blank=True, max_length=45)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tenant', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to='collections_app.tenant')),
            ],
            options={
                'ordering': ['-created', '-pk'],
                'indexes': [models.Index(fields=['tenant', '-created'], name='audit_event_recent')],
            },
        ),
        migrations.AddIndex(
            model_name='datarequest',
            index=models.Index(fields=['tenant', '-created'], name='data_request_recent'),
        ),
        migrations.AddConstraint(
            model_name='datarequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('queued', 'running'))), fields=('tenant', 'kind', 'subject'), name='one_unfinished_data_request'),
        ),
        migrations.AddConstraint(
            model_name='exportpart',
            constraint=models.UniqueConstraint(fields=('tenant', 'request', 'position'), name='export_part_once'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(condition=models.Q(('accepted', None)), fields=('tenant', 'email'), name='one_open_invitation_for_an_address'),
        ),
    ]
