"""Deletes what was chosen in a list, of which there may be thousands: asked once, told once, kept in the audit log once.

The page before it names the first rows and counts the others. How rows of a kind are deleted is its own page's affair.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from collections_app.activity import audit
from collections_app.admin.base import TenantAdmin, limit_to_tenants
from collections_app.admin.pages import show_page
from collections_app.admin.site import get_site

SHOWN_NAMES = 100


@admin.action(permissions=["delete"], description="Delete")
def delete_chosen(page: TenantAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Rows of tenants where the person may not delete are left out, and counted."""
    allowed = limit_to_tenants(rows, request, page.delete_role, page.tenant_path)
    count = allowed.count()
    if left_out := rows.count() - count:
        page.message_user(request, f"{left_out:,} left as they are: you may not delete them.", messages.ERROR)
    if not count:
        return None
    if "post" not in request.POST:
        return ask(page, request, allowed, count)
    chosen = list(allowed)
    page.message_user(request, page.delete_rows(request, allowed, count), messages.SUCCESS)
    audit.record_several(request, "delete", chosen)
    return None


def ask(page: TenantAdmin, request: HttpRequest, rows: QuerySet[Any], count: int) -> HttpResponse:
    """Sent on is how they were chosen. The ids of thousands would be more fields than a form may have."""
    what = page.name_rows(count)
    return show_page(
        request,
        "admin/delete_chosen.html",
        title=f"Delete {what}",
        what=what,
        names=[str(row) for row in rows[:SHOWN_NAMES]],
        more=max(0, count - SHOWN_NAMES),
        hint=page.delete_hint,
        checkbox=ACTION_CHECKBOX_NAME,
        is_all=request.POST.get("select_across") == "1",
        chosen=request.POST.getlist(ACTION_CHECKBOX_NAME),
    )


get_site().add_action(delete_chosen, "delete_selected")
