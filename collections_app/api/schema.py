"""What /api/schema says beyond what the views tell: which paths belong to the API, and how a caller authenticates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularAPIView

from collections_app.api.base import ApiView

Endpoint = tuple[str, str, str, Any]

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "details"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string", "description": "What was wrong, and what to do"},
                "details": {"type": "object", "additionalProperties": {}},
            },
        }
    },
}


class SchemaView(ApiView, SpectacularAPIView):
    """For everybody."""

    authentication_classes = ()
    permission_classes = ()


class PrincipalScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "collections_app.api.authentication.PrincipalAuthentication"
    name = ["key", "keyHeader", "session"]  # noqa: RUF012  the base class has a plain one

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer", "description": "An API key"},
            {
                "type": "apiKey",
                "in": "header",
                "name": "X-Api-Key",
                "description": "The same, where Bearer cannot be sent",
            },
            {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",
                "description": "Of a member; changes need X-CSRFToken",
            },
        ]


def keep_api(endpoints: Sequence[Endpoint], **kwargs: Any) -> list[Endpoint]:
    """Leaves out what is not REST: other apps' endpoints, and the answer for unknown paths."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/api/") and "{rest}" not in endpoint[0]]


def add_errors(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Every operation can fail, in one format."""
    result["components"].setdefault("schemas", {})["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("default", {"description": "What went wrong", "content": content})
    return result
