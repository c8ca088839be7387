"""The MCP endpoint over HTTP: who may send messages, and in which form. The dispatcher answers them.

Refused here, in this order, each as a JSON-RPC error with the request's id if it can be read: a body that breaks
off (400), a disabled endpoint (404), a foreign Origin (403), a caller over its limit (429; throttling.py), a missing or bad
credential (401), a body that is too large (413), a method other than POST (405), a content type other than JSON, or a compressed body
(415), an unknown profile (400).
No sessions, no redirects, any Accept. A call that reports before it answers is answered as an event stream, to a client
that accepts one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NoReturn

import structlog
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from collections_app.access.authentication import CredentialError, InvalidCredential, find_key
from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal
from collections_app.exceptions import InternalError, RateLimited
from collections_app.limits.admission import admit
from collections_app.limits.view import LimitedView, make_anonymous
from collections_app.postgres.outages import find_outage
from collections_app.request_bodies import MUST_BE_PLAIN, is_longer, is_packed
from mcp_app.dispatching.dispatcher import Dispatcher, get_dispatcher
from mcp_app.dispatching.reply import Reply
from mcp_app.protocol import jsonrpc
from mcp_app.protocol.revisions import RoutingHeaders
from mcp_app.transports import throttling

MAX_BODY_BYTES = 1024 * 1024
PIECE_BYTES = 64 * 1024

TOO_LARGE = (
    f"The body is larger than {MAX_BODY_BYTES} bytes: have larger content ingested by URL, or upload it at /api/"
)

PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, "
        "Last-Event-ID, X-Api-Key"
    ),
    "Access-Control-Max-Age": "600",
}
# Nothing between here and the client may hold back events.
STREAM_HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
EXPOSED_HEADERS = "WWW-Authenticate, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"

logger = structlog.get_logger(__name__)


class Refusal(Exception):
    """An error that is answered before the message is looked at. Its JSON-RPC code, unless given, is -31000 - status."""

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        *,
        code: int | None = None,
        headers: dict[str, str] | None = None,
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or -31000 - status
        self.headers = headers or {}
        self.data = data

    def encode(self, request_id: jsonrpc.RequestId | None) -> bytes:
        error = jsonrpc.JsonRpcError(self.code, str(self), self.data, request_id=request_id)
        return jsonrpc.encode(jsonrpc.build_error(error))


class AnyAccept(BaseContentNegotiation):
    """There is one representation, whatever the client asks for: clients send all kinds of Accept headers."""

    def select_parser(self, request: Request, parsers: Any) -> None:
        return None

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class McpView(LimitedView):
    authentication_classes = ()
    permission_classes = ()
    parser_classes = ()
    content_negotiation_class = AnyAccept

    # Tests set another one; None stands for the dispatcher of the product.
    dispatcher: Dispatcher | None = None

    body: bytes = b""
    principal: Principal

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Checks that precede every HTTP method. A preflight carries no credential, so it needs none."""
        super().initial(request, *args, **kwargs)
        self.body, is_whole = read_body(request)
        if not settings.DOCSMCP.mcp_enabled:
            raise Refusal(HTTPStatus.NOT_FOUND, "MCP is switched off on this server (MCP_ENABLED)")
        check_origin(request)
        if request.method != "OPTIONS":
            self.admit_caller(request)
        if not is_whole:
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)

    def admit_caller(self, request: Request) -> None:
        """Finds out who asks, and whether it may ask now. A bad key counts against its address. Raises Refusal and RateLimited."""
        is_counted = throttling.is_counted(self.body)
        try:
            credential = self.find_credential(request)
            address = get_client_address(request.META)
            self.principal, usage = admit(credential, address, counts=is_counted, only=self.narrowed_to)
        except CredentialError as error:
            self.count(make_anonymous(request))
            raise self.refuse_credential(request, error) from None
        if is_counted:
            self.settle(self.principal, usage)
        else:
            self.caller, self.usage = self.principal, usage

    def find_credential(self, request: Request) -> str | None:
        """Raises CredentialError for what cannot be a credential here."""
        return find_key(request.headers)

    def refuse_credential(self, request: Request, error: CredentialError) -> Refusal:
        """The challenge names an error only if a credential was sent (RFC 6750, section 3.1)."""
        fault = ', error="invalid_token"' if isinstance(error, InvalidCredential) else ""
        return Refusal(
            HTTPStatus.UNAUTHORIZED, error.message, headers={"WWW-Authenticate": f'Bearer realm="mcp"{fault}'}
        )

    @property
    def narrowed_to(self) -> tuple[str, str] | None:
        """The slugs in the path of an endpoint for one collection."""
        return (self.kwargs["tenant"], self.kwargs["collection"]) if self.kwargs else None

    def post(self, request: Request, **kwargs: str) -> HttpResponseBase:
        check_content_type(request)
        dispatcher = self.dispatcher or get_dispatcher()
        reply = dispatcher.handle(
            self.body,
            self.principal,
            headers=read_routing_headers(request),
            narrowed_to=self.narrowed_to,
            profile=read_profile(request, dispatcher.registry.profiles),
            may_stream=accepts_events(request),
        )
        if reply.messages is not None:
            return StreamingHttpResponse(iter_events(reply), content_type="text/event-stream", headers=STREAM_HEADERS)
        return make_answer(reply.body, reply.http_status)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        return make_answer(None, HTTPStatus.NO_CONTENT, PREFLIGHT_HEADERS)

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "Send messages by POST")

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Every failure is answered with a JSON-RPC error. An unforeseen one is logged, and its text is not sent."""
        if isinstance(exc, SuspiciousOperation):
            raise exc
        if isinstance(exc, RateLimited):
            return self.answer_limited(exc)
        if isinstance(exc, Refusal):
            refusal = exc
            logger.info("mcp_refusal", status=refusal.status.value, http_method=self.request.method)
        elif outage := find_outage(exc):
            refusal = refuse_for_now(outage)
        else:
            logger.exception("mcp_failure")
            message = "Internal error: it has been logged"
            refusal = Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, message, code=jsonrpc.INTERNAL_ERROR)
        return make_answer(refusal.encode(jsonrpc.peek_id(self.body)), refusal.status, refusal.headers)

    def answer_limited(self, error: RateLimited) -> HttpResponse:
        assert self.caller
        assert self.usage
        answer, status = throttling.refuse(
            error, self.usage, self.caller, self.body, read_routing_headers(self.request)
        )
        logger.info("mcp_limited", status=status.value, key_id=self.caller.api_key_id, used=self.usage.used)
        return make_answer(answer, status)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """CORS headers on every answer, errors included, if the Origin may read it. DRF adds `Allow`."""
        final: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(final, ["Origin"])
        if origin := find_allowed_origin(request):
            final["Access-Control-Allow-Origin"] = origin
            final["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return final


def make_answer(body: bytes | None, status: int, headers: Mapping[str, str] = MappingProxyType({})) -> HttpResponse:
    """The response for a message that is already encoded, so DRF has nothing to render."""
    response = HttpResponse(body or b"", status=status, headers=dict(headers), content_type="application/json")
    if not body:
        del response["Content-Type"]
    return response


def refuse_for_now(error: InternalError) -> Refusal:
    return Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        error.message,
        code=jsonrpc.INTERNAL_ERROR,
        headers={"Retry-After": str(error.details["retry_after"])},
        data=error.details,
    )


def iter_events(reply: Reply) -> Iterator[bytes]:
    """Server-sent events, one for each message. An empty message becomes a comment, which fails if the client is gone."""
    messages = reply.messages
    assert messages is not None
    try:
        for message in messages:
            yield b"event: message\ndata: " + message + b"\n\n" if message else b": working\n\n"
    finally:
        messages.close()


def accepts_events(request: Request) -> bool:
    accepted = request.headers.get("Accept", "*/*").lower()
    return any(kind in accepted for kind in ("text/event-stream", "text/*", "*/*"))


def find_allowed_origin(request: Request) -> str | None:
    """The Origin if it may use this endpoint: it is in the setting, or is the server's own."""
    origin = request.headers.get("Origin")
    if origin is None:
        return None
    own = f"{request.scheme}://{request.get_host()}"
    return origin if origin.lower() in {own.lower(), *map(str.lower, settings.DOCSMCP.mcp_allowed_origins)} else None


def check_origin(request: Request) -> None:
    """Refuses pages of other sites. Programs send no Origin; a browser sends that of the page that asks, whatever the page claims."""
    if "Origin" in request.headers and find_allowed_origin(request) is None:
        raise Refusal(HTTPStatus.FORBIDDEN, "This Origin is not allowed: add it to MCP_ALLOWED_ORIGINS")


def check_content_type(request: Request) -> None:
    if request.content_type.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json")
    if is_packed(request.headers):
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, MUST_BE_PLAIN, headers={"Accept-Encoding": "identity"})


def read_profile(request: Request, profiles: Iterable[str]) -> str:
    """Empty for an endpoint of none. Raises Refusal for a name that no profile has."""
    profile: str = request.query_params.get("profile", "")
    if profile and profile not in profiles:
        there = " or ".join(f"?profile={name}" for name in profiles) or "none"
        raise Refusal(HTTPStatus.BAD_REQUEST, f"There is no such profile: there is {there}, or leave it out")
    return profile


def read_routing_headers(request: Request) -> RoutingHeaders:
    def read(name: str) -> str | None:
        value = request.headers.get(name)
        return None if value is None else value.strip(" \t")

    return RoutingHeaders(read("MCP-Protocol-Version"), read("Mcp-Method"), read("Mcp-Name"))


def read_body(request: Request) -> tuple[bytes, bool]:
    """The body up to the size limit, and whether that is all of it. Nothing is read of a body that is announced as too large. Raises
    Refusal if the client broke off."""
    if is_announced_too_large(request):
        return b"", False
    stream = get_stream(request)
    pieces: list[bytes] = []
    size = 0
    try:
        while size <= MAX_BODY_BYTES and (piece := stream.read(PIECE_BYTES)):
            size += len(piece)
            pieces.append(piece)
    except Exception:  # each WSGI server raises its own exception if a client hangs up or sends broken chunks
        raise Refusal(HTTPStatus.BAD_REQUEST, "The body broke off", code=jsonrpc.PARSE_ERROR) from None
    return b"".join(pieces), size <= MAX_BODY_BYTES


def is_announced_too_large(request: Request) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdecimal() and is_longer(length, MAX_BODY_BYTES)


def get_stream(request: Request) -> Any:
    """The stream to read the body from. Django reads as many bytes as Content-Length says, and nothing of a chunked body.

    A chunked body is read from the server's input, if the server marks its end; otherwise reading it would never return.
    """
    chunked = "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
    return request.META["wsgi.input"] if chunked and request.META.get("wsgi.input_terminated") else request
