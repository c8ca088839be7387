"""A document as an editor judges it: whether agents can read it and why not, its sections, findings in it, and what jobs did with it.

What an agent reads of it is shown by a page in mcp_app, which runs the tools; here is only its address.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.adding.sources import name_place
from collections_app.admin.pages import is_editor, show_page
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.admin.words import FILES_IN_WORDS
from collections_app.documents import Outline, get_outline
from collections_app.exceptions import DocsError
from collections_app.jobs import release_document
from collections_app.models import Document, FileOutcome, IngestJob
from collections_app.reports.jobs import SEARCHED_JOBS
from collections_app.reports.mends import mend_document

Status = Document.Status

# How much of its text an editor is shown, if no agent can read the document.
SHOWN_CHARACTERS = 100_000
WEB = ("https://", "http://")
STATUSES = {
    Status.SUCCESS: "Agents read it",
    Status.QUARANTINED: "In quarantine: agents do not read it",
    Status.FAILED: "Failed: agents do not read it",
    Status.PENDING: "Waiting to be read",
    Status.PROCESSING: "Being read",
}
FINDINGS = {
    "invisible_characters": "Invisible characters",
    "hidden_text": "Hidden text",
    "comment": "A long comment",
    "instructions": "Text that speaks to a model",
}


def show_document(request: HttpRequest, pk: Any) -> HttpResponse:
    document = get_document(request, pk)
    is_served = document.status == Status.SUCCESS
    return show_page(
        request,
        "admin/documents/document.html",
        title=document.title,
        collection=document.collection,
        way="documents",
        document=document,
        is_served=is_served,
        as_read_url=reverse("admin:document_as_read", args=[document.pk]),
        source_link=document.source_url if document.source_url.startswith(WEB) else "",
        status_words=STATUSES[Status(document.status)],
        mend=mend_document(document),
        place=name_place(document.source) if document.source else "",
        findings=[make_finding(finding) for finding in document.findings],
        outline=find_outline(document),
        shown_content="" if is_served else document.content[:SHOWN_CHARACTERS],
        is_cut=len(document.content) > SHOWN_CHARACTERS,
        history=list_history(document),
        may_edit=is_editor(request, document.tenant_id),
    )


def get_document(request: HttpRequest, pk: Any, role: Role = Role.VIEWER) -> Document:
    return get_row_or_404(request, Document.objects.select_related("collection__tenant", "source"), pk, role)


def find_outline(document: Document) -> Outline | None:
    """None for a document that is just being replaced, or was never read."""
    try:
        return get_outline(document)
    except DocsError:
        return None


def make_finding(finding: dict[str, Any]) -> dict[str, Any]:
    """Lines are counted from 1 for people; a finding in text that was left out has no line."""
    return {
        "kind": FINDINGS.get(finding["kind"], finding["kind"]),
        "line": finding.get("line", -1) + 1,
        "excerpt": finding["excerpt"],
        "removed": finding["removed"],
    }


def list_history(document: Document) -> list[tuple[FileOutcome, str]]:
    """Its outcomes in the collection's last jobs, newest first."""
    own = {"tenant": document.tenant_id, "collection": document.collection_id}
    jobs = list(IngestJob.objects.filter(**own).order_by("-pk").values_list("pk", flat=True)[:SEARCHED_JOBS])
    rows = FileOutcome.objects.filter(tenant=document.tenant_id, job__in=jobs, path=document.path)
    return [(row, FILES_IN_WORDS[row.outcome]) for row in rows.with_jobs().order_by("-job_id")]


@admin_page("documents/<int:pk>/release/", name="release_document")
@require_POST
def release(request: HttpRequest, pk: int) -> HttpResponse:
    document = get_document(request, pk, Role.EDITOR)
    try:
        release_document(document, request.user.get_username())
        audit.record(request, "release", document)
        messages.success(request, "Agents read it from now on, as long as its text stays what it is.")
    except DocsError as error:
        messages.error(request, error.message)
    return redirect("admin:collections_app_document_change", document.pk)
