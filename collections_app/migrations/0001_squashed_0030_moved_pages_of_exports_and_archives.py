"""All tables as a new database gets them, in one step. A database that has begun with the migrations that this replaces goes on with those.

Neither this nor they are edited: later changes are migrations of their own. Columns stand in the order in which they were added, so that
both kinds of database are the same, which a test proves. What the replaced ones did to rows is left out, because there are none.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import UserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.core.validators import MinValueValidator
from django.db import migrations, models
from django.db.models.functions import Lower
from django.utils import timezone

from collections_app.models.embeddings import Float4Field
from collections_app.postgres.database_roles import make_role
from collections_app.postgres.trigrams import TRIGRAMS

LANGUAGES = (
    "arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian indonesian irish italian "
    "lithuanian nepali norwegian portuguese romanian russian serbian simple spanish swedish tamil turkish yiddish"
).split()
ROLES = [
    ("viewer", "Viewer: reads"),
    ("editor", "Editor: also uploads, ingests, releases from quarantine"),
    ("owner", "Owner: also keys, limits, members, export, delete"),
]


def make_id() -> tuple[str, Any]:
    return "id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


# Who there is: people, tenants, and what they may do.
PEOPLE = [
    migrations.CreateModel(
        name="User",
        fields=[
            make_id(),
            ("password", models.CharField(max_length=128, verbose_name="password")),
            ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
            (
                "is_superuser",
                models.BooleanField(
                    default=False,
                    help_text="Designates that this user has all permissions without explicitly assigning them.",
                    verbose_name="superuser status",
                ),
            ),
            (
                "username",
                models.CharField(
                    error_messages={"unique": "A user with that username already exists."},
                    help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                    max_length=150,
                    unique=True,
                    validators=[UnicodeUsernameValidator()],
                    verbose_name="username",
                ),
            ),
            ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
            ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
            ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
            (
                "is_staff",
                models.BooleanField(
                    default=False, help_text="Designates whether the user can log into this admin site.", verbose_name="staff status"
                ),
            ),
            (
                "is_active",
                models.BooleanField(
                    default=True,
                    help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                    verbose_name="active",
                ),
            ),
            ("date_joined", models.DateTimeField(default=timezone.now, verbose_name="date joined")),
            (
                "groups",
                models.ManyToManyField(
                    blank=True,
                    help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.group",
                    verbose_name="groups",
                ),
            ),
            (
                "user_permissions",
                models.ManyToManyField(
                    blank=True,
                    help_text="Specific permissions for this user.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.permission",
                    verbose_name="user permissions",
                ),
            ),
        ],
        options={
            "verbose_name": "user",
            "verbose_name_plural": "users",
            "abstract": False,
        },
        managers=[
            ("objects", UserManager()),
        ],
    ),
    migrations.CreateModel(
        name="Tenant",
        fields=[
            make_id(),
            ("slug", models.SlugField(max_length=63, unique=True)),
            ("name", models.CharField(max_length=200)),
            ("created", models.DateTimeField(auto_now_add=True)),
            (
                "monthly_quota",
                models.PositiveIntegerField(default=0, help_text="Requests in a calendar month (UTC), of all keys together; 0: any number"),
            ),
            (
                "rate_limit",
                models.PositiveIntegerField(
                    blank=True,
                    help_text="Requests of each key in a window; empty: the setting's",
                    null=True,
                    validators=[MinValueValidator(1)],
                ),
            ),
            (
                "monthly_answer_cost",
                models.DecimalField(
                    blank=True,
                    decimal_places=2,
                    help_text="What answers may cost in a calendar month (UTC), all keys together; empty: the setting's",
                    max_digits=12,
                    null=True,
                    validators=[MinValueValidator(0)],
                ),
            ),
            (
                "max_documents",
                models.PositiveIntegerField(
                    blank=True, help_text="Documents that it may have; 0: any number; empty: the setting's", null=True
                ),
            ),
            (
                "max_bytes",
                models.PositiveBigIntegerField(
                    blank=True,
                    help_text="Bytes that the files of its documents may have; 0: any number; empty: the setting's",
                    null=True,
                ),
            ),
        ],
        options={
            "ordering": ["slug"],
        },
    ),
    migrations.CreateModel(
        name="Membership",
        fields=[
            make_id(),
            ("role", models.CharField(choices=ROLES, default="viewer", max_length=10)),
            ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="memberships", to=settings.AUTH_USER_MODEL)),
            ("tenant", models.ForeignKey(on_delete=models.CASCADE, related_name="memberships", to="collections_app.tenant")),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "user"), name="membership_once")],
            "verbose_name": "member",
        },
    ),
    migrations.CreateModel(
        name="Invitation",
        fields=[
            make_id(),
            ("email", models.EmailField(max_length=254)),
            ("role", models.CharField(choices=ROLES, default="viewer", max_length=10)),
            ("digest", models.CharField(db_index=True, editable=False, max_length=64)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("expires", models.DateTimeField(editable=False)),
            ("accepted", models.DateTimeField(editable=False, null=True)),
            (
                "invited_by",
                models.ForeignKey(editable=False, null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
            ),
            (
                "tenant",
                models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="invitations", to="collections_app.tenant"),
            ),
        ],
        options={
            "ordering": ["-created"],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("accepted", None)), fields=("tenant", "email"), name="one_open_invitation_for_an_address"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="AuditEvent",
        fields=[
            make_id(),
            ("tenant_slug", models.CharField(blank=True, max_length=63)),
            ("actor_name", models.CharField(max_length=200)),
            ("action", models.CharField(max_length=40)),
            ("object_type", models.CharField(blank=True, max_length=100)),
            ("object_id", models.CharField(blank=True, max_length=100)),
            ("object_name", models.CharField(blank=True, max_length=300)),
            ("details", models.CharField(blank=True, max_length=500)),
            ("address", models.CharField(blank=True, max_length=45)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("actor", models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL)),
            ("tenant", models.ForeignKey(db_index=False, null=True, on_delete=models.SET_NULL, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["-created", "-pk"],
            "indexes": [models.Index(fields=["tenant", "-created"], name="audit_event_recent")],
        },
    ),
    migrations.CreateModel(
        name="Collection",
        fields=[
            make_id(),
            ("slug", models.SlugField(max_length=63)),
            ("name", models.CharField(max_length=200)),
            ("description", models.TextField(blank=True)),
            ("version", models.CharField(blank=True, help_text="Which release these documents describe", max_length=50)),
            ("language", models.CharField(choices=[(name, name) for name in LANGUAGES], default="english", max_length=20)),
            ("is_public", models.BooleanField(default=False, help_text="Readable without a key")),
            ("index_version", models.PositiveBigIntegerField(default=0, editable=False)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("updated", models.DateTimeField(auto_now=True)),
            ("tenant", models.ForeignKey(on_delete=models.CASCADE, related_name="collections", to="collections_app.tenant")),
            (
                "content_policy",
                models.CharField(
                    choices=[("strip", "Strip"), ("flag", "Flag"), ("quarantine", "Quarantine")],
                    default="strip",
                    help_text="What is done about hidden text and about passages that speak to a model",
                    max_length=10,
                ),
            ),
            (
                "library",
                models.SlugField(
                    blank=True,
                    db_index=False,
                    help_text="What this is a version of; each version is a collection of its own",
                    max_length=63,
                ),
            ),
            ("stored_documents", models.BigIntegerField(db_default=0, default=0, editable=False)),
            ("stored_bytes", models.BigIntegerField(db_default=0, default=0, editable=False)),
            (
                "is_language_settled",
                models.BooleanField(
                    db_default=True,
                    default=True,
                    editable=False,
                    help_text="Somebody chose it, or it was found out from the documents: indexing/languages.py",
                ),
            ),
        ],
        options={
            "ordering": ["tenant", "slug"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "slug"), name="collection_slug_in_tenant")],
        },
    ),
    migrations.CreateModel(
        name="ApiKey",
        fields=[
            make_id(),
            ("name", models.CharField(max_length=200)),
            ("prefix", models.CharField(db_index=True, editable=False, max_length=16)),
            ("digest", models.CharField(editable=False, max_length=64)),
            ("scopes", ArrayField(models.CharField(choices=[("read", "read"), ("ask", "ask"), ("write", "write")], max_length=10))),
            ("all_collections", models.BooleanField(default=False)),
            (
                "rate_limit",
                models.PositiveIntegerField(
                    blank=True,
                    help_text="Requests in a window; empty: the tenant's, or the setting's",
                    null=True,
                    validators=[MinValueValidator(1)],
                ),
            ),
            ("expires", models.DateTimeField(blank=True, null=True)),
            ("revoked", models.DateTimeField(blank=True, null=True)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("last_used", models.DateTimeField(blank=True, editable=False, help_text="Of the present secret", null=True)),
            ("tenant", models.ForeignKey(on_delete=models.CASCADE, related_name="api_keys", to="collections_app.tenant")),
            ("old_prefix", models.CharField(blank=True, db_index=True, default="", editable=False, max_length=16)),
            ("old_digest", models.CharField(blank=True, default="", editable=False, max_length=64)),
            ("old_expires", models.DateTimeField(blank=True, editable=False, null=True)),
            ("old_last_used", models.DateTimeField(blank=True, editable=False, null=True)),
        ],
        options={
            "ordering": ["-created"],
            "verbose_name": "API key",
        },
    ),
    migrations.CreateModel(
        name="CollectionGrant",
        fields=[
            make_id(),
            ("api_key", models.ForeignKey(on_delete=models.CASCADE, related_name="grants", to="collections_app.apikey")),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="grants", to="collections_app.collection")),
            ("tenant", models.ForeignKey(on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "api_key", "collection"), name="grant_once")],
        },
    ),
    migrations.CreateModel(
        name="DataRequest",
        fields=[
            make_id(),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("export", "Export of everything"),
                        ("delete_collection", "Deletion of a collection"),
                        ("delete_tenant", "Deletion of everything"),
                    ],
                    max_length=20,
                ),
            ),
            ("subject", models.CharField(help_text="The slug of the tenant or collection", max_length=200)),
            (
                "state",
                models.CharField(
                    choices=[("queued", "Queued"), ("running", "Running"), ("succeeded", "Succeeded"), ("failed", "Failed")],
                    default="queued",
                    max_length=10,
                ),
            ),
            ("message", models.CharField(blank=True, max_length=500)),
            ("requested_by", models.CharField(max_length=200)),
            ("size_bytes", models.PositiveBigIntegerField(default=0)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("attempts", models.PositiveSmallIntegerField(default=0)),
            ("attempted", models.DateTimeField(null=True)),
            ("finished", models.DateTimeField(null=True)),
            ("collection", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="collections_app.collection")),
            (
                "tenant",
                models.ForeignKey(
                    db_index=False, null=True, on_delete=models.SET_NULL, related_name="data_requests", to="collections_app.tenant"
                ),
            ),
        ],
        options={
            "verbose_name": "export or deletion",
            "verbose_name_plural": "exports and deletions",
            "ordering": ["-created"],
            "indexes": [models.Index(fields=["tenant", "-created"], name="data_request_recent")],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("state__in", ("queued", "running"))),
                    fields=("tenant", "kind", "subject"),
                    name="one_unfinished_data_request",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="ExportPart",
        fields=[
            make_id(),
            ("position", models.PositiveIntegerField()),
            ("content", models.BinaryField()),
            (
                "request",
                models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="parts", to="collections_app.datarequest"),
            ),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["position"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "request", "position"), name="export_part_once")],
        },
    ),
]

# What is stored.
LIBRARY = [
    migrations.CreateModel(
        name="Source",
        fields=[
            make_id(),
            (
                "kind",
                models.CharField(
                    choices=[("upload", "Upload"), ("directory", "Directory"), ("site", "Site"), ("git", "Git")], max_length=10
                ),
            ),
            ("location", models.CharField(blank=True, help_text="Directory, address or repository", max_length=2000)),
            ("include", ArrayField(models.CharField(max_length=500), blank=True, default=list)),
            ("exclude", ArrayField(models.CharField(max_length=500), blank=True, default=list)),
            (
                "max_file_bytes",
                models.PositiveBigIntegerField(
                    blank=True,
                    default=9223372036854775807,
                    help_text="The largest file that is taken, up to what MAX_FILE_BYTES says",
                    null=True,
                ),
            ),
            ("refresh_interval_seconds", models.PositiveIntegerField(default=0, help_text="0 = look only when told to")),
            ("auto_index", models.BooleanField(default=True, help_text="Off stops every schedule of this source")),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="sources", to="collections_app.collection")),
            ("tenant", models.ForeignKey(on_delete=models.CASCADE, related_name="sources", to="collections_app.tenant")),
            ("encrypted_token", models.TextField(blank=True, editable=False)),
            ("encrypted_webhook_secret", models.TextField(blank=True, editable=False)),
            ("fetch_state", models.JSONField(blank=True, default=dict, editable=False)),
            ("options", models.JSONField(blank=True, default=dict, help_text="What only this kind of source has")),
            ("is_operators", models.BooleanField(db_default=True, default=True, editable=False)),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "kind", "location"), name="source_once")],
        },
    ),
    migrations.CreateModel(
        name="Upload",
        fields=[
            make_id(),
            ("path", models.CharField(max_length=1000)),
            ("content", models.BinaryField(null=True)),
            ("content_hash", models.CharField(blank=True, max_length=64)),
            ("size_bytes", models.PositiveBigIntegerField(default=0)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, to="collections_app.collection")),
            ("source", models.ForeignKey(on_delete=models.CASCADE, related_name="uploads", to="collections_app.source")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("media_type", models.CharField(blank=True, max_length=200)),
            ("metadata", models.JSONField(blank=True, default=dict)),
            ("url", models.CharField(blank=True, max_length=2000)),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "source", "path"), name="upload_path_in_source")],
            "verbose_name": "uploaded file",
        },
    ),
    migrations.CreateModel(
        name="Document",
        fields=[
            make_id(),
            ("path", models.CharField(max_length=1000)),
            ("title", models.CharField(max_length=1000)),
            ("description", models.TextField(blank=True)),
            ("keywords", ArrayField(models.TextField(), blank=True, default=list)),
            ("category", models.CharField(blank=True, max_length=200)),
            ("category_given", models.BooleanField(default=False, help_text="By the document itself, not by navigation or folder")),
            ("metadata", models.JSONField(blank=True, default=dict)),
            ("format", models.CharField(blank=True, max_length=30)),
            ("content", models.TextField(blank=True)),
            ("content_hash", models.CharField(max_length=64)),
            ("size_bytes", models.PositiveBigIntegerField()),
            ("source_url", models.CharField(blank=True, max_length=2000)),
            ("page_count", models.PositiveIntegerField(blank=True, null=True)),
            (
                "status",
                models.CharField(
                    choices=[
                        ("pending", "Pending"),
                        ("processing", "Processing"),
                        ("success", "Success"),
                        ("failed", "Failed"),
                        ("quarantined", "Quarantined"),
                    ],
                    default="pending",
                    max_length=12,
                ),
            ),
            ("error_code", models.CharField(blank=True, max_length=30)),
            ("error_message", models.TextField(blank=True)),
            ("warnings", ArrayField(models.TextField(), blank=True, default=list)),
            ("created", models.DateTimeField(default=timezone.now, editable=False)),
            ("indexed", models.DateTimeField(blank=True, null=True)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="documents", to="collections_app.collection")),
            ("source", models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="documents", to="collections_app.source")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("fetch_state", models.JSONField(blank=True, default=dict, editable=False)),
            ("findings", models.JSONField(blank=True, default=list, help_text="Hidden text and instructions, and what was done")),
            (
                "recipe",
                models.CharField(blank=True, editable=False, help_text="What else the text was made by: ingest/recipes.py", max_length=16),
            ),
            (
                "released_hash",
                models.CharField(blank=True, help_text="The content that an editor let out of quarantine", max_length=64),
            ),
        ],
        options={
            "ordering": ["path"],
            "indexes": [
                models.Index(fields=["tenant", "collection", "content_hash"], name="document_by_content"),
                models.Index(models.F("tenant"), models.F("collection"), Lower("category"), name="document_by_category"),
                models.Index(
                    condition=models.Q(("status__in", ["failed", "quarantined"])),
                    fields=["tenant", "status", "collection", "path"],
                    name="document_not_served",
                ),
                GinIndex(
                    models.Func("path", template=TRIGRAMS),
                    gin_pending_list_limit=512,
                    name="document_by_part_of_path",
                ),
            ],
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "path"), name="document_path_in_collection")],
        },
    ),
    migrations.CreateModel(
        name="RemovedDocument",
        fields=[
            make_id(),
            ("path", models.CharField(max_length=1000)),
            ("document", models.JSONField()),
            ("sections", models.JSONField()),
            ("removed", models.DateTimeField()),
            (
                "collection",
                models.ForeignKey(on_delete=models.CASCADE, related_name="removed_documents", to="collections_app.collection"),
            ),
            ("source", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="collections_app.source")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["path", "-removed"],
            "indexes": [models.Index(fields=["removed"], name="removed_document_by_time")],
        },
    ),
    migrations.CreateModel(
        name="Section",
        fields=[
            make_id(),
            ("position", models.PositiveIntegerField()),
            ("end_position", models.PositiveIntegerField()),
            ("section_id", models.TextField()),
            ("heading", models.TextField()),
            ("level", models.PositiveSmallIntegerField()),
            ("heading_path", ArrayField(models.TextField())),
            ("start_line", models.PositiveIntegerField()),
            ("end_line", models.PositiveIntegerField()),
            ("page_number", models.PositiveIntegerField(blank=True, null=True)),
            ("content", models.TextField()),
            ("character_count", models.PositiveIntegerField()),
            ("token_count", models.PositiveIntegerField()),
            ("collection", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.collection")),
            (
                "document",
                models.ForeignKey(db_index=False, on_delete=models.RESTRICT, related_name="sections", to="collections_app.document"),
            ),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("anchor", models.TextField(blank=True, help_text="The heading's fragment at the document's source URL")),
        ],
        options={
            "ordering": ["document", "position"],
            "indexes": [models.Index(fields=["document"], name="section_by_document")],
            "constraints": [models.UniqueConstraint(fields=("tenant", "document", "position"), name="section_position_in_document")],
        },
    ),
    migrations.CreateModel(
        name="MovedPage",
        fields=[
            make_id(),
            ("address", models.CharField(max_length=500)),
            ("target", models.CharField(max_length=1000)),
            ("is_told", models.BooleanField(default=False)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="moved_pages", to="collections_app.collection")),
            ("source", models.ForeignKey(null=True, on_delete=models.CASCADE, related_name="moved_pages", to="collections_app.source")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("archive", models.CharField(blank=True, db_default="", default="", max_length=1000)),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "address", "source"), name="moved_page_once")],
        },
    ),
]

# What is searched.
INDEX = [
    migrations.CreateModel(
        name="SectionVector",
        fields=[
            make_id(),
            ("part", models.PositiveSmallIntegerField(default=0)),
            ("vector", SearchVectorField()),
            (
                "collection",
                models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.collection"),
            ),
            ("document", models.ForeignKey(db_constraint=False, on_delete=models.CASCADE, to="collections_app.document")),
            ("section", models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.section")),
            ("tenant", models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("page_words", models.PositiveIntegerField(default=0, help_text="Of all rows of the document")),
            ("words", models.PositiveIntegerField(default=0, help_text="That can be looked up, each as often as it occurs")),
            (
                "heading_words",
                models.SmallIntegerField(db_default=0, default=0, help_text="Different ones of its own heading; 0 where that is not known"),
            ),
        ],
        options={
            "indexes": [
                GinIndex(
                    models.F("vector"),
                    models.Func("collection_id", template="ARRAY[%(expressions)s]"),
                    gin_pending_list_limit=512,
                    name="section_vector_by_collection",
                ),
                GinIndex(
                    models.Func("vector", template="ts_filter(%(expressions)s, '{a,b}')"),
                    models.Func("collection_id", template="ARRAY[%(expressions)s]"),
                    gin_pending_list_limit=512,
                    name="section_vector_by_heading",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="TermStatistic",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "tenant_id", "collection_id", "term", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("term", models.TextField(db_collation="C")),
            ("sections", models.IntegerField()),
            (
                "collection",
                models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.collection"),
            ),
            ("tenant", models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("documents", models.IntegerField(default=0)),
            ("words", models.BigIntegerField(default=0)),
        ],
        options={
            "indexes": [models.Index(fields=["tenant", "term", "collection"], name="term_statistic_by_term")],
        },
    ),
    migrations.CreateModel(
        name="Reindexing",
        fields=[
            (
                "collection",
                models.OneToOneField(
                    on_delete=models.CASCADE,
                    primary_key=True,
                    related_name="reindexing",
                    serialize=False,
                    to="collections_app.collection",
                ),
            ),
            ("position", models.CharField(blank=True, max_length=1000)),
            ("done", models.PositiveIntegerField(default=0)),
            ("started", models.DateTimeField(auto_now_add=True)),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            (
                "by_queue",
                models.BooleanField(db_default=False, default=False, help_text="The queue begins it, and goes on where it was broken off"),
            ),
        ],
    ),
    migrations.CreateModel(
        name="EmbeddingModel",
        fields=[
            ("id", models.SmallAutoField(primary_key=True, serialize=False)),
            ("name", models.CharField(max_length=200, unique=True)),
            ("dimension", models.PositiveSmallIntegerField()),
        ],
    ),
    migrations.CreateModel(
        name="SectionEmbedding",
        fields=[
            make_id(),
            ("vector", ArrayField(Float4Field())),
            (
                "collection",
                models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.collection"),
            ),
            (
                "document",
                models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.document"),
            ),
            (
                "model",
                models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.embeddingmodel"),
            ),
            ("section", models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.section")),
            ("tenant", models.ForeignKey(db_constraint=False, db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "indexes": [
                models.Index(fields=["collection", "model"], name="embedding_by_collection"),
                models.Index(fields=["document", "section"], name="embedding_by_section"),
            ],
        },
    ),
    migrations.CreateModel(
        name="EmbeddedCollection",
        fields=[
            make_id(),
            ("index_version", models.PositiveBigIntegerField()),
            ("is_indexed", models.BooleanField(default=False, help_text="It has an index of its own, having very many sections")),
            (
                "collection",
                models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="embedded", to="collections_app.collection"),
            ),
            ("model", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.embeddingmodel")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "model"), name="embedded_once_by_a_model")],
        },
    ),
]

# What is being done, and what people say about words and pages.
WORK = [
    migrations.CreateModel(
        name="IngestJob",
        fields=[
            make_id(),
            (
                "state",
                models.CharField(
                    choices=[
                        ("queued", "Queued"),
                        ("running", "Running"),
                        ("succeeded", "Succeeded"),
                        ("partial", "Partial"),
                        ("failed", "Failed"),
                        ("cancelled", "Cancelled"),
                    ],
                    default="queued",
                    max_length=10,
                ),
            ),
            ("stage", models.CharField(blank=True, max_length=30)),
            ("done", models.PositiveIntegerField(default=0)),
            ("total", models.PositiveIntegerField(blank=True, null=True)),
            ("prune", models.BooleanField(default=False, help_text="Remove documents that the source no longer has")),
            ("requested_by", models.CharField(blank=True, max_length=200)),
            ("error_message", models.TextField(blank=True)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("started", models.DateTimeField(blank=True, null=True)),
            ("heartbeat", models.DateTimeField(blank=True, null=True)),
            ("finished", models.DateTimeField(blank=True, null=True)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="jobs", to="collections_app.collection")),
            ("source", models.ForeignKey(on_delete=models.CASCADE, related_name="jobs", to="collections_app.source")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("attempts", models.PositiveSmallIntegerField(default=0)),
            ("cancel_requested", models.BooleanField(default=False)),
            ("error_code", models.CharField(blank=True, max_length=30)),
            ("listed", ArrayField(models.TextField(), editable=False, null=True)),
            ("only", ArrayField(models.TextField(), blank=True, help_text="Empty: all that the source has", null=True)),
            (
                "retry_of",
                models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, related_name="retries", to="collections_app.ingestjob"),
            ),
            (
                "accepts_removals",
                models.BooleanField(db_default=False, default=False, help_text="Remove them even if they are most of its documents"),
            ),
            ("left_out", models.JSONField(db_default={}, default=dict, editable=False)),
            ("taken", models.DateTimeField(editable=False, null=True)),
            ("gives_way", models.BooleanField(db_default=False, default=False, editable=False)),
            ("left_out_paths", models.JSONField(db_default={}, default=dict, editable=False)),
        ],
        options={
            "ordering": ["-created"],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("state", "queued")), fields=("tenant", "source"), name="one_queued_job_per_source"
                ),
                models.UniqueConstraint(
                    condition=models.Q(("state", "running")), fields=("tenant", "source"), name="one_running_job_per_source"
                ),
            ],
            "verbose_name": "job",
        },
    ),
    migrations.CreateModel(
        name="FileOutcome",
        fields=[
            make_id(),
            ("path", models.CharField(max_length=1000)),
            (
                "outcome",
                models.CharField(
                    choices=[
                        ("indexed", "Indexed"),
                        ("unchanged", "Unchanged"),
                        ("duplicate", "Duplicate"),
                        ("unsupported", "Unsupported"),
                        ("quarantined", "Quarantined"),
                        ("failed", "Failed"),
                        ("removed", "Removed"),
                        ("cancelled", "Cancelled"),
                        ("not_reached", "Not Reached"),
                    ],
                    max_length=12,
                ),
            ),
            ("code", models.CharField(blank=True, max_length=30)),
            ("reason", models.TextField(blank=True)),
            ("collection", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.collection")),
            (
                "document",
                models.ForeignKey(
                    db_constraint=False, db_index=False, null=True, on_delete=models.DO_NOTHING, to="collections_app.document"
                ),
            ),
            ("job", models.ForeignKey(on_delete=models.CASCADE, related_name="outcomes", to="collections_app.ingestjob")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("source_url", models.CharField(blank=True, max_length=2000)),
        ],
        options={
            "ordering": ["path"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "job", "path"), name="outcome_once_per_job")],
            "verbose_name": "outcome of a file",
            "verbose_name_plural": "outcomes of files",
        },
    ),
    migrations.CreateModel(
        name="Synonym",
        fields=[
            make_id(),
            ("term", models.CharField(max_length=100)),
            ("synonym", models.CharField(max_length=100)),
            ("is_mutual", models.BooleanField(default=True, help_text="Off: only the term finds the synonym, not the other way round")),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="synonyms", to="collections_app.collection")),
            ("tenant", models.ForeignKey(db_index=False, editable=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["term", "synonym"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "term", "synonym"), name="synonym_once")],
        },
    ),
    migrations.CreateModel(
        name="Pin",
        fields=[
            make_id(),
            ("question", models.CharField(max_length=200)),
            ("path", models.CharField(max_length=1000)),
            ("section_id", models.TextField(blank=True, help_text="Empty: the page's first section")),
            ("position", models.PositiveSmallIntegerField(default=0)),
            ("collection", models.ForeignKey(on_delete=models.CASCADE, related_name="pins", to="collections_app.collection")),
            ("tenant", models.ForeignKey(db_index=False, editable=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["question", "position", "pk"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "collection", "question", "path"), name="pin_once")],
        },
    ),
]

# What happened, what is counted and what is kept for a while.
ACTIVITY = [
    migrations.CreateModel(
        name="SearchEvent",
        fields=[
            make_id(),
            ("collections", ArrayField(models.BigIntegerField(), default=list)),
            ("query", models.CharField(max_length=1000)),
            ("mode", models.CharField(max_length=10)),
            ("hits", models.PositiveIntegerField()),
            ("duration_ms", models.FloatField()),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("api_key", models.ForeignKey(db_index=False, null=True, on_delete=models.SET_NULL, to="collections_app.apikey")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
            ("is_narrowed", models.BooleanField(db_default=False, default=False)),
        ],
        options={
            "ordering": ["-created"],
            "indexes": [
                models.Index(fields=["tenant", "api_key", "-created"], name="search_event_recent"),
                models.Index(fields=["tenant", "-created"], name="search_event_of_tenant"),
                models.Index(condition=models.Q(("hits", 0)), fields=["tenant", "-created"], name="search_event_in_vain"),
            ],
            "verbose_name": "search",
            "verbose_name_plural": "searches",
        },
    ),
    migrations.CreateModel(
        name="DailyUsage",
        fields=[
            make_id(),
            ("day", models.DateField()),
            ("call", models.CharField(max_length=100)),
            ("requests", models.PositiveIntegerField()),
            ("errors", models.PositiveIntegerField()),
            ("total_ms", models.FloatField()),
            (
                "latencies",
                ArrayField(models.PositiveIntegerField(), help_text="Requests by how long they took: see latency.py", size=12),
            ),
            (
                "api_key",
                models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=models.DO_NOTHING, to="collections_app.apikey"),
            ),
            ("tenant", models.ForeignKey(db_index=False, null=True, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["-day", "call"],
            "constraints": [
                models.UniqueConstraint(fields=("tenant", "day", "api_key", "call"), name="daily_usage_once", nulls_distinct=False)
            ],
        },
    ),
    migrations.CreateModel(
        name="DocumentRead",
        fields=[
            make_id(),
            ("last_read", models.DateTimeField()),
            ("reads", models.PositiveBigIntegerField()),
            (
                "document",
                models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=models.DO_NOTHING,
                    related_name="read_counts",
                    to="collections_app.document",
                ),
            ),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "document"), name="document_read_once")],
        },
    ),
    migrations.CreateModel(
        name="Feedback",
        fields=[
            make_id(),
            ("question", models.CharField(blank=True, max_length=1000)),
            ("path", models.CharField(blank=True, help_text="The document that it is about", max_length=1000)),
            ("helpful", models.BooleanField()),
            ("comment", models.CharField(blank=True, max_length=1000)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("api_key", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="collections_app.apikey")),
            ("collection", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="collections_app.collection")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "verbose_name_plural": "feedback",
            "ordering": ["-created"],
            "indexes": [models.Index(fields=["tenant", "-created"], name="feedback_recent")],
        },
    ),
    migrations.CreateModel(
        name="AnswerUsage",
        fields=[
            make_id(),
            ("day", models.DateField()),
            ("answers", models.PositiveIntegerField()),
            ("tokens_in", models.PositiveBigIntegerField(help_text="Tokens that the model read")),
            ("tokens_out", models.PositiveBigIntegerField(help_text="Tokens that the model wrote")),
            ("cost", models.DecimalField(decimal_places=6, help_text="By LLM_PRICE_IN and LLM_PRICE_OUT", max_digits=16)),
            ("api_key", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="collections_app.apikey")),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "ordering": ["-day"],
            "constraints": [models.UniqueConstraint(fields=("tenant", "day", "api_key"), name="answer_usage_of_key_and_day")],
            "verbose_name": "cost of answers",
            "verbose_name_plural": "costs of answers",
        },
    ),
    migrations.CreateModel(
        name="MonthlyRequests",
        fields=[
            make_id(),
            ("month", models.DateField(help_text="Its first day")),
            ("requests", models.PositiveIntegerField()),
            ("tenant", models.ForeignKey(db_index=False, on_delete=models.CASCADE, to="collections_app.tenant")),
        ],
        options={
            "constraints": [models.UniqueConstraint(fields=("tenant", "month"), name="monthly_requests_once")],
        },
    ),
    migrations.CreateModel(
        name="CacheEntry",
        fields=[
            ("key", models.TextField(db_collation="C", primary_key=True, serialize=False)),
            ("value", models.BinaryField(null=True)),
            ("count", models.BigIntegerField(null=True)),
            ("expires", models.DateTimeField(help_text="Empty: never", null=True)),
        ],
    ),
]

# What is kept in the cache may be lost, and need not be written twice.
CACHE_WITHOUT_LOG = "ALTER TABLE collections_app_cacheentry SET UNLOGGED"

# Vectors are read once for each term of a question: kept whole in their row, none has to be fetched and unpacked each time.
VECTORS_IN_THEIR_ROWS = "ALTER TABLE collections_app_sectionvector SET (toast_tuple_target = 8160)"

# Where pgvector is there, and this user may make it; collections_app/postgres/pgvector.py does it where it comes later.
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

# Row-level security (docs/security.md). The owner of the tables is above it: commands, workers and migrations see everything.
#
# Of these tables everybody may read what belongs to a public collection. Of the others only who belongs to the tenant sees anything.
READABLE = "document section sectionvector sectionembedding embeddedcollection termstatistic synonym pin movedpage".split()
OTHERS = (
    "source removeddocument upload ingestjob fileoutcome reindexing membership apikey collectiongrant invitation auditevent "
    "datarequest exportpart monthlyrequests searchevent answerusage dailyusage documentread feedback"
).split()

MAKE_FUNCTION = """
CREATE FUNCTION docsmcp_tenants() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(nullif(current_setting('docsmcp.tenants', true), ''), ',')::bigint[]
"""
# With it go the policies and the views, which use it.
DROP_FUNCTION = "DROP FUNCTION docsmcp_tenants() CASCADE"

# Subqueries that depend on no row are run once a statement.
OWN = "= ANY ((SELECT docsmcp_tenants())::bigint[])"
PUBLIC = "IN (SELECT id FROM collections_app_collection WHERE is_public)"


def make_policies(table: str, own: str = "tenant_id", public: str = "") -> list[str]:
    name = f"collections_app_{table}"
    statements = [
        f"CREATE POLICY own_rows ON {name} USING ({own} {OWN}) WITH CHECK ({own} {OWN})",
        f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY",
    ]
    return [f"CREATE POLICY public_rows ON {name} FOR SELECT USING ({public})", *statements] if public else statements


POLICIES = [
    *make_policies("tenant", "id", public="id IN (SELECT tenant_id FROM collections_app_collection WHERE is_public)"),
    *make_policies("collection", public="is_public"),
    *(statement for table in READABLE for statement in make_policies(table, public=f"collection_id {PUBLIC}")),
    *(statement for table in OTHERS for statement in make_policies(table)),
]

# No index answers `@@` or `@>` behind a policy, as PostgreSQL does not know that they keep to themselves what they look at. So what is
# searched are views with their owner's rights, which ask the same of each row. Who is above the policies of a table sees all of its view.
SEEN = f"""
WHERE (SELECT NOT row_security_active('collections_app_{{table}}'::regclass)) OR tenant_id {OWN} OR collection_id {PUBLIC}
"""
SEARCHED_VECTORS = "CREATE VIEW collections_app_searchedvector AS SELECT * FROM collections_app_sectionvector"
# The second table of one row makes it a view that nobody can write through, whatever rights a role is given to all tables.
SEARCHED_DOCUMENTS = """
CREATE VIEW collections_app_searcheddocument AS
SELECT id, tenant_id, collection_id, path, category, format, keywords, metadata
FROM collections_app_document, (VALUES (true)) AS read_only
"""
VIEWS = [SEARCHED_VECTORS + SEEN.format(table="sectionvector"), SEARCHED_DOCUMENTS + SEEN.format(table="document")]


def try_to_make_role(apps: Any, schema_editor: Any) -> None:
    """Where this user may not, the operator does it: `docsmcp roles`."""
    make_role(schema_editor.connection)


class CreateModels(migrations.SeparateDatabaseAndState):
    """Several CreateModel as one: after each of them Django would render anew all models that are related to it, which nearly all are."""

    def __init__(self, models: list[migrations.CreateModel]) -> None:
        super().__init__(database_operations=models, state_operations=models)

    def state_forwards(self, app_label: str, state: Any) -> None:
        vars(state).pop("apps", None)  # rendered once, for the first table
        super().state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for each in self.database_operations:
            each.database_forwards(app_label, schema_editor, from_state, to_state)
        # Indexes and foreign keys. If they were left for the end, Django would record the migration after its transaction: killed before,
        # it would leave tables that the next one makes again.
        for statement in schema_editor.deferred_sql:
            schema_editor.execute(statement, None)
        schema_editor.deferred_sql.clear()


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("collections_app", "0001_initial"),
        ("collections_app", "0002_ingest_anything"),
        ("collections_app", "0004_search_help"),
        ("collections_app", "0005_limits"),
        ("collections_app", "0006_answers"),
        ("collections_app", "0007_embeddings"),
        ("collections_app", "0008_people"),
        ("collections_app", "0009_keys"),
        ("collections_app", "0010_usage"),
        ("collections_app", "0011_index"),
        ("collections_app", "0012_row_security"),
        ("collections_app", "0013_heading_index"),
        ("collections_app", "0014_accepts_removals"),
        ("collections_app", "0015_left_out"),
        ("collections_app", "0016_quotas"),
        ("collections_app", "0017_count_documents"),
        ("collections_app", "0018_source_follows_setting"),
        ("collections_app", "0019_path_index"),
        ("collections_app", "0020_searched_document"),
        ("collections_app", "0021_language"),
        ("collections_app", "0022_own_heading"),
        ("collections_app", "0023_narrowed_search"),
        ("collections_app", "0024_turns_of_jobs"),
        ("collections_app", "0025_directories_of_operators"),
        ("collections_app", "0026_left_out_paths"),
        ("collections_app", "0027_section_by_document"),
        ("collections_app", "0028_embedding_by_section"),
        ("collections_app", "0029_moved_pages"),
        ("collections_app", "0030_moved_pages_of_exports_and_archives"),
    ]

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        CreateModels([*PEOPLE, *LIBRARY, *INDEX, *WORK, *ACTIVITY]),
        migrations.AddField(
            model_name="apikey",
            name="collections",
            field=models.ManyToManyField(
                blank=True, related_name="granted_keys", through="collections_app.CollectionGrant", to="collections_app.collection"
            ),
        ),
        migrations.RunSQL([CACHE_WITHOUT_LOG, VECTORS_IN_THEIR_ROWS, USE_PGVECTOR], migrations.RunSQL.noop),
        migrations.RunSQL([MAKE_FUNCTION, *POLICIES, *VIEWS], DROP_FUNCTION),
        migrations.RunPython(try_to_make_role, migrations.RunPython.noop),
    ]
