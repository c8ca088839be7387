"""The revisions of the Model Context Protocol: which era a message belongs to, what its envelope must contain, and what each
era adds to results. PURE: no HTTP request, no Django.

Two eras share one endpoint. Revisions up to 2025-11-25 open with `initialize` (legacy.py); since 2026-07-28 each
request is complete in itself and passes `read_envelope`: `_meta`, then headers against body, then version. The dispatcher decides
whether the method is known.
https://modelcontextprotocol.io/specification/2026-07-28/basic
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from mcp_app.protocol import legacy
from mcp_app.protocol.answers import LOG_LEVELS
from mcp_app.protocol.identity import SERVER_INFO
from mcp_app.protocol.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    DecodeError,
    JsonRpcError,
    Message,
    Notification,
    Params,
    Request,
    Response,
)

MODERN_REVISIONS = ("2026-07-28",)

HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_PROTOCOL_VERSION = -32022

META_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = META_PREFIX + "protocolVersion"
CAPABILITIES_KEY = META_PREFIX + "clientCapabilities"
LOG_LEVEL_KEY = META_PREFIX + "logLevel"
CLIENT_INFO_KEY = META_PREFIX + "clientInfo"
SERVER_INFO_KEY = META_PREFIX + "serverInfo"

# Methods whose subject is repeated in the Mcp-Name header, and the parameter that the header must equal.
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

# How long a client may keep an answer, for the methods that must say so. Always private: answers depend on the key.
TTL_MS = {
    "server/discover": 3_600_000,
    "tools/list": 300_000,
    "prompts/list": 300_000,
    "resources/templates/list": 300_000,
    "resources/list": 60_000,
    "resources/read": 60_000,
}

ENDPOINT_NOT_FOUND = -31404

_BASE64_VALUE = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL)


class Era(StrEnum):
    LEGACY = "legacy"
    MODERN = "modern"


@dataclass(frozen=True, slots=True)
class RoutingHeaders:
    """The HTTP headers that repeat a part of the body; None = not sent. Other transports have no headers."""

    protocol_version: str | None = None
    method: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a message says about itself. `client_name` is the client's own claim, for display only."""

    era: Era
    protocol_version: str
    client_name: str | None = None
    client_capabilities: Mapping[str, Any] = field(default_factory=dict)
    log_level: str | None = None


class EndpointNotFound(JsonRpcError):
    """The collection in the address does not exist or is not for this caller; the two look the same."""

    def __init__(self) -> None:
        super().__init__(ENDPOINT_NOT_FOUND, "There is no such collection here: check the address and the API key")


class EnvelopeError(JsonRpcError):
    """The envelope of a message is wrong; what the message asks was not looked at."""


def read_envelope(message: Message, headers: RoutingHeaders | None, negotiated: str = "") -> Envelope:
    """What a message says about itself, checked before any method runs.

    `headers` is None for a transport without headers; `negotiated` is the revision that such a transport remembers instead.
    Raises EnvelopeError without the request's id: the caller knows it.
    """
    header_version = headers.protocol_version if headers else None
    if detect_era(message, header_version) is Era.LEGACY:
        version = legacy.get_version(message, header_version or negotiated)
        return Envelope(Era.LEGACY, version, _read_client_name(message))
    if isinstance(message, Response):
        raise EnvelopeError(INVALID_REQUEST, "This server sends no requests, so it takes no responses")
    if isinstance(message, Notification):
        return Envelope(Era.MODERN, _check_version(header_version or MODERN_REVISIONS[-1]))
    version = _check_meta(message, header_version)
    if headers:
        _check_headers(message, headers, version)
    meta = _get_meta(message)
    return Envelope(
        Era.MODERN,
        _check_version(version),
        _read_client_name(message),
        meta[CAPABILITIES_KEY],
        _read_log_level(meta),
    )


def detect_era(message: Message, header_version: str | None) -> Era:
    """A message is modern if the header or `_meta` names a revision of that era.

    `initialize` without such a `_meta` asks for a handshake whatever the header says: it is answered with a version
    that both sides know, never with an error.
    """
    if VERSION_KEY in _get_meta(message):
        return Era.MODERN
    if legacy.is_handshake(message) or header_version is None or header_version in legacy.REVISIONS:
        return Era.LEGACY
    return Era.MODERN


def get_http_status(era: Era, error: JsonRpcError | None = None) -> int:
    """The HTTP status of an answer.

    A 4xx whose code is not one of the envelope's own tells a client of both eras that it speaks to an old server, and
    legacy clients drop the body of any 4xx. So what a method itself refuses is sent with status 200.
    """
    if isinstance(error, DecodeError | EnvelopeError):
        return 400
    if isinstance(error, EndpointNotFound):
        return 404
    if era is Era.MODERN and error is not None and error.code == METHOD_NOT_FOUND:
        return 404
    return 200


def dress_result(era: Era, method: str, result: dict[str, Any]) -> dict[str, Any]:
    """Adds what the era wants in each result: nothing before 2026-07-28."""
    if era is Era.LEGACY:
        return result
    dressed: dict[str, Any] = {"resultType": "complete"} | result
    if method in TTL_MS and dressed["resultType"] == "complete":
        dressed |= {"ttlMs": TTL_MS[method], "cacheScope": "private"}
    return dressed | {"_meta": result.get("_meta", {}) | {SERVER_INFO_KEY: SERVER_INFO}}


def require_client_capability(declared: Mapping[str, Any], name: str) -> None:
    """Raises EnvelopeError: the declared capabilities are part of the envelope, though only some methods look at them."""
    if name not in declared:
        data: dict[str, Any] = {"requiredCapabilities": {name: {}}}
        raise EnvelopeError(MISSING_CLIENT_CAPABILITY, f"Client capability required: {name}", data)


def decode_header_value(value: str) -> str | None:
    """The decoded header value: plain, or `=?base64?…?=` in its one canonical spelling; None if it is neither."""
    match = _BASE64_VALUE.fullmatch(value)
    if match is None:
        return value
    try:
        decoded = base64.b64decode(match[1], validate=True)
        return decoded.decode() if base64.b64encode(decoded).decode() == match[1] else None
    except ValueError:
        return None


def _check_meta(request: Request, header_version: str | None) -> str:
    """The version that `_meta` names."""
    meta = _get_meta(request)
    if VERSION_KEY not in meta and header_version is not None:
        _check_version(header_version)
    version = meta.get(VERSION_KEY)
    if not isinstance(version, str) or not isinstance(meta.get(CAPABILITIES_KEY), dict):
        message = f"params._meta must hold {VERSION_KEY} (a string) and {CAPABILITIES_KEY} (an object)"
        raise EnvelopeError(INVALID_PARAMS, message)
    return version


def _check_headers(request: Request, headers: RoutingHeaders, version: str) -> None:
    if headers.protocol_version != version:
        _refuse_header("MCP-Protocol-Version", f"{VERSION_KEY} of params._meta")
    if headers.method != request.method:
        _refuse_header("Mcp-Method", "method")
    named_by = NAMED_BY.get(request.method, "")
    name = request.params.get(named_by)
    if isinstance(name, str) and decode_header_value(headers.name or "") != name:
        _refuse_header("Mcp-Name", f"params.{named_by}")


def _refuse_header(header: str, field: str) -> NoReturn:
    raise EnvelopeError(HEADER_MISMATCH, f"Header mismatch: {header} must be sent and equal the body's {field}")


def _check_version(version: str) -> str:
    if version not in MODERN_REVISIONS:
        data = {"supported": list(MODERN_REVISIONS), "requested": version}
        raise EnvelopeError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)
    return version


def _get_meta(message: Message) -> Params:
    meta = None if isinstance(message, Response) else message.params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _read_log_level(meta: Params) -> str | None:
    """The level. Called after the version check, because the levels are those of the modern revision."""
    if LOG_LEVEL_KEY in meta and meta[LOG_LEVEL_KEY] not in LOG_LEVELS:
        message = f"{LOG_LEVEL_KEY} of params._meta must be one of {', '.join(LOG_LEVELS)}"
        raise EnvelopeError(INVALID_PARAMS, message)
    return meta.get(LOG_LEVEL_KEY)


def _read_client_name(message: Message) -> str | None:
    """The client's name from `_meta`, or from the parameters of `initialize`."""
    if isinstance(message, Response):
        return None
    info = _get_meta(message).get(CLIENT_INFO_KEY) or message.params.get("clientInfo")
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else None
