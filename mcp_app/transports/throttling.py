"""The rate limit in MCP's terms: which messages count, and how a client is told that it sent too many.

A model sees the results of its tools but nothing of HTTP, so a tool's result tells it to wait. A caller that continues regardless, or is
not known, gets HTTP status 429. The limits and counters themselves are in collections_app (limits/requests.py).
"""

from __future__ import annotations

from http import HTTPStatus

from collections_app.access.principal import Principal
from collections_app.exceptions import RateLimited
from collections_app.limits.requests import Usage
from mcp_app.dispatching.tool_calls import build_tool_error
from mcp_app.protocol import jsonrpc
from mcp_app.protocol.revisions import RoutingHeaders, detect_era, dress_result

TOO_MANY_REQUESTS = -31429
# A caller that has sent this many times the limit has been told to wait, and did not.
FLOOD = 3
# No notification of the protocol comes near this length; reading a long message costs as much as answering many.
MAX_FREE_BYTES = 16 * 1024


def is_counted(body: bytes) -> bool:
    """Whether a message counts: it does if it expects an answer, cannot be read, or is long."""
    if len(body) > MAX_FREE_BYTES:
        return True
    try:
        return isinstance(jsonrpc.decode(body), jsonrpc.Request)
    except jsonrpc.DecodeError:
        return True


def refuse(
    error: RateLimited, usage: Usage, caller: Principal, body: bytes, headers: RoutingHeaders
) -> tuple[bytes, HTTPStatus]:
    """The answer to a message over the limit."""
    may_be_told = not caller.is_anonymous and usage.used <= FLOOD * usage.limit
    if may_be_told and (call := find_tool_call(body)):
        era = detect_era(call, headers.protocol_version)
        result = dress_result(era, call.method, build_tool_error(error))
        return jsonrpc.encode(jsonrpc.build_result(call.id, result)), HTTPStatus.OK
    request_id = jsonrpc.peek_id(body)
    refusal = jsonrpc.JsonRpcError(TOO_MANY_REQUESTS, error.message, error.details, request_id=request_id)
    return jsonrpc.encode(jsonrpc.build_error(refusal)), HTTPStatus.TOO_MANY_REQUESTS


def find_tool_call(body: bytes) -> jsonrpc.Request | None:
    try:
        message = jsonrpc.decode(body)
    except jsonrpc.DecodeError:
        return None
    return message if isinstance(message, jsonrpc.Request) and message.method == "tools/call" else None
