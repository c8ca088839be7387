"""Documents: the list, and what can be done with several of them. They are made and changed by ingest alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from collections_app.admin.base import ReadOnlyAdmin, act_on_each, row_action
from collections_app.admin.document_page import show_document
from collections_app.ingest import remove_documents
from collections_app.jobs import release_document
from collections_app.models import Collection, Document
from collections_app.roles import Role


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """The list; a document has a page of its own."""

    delete_role = Role.EDITOR
    list_display = ("path", "collection", "title", "status", "size_bytes", "indexed")
    list_filter = ("status", "collection", "source")
    list_select_related = ("collection",)
    search_fields = ("path", "title")
    empty_text = "There is no document here yet. Choose a collection under Collections and add documents to it."
    actions = ("release",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return super().get_queryset(request).defer("content", "metadata", "findings")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return show_document(request, self.get_object(request, object_id).pk)

    @row_action(Role.EDITOR, "Release from quarantine")
    def release(self, request: HttpRequest, documents: QuerySet[Document]) -> None:
        def release(document: Document) -> str:
            return f"{release_document(document, request.user.get_username())} is served from now on."

        act_on_each(self, request, documents, "release", release)

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        remove_documents(obj.collection, [obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        for collection in Collection.objects.filter(documents__in=queryset).distinct():
            remove_documents(collection, list(queryset.filter(collection=collection).values_list("pk", flat=True)))
