"""Every row that docsmcp keeps. Rows of a tenant are reached through `Model.objects.visible_to(principal)`."""

from collections_app.models.activity import AnswerUsage, DailyUsage, DocumentRead, Feedback, SearchEvent
from collections_app.models.cache import CacheEntry
from collections_app.models.connected_apps import ConnectedApp, OAuthClient
from collections_app.models.curation import Pin, Synonym
from collections_app.models.embeddings import EmbeddedCollection, EmbeddingModel, SectionEmbedding
from collections_app.models.jobs import FileOutcome, IngestJob, Upload
from collections_app.models.library import (
    Collection,
    Document,
    MovedPage,
    RemovedDocument,
    Section,
    Source,
)
from collections_app.models.limits import MonthlyRequests
from collections_app.models.people import AuditEvent, DataRequest, ExportPart, Identity, Invitation
from collections_app.models.reindexing import Reindexing
from collections_app.models.search_index import SectionVector, TermStatistic
from collections_app.models.tenants import ApiKey, CollectionGrant, Membership, Tenant, User

__all__ = [
    "AnswerUsage",
    "ApiKey",
    "AuditEvent",
    "CacheEntry",
    "Collection",
    "CollectionGrant",
    "ConnectedApp",
    "DailyUsage",
    "DataRequest",
    "Document",
    "DocumentRead",
    "EmbeddedCollection",
    "EmbeddingModel",
    "ExportPart",
    "Feedback",
    "FileOutcome",
    "Identity",
    "IngestJob",
    "Invitation",
    "Membership",
    "MonthlyRequests",
    "MovedPage",
    "OAuthClient",
    "Pin",
    "Reindexing",
    "RemovedDocument",
    "SearchEvent",
    "Section",
    "SectionEmbedding",
    "SectionVector",
    "Source",
    "Synonym",
    "Tenant",
    "TermStatistic",
    "Upload",
    "User",
]
