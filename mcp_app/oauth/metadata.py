"""What clients read first: where to get tokens for an endpoint (RFC 9728), and what the authorization server is able to do (RFC 8414)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse

from collections_app.access.principal import Scope
from mcp_app.oauth.addresses import find_endpoint_path, get_issuer, get_resource
from mcp_app.oauth.clients import AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES
from mcp_app.oauth.switch import answer_no_oauth, for_programs

SCOPES = [scope.value for scope in Scope]


@for_programs("GET")
def show_resource(request: HttpRequest, path: str) -> JsonResponse:
    """Of any endpoint whose address has the right form, so that it tells of no collection that there is one."""
    found = find_endpoint_path(f"/{path}")
    if found is None:
        return answer_no_oauth(request)
    return JsonResponse(
        {
            "resource": get_resource(request, found),
            "authorization_servers": [get_issuer(request)],
            "scopes_supported": SCOPES,
            "bearer_methods_supported": ["header"],
            "resource_name": "docsmcp",
        }
    )


@for_programs("GET")
def show_server(request: HttpRequest) -> JsonResponse:
    return JsonResponse(describe_server(request))


def describe_server(request: HttpRequest) -> dict[str, Any]:
    places = {
        f"{name}_endpoint": request.build_absolute_uri(reverse(f"oauth_{view}"))
        for name, view in (
            ("authorization", "authorize"),
            ("token", "token"),
            ("registration", "register"),
            ("revocation", "revoke"),
        )
    }
    return {
        "issuer": get_issuer(request),
        **places,
        "scopes_supported": SCOPES,
        "response_types_supported": list(RESPONSE_TYPES),
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }
