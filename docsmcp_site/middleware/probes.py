"""Answers those who monitor the server: `/livez`, `/readyz`, `/health`, `/metrics`, before anything else looks at the request.

Orchestrators and Prometheus use an address, so ALLOWED_HOSTS does not apply to them. Details and metrics are only for this
machine and for holders of METRICS_TOKEN; for anybody else `/metrics` does not exist. Refuses every method except GET and HEAD.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase

from collections_app.access.client_address import find_address
from docsmcp_site.middleware.readiness import EXAMINED, Part, is_ready
from docsmcp_site.observability.metrics_page import show_metrics
from docsmcp_site.pages.health import describe_health

Answer = Callable[[HttpRequest], HttpResponseBase]


def answer_probes(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path_info)
        if probe is None or (probe is show_metrics and not is_watcher(request)):
            return get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = probe(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response

    return answer


def show_liveness(request: HttpRequest) -> HttpResponse:
    """Says that the process answers. It depends on nothing else, so that no failure elsewhere gets the process restarted."""
    return JsonResponse({"status": "ok"})


def show_readiness(request: HttpRequest) -> HttpResponse:
    parts = EXAMINED.get()
    ready = is_ready(parts)
    body = {"status": "ok" if ready else "unavailable", "parts": describe_parts(parts, is_watcher(request))}
    return JsonResponse(body, status=200 if ready else 503)


def show_health(request: HttpRequest) -> HttpResponse:
    """The state of all parts, with status 200 as long as it can be told."""
    parts = EXAMINED.get()
    worst = "ok" if all(part.verdict.state == "ok" for part in parts) else "degraded"
    status = worst if is_ready(parts) else "unavailable"
    return JsonResponse({**describe_health(), "status": status, "parts": describe_parts(parts, is_watcher(request))})


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/livez": show_liveness,
    "/readyz": show_readiness,
    "/health": show_health,
    "/metrics": show_metrics,
}


def describe_parts(parts: list[Part], with_details: bool) -> dict[str, object]:
    if not with_details:
        return {part.name: part.verdict.state.value for part in parts}
    return {
        part.name: {"state": part.verdict.state.value, "what": part.verdict.what, "mend": part.verdict.mend}
        for part in parts
    }


def is_watcher(request: HttpRequest) -> bool:
    """Whether the request came from this machine without a proxy, or has the token."""
    token = settings.DOCSMCP.metrics_token
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    is_direct = "HTTP_X_FORWARDED_FOR" not in request.META and "HTTP_FORWARDED" not in request.META
    return (
        is_direct
        and is_loopback(request.META.get("REMOTE_ADDR", ""))
        and is_own_name(request.META.get("HTTP_HOST", ""))
    )


def is_loopback(address: str) -> bool:
    found = find_address(address)
    return found is not None and found.is_loopback


def is_own_name(host: str) -> bool:
    """Whether the name is an address or localhost: a website whose name was made to lead here must not read from its visitor's machine."""
    return find_address(host) is not None or host.partition(":")[0] == "localhost"
