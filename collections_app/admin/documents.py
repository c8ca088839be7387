"""Documents: the list, and actions on several of them. Only ingest creates and changes documents."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from collections_app.access.roles import Role
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.base import TenantAdmin
from collections_app.admin.document_page import show_document
from collections_app.admin.pages import show_page
from collections_app.jobs import release_document
from collections_app.models import Document
from collections_app.models.library import DocumentQuerySet
from collections_app.removal.documents import remove, remove_chosen
from collections_app.text.shortening import shorten

SHOWN_TITLE = 120
# Values of `?look=`.
WARNED, CLEANED = "warnings", "taken-out"


class _LookFilter(admin.SimpleListFilter):
    """Documents that are served, but may be flawed for readers."""

    title = "what is worth a look"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(WARNED, "With warnings"), (CLEANED, "With text taken out")]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[Document]:
        documents: DocumentQuerySet[Document] = queryset
        if self.value() == WARNED:
            return documents.warned()
        return documents.cleaned() if self.value() == CLEANED else documents


@admin.register(Document)
class DocumentAdmin(TenantAdmin):
    """The list; a document has a page of its own."""

    delete_role = Role.EDITOR
    delete_hint = (
        "What is removed can be brought back for some days, under Removed documents. "
        "A source that still has it brings it again with its next reading."
    )
    deleted_word = "removed"
    tells_tenant = True
    list_display = ("path", "collection", "show_title", "status", "show_size", "indexed")
    list_filter = ("status", _LookFilter, "collection", "source")
    list_select_related = ("collection",)
    search_fields = ("path", "title")
    # The order of an index: the first page of hundreds of thousands needs no sorting.
    ordering = ("tenant_id", "collection_id", "path")
    empty_text = "There is no document here yet. Choose a collection under Collections and add documents to it."
    actions = ("release",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return super().get_queryset(request).defer("content", "metadata", "findings")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return show_document(request, self.get_object(request, object_id).pk)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        document = self.get_object(request, object_id)
        if request.method == "POST" or not self.has_delete_permission(request, document):
            return super().delete_view(request, object_id, extra_context)
        back = reverse("admin:collections_app_document_change", args=[document.pk])
        names = [document.path]
        return show_page(
            request, "admin/ask.html", title="Remove a document", hint=self.delete_hint, names=names, back=back
        )

    @admin.display(description="Title", ordering="title")
    def show_title(self, document: Document) -> str:
        return shorten(document.title, SHOWN_TITLE)

    @admin.display(description="Size", ordering="size_bytes")
    def show_size(self, document: Document) -> str | None:
        return None if document.known_size_bytes is None else filesizeformat(document.known_size_bytes)

    @row_action(Role.EDITOR, "Release from quarantine")
    def release(self, request: HttpRequest, documents: QuerySet[Document]) -> None:
        def release(document: Document) -> str:
            return f"{release_document(document, request.user.get_username())} is served from now on."

        act_on_each(self, request, documents, "release", release)

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        remove(obj.collection_id, [obj.pk])

    def delete_rows(self, request: HttpRequest, rows: QuerySet[Document], count: int) -> str:
        if remove_chosen(rows):
            return f"{self.name_rows(count)} {'is' if count == 1 else 'are'} {self.deleted_word}."
        return f"{self.name_rows(count)} are being removed in the background. Look here again in a while."
