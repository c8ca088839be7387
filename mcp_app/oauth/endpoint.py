"""The MCP endpoint for access tokens. It has an address of its own: clients that find OAuth at an address may stop sending it a key."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from rest_framework.request import Request

from collections_app.access.authentication import CredentialError, InvalidToken, MissingToken, find_access_token
from mcp_app.oauth.addresses import get_resource_metadata
from mcp_app.oauth.clients import DEFAULT_SCOPES
from mcp_app.oauth.switch import NO_OAUTH, is_enabled
from mcp_app.transports.views import McpView, Refusal


class OAuthMcpView(McpView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not is_enabled():
            raise Refusal(HTTPStatus.NOT_FOUND, NO_OAUTH)
        super().initial(request, *args, **kwargs)

    def find_credential(self, request: Request) -> str:
        return find_access_token(request.headers)

    def refuse_credential(self, request: Request, error: CredentialError) -> Refusal:
        """The challenge says where tokens are to be had (RFC 9728, section 5.1), and for what."""
        is_missing = isinstance(error, MissingToken)
        parts = {
            "realm": "mcp",
            **({} if is_missing else {"error": "invalid_token"}),
            "resource_metadata": get_resource_metadata(request, request.path.rstrip("/")),
            "scope": " ".join(DEFAULT_SCOPES),
        }
        challenge = ", ".join(f'{name}="{value}"' for name, value in parts.items())
        message = error.message if is_missing else InvalidToken.message
        return Refusal(HTTPStatus.UNAUTHORIZED, message, headers={"WWW-Authenticate": f"Bearer {challenge}"})
