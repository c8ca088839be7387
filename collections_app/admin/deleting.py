"""Deletes rows selected in a list, perhaps thousands: one question, one report, one entry in the audit log.

The page of each model decides how its rows are deleted.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from collections_app.activity import audit
from collections_app.admin.asking import Question, ask, is_answered
from collections_app.admin.base import TenantAdmin
from collections_app.admin.site import get_site
from collections_app.admin.tenant_rows import limit_to_tenants
from collections_app.exceptions import DocsError


@admin.action(permissions=["delete"], description="Delete")
def delete_chosen(page: TenantAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Rows of tenants where the person may not delete are left out, and counted."""
    allowed = limit_to_tenants(rows, request, page.delete_role, page.tenant_path)
    count = allowed.count()
    if left_out := rows.count() - count:
        page.message_user(request, f"{left_out:,} left as they are: you may not delete them.", messages.ERROR)
    if not count:
        return None
    if not is_answered(request):
        return ask(page, request, "delete_selected", Question("Delete", page.delete_hint), allowed)
    chosen = list(allowed)
    try:
        page.message_user(request, page.delete_rows(request, allowed, count), messages.SUCCESS)
    except DocsError as error:
        page.message_user(request, error.message, messages.ERROR)
        return None
    audit.record_several(request, "delete", chosen)
    return None


get_site().add_action(delete_chosen, "delete_selected")
