"""A source's settings: where it is, what of it is read, how often. Editors change them, with the same checks as for a new source; viewers
only see them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from collections_app.access.authentication import make_user_principal
from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.adding.files import get_job_url
from collections_app.admin.adding.place_forms import FORMS_BY_KIND, SourceForm
from collections_app.admin.adding.sources import get_source, name_place
from collections_app.admin.pages import is_editor, show_page
from collections_app.exceptions import DocsError
from collections_app.jobs import start_job
from collections_app.models import Source


def show_settings(request: HttpRequest, pk: Any) -> HttpResponse:
    """Changes apply from the next reading on, which also removes documents that are no longer asked for."""
    is_sent = request.method == "POST"
    source = get_source(request, pk, Role.EDITOR if is_sent else Role.VIEWER)
    form = FORMS_BY_KIND[source.kind](request.POST if is_sent else None, source)
    if form.is_valid() and change(request, form, source):
        return read_or_return(request, source)
    return show_page(
        request,
        "admin/adding/settings.html",
        title=f"Settings of {name_place(source)}",
        collection=source.collection,
        way="sources",
        source=source,
        place=name_place(source),
        removed_days=settings.DOCSMCP.removed_retention_days,
        form=form,
        may_edit=is_editor(request, source.tenant_id),
    )


def change(request: HttpRequest, form: SourceForm, source: Source) -> bool:
    """Whether it was changed; if not, the form has the reason."""
    assert request.user.is_authenticated
    if not form.changed_data:
        messages.info(request, "Nothing was changed.")
        return True
    try:
        form.change_source(make_user_principal(request.user), source)
    except DocsError as error:
        form.add_error("location" if "location" in form.fields else None, error.message)
        return False
    audit.record(request, "change", source, details=form.list_changes())
    messages.success(
        request, "Saved. It holds from " + ("this" if "read" in request.POST else "the next") + " reading on."
    )
    return True


def read_or_return(request: HttpRequest, source: Source) -> HttpResponse:
    """Reads the source anew. A reading that has begun still uses the old settings, so the new one waits for it."""
    if "read" not in request.POST:
        return redirect("admin:collection_sources", source.collection_id)
    try:
        job = start_job(source, requested_by=request.user.get_username(), follow=True)
    except DocsError as error:
        messages.error(request, error.message)
        return redirect("admin:collection_sources", source.collection_id)
    return redirect(get_job_url(job))
