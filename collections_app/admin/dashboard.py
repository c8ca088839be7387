"""The admin's first page: what a tenant's agents ask, what they do not find, how its documents are, and for a newcomer what to do first.

Shows reports and posts to curating.py. A tenant that is not the user's is not found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import filesizeformat
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from collections_app.access.roles import Role, has_role, is_superuser, tenants_of
from collections_app.activity.audit import record
from collections_app.admin.adding.sources import name_place
from collections_app.admin.pages import get_posted_collection
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.admin.words import mark_code
from collections_app.curating import add_pin, add_synonym, remove_curation
from collections_app.exceptions import DocsError
from collections_app.limits.quotas import Storage, compute_percent, get_storage
from collections_app.limits.spending import format_cost, get_spending
from collections_app.models import Collection, IngestJob, MonthlyRequests, Pin, Synonym, Tenant
from collections_app.reports import library, questions, usage
from collections_app.reports.usage import UsageRow
from collections_app.search import SearchOptions, search

# Tag of messages that are also shown where the change was made, since the page's top may be far away.
CURATION = "curation"
MAX_TENANTS = 500
DAY_TICKS = 8
# The theme draws no points, and a line needs two days: without points the first day would show nothing.
POINTS = {"pointStyle": "circle", "pointRadius": 3}
BARS = {"stack": "day", "maxBarThickness": 14, "borderRadius": 2}


@dataclass(frozen=True, slots=True)
class Step:
    """A step for a newcomer; `url` is empty for people who may not take it."""

    title: str
    text: str
    url: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A job that needs somebody's attention: where its documents come from, and why."""

    job: IngestJob
    place: str
    message: SafeString


@dataclass(frozen=True, slots=True)
class Share:
    """How much of an allowance is used; `percent` is None if there is no limit."""

    used: str
    allowed: str
    percent: int | None


def show_dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """django-unfold's DASHBOARD_CALLBACK: the context of templates/admin/index.html."""
    tenants = list(tenants_of(request.user).order_by("slug")[:MAX_TENANTS])
    tenant = choose_tenant(request, tenants)
    context |= {"title": "Overview", "tenants": tenants, "tenant": tenant}
    return context | (
        describe(request, tenant) if tenant else {"new_tenant_url": find_url("collections_app_tenant_add")}
    )


def choose_tenant(request: HttpRequest, tenants: Sequence[Tenant]) -> Tenant | None:
    """The tenant that the URL names, else the first; None if there is none yet. Raises Http404."""
    if slug := request.GET.get("tenant"):
        tenant = tenants_of(request.user).filter(slug=slug.replace("\0", "")).first()
        if tenant is None:
            raise Http404("There is no such tenant.")
        return tenant
    return tenants[0] if tenants else None


def describe(request: HttpRequest, tenant: Tenant) -> dict[str, Any]:
    days = usage.list_days(tenant)
    steps = library.find_first_steps(tenant)
    is_owner = has_role(request.user, tenant.pk, Role.OWNER)
    return {
        "is_editor": has_role(request.user, tenant.pk, Role.EDITOR),
        "is_owner": is_owner,
        "steps": [] if steps.are_done else make_steps(request, tenant, steps),
        "has_something": steps.has_collection,
        "has_usage": any(day.requests for day in days),
        "request_count": sum(day.requests for day in days),
        "error_count": sum(day.errors for day in days),
        "request_chart": make_request_chart(days),
        "latency_chart": make_latency_chart(days),
        "calls": measure(usage.list_calls(tenant)),
        "keys": measure(usage.list_keys(tenant)) if is_owner else [],
        "without_tenant": usage.count_without_tenant() if is_superuser(request.user) else 0,
        "quota": make_quota(tenant),
        "spending": make_spending(tenant),
        **make_storage(tenant),
        "questions": questions.list_top_questions(tenant),
        "unanswered": questions.list_unanswered(tenant),
        "feedback": questions.report_feedback(tenant),
        "unread": library.find_unread(tenant),
        "unread_days": library.UNREAD_DAYS,
        "failing": library.find_failing(tenant),
        "quarantined": library.find_quarantined(tenant),
        "freshness": library.list_freshness(tenant),
        "failed_runs": [make_run(job) for job in library.list_failed_runs(tenant)],
        "held_runs": [make_run(job) for job in library.list_held_runs(tenant)],
        "queue": library.report_queue(tenant),
        "now": timezone.now(),
        "playground_url": find_url("playground"),
    }


def make_run(job: IngestJob) -> Run:
    return Run(job, name_place(job.source), mark_code(job.error_message))


def make_steps(request: HttpRequest, tenant: Tenant, done: library.FirstSteps) -> list[Step]:
    def link(page: str, role: Role) -> str:
        return find_url(page) if has_role(request.user, tenant.pk, role) else ""

    return [
        Step(
            "Create a collection",
            "A library of documents, such as a product's manual.",
            link("new_collection", Role.EDITOR),
            done.has_collection,
        ),
        Step(
            "Add documents", "Files, a folder, a website or a repository.", link("add", Role.EDITOR), done.has_document
        ),
        Step(
            "Issue a key",
            "An agent shows it. It comes with the configuration of each client.",
            link("collections_app_apikey_add", Role.OWNER),
            done.has_key,
        ),
        Step(
            "Let an agent ask",
            "Try a question yourself first: the playground shows what an agent gets.",
            link("playground", Role.VIEWER),
            done.has_use,
        ),
    ]


def find_url(page: str) -> str:
    """The URL of an admin page; empty if the page does not exist."""
    try:
        return reverse(f"admin:{page}")
    except NoReverseMatch:
        return ""


def make_request_chart(days: Sequence[UsageRow]) -> str:
    good = [day.requests - day.errors for day in days]
    return make_chart(
        days,
        {"label": "Answered", "data": good, "backgroundColor": "var(--color-primary-600)", **BARS},
        {"label": "Errors", "data": [day.errors for day in days], "backgroundColor": "#dc2626", **BARS},
    )


def make_latency_chart(days: Sequence[UsageRow]) -> str:
    return make_chart(
        days,
        make_line("Median", [day.median_ms for day in days], "var(--color-primary-600)"),
        make_line("95 of 100", [day.p95_ms for day in days], "#d97706"),
    )


def make_line(label: str, values: Sequence[float | None], colour: str) -> dict[str, Any]:
    rounded = [value and round(value, 1) for value in values]
    colours = {"borderColor": colour, "backgroundColor": colour}
    return {"label": label, "data": rounded, **colours, **POINTS, "spanGaps": True, "suffixYAxis": "ms"}


def make_chart(days: Sequence[UsageRow], *datasets: Mapping[str, Any]) -> str:
    """The data in the form that the theme's charts take."""
    shown = [{"displayYAxis": True, "maxTicksXLimit": DAY_TICKS, **dataset} for dataset in datasets]
    return json.dumps({"labels": [day.name[5:] for day in days], "datasets": shown})


def measure(rows: Sequence[UsageRow]) -> list[tuple[UsageRow, int]]:
    """Each row with its percentage of the largest."""
    most = max((row.requests for row in rows), default=0)
    return [(row, round(100 * row.requests / most) if most else 0) for row in rows]


def make_quota(tenant: Tenant) -> Share:
    month = usage.get_today().replace(day=1)
    if not tenant.monthly_quota:
        return Share(f"{usage.count_month(tenant):,}", "any number", None)
    used = MonthlyRequests.objects.get_count(tenant.pk, month)
    return Share(f"{used:,}", f"{tenant.monthly_quota:,}", min(100, round(100 * used / tenant.monthly_quota)))


def make_spending(tenant: Tenant) -> Share:
    spending = get_spending(tenant)
    used = format_cost(spending.spent)
    if spending.ceiling is None:
        return Share(used, "any amount", None)
    percent = 100 if not spending.ceiling else min(100, round(100 * spending.spent / spending.ceiling))
    return Share(used, format_cost(spending.ceiling), percent)


def make_storage(tenant: Tenant) -> dict[str, Any]:
    storage = get_storage(tenant.pk)
    return {
        "is_nearly_full": storage.is_nearly_full,
        "stored_documents": make_documents_share(storage),
        "stored_bytes": make_bytes_share(storage),
    }


def make_documents_share(storage: Storage) -> Share:
    used, most = storage.documents, storage.max_documents
    if not most:
        return Share(f"{used:,}", "any number", None)
    return Share(f"{used:,}", f"{most:,}", compute_percent(used, most))


def make_bytes_share(storage: Storage) -> Share:
    used, most = storage.size_bytes, storage.max_bytes
    if not most:
        return Share(filesizeformat(used), "any size", None)
    return Share(filesizeformat(used), filesizeformat(most), compute_percent(used, most))


@admin_page("overview/synonyms/", name="dashboard_add_synonym")
@require_POST
def save_synonym(request: HttpRequest) -> HttpResponse:
    sent = request.POST

    def save(collection: Collection) -> tuple[Model, str]:
        row = add_synonym(collection, sent.get("term", ""), sent.get("synonym", ""))
        return row, f"{collection} finds {row} from now on.{hint_at_nothing(collection, row)}"

    return curate(request, save)


def hint_at_nothing(collection: Collection, row: Synonym) -> str:
    """Empty if the synonym finds something."""
    try:
        found = search(row.synonym, [collection], SearchOptions(limit=1, snippet_length=0))
    except DocsError:
        return ""
    return "" if found.hits else " Neither word is in its documents yet: see that it is the right collection."


@admin_page("overview/pins/", name="dashboard_add_pin")
@require_POST
def save_pin(request: HttpRequest) -> HttpResponse:
    sent = request.POST

    def save(collection: Collection) -> tuple[Model, str]:
        row = add_pin(collection, sent.get("question", ""), sent.get("path", ""), sent.get("section_id", ""))
        return row, f"“{row.question}” is answered by {row.path} first."

    return curate(request, save)


@admin_page("overview/synonyms/<int:pk>/remove/", name="dashboard_remove_synonym")
@require_POST
def remove_synonym(request: HttpRequest, pk: int) -> HttpResponse:
    return remove(
        request, get_row_or_404(request, Synonym.objects.select_related("collection__tenant"), pk, Role.EDITOR)
    )


@admin_page("overview/pins/<int:pk>/remove/", name="dashboard_remove_pin")
@require_POST
def remove_pin(request: HttpRequest, pk: int) -> HttpResponse:
    return remove(request, get_row_or_404(request, Pin.objects.select_related("collection__tenant"), pk, Role.EDITOR))


def remove(request: HttpRequest, row: Synonym | Pin) -> HttpResponse:
    record(request, "delete", row)
    remove_curation(row)
    messages.success(request, f"Removed: {row}", extra_tags=CURATION)
    return go_back(row.collection.tenant)


def curate(request: HttpRequest, save: Callable[[Collection], tuple[Model, str]]) -> HttpResponse:
    """Changes the search of the collection that the form names, or says why not."""
    collection = get_posted_collection(request, "collection", Role.EDITOR)
    try:
        row, told = save(collection)
    except DocsError as error:
        messages.error(request, error.message, extra_tags=CURATION)
    else:
        record(request, "add", row)
        messages.success(request, told, extra_tags=CURATION)
    return go_back(collection.tenant)


def go_back(tenant: Tenant) -> HttpResponse:
    return redirect(f"{reverse('admin:index')}?{urlencode({'tenant': tenant.slug})}#unanswered")
