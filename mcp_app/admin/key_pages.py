"""Pages that show a key: its secret (once), what clients and projects need to use it, and how much it is used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from collections_app.admin.dashboard import make_request_chart
from collections_app.admin.pages import show_page
from collections_app.catalog.libraries import keep_newest
from collections_app.catalog.visible import get_visible_collections
from collections_app.models import ApiKey
from collections_app.reports.usage import UsageRow, list_days
from mcp_app.clients.agents_md import Library, make_agents_md
from mcp_app.clients.client_configs import KEY_PLACEHOLDER, ClientConfig, make_key_configs


@dataclass(frozen=True, slots=True)
class About:
    """What the page shows beside the key. `old_expires` is None when no old secret works."""

    key: ApiKey
    is_usable: bool
    old_expires: datetime | None
    endpoint: str | None
    configs: list[ClientConfig]
    agents_md: str
    days: list[UsageRow]
    chart: str

    @property
    def requests(self) -> int:
        return sum(day.requests for day in self.days)


def make_about(request: HttpRequest, key: ApiKey) -> About:
    now = timezone.now()
    endpoint = find_endpoint(request)
    days = list_days(key.tenant, api_key=key)
    return About(
        key=key,
        is_usable=key.is_usable(now),
        old_expires=key.old_expires if key.has_old_secret(now) else None,
        endpoint=endpoint,
        configs=make_key_configs(endpoint, KEY_PLACEHOLDER) if endpoint else [],
        agents_md=describe_for_project(endpoint, key) if endpoint else "",
        days=days,
        chart=make_request_chart(days),
    )


def show_secret(request: HttpRequest, key: ApiKey, secret: str) -> HttpResponse:
    """Shows the secret, in an answer that no browser, proxy or history keeps."""
    endpoint = find_endpoint(request)
    context: dict[str, Any] = {
        "key": key,
        "secret": secret,
        "old_expires": key.old_expires if key.has_old_secret(timezone.now()) else None,
        "endpoint": endpoint,
        "configs": make_key_configs(endpoint, secret) if endpoint else [],
        "agents_md": describe_for_project(endpoint, key) if endpoint else "",
        "key_url": get_key_url(key),
    }
    response = show_page(request, "admin/keys/secret.html", title=f"The secret of {key.name}", **context)
    response["Cache-Control"] = "no-store, private"
    response["Referrer-Policy"] = "no-referrer"
    return response


def find_endpoint(request: HttpRequest) -> str | None:
    """The URL of the MCP endpoint, at the address by which the person reaches this server; None where the endpoint is off."""
    return request.build_absolute_uri(reverse("mcp")) if settings.DOCSMCP.mcp_enabled else None


def get_key_url(key: ApiKey) -> str:
    return reverse("admin:collections_app_apikey_change", args=[key.pk])


def describe_for_project(endpoint: str, key: ApiKey) -> str:
    collections = keep_newest(get_visible_collections(key.make_principal()))
    libraries = [Library(each.slug, each.description, each.version) for each in collections]
    return make_agents_md(endpoint, libraries, key.scopes)
