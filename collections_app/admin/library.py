"""Collections, their sources and documents, and the documents that left.

Documents and sources leave through ingest, which keeps the index true. Sources are made by commands, which check their options.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest

from collections_app.admin.base import ReadOnlyAdmin, act_on_each
from collections_app.ingest import bump_index_version, remove_documents
from collections_app.jobs import release_document, restore_removed, start_job
from collections_app.models import Collection, Document, Pin, RemovedDocument, Source, Synonym
from collections_app.source_removal import remove_source


class CurationFormSet(BaseInlineFormSet):
    """Refuses the same row twice. Django checks no constraint with a field that the form has not, here the tenant."""

    once: tuple[str, ...]

    def clean(self) -> None:
        super().clean()
        given = [form.cleaned_data for form in self.forms if form.is_valid() and form.cleaned_data]
        rows = [tuple(row.get(name) for name in self.once) for row in given if not row.get("DELETE")]
        if len(set(rows)) < len(rows):
            raise ValidationError("Two rows say the same: delete one of them.")


class SynonymFormSet(CurationFormSet):
    once = ("term", "synonym")


class PinFormSet(CurationFormSet):
    once = ("question", "path")


class SynonymInline(admin.TabularInline):
    model = Synonym
    formset = SynonymFormSet
    extra = 0


class PinInline(admin.TabularInline):
    model = Pin
    formset = PinFormSet
    extra = 0


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin):
    list_display = (
        "slug",
        "tenant",
        "name",
        "library",
        "version",
        "language",
        "is_public",
        "content_policy",
        "updated",
    )
    list_filter = ("tenant", "is_public")
    search_fields = ("slug", "name")
    inlines = (SynonymInline, PinInline)

    def get_readonly_fields(self, request: HttpRequest, obj: Collection | None = None) -> tuple[str, ...]:
        """The index is made for one tenant and one language: changing either would leave it behind."""
        return ("tenant", "language") if obj else ()

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Synonyms and pins are their collection's tenant's."""
        for row in formset.save(commit=False):
            row.tenant_id = form.instance.tenant_id
            row.save()
        for row in formset.deleted_objects:
            row.delete()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if any(formset.has_changed() for formset in formsets):
            bump_index_version(form.instance)


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin):
    list_display = ("pk", "kind", "collection", "location", "refresh_interval_seconds", "auto_index")
    list_filter = ("kind", "collection")
    readonly_fields = ("tenant", "collection", "kind", "location", "options", "created")
    actions = ("refresh", "remove")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    @admin.action(description="Read again now, in the background")
    def refresh(self, request: HttpRequest, sources: QuerySet[Source]) -> None:
        def start(source: Source) -> str:
            return f"Job {start_job(source, requested_by=request.user.get_username()).pk} is queued for {source}."

        act_on_each(self, request, sources, start)

    @admin.action(description="Remove with all documents, which can be brought back for some days")
    def remove(self, request: HttpRequest, sources: QuerySet[Source]) -> None:
        def remove(source: Source) -> str:
            name = str(source)
            return f"{remove_source(source)} documents left with {name}."

        act_on_each(self, request, sources, remove)


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("path", "collection", "title", "status", "size_bytes", "indexed")
    list_filter = ("status", "collection")
    search_fields = ("path", "title")
    actions = ("release",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_superuser

    @admin.action(description="Release from quarantine", permissions=["delete"])
    def release(self, request: HttpRequest, documents: QuerySet[Document]) -> None:
        def release(document: Document) -> str:
            return f"{release_document(document, request.user.get_username())} is served from now on."

        act_on_each(self, request, documents, release)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What goes: the documents; their sections go with them and restrict nothing here."""
        paths = [str(document) for document in objs]
        return paths, {"documents": len(paths)}, set(), []

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        remove_documents(obj.collection, [obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        for collection in Collection.objects.filter(documents__in=queryset).distinct():
            remove_documents(collection, list(queryset.filter(collection=collection).values_list("pk", flat=True)))


@admin.register(RemovedDocument)
class RemovedDocumentAdmin(ReadOnlyAdmin):
    list_display = ("path", "collection", "removed")
    list_filter = ("collection",)
    search_fields = ("path",)
    exclude = ("document", "sections")
    actions = ("restore",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RemovedDocument]:
        return super().get_queryset(request).defer("document", "sections")

    @admin.action(description="Bring back")
    def restore(self, request: HttpRequest, removed: QuerySet[RemovedDocument]) -> None:
        """Of each path the version that left last."""
        for collection in Collection.objects.filter(removed_documents__in=removed).distinct():
            paths = set(removed.filter(collection=collection).values_list("path", flat=True))
            count = restore_removed(collection, paths)
            self.message_user(request, f"{count} of {len(paths)} documents are back in {collection}.")
