"""What the server says about itself at `/`: that it runs, what it is, and where its endpoint is.

The answer for programs needs no database and no other service, so it works while they are down; the page for people then leaves out what
would come from them. Refuses every method except GET and HEAD.
"""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal
from collections_app.catalog.visible import count_documents
from collections_app.limits.requests import count_request
from collections_app.models import Collection
from collections_app.reading.access import get_readable_collections, refuse_more
from collections_app.reading.addresses import get_url_of
from collections_app.reading.read_only import read_only
from mcp_app.clients.client_configs import KEY_PLACEHOLDER, make_claude_code_config
from mcp_app.protocol.identity import SERVER_INFO
from mcp_app.protocol.revisions import MODERN_REVISIONS

JSON, HTML = "application/json", "text/html"
# The others are listed under /docs/.
MAX_COLLECTIONS = 30

logger = structlog.get_logger(__name__)


@read_only
def show_root(request: HttpRequest) -> HttpResponse:
    """JSON for programs; for browsers, which prefer HTML and say so, a page that helps a person start."""
    prefers_html = request.get_preferred_type([JSON, HTML]) == HTML
    response = _render_landing(request) if prefers_html else JsonResponse(describe_health())
    patch_vary_headers(response, ["Accept"])
    return response


def describe_health() -> dict[str, str]:
    """`protocol` is the newest revision of the Model Context Protocol that the server speaks."""
    return {
        "status": "ok",
        "service": str(SERVER_INFO["name"]),
        "version": str(SERVER_INFO["version"]),
        "protocol": MODERN_REVISIONS[-1],
    }


def _render_landing(request: HttpRequest) -> HttpResponse:
    """This page uses the database, so it counts against the address's limit, as the reading pages do."""
    usage = count_request(Principal(address=get_client_address(request.META)))
    if usage and usage.is_exceeded:
        return refuse_more(request, usage)
    endpoint = request.build_absolute_uri(reverse("mcp")) if settings.DOCSMCP.mcp_enabled else None
    context = {
        **describe_health(),
        "endpoint": endpoint,
        "command": make_claude_code_config(endpoint, KEY_PLACEHOLDER).text if endpoint else "",
        "auth_required": settings.DOCSMCP.mcp_auth_required,
        "collections": _list_public_collections(),
    }
    return render(request, "landing.html", context)


def _list_public_collections() -> list[tuple[Collection, str, int]]:
    """Public collections with their addresses and numbers of pages; none while the database is away."""
    try:
        collections = list(get_readable_collections(Principal())[:MAX_COLLECTIONS])
        counts = count_documents(collections)
    except DatabaseError:
        logger.warning("landing_without_collections")
        return []
    return [(collection, get_url_of(collection), counts.get(collection.pk, 0)) for collection in collections]
