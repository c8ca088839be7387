"""What all views under /api/ have in common: who asks, the largest body, JSON in and out, errors as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar, TypeVar, cast

from django.db import models
from django.http import Http404, HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, NotAcceptable, NotFound, ParseError
from rest_framework.generics import ListAPIView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from collections_app.access.principal import Principal
from collections_app.activity.usage import count_call
from collections_app.api.authentication import PrincipalAuthentication, ReadOrChange
from collections_app.api.errors import BodyPacked, BodyTooLarge, LengthRequired
from collections_app.api.pagination import KeysetPagination, PageQuery
from collections_app.limits.view import LimitedView, make_anonymous
from collections_app.request_bodies import MUST_BE_PLAIN, is_longer, is_packed

# For JSON bodies; uploads have a setting of their own.
MAX_BODY_BYTES = 1024 * 1024

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
# The end of the pattern for paths that no other pattern matches.
ANYTHING = "(?P<rest>.*)$"
CONVERTER = re.compile("<[a-z]+:")

Row = TypeVar("Row", bound=models.Model)


class Negotiation(DefaultContentNegotiation):
    """The format that is asked for if it is available, else JSON: clients send all kinds of Accept headers."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> tuple[Any, str]:
        try:
            chosen: tuple[Any, str] = super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            return renderers[0], renderers[0].media_type
        return chosen


class BoundedJsonParser(JSONParser):
    """JSON no deeper than Python can handle."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deep.") from None


class ApiView(LimitedView):
    """A view names who may call it by `permission_classes`: see authentication.py."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (PrincipalAuthentication,)
    permission_classes: Sequence[type[BasePermission]] = (ReadOrChange,)
    metadata_class = None
    parser_classes: Sequence[type[BaseParser]] = (BoundedJsonParser,)
    content_negotiation_class = Negotiation

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.began = perf_counter()
        super().setup(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        duration_ms = (perf_counter() - self.began) * 1000
        caller = self.caller or make_anonymous(request)
        count_call(caller, name_endpoint(request), duration_ms, is_error=final.status_code >= 400)
        return final

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The size is checked first: authentication may read the body, for a CSRF token."""
        if "\0" in request.path:
            raise Http404
        check_body_size(request, self.get_max_body_bytes())
        check_body_encoding(request)
        super().initial(request, *args, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        """Counts at once, so that requests that are refused later count too; a bad key counts against its address."""
        try:
            known = request.auth
        except APIException:
            self.count(make_anonymous(request))
            raise
        if admitted := getattr(request, "admitted", None):
            self.settle(*admitted)
        else:
            self.count(cast("Principal", known) if known else make_anonymous(request))

    def get_max_body_bytes(self) -> int:
        return MAX_BODY_BYTES

    @property
    def principal(self) -> Principal:
        return cast("Principal", self.request.auth)


class ListView(ApiView, ListAPIView[Row]):
    """A list in pages. `ordering` names a field that no two rows share, `query` what can be asked for."""

    pagination_class = KeysetPagination
    ordering: ClassVar[str]
    query: ClassVar[type[PageQuery]] = PageQuery

    @cached_property
    def given(self) -> dict[str, Any]:
        return read_query(self.request, self.query)


def name_endpoint(request: Request) -> str:
    """The endpoint's pattern and one of our methods; clients can make up paths and methods without end."""
    found = request.resolver_match
    if found is None or request.method not in METHODS or found.route.endswith(ANYTHING):
        return "other"
    return f"{request.method} /{CONVERTER.sub('<', found.route)}"


def check_body_size(request: Request, max_bytes: int) -> None:
    """Checks the announced length, so that nothing of a body that is too large is read. Raises APIException."""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        raise LengthRequired("Send the body with a Content-Length, not in chunks.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal():
        raise ParseError("The Content-Length is no number.")
    if is_longer(length, max_bytes):
        raise BodyTooLarge(f"The body has {length[:18]} bytes; at most {max_bytes} are taken here.")


def check_body_encoding(request: Request) -> None:
    """Raises APIException for an encoding that would otherwise look like broken JSON, or a broken form."""
    if is_packed(request.headers):
        raise BodyPacked(f"{MUST_BE_PLAIN}.")


def read_query(request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The validated query parameters. Raises ValidationError."""
    return validate(serializer(data=request.query_params.dict()))


def read_body(request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The validated fields of a JSON body. Raises ValidationError."""
    return validate(serializer(data=request.data))


def validate(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class NotFoundView(ApiView):
    """What answers where nothing is, whatever the method and the caller."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("There is nothing at this path: GET /api/schema lists what there is.")
