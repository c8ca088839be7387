"""Every row that docsmcp keeps. Rows of a tenant are reached through `Model.objects.visible_to(principal)`."""

from collections_app.models.activity import SearchEvent
from collections_app.models.jobs import FileOutcome, IngestJob, Upload
from collections_app.models.library import (
    Collection,
    Document,
    RemovedDocument,
    Section,
    SectionEmbedding,
    SectionVector,
    Source,
    TermStatistic,
)
from collections_app.models.reindexing import Reindexing
from collections_app.models.tenants import ApiKey, CollectionGrant, Membership, Tenant, User

__all__ = [
    "ApiKey",
    "Collection",
    "CollectionGrant",
    "Document",
    "FileOutcome",
    "IngestJob",
    "Membership",
    "Reindexing",
    "RemovedDocument",
    "SearchEvent",
    "Section",
    "SectionEmbedding",
    "SectionVector",
    "Source",
    "Tenant",
    "TermStatistic",
    "Upload",
    "User",
]
