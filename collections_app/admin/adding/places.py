"""Folders, sites and repositories as people name them: checked, stored as the collection's source, and read for the first time."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from collections_app.access.authentication import make_user_principal
from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.adding.files import get_job_url
from collections_app.admin.adding.place_forms import FORMS, PlaceForm, SiteForm
from collections_app.admin.pages import get_collection, show_page
from collections_app.admin.site import admin_page
from collections_app.exceptions import DocsError, JobUnfinished
from collections_app.jobs import start_job
from collections_app.models import Collection, IngestJob, Source
from collections_app.site_preview import SHOWN_PAGES, SitePreview, preview_site


@admin_page("collections/<int:pk>/add/<slug:way>/", name="add_place")
def add_place(request: HttpRequest, pk: int, way: str) -> HttpResponse:
    if way not in FORMS:
        raise Http404
    collection = get_collection(request, pk, Role.EDITOR)
    form = FORMS[way](request.POST if request.method == "POST" else None)
    if form.is_valid() and (source := make_source(request, collection, form)):
        return redirect(get_job_url(read_now(request, source)))
    return show_page(
        request,
        "admin/adding/place.html",
        title=f"Add documents to {collection.name}",
        collection=collection,
        way=way,
        form=form,
        is_refused=way == "folder" and not may_name_folders(request),
    )


def may_name_folders(request: HttpRequest) -> bool:
    return bool(settings.DOCSMCP.allowed_roots) or (request.user.is_authenticated and request.user.is_superuser)


def make_source(request: HttpRequest, collection: Collection, form: PlaceForm) -> Source | None:
    """None for a place that may not be read; the form then has the reason."""
    assert request.user.is_authenticated
    try:
        source = form.make_source(make_user_principal(request.user), collection)
    except DocsError as error:
        form.add_error("location", error.message)
        return None
    audit.record(request, "add", source)
    return source


def read_now(request: HttpRequest, source: Source) -> IngestJob:
    """A new job over the source, or the one that is running already, which may have ended meanwhile."""
    try:
        return start_job(source, requested_by=request.user.get_username())
    except JobUnfinished as unfinished:
        messages.warning(request, unfinished.message)
        return source.jobs.latest("pk")


@admin_page("collections/<int:pk>/preview/", name="preview_site")
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """A part of the site's page: what would be taken, or what is wrong with the form."""
    get_collection(request, pk, Role.EDITOR)
    form = SiteForm(request.POST)
    del form.fields["refresh"]  # an existing source may have any interval
    found: SitePreview | None = None
    if form.is_valid():
        try:
            found = preview_site(form.make_site_options())
        except DocsError as error:
            form.add_error("location", error.message)
    said = describe(found) if found else "The site cannot be looked at so."
    context = {"form": form, "preview": found, "said": said, "shown_pages": SHOWN_PAGES}
    return render(request, "admin/adding/preview.html", context)


def describe(preview: SitePreview) -> str:
    if not preview.taken and not preview.is_whole:
        return "The site is too slow to be looked at now. It can be added all the same."
    pages = f"{preview.taken:,} page{'' if preview.taken == 1 else 's'} would be taken"
    return pages if preview.is_whole else f"At least {pages}: the site has more than was looked at"
