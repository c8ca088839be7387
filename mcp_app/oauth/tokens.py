"""Where programs exchange a code or a refresh token for tokens, and give tokens back."""

from __future__ import annotations

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.views.decorators.debug import sensitive_post_parameters

from mcp_app.oauth.server import Revocation, find_unwritable, get_server, is_secure
from mcp_app.oauth.switch import for_programs, refuse

FORM = "application/x-www-form-urlencoded"
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
    if fault := find_fault(request):
        return refuse(400, "invalid_request", fault)
    return None


def find_fault(request: HttpRequest) -> str:
    """Why the parameters cannot be read (RFC 6749, section 3.2); empty if they can."""
    if request.content_type != FORM:
        return f"Send the parameters in the body, as {FORM}"
    try:
        given = request.POST
    except (BadRequest, SuspiciousOperation):
        return "The body is too large, has too many parameters, or is not in UTF-8"
    if name := find_unwritable(given):
        return f"The parameter {name} has characters that it cannot have"
    return "A parameter comes more than once" if has_repeated(given) else ""


def has_repeated(given: QueryDict) -> bool:
    """Only the resource may come more than once (RFC 8707, section 2)."""
    return any(len(values) > 1 for name, values in given.lists() if name != "resource")
