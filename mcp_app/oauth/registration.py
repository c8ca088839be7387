"""Where programs register themselves (RFC 7591). Anybody may: a registration allows nothing until a person connects the program."""

from __future__ import annotations

import json
import secrets
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponseBase, JsonResponse

from collections_app.access.connected_apps import digest_of, forget_oldest_unused
from collections_app.models import OAuthClient
from mcp_app.oauth.clients import AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES, find_fault, find_name
from mcp_app.oauth.server import is_secure
from mcp_app.oauth.switch import for_programs, refuse
from mcp_app.oauth.tokens import INSECURE

MAX_BODY_BYTES = 64 * 1024
# Programs that nobody connected, which are forgotten after a day. More come only if somebody makes them up: then the oldest go, so that
# who registers just now can still be connected.
MAX_UNUSED = 10_000

logger = structlog.get_logger(__name__)


@for_programs("POST")
def register_client(request: HttpRequest) -> HttpResponseBase:
    if not is_secure(request):
        return refuse(400, "invalid_request", INSECURE)
    described = read_description(request)
    if isinstance(described, str):
        return refuse(400, "invalid_client_metadata", described)
    if fault := find_fault(described.get("redirect_uris")):
        return refuse(400, "invalid_redirect_uri", fault)
    method = described.get("token_endpoint_auth_method", OAuthClient.AuthMethod.BASIC)
    if method not in AUTH_METHODS:
        return refuse(400, "invalid_client_metadata", f"token_endpoint_auth_method must be {', '.join(AUTH_METHODS)}")
    if forgotten := forget_oldest_unused(MAX_UNUSED - 1):
        logger.warning("oauth_registrations_full", most=MAX_UNUSED, forgotten=forgotten)
    return JsonResponse(register(described, method), status=201, headers={"Cache-Control": "no-store"})


def read_description(request: HttpRequest) -> dict[str, Any] | str:
    """What the program says of itself, or what is wrong with it."""
    try:
        body = request.body
    except RequestDataTooBig:
        body = b""
    if not 0 < len(body) <= MAX_BODY_BYTES:
        return f"the body must be a JSON object of at most {MAX_BODY_BYTES} bytes"
    try:
        described = json.loads(body)
    except (ValueError, RecursionError):
        described = None
    return described if isinstance(described, dict) else "the body must be a JSON object, as RFC 7591 describes it"


def register(described: dict[str, Any], method: str) -> dict[str, Any]:
    """The program as it is registered, with its secret, which cannot be shown again. What it says besides is not kept."""
    secret = "" if method == OAuthClient.AuthMethod.NONE else secrets.token_urlsafe(32)
    client = OAuthClient.objects.create(
        client_id=f"app_{secrets.token_urlsafe(16)}",
        name=find_name(described.get("client_name")),
        redirect_uris=described["redirect_uris"],
        auth_method=method,
        secret_digest=digest_of(secret) if secret else "",
    )
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.read.timestamp()),
        **({"client_secret": secret, "client_secret_expires_at": 0} if secret else {}),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "token_endpoint_auth_method": method,
        "grant_types": list(GRANT_TYPES),
        "response_types": list(RESPONSE_TYPES),
    }
