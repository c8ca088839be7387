"""Which view serves which path under /api/. A collection is `slug`, or `tenant:slug` if several tenants have the slug."""

from __future__ import annotations

from django.urls import path, re_path, register_converter
from django.urls.converters import StringConverter

from collections_app.api.base import NotFoundView
from collections_app.api.collections import CollectionsView, CollectionView
from collections_app.api.documents import DocumentsView, DocumentView
from collections_app.api.hooks import HookView
from collections_app.api.jobs import JobCancelView, JobFilesView, JobRetryView, JobsView, JobView
from collections_app.api.schema import SchemaView
from collections_app.api.searching import CollectionSearchView, SearchView
from collections_app.api.sources import SourceRefreshView, SourcesView, SourceWebhookView
from collections_app.api.uploads import UploadsView


class CollectionConverter(StringConverter):
    """Uses `:` for the slash of `tenant/slug`, which would make another path."""

    regex = r"[^/:]+(?::[^/:]+)?"


register_converter(CollectionConverter, "collection")

COLLECTION = "collections/<collection:collection>"

urlpatterns = [
    path("schema", SchemaView.as_view(), name="api_schema"),
    path("search", SearchView.as_view()),
    path("collections", CollectionsView.as_view()),
    path(COLLECTION, CollectionView.as_view()),
    path(f"{COLLECTION}/search", CollectionSearchView.as_view()),
    path(f"{COLLECTION}/documents", DocumentsView.as_view()),
    path(f"{COLLECTION}/documents/<path:path>", DocumentView.as_view()),
    path(f"{COLLECTION}/uploads", UploadsView.as_view()),
    path(f"{COLLECTION}/sources", SourcesView.as_view()),
    path("sources/<int:source_id>/refresh", SourceRefreshView.as_view()),
    path("sources/<int:source_id>/webhook", SourceWebhookView.as_view()),
    path("hooks/<int:source_id>", HookView.as_view(), name="hook"),
    path("jobs", JobsView.as_view()),
    path("jobs/<int:job_id>", JobView.as_view()),
    path("jobs/<int:job_id>/files", JobFilesView.as_view()),
    path("jobs/<int:job_id>/cancel", JobCancelView.as_view()),
    path("jobs/<int:job_id>/retry", JobRetryView.as_view()),
    re_path(r"^(?P<rest>.*)$", NotFoundView.as_view()),
]
