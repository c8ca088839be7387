"""The admin, for superusers: tenants and their collections to edit, what ingest and agents did to read.

Documents leave through ingest, which keeps the index true; keys are issued by command, since a secret is shown once.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from collections_app.ingest import remove_documents
from collections_app.models import (
    ApiKey,
    Collection,
    Document,
    IngestJob,
    Membership,
    SearchEvent,
    Source,
    Tenant,
    User,
)

admin.site.site_header = "docsmcp"
admin.site.site_title = "docsmcp"
admin.site.register(User, UserAdmin)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that are made elsewhere."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(Tenant)
class TenantAdmin(admin.ModelAdmin):
    list_display = ("slug", "name", "created")
    inlines: ClassVar = [MembershipInline]


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin):
    list_display = ("slug", "tenant", "name", "language", "is_public", "updated")
    list_filter = ("tenant", "is_public")
    search_fields = ("slug", "name")

    def get_readonly_fields(self, request: HttpRequest, obj: Collection | None = None) -> tuple[str, ...]:
        """The index is made for one tenant and one language: changing either would leave it behind."""
        return ("tenant", "language") if obj else ()


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin):
    list_display = ("kind", "collection", "location", "refresh_interval_seconds", "auto_index")
    list_filter = ("kind",)


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("path", "collection", "title", "status", "size_bytes", "indexed")
    list_filter = ("status", "collection")
    search_fields = ("path", "title")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_superuser

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


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    list_display = ("name", "prefix", "tenant", "scopes", "expires", "revoked", "last_used")
    readonly_fields = ("tenant", "prefix", "created", "last_used")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(IngestJob)
class IngestJobAdmin(ReadOnlyAdmin):
    list_display = ("pk", "collection", "state", "stage", "done", "total", "created", "finished", "error_message")
    list_filter = ("state",)


@admin.register(SearchEvent)
class SearchEventAdmin(ReadOnlyAdmin):
    list_display = ("query", "tenant", "mode", "hits", "duration_ms", "created")
