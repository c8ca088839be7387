"""Pages of a list: `limit` and an opaque, signed `cursor`, in the order of one field that no two rows share."""

from __future__ import annotations

from typing import Any, cast

from django.core import signing
from rest_framework import serializers
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.access.principal import Principal
from collections_app.api.fields import Input


class PageQuery(Input):
    """What every list can be asked; views add their filters."""

    limit = serializers.IntegerField(min_value=1, max_value=100, default=50, help_text="Most entries to return")
    cursor = serializers.CharField(required=False, help_text="The next_cursor of the page before")


class KeysetPagination(BasePagination):
    """The view's `ordering` names the field, with a minus for the last ones first. One statement a page, wherever it is."""

    next_cursor: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        field, limit = view.ordering.removeprefix("-"), view.given["limit"]
        if cursor := view.given.get("cursor"):
            passed = "lt" if view.ordering.startswith("-") else "gt"
            queryset = queryset.filter(**{f"{field}__{passed}": read_cursor(request, cursor)})
        rows = list(queryset.order_by(view.ordering)[: limit + 1])
        if len(rows) > limit:
            self.next_cursor = signing.dumps(getattr(rows[limit - 1], field), salt=make_salt(request))
        return rows[:limit]

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next_cursor": self.next_cursor})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        cursor = {"type": "string", "nullable": True, "description": "Where the next page begins; null on the last"}
        properties = {"results": schema, "next_cursor": cursor}
        return {"type": "object", "required": ["results", "next_cursor"], "properties": properties}


def read_cursor(request: Request, cursor: str) -> Any:
    try:
        return signing.loads(cursor, salt=make_salt(request))
    except signing.BadSignature:
        message = "is not one of this list's. Leave it out to begin at the first page."
        raise serializers.ValidationError({"cursor": message}) from None


def make_salt(request: Request) -> str:
    """A cursor is valid for the list that it comes from, and for the caller it was made for."""
    caller = cast("Principal", request.auth)
    return f"docsmcp.api.{request.path}.{caller.api_key_id}.{caller.user_id}"
