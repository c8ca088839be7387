"""Turns a message into its answer, over any transport. It knows no HTTP and no session.

An error that a model can mend is a tool result with `isError` (tool_calls.py); one that only the client's author can mend is a JSON-RPC
error. Before its answer a call may send notifications, if the transport can carry them and the client asked for them. Each call leaves
one record (call_record.py).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import cache
from typing import Any

import structlog
from django.conf import settings
from django.utils.module_loading import import_string

from collections_app.access.principal import Principal
from collections_app.exceptions import CollectionNotFound
from collections_app.postgres.outages import find_outage
from mcp_app.arguments import shorten
from mcp_app.dispatching.call_record import CallRecord
from mcp_app.dispatching.method_table import find_handler
from mcp_app.dispatching.multi_round import MULTI_ROUND_METHODS, ask_client, take_round
from mcp_app.dispatching.reply import Reply
from mcp_app.dispatching.tool_calls import Steps
from mcp_app.entries import Call
from mcp_app.protocol import jsonrpc
from mcp_app.protocol.answers import LOG_LEVELS, InputRequired, Notice, Progress, make_notification
from mcp_app.protocol.jsonrpc import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    JsonRpcError,
    Request,
    Result,
)
from mcp_app.protocol.revisions import (
    EndpointNotFound,
    Envelope,
    Era,
    RoutingHeaders,
    dress_result,
    get_http_status,
    read_envelope,
)
from mcp_app.registry import Registry

# Django's setting with the dotted path of the Registry to serve.
REGISTRY_SETTING = "MCP_REGISTRY"
DEFAULT_REGISTRY = "mcp_app.product.REGISTRY"

NO_ANSWER = Reply(None, 202, "accepted")

logger = structlog.get_logger(__name__)


class Dispatcher:
    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def handle(
        self,
        body: bytes,
        principal: Principal,
        *,
        headers: RoutingHeaders | None = None,
        narrowed_to: tuple[str, str] | None = None,
        profile: str = "",
        may_stream: bool = False,
        negotiated: str = "",
    ) -> Reply:
        """Answer the message in `body`. Raises nothing: every failure is an answer.

        `may_stream`: the transport and the client can take messages before the answer. `negotiated`: the revision that the
        client agreed to in `initialize`, if the transport remembers it.
        """
        steps = self.work(body, Call(principal, negotiated, narrowed_to, profile), headers, may_stream)
        try:
            first = next(steps)
        except StopIteration as end:
            reply: Reply = end.value
            return reply
        return Reply(None, 200, "stream", go_on(first, steps))

    def work(
        self, body: bytes, call: Call, headers: RoutingHeaders | None, may_stream: bool
    ) -> Generator[bytes, None, Reply]:
        """Yields the messages that come before the answer, and returns the reply that holds it."""
        record = CallRecord(self.registry, call.principal)
        try:
            message = record.message = jsonrpc.decode(body)
            envelope = record.envelope = read_envelope(message, headers, call.protocol_version)
            if not isinstance(message, Request):
                return NO_ANSWER
            call = complete_call(call, envelope, message)
            reply = yield from answer_request(self.registry, call, message, envelope.era, may_stream)
        except JsonRpcError as error:
            reply = refuse_message(error, record)
        except GeneratorExit:
            record.write("disconnected")
            raise
        except Exception as error:
            reply = refuse_message(explain_failure(error, record), record)
        record.write(reply.outcome)
        return reply


def go_on(first: bytes, steps: Generator[bytes, None, Reply]) -> Generator[bytes, None, None]:
    try:
        yield first
        reply = yield from steps
        if reply.body is not None:
            yield reply.body
    finally:
        steps.close()


@cache
def get_dispatcher() -> Dispatcher:
    """The dispatcher of this process, for the registry that the setting names. Raises InvalidEntry."""
    return Dispatcher(import_string(getattr(settings, REGISTRY_SETTING, DEFAULT_REGISTRY)))


def complete_call(call: Call, envelope: Envelope, request: Request) -> Call:
    """The call with what the request says about itself: revision, client, how to report to it. Raises JsonRpcError."""
    sent = request.params.get("_meta")
    token = sent.get("progressToken") if isinstance(sent, dict) else None
    known = replace(
        call,
        protocol_version=envelope.protocol_version,
        client_capabilities=envelope.client_capabilities,
        log_level=envelope.log_level,
        progress_token=token if isinstance(token, int | str) and not isinstance(token, bool) else None,
    )
    return (
        known if envelope.era is Era.LEGACY or request.method not in MULTI_ROUND_METHODS else take_round(known, request)
    )


def answer_request(
    registry: Registry, call: Call, request: Request, era: Era, may_stream: bool
) -> Generator[bytes, None, Reply]:
    handler = find_handler(registry, era, request.method)
    if handler is None:
        raise JsonRpcError(METHOD_NOT_FOUND, "Method not found", {"method": shorten(request.method)})
    if call.narrowed_to and request.method != "tools/call":
        call = replace(call, subject=find_subject(registry, call))
    result = handler(registry, call, request.params)
    if isinstance(result, Generator):
        result = yield from send_notices(registry, call, result, may_stream)
    if isinstance(result, InputRequired):
        result = ask_client(call, request, result)
    message = jsonrpc.build_result(request.id, dress_result(era, request.method, result))
    return Reply(jsonrpc.encode(message), get_http_status(era), get_outcome(result))


def find_subject(registry: Registry, call: Call) -> Any:
    """The collection of a narrowed endpoint. Raises EndpointNotFound if it is gone (in tools/call, the tool says so to the model)."""
    try:
        return registry.find_subject(call)
    except CollectionNotFound:
        raise EndpointNotFound from None


def send_notices(
    registry: Registry, call: Call, steps: Steps, may_stream: bool
) -> Generator[bytes, None, Result | InputRequired]:
    """Yields the reports that the client wants, encoded, and returns the call's result."""
    started = False
    try:
        while True:
            notice = next(steps)
            if may_stream and notice is not None and is_wanted(registry, call, notice):
                started = True
                yield jsonrpc.encode(make_notification(notice, call.progress_token))
            elif started:
                yield b""
    except StopIteration as end:
        result: Result | InputRequired = end.value
        return result
    finally:
        steps.close()


def is_wanted(registry: Registry, call: Call, notice: Notice) -> bool:
    """Progress goes to clients that sent a token. Log messages go to those that named a level; before 2026-07-28 to all."""
    if isinstance(notice, Progress):
        return call.progress_token is not None
    if not registry.logging or call.is_legacy:
        return registry.logging
    return call.log_level is not None and LOG_LEVELS.index(notice.level) >= LOG_LEVELS.index(call.log_level)


def explain_failure(error: Exception, record: CallRecord) -> JsonRpcError:
    """The error for an unforeseen failure, which is logged; its text is not sent. For an outage the error says when to come back."""
    if outage := find_outage(error):
        return JsonRpcError(INTERNAL_ERROR, outage.message, outage.details)
    logger.exception("mcp_failure", **record.describe())
    return JsonRpcError(INTERNAL_ERROR, "Internal error: it has been logged")


def refuse_message(error: JsonRpcError, record: CallRecord) -> Reply:
    if isinstance(record.message, Request):
        error.request_id = record.message.id
    era = record.envelope.era if record.envelope else Era.MODERN
    return Reply(jsonrpc.encode(jsonrpc.build_error(error)), get_http_status(era, error), str(error.code))


def get_outcome(result: Result) -> str:
    """`ok`, `input_required`, or the code of the error in a tool's result."""
    if not result.get("isError"):
        return str(result.get("resultType", "ok"))
    return str(result.get("structuredContent", {}).get("error", {}).get("code", "error"))
