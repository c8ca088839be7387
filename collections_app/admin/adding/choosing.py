"""The first step: an existing collection, or a new one."""

from __future__ import annotations

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from collections_app.access.roles import Role, RoleNeeded, tenants_of
from collections_app.activity import audit
from collections_app.admin.adding.forms import NewCollectionForm
from collections_app.admin.pages import show_page
from collections_app.admin.site import admin_page
from collections_app.catalog.visible import count_documents
from collections_app.models import Collection

MAX_COLLECTIONS = 500


@admin_page("add/", name="add")
def choose_collection(request: HttpRequest) -> HttpResponse:
    tenants = tenants_of(request.user, Role.EDITOR)
    own = Collection.objects.filter(tenant__in=tenants).select_related("tenant").order_by("tenant__slug", "slug")
    collections = list(own[: MAX_COLLECTIONS + 1])
    counts = count_documents(collections)
    return show_page(
        request,
        "admin/adding/choose.html",
        title="Add documents",
        collections=[(each, counts.get(each.pk, 0)) for each in collections[:MAX_COLLECTIONS]],
        has_more=len(collections) > MAX_COLLECTIONS,
        may_add=tenants.exists(),
        many_tenants=tenants.count() > 1,
    )


def save_new(form: NewCollectionForm) -> Collection | None:
    """None if the same form, sent twice at once, has created it already; the form then says so."""
    try:
        with transaction.atomic():
            return form.save()
    except IntegrityError:
        form.full_clean()
        if not form.errors:
            form.add_error(None, "It was not made. Send it again.")
        return None


@admin_page("collections/new/", name="new_collection")
def make_collection(request: HttpRequest) -> HttpResponse:
    """Creates a collection, and leads on to adding its documents."""
    tenants = tenants_of(request.user, Role.EDITOR)
    if not tenants.exists():
        raise RoleNeeded(Role.EDITOR)
    form = NewCollectionForm(tenants, request.POST if request.method == "POST" else None)
    collection = save_new(form) if form.is_valid() else None
    if collection:
        audit.record(request, "add", collection)
        messages.success(request, f"The collection “{collection.name}” is there. Now put documents into it.")
        return redirect("admin:add_documents", collection.pk)
    return show_page(request, "admin/adding/new_collection.html", title="New collection", form=form)
