"""Tenants, who belongs to them, their keys. Keys are issued by command, since a secret is shown once."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from collections_app.models import ApiKey, Membership, Tenant, User

admin.site.register(User, UserAdmin)


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(Tenant)
class TenantAdmin(admin.ModelAdmin):
    list_display = ("slug", "name", "monthly_answer_cost", "created")
    inlines: ClassVar = [MembershipInline]


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    list_display = ("name", "prefix", "tenant", "scopes", "expires", "revoked", "last_used")
    readonly_fields = ("tenant", "prefix", "created", "last_used")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
