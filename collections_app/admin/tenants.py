"""Tenants with their limits, and users. Superusers create both; owners may lower their tenant's limits, and export and delete its data."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from collections_app.access.memberships import check_owners_stay, check_superuser_stays
from collections_app.access.roles import Person, Role, is_superuser
from collections_app.admin.adding.forms import check_field
from collections_app.admin.base import SuperuserAdmin, TabularInline, TenantAdmin
from collections_app.admin.data_pages import delete_tenant_page
from collections_app.admin.links import link_to_list, link_to_page
from collections_app.admin.words import describe_storage
from collections_app.exceptions import InvalidParameter
from collections_app.limits.ceilings import OF_TENANT, check_not_raised, get_rate, lower_keys
from collections_app.limits.quotas import get_storage
from collections_app.models import Identity, Tenant, User
from collections_app.provisioning import check_slug

FOR_OWNERS = {"count_members", "show_data"}
SHOWN = ("show_data", "show_storage")
LOWERED = "An owner may lower them. Who operates the server raises them again."


class AccountForm(UserChangeForm):  # type: ignore[misc]  # the theme has no types
    def clean(self) -> dict[str, Any]:
        """Makes sure that tenants keep an owner, and the installation a superuser."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        account = [self.instance]
        try:
            if self.instance.is_active and not given["is_active"]:
                check_owners_stay(account)
            if not (given["is_active"] and given["is_superuser"]):
                check_superuser_stays(account)
        except InvalidParameter as error:
            raise forms.ValidationError(error.message) from None
        return given


class IdentityInline(TabularInline):
    """Who the person is at the provider of single sign-on. Taking one away ends that the account is theirs."""

    model = Identity
    extra = 0
    fields = readonly_fields = ("issuer", "subject", "created")
    verbose_name_plural = "single sign-on"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)


@admin.register(User)
class AccountAdmin(UserAdmin, SuperuserAdmin):
    """Accounts. Without a membership an account sees nothing, unless it is a superuser."""

    show_full_result_count = True
    form = AccountForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "list_tenants", "is_active", "is_superuser", "last_login")
    list_filter = ("is_superuser", "is_active")
    search_fields = ("username", "email", "first_name", "last_name")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("email", "first_name", "last_name")}),
        ("Access", {"fields": ("is_active", "is_superuser"), "description": "Its tenants are in the list of members."}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("memberships__tenant")

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[Any]:
        return [IdentityInline] if obj and obj.identities.exists() else []

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Django's page for a new account checks the permission itself, and says less."""
        self.require(request, None, self.add_role)
        return super().add_view(request, form_url, extra_context)

    @transaction.atomic
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Raises InvalidParameter if one of them is needed. The page that asks for confirmation has no transaction around it."""
        check_owners_stay(objs)
        check_superuser_stays(objs)
        return super().get_deleted_objects(objs, request)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except InvalidParameter as error:
            self.message_user(request, error.message, messages.ERROR)
            return redirect("admin:collections_app_user_change", object_id)

    @transaction.atomic
    def delete_rows(self, request: HttpRequest, rows: QuerySet[User], count: int) -> str:
        self.get_deleted_objects(list(rows), request)
        return super().delete_rows(request, rows, count)

    @admin.display(description="Tenants")
    def list_tenants(self, user: User) -> str:
        return ", ".join(sorted(f"{m.tenant} ({m.role})" for m in user.memberships.all())) or "none"


class TenantForm(forms.ModelForm):
    """`person` is who fills it in."""

    person: ClassVar[Person]

    class Meta:
        help_texts = {  # noqa: RUF012  (Django's own spelling)
            "slug": "Its name in addresses and commands: letters a-z, digits, - and _. It stays as it is.",
        }

    def clean_slug(self) -> str:
        """Only for a new tenant: afterwards the slug is read-only."""
        return str(check_field(partial(check_slug, what="tenant"), self.cleaned_data["slug"]))

    def clean(self) -> dict[str, Any]:
        """An owner may lower limits, but not raise them."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for name in [] if is_superuser(self.person) else OF_TENANT.keys() & given.keys() & set(self.changed_data):
            try:
                check_not_raised(self.instance, name, given[name])
            except InvalidParameter as error:
                self.add_error(name, error.message)
        return given


@admin.register(Tenant)
class TenantsAdmin(TenantAdmin):
    form = TenantForm
    change_role = Role.OWNER
    delete_role = Role.OWNER
    superusers_add = True
    deletes_several = False  # each by its name
    tenant_path = ""
    show_full_result_count = True
    list_display = (
        "slug",
        "name",
        "count_collections",
        "count_members",
        "show_quota",
        "show_ceiling",
        "show_data",
    )
    search_fields = ("slug", "name")
    ordering = ("slug",)  # annotating counts would remove the order
    fieldsets = (
        (None, {"fields": ("slug", "name", "show_data")}),
        ("Limits", {"fields": ("rate_limit", "monthly_quota", "monthly_answer_cost"), "description": LOWERED}),
        ("Storage", {"fields": ("show_storage", "max_documents", "max_bytes")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tenant]:
        tenants: QuerySet[Tenant] = super().get_queryset(request)
        return tenants.annotate(
            collections_count=Count("collections", distinct=True), members_count=Count("memberships", distinct=True)
        )

    def get_list_display(self, request: HttpRequest) -> Any:
        """Hides columns that lead to pages for owners from others."""
        shown = super().get_list_display(request)
        return shown if self.has_owner_permission(request) else [name for name in shown if name not in FOR_OWNERS]

    def get_fieldsets(self, request: HttpRequest, obj: Tenant | None = None) -> Any:
        first, *others = super().get_fieldsets(request, obj)
        is_owner = obj is not None and self.has_change_permission(request, obj)
        return [first if is_owner else (None, {"fields": ("slug", "name")}), *others]

    def get_readonly_fields(self, request: HttpRequest, obj: Tenant | None = None) -> tuple[str, ...]:
        """The slug is part of addresses that agents and people have stored. Storage limits are up to the operator."""
        of_operator = () if is_superuser(request.user) else ("max_documents", "max_bytes")
        return (*of_operator, "slug", *SHOWN) if obj else (*of_operator, *SHOWN)

    def get_form(self, request: HttpRequest, obj: Tenant | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("TenantForm", (form,), {"person": request.user})

    def save_model(self, request: HttpRequest, obj: Tenant, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        is_lowered = change and get_rate(obj.rate_limit) < get_rate(form.initial.get("rate_limit"))
        if is_lowered and (count := lower_keys(obj)):
            self.message_user(request, f"Keys that had a higher rate limit follow the tenant's now: {count}.")

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return delete_tenant_page(request, self.get_object(request, object_id).pk)

    @admin.display(description="Collections", ordering="collections_count")
    def count_collections(self, tenant: Any) -> SafeString:
        return link_to_list("collection", tenant.collections_count, tenant=tenant.pk)

    @admin.display(description="Members", ordering="members_count")
    def count_members(self, tenant: Any) -> SafeString:
        return link_to_list("membership", tenant.members_count, tenant=tenant.pk)

    @admin.display(description="Stored")
    def show_storage(self, tenant: Tenant) -> str:
        return describe_storage(get_storage(tenant.pk)) if tenant.pk else "-"

    @admin.display(description="Monthly quota", ordering="monthly_quota")
    def show_quota(self, tenant: Tenant) -> str:
        return f"{tenant.monthly_quota:,}" if tenant.monthly_quota else "any number"

    @admin.display(description="Monthly answer cost", ordering="monthly_answer_cost", empty_value="as the setting")
    def show_ceiling(self, tenant: Tenant) -> Decimal | None:
        return tenant.monthly_answer_cost

    @admin.display(description="Its data")
    def show_data(self, tenant: Tenant) -> SafeString | str:
        return link_to_page("tenant_data", "Export or delete", tenant.pk) if tenant.pk else "-"
