"""The page on how to connect an agent to one collection; it needs both the reading pages and the protocol."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from collections_app.access.principal import Scope
from collections_app.reading.access import ReadingRequest, for_visitors, get_collection_or_404
from collections_app.reading.navigation import get_contents
from collections_app.reading.page_index import iter_index
from collections_app.reading.views import make_context
from mcp_app.clients.agents_md import Library, make_agents_md
from mcp_app.clients.client_configs import KEY_PLACEHOLDER, make_client_configs
from mcp_app.oauth.switch import is_enabled


@for_visitors
def show_connection(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    found = get_collection_or_404(request.principal, tenant, collection)
    context = make_context(request, found, placeholder=KEY_PLACEHOLDER)
    if settings.DOCSMCP.mcp_enabled:
        endpoint = request.build_absolute_uri(reverse("mcp_collection", args=[tenant, collection]))
        by_oauth = reverse("oauth_mcp_collection", args=[tenant, collection]) if is_enabled() else ""
        contents = get_contents(found, 1)
        assert contents  # even an empty collection has a first page
        needs_key = settings.DOCSMCP.mcp_auth_required or not found.is_public
        context |= {
            "endpoint": endpoint,
            "needs_key": needs_key,
            "oauth_endpoint": request.build_absolute_uri(by_oauth) if by_oauth else "",
            "configs": make_client_configs(endpoint, KEY_PLACEHOLDER),
            "snippet": make_agents_md(
                endpoint,
                [Library(found.slug, found.description or found.name, found.version)],
                {Scope.READ},
                pages=list(iter_index(contents.groups)),
                total=contents.total,
                needs_key=needs_key,
            ),
        }
    response = render(request, "reading/connect.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response
