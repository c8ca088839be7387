"""What the server says about itself at `/` and `/livez`: that it runs, what it is, and where its endpoint is.

Asks no database and no other service, so it answers while they are down. Refuses every method but GET and HEAD.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from mcp_app.identity import SERVER_INFO
from mcp_app.protocol import MODERN_REVISIONS

JSON, HTML = "application/json", "text/html"


@require_safe
def show_root(request: HttpRequest) -> HttpResponse:
    """JSON for programs; for browsers, which prefer HTML and say so, a page that helps a person start."""
    prefers_html = request.get_preferred_type([JSON, HTML]) == HTML
    response = _render_landing(request) if prefers_html else JsonResponse(describe_health())
    patch_vary_headers(response, ["Accept"])
    return response


@require_safe
def show_liveness(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


def describe_health() -> dict[str, str]:
    """`protocol` is the newest revision of the Model Context Protocol that the server speaks."""
    return {
        "status": "ok",
        "service": str(SERVER_INFO["name"]),
        "version": str(SERVER_INFO["version"]),
        "protocol": MODERN_REVISIONS[-1],
    }


def _render_landing(request: HttpRequest) -> HttpResponse:
    endpoint = request.build_absolute_uri(reverse("mcp")) if settings.DOCSMCP.mcp_enabled else None
    context = {**describe_health(), "endpoint": endpoint, "auth_required": settings.DOCSMCP.mcp_auth_required}
    return render(request, "landing.html", context)
