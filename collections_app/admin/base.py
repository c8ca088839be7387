"""What the admin's pages of models share: they show only rows of the user's tenants, and offer, report and record by the user's role there.

Class attributes of the pages decide what is special about each.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote

from django.contrib import messages
from django.contrib.admin.filters import RelatedFieldListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote as unquote_id
from django.core.exceptions import BadRequest, FieldDoesNotExist
from django.db import IntegrityError
from django.db.models import ForeignKey, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from collections_app.access.roles import Role, RoleNeeded, has_role, has_role_somewhere, is_superuser, tenants_of
from collections_app.activity import audit
from collections_app.admin.tenant_rows import find_tenant_path, get_tenant_id, limit_to_tenants, sees_several

if TYPE_CHECKING:  # the theme has no types
    from django.contrib.admin import ModelAdmin, StackedInline, TabularInline
    from django.contrib.admin.helpers import AdminReadonlyField
else:
    from unfold import forms as theme
    from unfold.admin import ModelAdmin, StackedInline, TabularInline
    from unfold.fields import UnfoldAdminReadonlyField as AdminReadonlyField

__all__ = [
    "StackedInline",
    "SuperuserAdmin",
    "TabularInline",
    "TenantAdmin",
    "TenantInline",
    "list_changed_fields",
]

# Choices beside a list; others are found by searching.
MAX_CHOICES = 500
# Lookups that a list's address may use: those of filters and of the product's own links; for the dates above a list, also DATE_LOOKUPS.
FILTER_LOOKUPS = ("", "__exact", "__id__exact", "__in", "__isnull", "__gte", "__lt")
DATE_LOOKUPS = ("__year", "__month", "__day")


class LinkedField(AdminReadonlyField):
    """A read-only field. It links to the row that it names only if the person may see that; Django links to every row that has a page."""

    def get_admin_url(self, remote_field: Any, remote_obj: Any) -> str:
        may_view = getattr(self.form, "may_view", None)
        if may_view and not may_view(remote_obj):
            return str(remote_obj)
        linked: str = super().get_admin_url(remote_field, remote_obj)
        return linked


if not TYPE_CHECKING:  # the theme's forms create these fields themselves, and cannot be given another class
    theme.UnfoldAdminReadonlyField = LinkedField


class TenantFilter(RelatedFieldListFilter):
    """Offers only rows of the user's tenants, and no more than somebody would look through."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[Any, Any]]:
        rows = limit_to_tenants(field.related_model._default_manager.select_related(), request, Role.VIEWER)
        several = sees_several(request)
        return [(row.pk, name_choice(row) if several else str(row)) for row in rows[:MAX_CHOICES]]


class TenantAdmin(ModelAdmin):
    """Rows that belong to a tenant. `tenant_path` is the lookup that leads to it ("" for the tenants themselves).

    People with a role in some tenant see the page, with the rows of that tenant. A role of None means nobody, not even a superuser. People
    who lack the role are told which one it is: Django only says that a page is not for them.
    """

    view_role: ClassVar[Role | None] = Role.VIEWER
    add_role: ClassVar[Role | None] = None
    superusers_add: ClassVar[bool] = False  # instead of the people with a role
    change_role: ClassVar[Role | None] = None
    delete_role: ClassVar[Role | None] = None
    tenant_path: ClassVar[str] = "tenant"
    deletes_several: ClassVar[bool] = True  # from the list, if rows may be deleted at all
    delete_hint: ClassVar[str] = "What belongs to them goes too. Nothing can be brought back."
    deleted_word: ClassVar[str] = "deleted"
    saves_by_one_button: ClassVar[bool] = False  # for forms after which the same page always follows
    empty_text: ClassVar[str] = ""  # what to do if the list has no rows
    tells_tenant: ClassVar[bool] = False  # in the list, for people who see rows of several

    view_on_site = False
    compressed_fields = True
    list_filter_submit = False
    list_fullwidth = True
    list_per_page = 50
    show_full_result_count = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only lookups that the list offers: Django lets anybody query the beginning of any column, shown or not."""
        filters = self.get_list_filter(request)
        names = [each[0] if isinstance(each, tuple) else getattr(each, "parameter_name", each) for each in filters]
        dates = [f"{self.date_hierarchy}{suffix}" for suffix in DATE_LOOKUPS] if self.date_hierarchy else []
        return lookup in dates or lookup in {f"{name}{suffix}" for name in names for suffix in FILTER_LOOKUPS}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        if "\0" in unquote(
            request.META.get("QUERY_STRING", "")
        ):  # PostgreSQL cannot store such text, and Django would query it
            raise BadRequest("The address has a character that no text can have.")
        self.require(request, None, self.view_role)
        return super().changelist_view(request, extra_context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self.require(request, self.get_object(request, unquote_id(object_id)), self.delete_role)
        return super().delete_view(request, object_id, extra_context)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Without search and filters the list shows all rows, but the theme would still offer to show all."""
        try:
            page = super().get_changelist_instance(request)
        except (ValueError, OverflowError) as error:  # an impossible date
            raise IncorrectLookupParameters from error
        if not page.query and not page.has_active_filters:
            page.full_result_count = page.result_count
        return page

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = tuple(super().get_list_display(request))
        return (*shown[:1], "tenant", *shown[1:]) if self.tells_tenant and sees_several(request) else shown

    def get_list_select_related(self, request: HttpRequest) -> Any:
        followed = super().get_list_select_related(request)
        return (*followed, "tenant") if self.tells_tenant and not isinstance(followed, bool) else followed

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return limit_to_tenants(super().get_queryset(request), request, self.view_role, self.tenant_path)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is None:
            raise Http404
        return row

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Who changed what: for owners, like the audit log."""
        self.require(request, self.get_object(request, unquote_id(object_id)), Role.OWNER)
        return super().history_view(request, object_id, extra_context)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        return {name: each for name, each in actions.items() if self.deletes_several or name != "delete_selected"}

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fills in the tenant of a new row if there is only one possibility."""
        tenants = list(tenants_of(request.user, self.add_role)[:2]) if self.add_role else []
        only = {"tenant": tenants[0].pk} if len(tenants) == 1 else {}
        return {**only, **super().get_changeform_initial_data(request)}

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> Any:
        if self.saves_by_one_button:
            context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        context["adminform"].form.may_view = partial(self.may_view, request)
        row = context["original"]
        context["show_history"] = row is not None and self.is_allowed(request, row, Role.OWNER)
        return super().render_change_form(request, context, *args, **options)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """If a form was sent twice at once, the second is checked again, and so finds what the first has created."""
        if object_id is None and not self.has_add_permission(request):
            self.require_to_add(request)
        elif object_id and request.method == "POST":
            self.require(request, self.get_object(request, unquote_id(object_id)), self.change_role)
        told: Any = messages.get_messages(request)
        before = len(told._queued_messages)
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except IntegrityError:
            if request.method != "POST":
                raise
            del told._queued_messages[before:]  # about changes that were rolled back
            return super().changeform_view(request, object_id, form_url, extra_context)

    def may_view(self, request: HttpRequest, row: Model) -> bool:
        """Whether the person may see the page of a row of any model."""
        page = self.admin_site._registry.get(type(row))
        return page is not None and page.has_view_permission(request, row)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Saves only the changed fields of an existing row, since others may write the rest: ingest, or who revokes a key."""
        if not change:
            super().save_model(request, obj, form, change)
        elif changed := list_changed_fields(obj, form.changed_data):
            obj.save(update_fields=changed)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.view_role)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request.user) if self.superusers_add else self.is_allowed(request, None, self.add_role)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.change_role)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.delete_role)

    def is_allowed(self, request: HttpRequest, row: Any, role: Role | None) -> bool:
        """Whether the user has this role in the row's tenant, or, without a row, in any tenant."""
        if role is None:
            return False
        if row is None:
            return has_role_somewhere(request.user, role)
        return has_role(request.user, get_tenant_id(row, self.tenant_path), role)

    def require(self, request: HttpRequest, row: Any, role: Role | None) -> None:
        """Raises RoleNeeded. If nobody may do it, Django refuses."""
        if role and not self.is_allowed(request, row, role):
            raise RoleNeeded(role)

    def require_to_add(self, request: HttpRequest) -> None:
        if self.superusers_add:
            raise RoleNeeded(None)
        self.require(request, None, self.add_role)

    def has_viewer_permission(self, request: HttpRequest) -> bool:
        return has_role_somewhere(request.user, Role.VIEWER)

    def has_editor_permission(self, request: HttpRequest) -> bool:
        return has_role_somewhere(request.user, Role.EDITOR)

    def has_owner_permission(self, request: HttpRequest) -> bool:
        return has_role_somewhere(request.user, Role.OWNER)

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        names = [
            *(["tenant"] if self.tells_tenant and sees_several(request) else []),
            *super().get_list_filter(request),
        ]
        return [(name, TenantFilter) if isinstance(name, str) and self.is_foreign_key(name) else name for name in names]

    def is_foreign_key(self, name: str) -> bool:
        try:
            return isinstance(self.model._meta.get_field(name), ForeignKey)
        except FieldDoesNotExist:
            return False

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **self.limit_choices(db_field, request, kwargs))

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(db_field, request, **self.limit_choices(db_field, request, kwargs))

    def limit_choices(self, field: Any, request: HttpRequest, options: dict[str, Any]) -> dict[str, Any]:
        """Limits the choices to rows of tenants in which the user may save what it chooses."""
        rows = options.get("queryset", field.related_model._default_manager.all())
        return {**options, "queryset": limit_to_tenants(rows, request, self.change_role or self.add_role)}

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_addition(request, obj, message)
        audit.record(request, "add", obj)
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Django's message names the fields, not their values."""
        entry = super().log_change(request, obj, message)
        audit.record(request, "change", obj, details=entry.get_change_message())
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Only in the audit log: Django's own log of deleted rows is shown nowhere."""
        audit.record_several(request, "delete", list(queryset))
        return []

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Only the rows themselves: what is deleted with them may be thousands of rows, and is not listed."""
        rows = list(objs)
        label = str(self.model._meta.verbose_name_plural)
        refused = {label for row in rows if not self.has_delete_permission(request, row)}
        return [str(row) for row in rows], {label: len(rows)}, refused, []

    def delete_rows(self, request: HttpRequest, rows: QuerySet[Any], count: int) -> str:
        """Deletes the rows selected in the list; returns what became of them, in words."""
        self.delete_queryset(request, rows)
        return f"{self.name_rows(count)} {'is' if count == 1 else 'are'} {self.deleted_word}."

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        """Returns to the list, even for a person who may not change its rows."""
        self.message_user(request, f"{obj_display} is {self.deleted_word}.", messages.SUCCESS)
        return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def name_row(self, row: Any) -> str:
        """The row's name in a question about several."""
        return str(row)

    def name_rows(self, count: int) -> str:
        meta = self.model._meta
        return f"{count:,} {meta.verbose_name if count == 1 else meta.verbose_name_plural}"


class TenantInline(TabularInline):
    """Rows on another row's page, changed by people with the role in that row's tenant."""

    role: ClassVar[Role] = Role.EDITOR
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, Role.VIEWER)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.role)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.role)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_allowed(request, obj, self.role)

    def is_allowed(self, request: HttpRequest, row: Any, role: Role) -> bool:
        return has_role_somewhere(request.user, role) if row is None else has_role(request.user, row.tenant_id, role)


class SuperuserAdmin(TenantAdmin):
    """Rows without a tenant, which only superusers see and change."""

    superusers_add = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = ModelAdmin.get_queryset(self, request)
        return rows if is_superuser(request.user) else rows.none()

    def is_allowed(self, request: HttpRequest, row: Any, role: Role | None) -> bool:
        return is_superuser(request.user)

    def require(self, request: HttpRequest, row: Any, role: Role | None) -> None:
        if not is_superuser(request.user):
            raise RoleNeeded(None)


def name_choice(row: Any) -> str:
    """Names the tenant too: two tenants may have a collection of the same name."""
    return f"{row.tenant}: {row}" if find_tenant_path(type(row)) else str(row)


def list_changed_fields(row: Model, names: Iterable[str]) -> list[str]:
    """The names that are columns, and the column with the time of the change; empty if there are none."""
    changed = set(names)
    fields = row._meta.concrete_fields
    found = [field.name for field in fields if field.name in changed]
    return found and [*found, *(field.name for field in fields if getattr(field, "auto_now", False))]
