"""What agents said about answers: people read it, and owners may delete it. Only agents write it."""

from __future__ import annotations

from django.contrib import admin

from collections_app.access.roles import Role
from collections_app.admin.base import TenantAdmin
from collections_app.models import Feedback


@admin.register(Feedback)
class FeedbackAdmin(TenantAdmin):
    delete_role = Role.OWNER
    list_display = ("__str__", "helpful", "comment", "collection", "path", "created")
    list_filter = ("helpful", "collection", "tenant")
    list_select_related = ("collection",)
    search_fields = ("question", "path", "comment")
    date_hierarchy = "created"
