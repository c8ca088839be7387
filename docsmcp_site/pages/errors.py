"""Answers when no view does: JSON for programs (below /api, /mcp and /oauth, and for clients that prefer it), a page for people.

A 404 is the same whether something does not exist or may not be seen. Nothing of an exception is shown, except that the host is unknown
or which role is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse

from collections_app.access.roles import RoleNeeded
from collections_app.postgres.outages import find_outage

JSON, HTML = "application/json", "text/html"
PROGRAM_PATHS = ("/api", "/mcp", "/oauth/mcp", "/oauth/token", "/oauth/register", "/oauth/revoke")

MESSAGES = {
    HTTPStatus.BAD_REQUEST: "The server cannot understand this request. Check the address, and what was sent.",
    HTTPStatus.FORBIDDEN: "This is not for your account, or the form is out of date: open its page anew.",
    HTTPStatus.NOT_FOUND: "There is no page at this address.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed at this request, and has logged why. Try again later.",
}
HEADINGS = {
    HTTPStatus.SERVICE_UNAVAILABLE: "Back in a moment",
    HTTPStatus.NOT_FOUND: "Not found",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong",
}
CODES = {
    HTTPStatus.BAD_REQUEST: "INVALID_PARAMETER",
    HTTPStatus.FORBIDDEN: "FORBIDDEN",
    HTTPStatus.NOT_FOUND: "NOT_FOUND",
    HTTPStatus.INTERNAL_SERVER_ERROR: "INTERNAL_ERROR",
    HTTPStatus.SERVICE_UNAVAILABLE: "INTERNAL_ERROR",
}
WRONG_HOST = "This server does not answer to this host name. Its operator can add the name to ALLOWED_HOSTS."


def answer_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return make_answer(request, HTTPStatus.BAD_REQUEST, WRONG_HOST if isinstance(exception, DisallowedHost) else None)


def answer_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return make_answer(request, HTTPStatus.FORBIDDEN, str(exception) if isinstance(exception, RoleNeeded) else None)


def answer_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return make_answer(request, HTTPStatus.FORBIDDEN)


def answer_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return make_answer(request, HTTPStatus.NOT_FOUND, is_signed_in=is_signed_in(request))


def answer_failure(request: HttpRequest) -> HttpResponse:
    if outage := find_outage(sys.exc_info()[1]):
        answer = make_answer(request, HTTPStatus.SERVICE_UNAVAILABLE, outage.message, outage.details)
        answer["Retry-After"] = str(outage.details["retry_after"])
        return answer
    return make_answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def is_signed_in(request: HttpRequest) -> bool:
    """False if it cannot be found out. Without a session cookie nothing is looked up."""
    try:
        return bool(request.user.is_authenticated)
    except (AttributeError, DatabaseError):  # requests at /mcp have no user
        return False


def make_answer(
    request: HttpRequest,
    status: HTTPStatus,
    message: str | None = None,
    details: Mapping[str, Any] | None = None,
    *,
    is_signed_in: bool = False,
) -> HttpResponse:
    """Uses neither the database nor the session, since either may be what failed."""
    text = message or MESSAGES[status]
    if is_for_program(request):
        return JsonResponse(
            {"error": {"code": CODES[status], "message": text, "details": details or {}}}, status=status
        )
    context = {
        "heading": HEADINGS.get(status, status.phrase),
        "message": text,
        "is_signed_in": is_signed_in,
        "is_in_admin": request.path.startswith(reverse("admin:index")),
    }
    return HttpResponse(render_to_string(f"{status.value}.html", context), status=status)


def is_for_program(request: HttpRequest) -> bool:
    if request.path.startswith(PROGRAM_PATHS):
        return True
    return request.get_preferred_type([HTML, JSON]) == JSON
