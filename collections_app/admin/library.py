"""Collections, their sources, and removed documents.

Documents and sources are removed through ingest, which keeps the index true. Sources are created and changed by the pages of adding/,
which check where they lead.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.db.models import Case, Count, Func, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils.formats import localize
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget

from collections_app.access.roles import Role, has_role, tenants_of
from collections_app.activity import audit
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.adding.forms import check_field, make_language_field, take_visible
from collections_app.admin.adding.settings import show_settings
from collections_app.admin.adding.sources import name_place
from collections_app.admin.asking import Question
from collections_app.admin.base import TenantAdmin
from collections_app.admin.curation import KeepingForm, PinInline, SynonymInline
from collections_app.admin.data_pages import delete_collection_page
from collections_app.admin.links import link_to_list, link_to_page, link_to_row
from collections_app.admin.words import describe_duration, name_state
from collections_app.exceptions import CollectionClosed, QuotaExceeded
from collections_app.indexing.index_version import bump_index_version
from collections_app.indexing.languages import change_language
from collections_app.jobs import restore_removed, start_job
from collections_app.models import Collection, Document, IngestJob, RemovedDocument, Source
from collections_app.provisioning import check_slug
from collections_app.removal.sources import remove_source

if TYPE_CHECKING:
    from collections_app.models.library import CollectionQuerySet


class CollectionForm(KeepingForm):
    class Meta:
        model = Collection
        fields = (
            "tenant",
            "slug",
            "name",
            "description",
            "version",
            "library",
            "language",
            "is_public",
            "content_policy",
        )
        help_texts = {  # noqa: RUF012  (Django's own spelling)
            "slug": "Its name in addresses and for agents: letters a-z, digits, - and _. It stays as it is.",
            "description": "Agents read it to choose where to look: say in a sentence or two what is in here, and for whom.",
            "language": "That of most documents: words are found in all their forms. One that is not listed is “simple”: words are found "
            "as they are written. With another one they are indexed anew, which takes minutes.",
        }
        widgets = {"description": UnfoldAdminTextareaWidget(attrs={"rows": 3})}  # noqa: RUF012

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self.instance.pk:
            self.fields["language"] = make_language_field()
            self.initial["language"] = ""

    def clean_language(self) -> str:
        language: str = self.cleaned_data["language"]
        if not self.instance.pk:
            self.instance.is_language_settled = bool(language)
        return language or self.instance.language

    def clean_name(self) -> str:
        return take_visible(self.cleaned_data["name"])

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        return slug if self.instance.pk else str(check_field(partial(check_slug, what="collection"), slug))


@admin.register(Collection)
class CollectionAdmin(TenantAdmin):
    form = CollectionForm
    change_form_outer_before_template = "admin/adding/settings_tabs.html"
    show_full_result_count = True
    add_role = Role.EDITOR
    change_role = Role.EDITOR
    delete_role = Role.OWNER
    deletes_several = False  # each by its name
    list_display = (
        "slug",
        "tenant",
        "name",
        "version",
        "count_documents",
        "count_sources",
        "show_jobs",
        "is_public",
        "updated",
        "show_ways",
    )
    list_filter = ("tenant", "is_public", "language")
    list_select_related = ("tenant",)
    search_fields = ("slug", "name", "description")
    inlines = (SynonymInline, PinInline)
    fieldsets = (
        (None, {"fields": ("tenant", "slug", "name", "description", "version", "library", "language")}),
        ("Decided by owners", {"fields": ("is_public", "content_policy")}),
    )
    empty_text = (
        "There is no collection yet. A collection holds the documents of one thing: a product, a handbook, an API."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        collections = cast("CollectionQuerySet", super().get_queryset(request))
        counted: QuerySet[Collection] = collections.with_documents_count().annotate(
            sources_count=Count("sources", distinct=True),
            may_fill=Case(When(tenant__in=tenants_of(request.user, Role.EDITOR), then=True), default=False),
        )
        return counted

    def get_readonly_fields(self, request: HttpRequest, obj: Collection | None = None) -> tuple[str, ...]:
        """Tenant and slug cannot be changed: addresses that people have stored would break."""
        fixed = ("tenant", "slug") if obj else ()
        return fixed if self.is_owner(request, obj) else (*fixed, "is_public", "content_policy")

    def is_owner(self, request: HttpRequest, collection: Collection | None) -> bool:
        """Whether the person owns the collection's tenant; for a new collection, every tenant that it could belong to."""
        if collection is not None:
            return has_role(request.user, collection.tenant_id, Role.OWNER)
        owned = tenants_of(request.user, Role.OWNER)
        return not tenants_of(request.user, Role.EDITOR).exclude(pk__in=owned).exists()

    def get_list_display(self, request: HttpRequest) -> Any:
        """Hides columns that lead to pages for editors from others."""
        shown = super().get_list_display(request)
        return shown if self.has_editor_permission(request) else [name for name in shown if name != "show_ways"]

    def get_inlines(self, request: HttpRequest, obj: Collection | None) -> Any:
        return self.inlines if obj else ()

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return delete_collection_page(request, self.get_object(request, object_id).pk)

    def save_model(self, request: HttpRequest, obj: Collection, form: Any, change: bool) -> None:
        if change and "language" in form.changed_data and change_language(obj, obj.language):
            said = "Its documents are indexed anew, which begins within a minute. Until it is done, some words find less than before."
            messages.info(request, said)
        super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        formset.save_rows()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Raises the index version first, as curating.py does."""
        if any(formset.has_changed() for formset in formsets):
            bump_index_version(form.instance)
        super().save_related(request, form, formsets, change)

    @admin.display(description="Documents", ordering="documents_count")
    def count_documents(self, collection: Any) -> SafeString:
        return link_to_list("document", collection.documents_count, collection=collection.pk)

    @admin.display(description="Sources", ordering="sources_count")
    def count_sources(self, collection: Any) -> SafeString:
        return link_to_list("source", collection.sources_count, collection=collection.pk)

    @admin.display(description="Jobs")
    def show_jobs(self, collection: Collection) -> SafeString:
        return link_to_list("ingestjob", "Jobs", collection=collection.pk)

    @admin.display(description="Fill it", empty_value="")
    def show_ways(self, collection: Any) -> SafeString | None:
        return link_to_page("add_documents", "Add documents", collection.pk) if collection.may_fill else None


@admin.register(Source)
class SourceAdmin(TenantAdmin):
    """The list; a source has a page of its own."""

    show_full_result_count = True
    change_role = Role.EDITOR
    tells_tenant = True
    list_display = (
        "kind",
        "place",
        "show_collection",
        "count_documents",
        "show_last_run",
        "show_schedule",
        "show_jobs",
    )
    list_filter = ("kind", "collection", "auto_index")
    list_select_related = ("collection",)
    search_fields = ("told_place", "collection__slug")
    actions = ("refresh", "remove")
    empty_text = "No documents come from anywhere yet. Open a collection and add documents: files, a folder, a site or a repository."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        """Counts documents only for the rows of a page. A folder can be searched by its place only by people who may know that."""
        is_told = ~Q(kind=Source.Kind.DIRECTORY) | Q(tenant__in=tenants_of(request.user, Role.EDITOR))
        name = Func("location", Value("^.*/"), Value(""), function="regexp_replace")
        own = Document.objects.filter(source=OuterRef("pk")).order_by().values("source")
        counted = Subquery(own.annotate(count=Count("pk")).values("count"))
        sources: QuerySet[Source] = super().get_queryset(request)
        last = IngestJob.objects.filter(source=OuterRef("pk")).order_by("-pk")
        return sources.defer("fetch_state").annotate(
            told_place=Case(When(is_told, then="location"), default=name, output_field=TextField()),
            documents_count=Coalesce(counted, 0),
            last_job=Subquery(last.values("pk")[:1]),
            last_state=Subquery(last.values("state")[:1]),
            last_error_code=Subquery(last.values("error_code")[:1]),
            last_created=Subquery(last.values("created")[:1]),
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return show_settings(request, self.get_object(request, object_id).pk)

    @admin.display(description="Place", ordering="told_place")
    def place(self, source: Source) -> str:
        return name_place(source)

    @admin.display(description="Collection", ordering="collection__slug")
    def show_collection(self, source: Source) -> SafeString:
        return link_to_row(source.collection)

    @admin.display(description="Documents", ordering="documents_count")
    def count_documents(self, source: Any) -> SafeString:
        return link_to_list("document", source.documents_count, source=source.pk)

    @admin.display(description="Jobs")
    def show_jobs(self, source: Source) -> SafeString:
        return link_to_list("ingestjob", "Jobs", source=source.pk)

    @admin.display(description="Last run", ordering="last_created", empty_value="never")
    def show_last_run(self, source: Any) -> SafeString | None:
        if not source.last_job:
            return None
        told = f"{name_state(source.last_state, source.last_error_code)}, {localize(source.last_created)}"
        return link_to_page("collections_app_ingestjob_change", told, source.last_job)

    def name_row(self, row: Any) -> str:
        return f"{name_place(row)} in {row.collection}"

    @admin.display(description="Read again")
    def show_schedule(self, source: Source) -> str:
        return (
            f"every {describe_duration(source.refresh_interval_seconds)}" if source.is_polled else "when somebody asks"
        )

    @row_action(Role.EDITOR, "Read again now, in the background")
    def refresh(self, request: HttpRequest, sources: QuerySet[Source]) -> None:
        def start(source: Source) -> str:
            return f"Job {start_job(source, requested_by=request.user.get_username()).pk} is queued for {source}."

        act_on_each(self, request, sources, "read again", start)

    @row_action(
        Role.EDITOR,
        "Remove with all documents, which can be brought back for some days",
        Question(
            "Remove", "Their documents are found no more. They can be brought back for some days, the sources cannot."
        ),
    )
    def remove(self, request: HttpRequest, sources: QuerySet[Source]) -> None:
        def remove(source: Source) -> str:
            name = str(source)
            return f"{remove_source(source)} documents left with {name}."

        act_on_each(self, request, sources, "remove", remove)


@admin.register(RemovedDocument)
class RemovedDocumentAdmin(TenantAdmin):
    tells_tenant = True
    list_display = ("path", "collection", "removed")
    list_filter = ("collection",)
    list_select_related = ("collection",)
    search_fields = ("path",)
    exclude = ("document", "sections")
    actions = ("restore",)
    empty_text = "No document was removed in the last days."

    def get_queryset(self, request: HttpRequest) -> QuerySet[RemovedDocument]:
        return super().get_queryset(request).defer("document", "sections")

    @row_action(Role.EDITOR, "Bring back")
    def restore(self, request: HttpRequest, removed: QuerySet[RemovedDocument]) -> None:
        """Of each path, restores the version that was removed last."""
        for collection in Collection.objects.filter(removed_documents__in=removed).distinct():
            paths = set(removed.filter(collection=collection).values_list("path", flat=True))
            try:
                count = restore_removed(collection, paths)
            except (QuotaExceeded, CollectionClosed) as error:
                self.message_user(request, f"{collection}: {error.message}", messages.ERROR)
                continue
            audit.record(request, "bring back", collection, details=f"{count} of {len(paths)} documents")
            taken = "" if count == len(paths) else " The others stay away: their path is taken again."
            self.message_user(request, f"{count} of {len(paths)} documents are back in {collection}.{taken}")
