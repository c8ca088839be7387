"""Where programs exchange a code or a refresh token for tokens, and give tokens back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.debug import sensitive_post_parameters

from mcp_app.oauth.server import Revocation, find_unwritable, get_server, is_secure
from mcp_app.oauth.switch import for_programs, refuse

INSECURE = "OAuth needs https: have a proxy in front of this server end TLS"


@sensitive_post_parameters()
@for_programs("POST")
def issue_token(request: HttpRequest) -> HttpResponseBase:
    response: HttpResponseBase = find_refusal(request) or get_server().create_token_response(request)
    return response


@sensitive_post_parameters()
@for_programs("POST")
def revoke_token(request: HttpRequest) -> HttpResponseBase:
    response: HttpResponseBase = find_refusal(request) or get_server().create_endpoint_response(
        Revocation.ENDPOINT_NAME, request
    )
    return response


def find_refusal(request: HttpRequest) -> HttpResponseBase | None:
    """For what is not even looked at."""
    if not is_secure(request):
        return refuse(400, "invalid_request", INSECURE)
    if name := find_unwritable(request):
        return refuse(400, "invalid_request", f"The parameter {name} has characters that it cannot have")
    return None
