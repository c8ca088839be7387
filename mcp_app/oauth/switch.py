"""Whether there is OAuth on this server (OAUTH_ENABLED), and what its addresses for programs have in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal
from collections_app.limits.requests import count_request

View = Callable[..., HttpResponseBase]

NO_OAUTH = "This server has no OAuth: send an API key as 'Authorization: Bearer KEY'"
# No cookie counts at these addresses, so any website may ask there.
OPEN_TO_ALL = {"Access-Control-Allow-Origin": "*"}


def is_enabled() -> bool:
    """Without MCP there is nothing to connect to."""
    return bool(settings.DOCSMCP.oauth_enabled and settings.DOCSMCP.mcp_enabled)


@csrf_exempt
def answer_no_oauth(request: HttpRequest, **kwargs: object) -> JsonResponse:
    """404, for any method, at the addresses where clients look for OAuth metadata: if they find any, some stop sending their key."""
    return JsonResponse({"error": NO_OAUTH}, status=404, headers=OPEN_TO_ALL)


def for_programs(method: str) -> Callable[[View], View]:
    """A view for programs of any website, by this method; counted against the limit of their address."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
            response = answer_method(request, **kwargs) if is_enabled() else answer_no_oauth(request)
            for name, value in OPEN_TO_ALL.items():
                response[name] = value
            return response

        def answer_method(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
            if request.method == "OPTIONS":
                allowed = {"Access-Control-Allow-Methods": f"{method}, OPTIONS", "Access-Control-Max-Age": "600"}
                allowed["Access-Control-Allow-Headers"] = "Authorization, Content-Type, MCP-Protocol-Version"
                return HttpResponse(status=204, headers=allowed)
            if request.method not in {method, "HEAD" if method == "GET" else method}:
                return refuse(405, "invalid_request", f"Send this by {method}", {"Allow": f"{method}, OPTIONS"})
            usage = count_request(Principal(address=get_client_address(request.META)))
            if usage and usage.is_exceeded:
                return refuse(429, "temporarily_unavailable", usage.make_error().message, usage.make_headers())
            return view(request, **kwargs)

        return answer

    return decorate


def refuse(status: int, error: str, description: str, headers: dict[str, str] | None = None) -> JsonResponse:
    """An error as RFC 6749, section 5.2, writes them."""
    answer = {"error": error, "error_description": description}
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store", **(headers or {})})
