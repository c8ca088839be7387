"""Pages on which an owner exports a tenant's data, and deletes a collection or everything, by typing its name.

Both run in the background; the pages show the progress.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminTextInputWidget

from collections_app import data_requests
from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.pages import show_page
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, DataRequest, Tenant

SHOWN_REQUESTS = 20


class ConfirmForm(forms.Form):
    """Valid only if the slug is typed in."""

    typed = forms.CharField(label="Type its name to go on", widget=UnfoldAdminTextInputWidget(), max_length=63)

    def __init__(self, slug: str, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.slug = slug
        self.fields["typed"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    def clean_typed(self) -> str:
        if self.cleaned_data["typed"] != self.slug:
            raise forms.ValidationError(f"This is not its name: type {self.slug}.")
        return self.slug


@admin_page("tenants/<int:pk>/data/", name="tenant_data")
def show_tenant_data(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Past exports and deletions, and the buttons for new ones."""
    tenant = get_row_or_404(request, Tenant, pk, Role.OWNER, "")
    if request.method == "POST":
        return start_export(request, tenant)
    rows = [(row, data_requests.is_downloadable(row)) for row in tenant.data_requests.all()[:SHOWN_REQUESTS]]
    return show_page(request, "admin/data/tenant.html", title=f"Data of {tenant.slug}", tenant=tenant, requests=rows)


def start_export(request: HttpRequest, tenant: Tenant) -> HttpResponse:
    try:
        data_requests.request_export(tenant, request.user.get_username())
        audit.record(request, "ask for an export", tenant)
        messages.success(request, "The export is being made. Look here again in a while.")
    except InvalidParameter as error:
        messages.error(request, error.message)
    return redirect("admin:tenant_data", tenant.pk)


@admin_page("exports/<int:pk>/", name="export")
def download_export(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The zip file, streamed."""
    export = get_row_or_404(request, DataRequest.objects.filter(kind=DataRequest.Kind.EXPORT), pk, Role.OWNER)
    if not data_requests.is_downloadable(export):
        raise Http404
    audit.record(request, "download an export", export)
    name = f"{export.subject}-{export.created:%Y-%m-%d}.zip"
    headers = {
        "Content-Length": str(export.size_bytes),
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return StreamingHttpResponse(data_requests.iter_export(export), content_type="application/zip", headers=headers)


def delete_tenant_page(request: HttpRequest, pk: int) -> HttpResponse:
    tenant = get_row_or_404(request, Tenant, pk, Role.OWNER, "")
    return confirm(request, tenant, tenant.slug, "tenant", data_requests.request_deletion_of_tenant)


def delete_collection_page(request: HttpRequest, pk: int) -> HttpResponse:
    collection = get_row_or_404(request, Collection.objects.select_related("tenant"), pk, Role.OWNER)
    return confirm(request, collection, collection.slug, "collection", data_requests.request_deletion_of_collection)


def confirm(request: HttpRequest, row: Model, slug: str, what: str, start: Callable[..., DataRequest]) -> HttpResponse:
    """Asks for the name; if it is right, starts. Somebody who deletes their last tenant has no page to go back to."""
    form = ConfirmForm(slug, request.POST or None)
    page = partial(
        show_page, request, "admin/data/confirm.html", title=f"Delete {what} {slug}", form=form, what=what, slug=slug
    )
    if request.method != "POST" or not form.is_valid():
        return page()
    event = audit.describe(request, f"delete {what}", row)
    try:
        start(row, request.user.get_username())
    except InvalidParameter as error:
        form.add_error(None, error.message)
        return page()
    event.save()
    return show_page(request, "admin/data/started.html", title=f"{slug} is being deleted", what=what, slug=slug)
