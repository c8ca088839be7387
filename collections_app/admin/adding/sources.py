"""A collection's sources: how the last run ended, when the next is due; reading one again, and the webhook for a forge."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.adding.files import get_job_url
from collections_app.admin.adding.places import read_now
from collections_app.admin.pages import get_collection, is_editor, show_page
from collections_app.admin.shown_once import keep_secret, take_secret
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.admin.words import mark_code, name_state
from collections_app.jobs import renew_webhook_secret
from collections_app.models import Source
from collections_app.reports.sources import SourceReport, list_sources
from collections_app.webhooks import make_examples


@admin_page("collections/<int:pk>/sources/", name="collection_sources")
def show_sources(request: HttpRequest, pk: int) -> HttpResponse:
    collection = get_collection(request, pk, Role.VIEWER)
    return show_page(
        request,
        "admin/adding/sources.html",
        title=f"Sources of {collection.name}",
        collection=collection,
        way="sources",
        reports=[describe(report) for report in list_sources([collection])],
        may_edit=is_editor(request, collection.tenant_id),
    )


def describe(report: SourceReport) -> dict[str, Any]:
    last = report.last_job
    state = name_state(last.state, last.error_code) if last else ""
    message = mark_code(last.error_message) if last else ""
    return {"report": report, "place": name_place(report.source), "state": state, "message": message}


def name_place(source: Source) -> str:
    return "Uploaded files" if source.is_upload else source.told_location


@admin_page("sources/<int:pk>/read/", name="read_source")
@require_POST
def read_source(request: HttpRequest, pk: int) -> HttpResponse:
    source = get_source(request, pk)
    job = read_now(request, source)
    audit.record(request, "read again", source, details=f"job {job.pk}")
    return redirect(get_job_url(job))


@admin_page("sources/<int:pk>/webhook/", name="source_webhook")
def show_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Where a forge reports a push. A POST makes a new secret, which only the next page shows, once."""
    source = get_source(request, pk)
    if request.method == "POST":
        keep_secret(request, f"webhook {pk}", renew_webhook_secret(source))
        audit.record(request, "new webhook secret", source)
        return redirect("admin:source_webhook", pk)
    url = request.build_absolute_uri(reverse("hook", args=[source.pk]))
    return show_page(
        request,
        "admin/adding/webhook.html",
        title="Webhook",
        collection=source.collection,
        way="sources",
        source=source,
        place=name_place(source),
        url=url,
        secret=take_secret(request, f"webhook {pk}"),
        examples=make_examples(url),
    )


def get_source(request: HttpRequest, pk: int, role: Role = Role.EDITOR) -> Source:
    source: Source = get_row_or_404(request, Source.objects.select_related("collection__tenant"), pk, role)
    return source
