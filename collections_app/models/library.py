"""The library: collections, where their documents come from, documents and sections.

Each row names its tenant, even where a join would tell it: unique constraints begin with it, so that tables can be
partitioned or distributed by tenant, and a policy of the database can check it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Count, F, Func, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest, Lower
from django.utils import timezone

from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet, Row, collection_rule
from collections_app.postgres.trigrams import TRIGRAMS

if TYPE_CHECKING:
    from collections_app.access.principal import Principal

# The text-search configurations that PostgreSQL 15 and later include; the embedded server has them too.
LANGUAGES = [
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "simple",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
]


class CollectionQuerySet(models.QuerySet["Collection"]):
    def visible_to(self, principal: Principal) -> Self:
        return self.filter(collection_rule(principal))

    def with_documents_count(self) -> QuerySet[Any]:
        """Each with `documents_count`: how many of its documents can be read, including those that search folds into one. Only reads the
        documents that cannot be read, which are few and have an index. Never below 0, even if the two numbers are from different moments.
        """
        own = Document.objects.filter(tenant=OuterRef("tenant"), collection=OuterRef("pk")).not_served()
        not_served = own.order_by().values("collection").annotate(count=Count("pk")).values("count")
        return self.annotate(documents_count=Greatest(F("stored_documents") - Coalesce(Subquery(not_served), 0), 0))


class Collection(models.Model):
    """A library of documents. Agents read its name and description to choose it."""

    class ContentPolicy(models.TextChoices):
        """The same values as parsing.documents.ContentPolicy."""

        STRIP = "strip"
        FLAG = "flag"
        QUARANTINE = "quarantine"

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="collections")
    slug = models.SlugField(max_length=63)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    version = models.CharField(max_length=50, blank=True, help_text="Which release these documents describe")
    library = models.SlugField(
        max_length=63,
        blank=True,
        db_index=False,
        help_text="What this is a version of; each version is a collection of its own",
    )
    language = models.CharField(max_length=20, choices=[(name, name) for name in LANGUAGES], default="english")
    is_language_settled = models.BooleanField(
        default=True,
        db_default=True,
        editable=False,
        help_text="Somebody chose it, or it was found out from the documents: indexing/languages.py",
    )
    is_public = models.BooleanField(default=False, help_text="Readable without a key")
    content_policy = models.CharField(
        max_length=10,
        choices=ContentPolicy.choices,
        default=ContentPolicy.STRIP,
        help_text="What is done about hidden text and about passages that speak to a model",
    )
    index_version = models.PositiveBigIntegerField(default=0, editable=False)
    # Changed together with the documents, by ingest/: how many there are in any state, and the bytes of their files.
    stored_documents = models.BigIntegerField(default=0, db_default=0, editable=False)
    stored_bytes = models.BigIntegerField(default=0, db_default=0, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["tenant", "slug"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "slug"], name="collection_slug_in_tenant")]

    def __str__(self) -> str:
        return self.slug

    @property
    def told_with_tenant(self) -> str:
        """Its name where collections of several tenants are named: two may have the same slug."""
        return f"{self.tenant.slug}/{self.slug}"


class SourceQuerySet(InCollectionQuerySet[Row]):
    def polled(self) -> Self:
        """Sources that are read again by themselves, an interval after the last time."""
        return self.filter(auto_index=True, refresh_interval_seconds__gt=0).exclude(kind=Source.Kind.UPLOAD)


class Source(models.Model):
    """Where documents of a collection come from, and how often to look again."""

    class Kind(models.TextChoices):
        UPLOAD = "upload"
        DIRECTORY = "directory"
        SITE = "site"
        GIT = "git"

    # The limit of a source that follows MAX_FILE_BYTES: the lesser of the two counts. It is not null, because processes of the previous
    # version, which keep running during an upgrade, compute with a number.
    FOLLOWS_SETTING: ClassVar = 2**63 - 1
    # Reading a source may take minutes, and requests everything from somebody else's server.
    LEAST_REFRESH_SECONDS: ClassVar = 300
    DEFAULT_REFRESH_SECONDS: ClassVar = {Kind.UPLOAD: 0, Kind.DIRECTORY: 300, Kind.SITE: 86_400, Kind.GIT: 86_400}

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="sources")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="sources")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    location = models.CharField(max_length=2000, blank=True, help_text="Directory, address or repository")
    include = ArrayField(models.CharField(max_length=500), default=list, blank=True)
    exclude = ArrayField(models.CharField(max_length=500), default=list, blank=True)
    max_file_bytes = models.PositiveBigIntegerField(
        default=FOLLOWS_SETTING,
        null=True,
        blank=True,
        help_text="The largest file that is taken, up to what MAX_FILE_BYTES says",
    )
    refresh_interval_seconds = models.PositiveIntegerField(default=0, help_text="0 = look only when told to")
    auto_index = models.BooleanField(default=True, help_text="Off stops every schedule of this source")
    options = models.JSONField(default=dict, blank=True, help_text="What only this kind of source has")
    # For a directory: a superuser or a command set last what is read. Then it may be outside ALLOWED_ROOTS.
    is_operators = models.BooleanField(default=True, db_default=True, editable=False)
    encrypted_token = models.TextField(blank=True, editable=False)
    encrypted_webhook_secret = models.TextField(blank=True, editable=False)
    fetch_state = models.JSONField(default=dict, blank=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)

    objects = SourceQuerySet["Source"].as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "kind", "location"], name="source_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.collection}"

    @property
    def is_upload(self) -> bool:
        """Whether people and programs send its files, instead of a job fetching them."""
        return self.kind == self.Kind.UPLOAD

    @property
    def is_polled(self) -> bool:
        """Whether SourceQuerySet.polled() includes it."""
        return self.auto_index and self.refresh_interval_seconds > 0 and not self.is_upload

    @property
    def told_location(self) -> str:
        """The location without a path of the machine: of a directory, only the folder's name."""
        return Path(self.location).name if self.kind == self.Kind.DIRECTORY else self.location


# In a document's findings: text was removed.
WAS_REMOVED = [{"removed": True}]


class DocumentQuerySet(InCollectionQuerySet[Row]):
    def readable(self) -> Self:
        """Documents that are served: in the index, and neither failed nor in quarantine."""
        return self.filter(status=Document.Status.SUCCESS)

    def warned(self) -> Self:
        """Documents that were read, but with warnings."""
        return self.readable().exclude(warnings=[])

    def cleaned(self) -> Self:
        """Documents from which the content policy removed text."""
        return self.filter(findings__contains=WAS_REMOVED)

    def not_served(self) -> Self:
        """All documents that are not readable()."""
        return self.filter(status__in=[Document.Status.FAILED, Document.Status.QUARANTINED])


class Document(models.Model):
    """One file or page. Only ingest/ writes it, together with its sections."""

    class Status(models.TextChoices):
        PENDING = "pending"
        PROCESSING = "processing"
        SUCCESS = "success"
        FAILED = "failed"
        QUARANTINED = "quarantined"

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="documents")
    source = models.ForeignKey(Source, on_delete=models.SET_NULL, null=True, related_name="documents")
    path = models.CharField(max_length=1000)
    title = models.CharField(max_length=1000)
    description = models.TextField(blank=True)
    keywords = ArrayField(models.TextField(), default=list, blank=True)
    category = models.CharField(max_length=200, blank=True)
    category_given = models.BooleanField(default=False, help_text="By the document itself, not by navigation or folder")
    metadata = models.JSONField(default=dict, blank=True)
    format = models.CharField(max_length=30, blank=True)
    content = models.TextField(blank=True)
    content_hash = models.CharField(max_length=64)
    recipe = models.CharField(
        max_length=16, blank=True, editable=False, help_text="What else the text was made by: ingest/recipes.py"
    )
    size_bytes = models.PositiveBigIntegerField()
    source_url = models.CharField(max_length=2000, blank=True)
    page_count = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PENDING)
    error_code = models.CharField(max_length=30, blank=True)
    error_message = models.TextField(blank=True)
    warnings = ArrayField(models.TextField(), default=list, blank=True)
    findings = models.JSONField(default=list, blank=True, help_text="Hidden text and instructions, and what was done")
    released_hash = models.CharField(
        max_length=64, blank=True, help_text="The content that an editor let out of quarantine"
    )
    fetch_state = models.JSONField(default=dict, blank=True, editable=False)
    # For a document that was restored: when it was first created.
    created = models.DateTimeField(default=timezone.now, editable=False)
    indexed = models.DateTimeField(null=True, blank=True)

    objects = DocumentQuerySet["Document"].as_manager()

    class Meta:
        ordering: ClassVar = ["path"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "path"], name="document_path_in_collection")
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "collection", "content_hash"], name="document_by_content"),
            models.Index("tenant", "collection", Lower("category"), name="document_by_category"),
            models.Index(
                fields=["tenant", "status", "collection", "path"],
                name="document_not_served",
                condition=models.Q(status__in=["failed", "quarantined"]),
            ),
            GinIndex(Func("path", template=TRIGRAMS), name="document_by_part_of_path", gin_pending_list_limit=512),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def known_size_bytes(self) -> int | None:
        """The size; None for a file that was refused unread, and is not stored. If its size is the reason, the error says it."""
        is_known = self.size_bytes or self.status == self.Status.SUCCESS
        return self.size_bytes if is_known else None


class Section(models.Model):
    """A heading and its own text; see parsing.documents.ParsedSection for what each number counts.

    `document` restricts deletion: documents are removed by ingest.remove_documents, which keeps the index true.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_index=False)
    document = models.ForeignKey(Document, on_delete=models.RESTRICT, related_name="sections", db_index=False)
    position = models.PositiveIntegerField()
    end_position = models.PositiveIntegerField()
    section_id = models.TextField()
    heading = models.TextField()
    level = models.PositiveSmallIntegerField()
    heading_path = ArrayField(models.TextField())
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    page_number = models.PositiveIntegerField(null=True, blank=True)
    anchor = models.TextField(blank=True, help_text="The heading's fragment at the document's source URL")
    content = models.TextField()
    character_count = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField()

    objects = InCollectionQuerySet["Section"].as_manager()

    class Meta:
        ordering: ClassVar = ["document", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "document", "position"], name="section_position_in_document")
        ]
        # For the foreign key: it looks up whether a deleted document has sections by the document alone.
        indexes: ClassVar = [models.Index(fields=["document"], name="section_by_document")]

    def __str__(self) -> str:
        return self.section_id


class RemovedDocument(models.Model):
    """A document that was removed, kept for a while so that it can be restored: its fields, and its sections in order of position."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="removed_documents")
    source = models.ForeignKey(Source, on_delete=models.SET_NULL, null=True)
    path = models.CharField(max_length=1000)
    document = models.JSONField()
    sections = models.JSONField()
    removed = models.DateTimeField()

    objects = InCollectionQuerySet["RemovedDocument"].as_manager()

    class Meta:
        ordering: ClassVar = ["path", "-removed"]
        indexes: ClassVar = [models.Index(fields=["removed"], name="removed_document_by_time")]

    def __str__(self) -> str:
        return self.path


class MovedPage(models.Model):
    """Where a page of a source is that had another address. `address`: the parts of its path as naming/paths.py lists them, joined by
    slashes; `old/*` if the source tells it of all pages below. `target`: a document's path, or an address as the source writes it.
    `is_told`: the source tells it, perhaps in an archive; else a run found it. Those that came with an exported collection have no source.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="moved_pages")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, null=True, related_name="moved_pages")
    address = models.CharField(max_length=500)  # of at most four bytes each, since an index has them
    target = models.CharField(max_length=1000)
    is_told = models.BooleanField(default=False)
    archive = models.CharField(max_length=1000, blank=True, default="", db_default="")

    objects = InCollectionQuerySet["MovedPage"].as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "address", "source"], name="moved_page_once")
        ]

    def __str__(self) -> str:
        return self.address
