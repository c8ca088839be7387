"""Files, folders and archives that a person drops: stored and queued before the answer, each refused one with its reason.

With JavaScript the answer is JSON and the page shows each file's progress; without it the form works as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.pages import get_collection, show_page
from collections_app.admin.site import admin_page
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.intake import Sent, make_open_upload, sort_out
from collections_app.jobs import accept_uploads
from collections_app.models import Collection, IngestJob
from collections_app.parsing import SUPPORTED_EXTENSIONS
from collections_app.request_bodies import is_longer
from collections_app.sources.archive_formats import OPENED_EXTENSIONS

# At most so many refusals are listed if no script shows them.
TOLD_REFUSALS = 20
TOO_LARGE = 413
BAD_REQUEST = 400


@admin_page("collections/<int:pk>/add/", name="add_documents")
@csrf_exempt
def add_files(request: HttpRequest, pk: int) -> HttpResponse:
    """Checks the size first: the CSRF check would read all of the body."""
    collection = get_collection(request, pk, Role.EDITOR)
    if request.method == "POST" and is_too_large(request):
        return refuse_size(request, collection)
    answer: HttpResponse = csrf_protect(partial(show_or_take, collection=collection))(request)
    return answer


def show_or_take(request: HttpRequest, collection: Collection) -> HttpResponse:
    return take_files(request, collection) if request.method == "POST" else show_form(request, collection)


def is_too_large(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return not length.isdecimal() or is_longer(length, settings.DOCSMCP.max_upload_bytes)


def refuse_size(request: HttpRequest, collection: Collection) -> HttpResponse:
    most = settings.DOCSMCP.max_upload_bytes
    error = f"That is too much at once: at most {most:,} bytes are taken. Send fewer files, or split the archive."
    if wants_json(request):
        return JsonResponse({"error": error, "files": []}, status=TOO_LARGE)
    messages.error(request, error)
    return show_form(request, collection, status=TOO_LARGE)


def show_form(request: HttpRequest, collection: Collection, status: int = 200) -> HttpResponse:
    return show_page(
        request,
        "admin/adding/files.html",
        title=f"Add documents to {collection.name}",
        status=status,
        collection=collection,
        way="files",
        max_upload_bytes=settings.DOCSMCP.max_upload_bytes,
        max_file_bytes=settings.DOCSMCP.max_file_bytes,
        max_files=settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        extensions=sorted(SUPPORTED_EXTENSIONS),
        archives=" ".join(OPENED_EXTENSIONS),
    )


def take_files(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Takes the files that can be taken; the answer reports on the rest."""
    try:
        uploads, files = sort_out(collection, read_sent(request))
        job = accept_uploads(collection, uploads, requested_by=request.user.get_username())
    except DocsError as error:
        return refuse(request, collection, error)
    audit.record(request, "upload", collection, details=f"{len(uploads)} files, job {job.pk}")
    if wants_json(request):
        return JsonResponse({"job": job.pk, "url": get_job_url(job), "files": files})
    tell_refusals(request, files)
    messages.success(request, f"{sum(file['accepted'] for file in files):,} files were taken and are being read.")
    return redirect(get_job_url(job))


def read_sent(request: HttpRequest) -> list[Sent]:
    """The files in the form, below the folder that it names. Raises InvalidParameter."""
    files, paths = request.FILES.getlist("file"), request.POST.getlist("path")
    if not files:
        raise InvalidParameter("No file was chosen. Choose at least one.")
    if paths and len(paths) != len(files):
        raise InvalidParameter("The files did not all arrive. Choose them again.")
    folder = request.POST.get("folder", "").strip().strip("/")
    names = [f"{folder}/{name}" if folder else name for name in paths or [str(file.name) for file in files]]
    return [Sent(name, partial(make_open_upload, name, file)) for name, file in zip(names, files, strict=True)]


def refuse(request: HttpRequest, collection: Collection, error: DocsError) -> HttpResponse:
    files: Sequence[dict[str, Any]] = error.details.get("files", ())
    if wants_json(request):
        return JsonResponse({"error": error.message, "files": list(files)}, status=BAD_REQUEST)
    messages.error(request, error.message)
    tell_refusals(request, files)
    return show_form(request, collection, status=BAD_REQUEST)


def tell_refusals(request: HttpRequest, files: Sequence[dict[str, Any]]) -> None:
    refused = [file for file in files if not file["accepted"]]
    for file in refused[:TOLD_REFUSALS]:
        messages.error(request, f"{file['path']}: {file['reason']}")
    if len(refused) > TOLD_REFUSALS:
        messages.error(request, f"{len(refused) - TOLD_REFUSALS:,} more files were not taken.")


def wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def get_job_url(job: IngestJob) -> str:
    return reverse("admin:collections_app_ingestjob_change", args=[job.pk])
