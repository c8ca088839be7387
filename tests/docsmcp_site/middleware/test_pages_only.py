"""Which requests have what pages need."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.module_loading import import_string

from docsmcp_site import settings as site_settings

PARTS = [name for name in site_settings.MIDDLEWARE if name.startswith("docsmcp_site.middleware.pages_only.")]


def follow(path: str) -> tuple[HttpRequest, HttpResponse]:
    """The request as a view gets it, and the answer."""
    seen: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse()

    answer: Any = view
    for name in reversed(PARTS):
        answer = import_string(name)(answer)
    response = answer(RequestFactory().get(path))
    return seen[0], response


@pytest.mark.parametrize("path", ["/", "/docs/", "/admin/", "/api/search", "/mcpx"])
def test_a_page_has_a_session_and_a_user(path: str) -> None:
    request, response = follow(path)
    assert all(hasattr(request, name) for name in ("session", "user", "_messages"))
    assert response["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/tenant/manual"])
def test_a_program_passes_by(path: str) -> None:
    request, response = follow(path)
    assert not any(hasattr(request, name) for name in ("session", "user", "_messages"))
    assert "X-Frame-Options" not in response
