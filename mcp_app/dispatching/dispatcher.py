"""One message in, at most one answer out, whatever carries them: the methods, what errors become, one record and one count a call.

It knows no HTTP and no session. Two planes of errors: what a model can mend is a tool result with `isError` (tool_calls.py); what
only the client's author can mend is a JSON-RPC error. Before its answer a call may send notifications, where the transport
can carry them and the client asked for them. Arguments and document text are never logged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cache
from typing import Any

import structlog
from django.conf import settings
from django.utils.module_loading import import_string

from collections_app.access.principal import Principal
from collections_app.activity.usage import count_call
from collections_app.exceptions import CollectionNotFound
from collections_app.postgres.outages import find_outage
from mcp_app.arguments import shorten
from mcp_app.dispatching import methods
from mcp_app.dispatching.multi_round import MULTI_ROUND_METHODS, ask_client, take_round
from mcp_app.dispatching.reply import Reply
from mcp_app.dispatching.tool_calls import Steps, call_tool
from mcp_app.protocol import jsonrpc, legacy
from mcp_app.protocol.answers import LOG_LEVELS, InputRequired, Notice, Progress, make_notification
from mcp_app.protocol.jsonrpc import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    JsonRpcError,
    Message,
    Params,
    Request,
    Response,
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
from mcp_app.registry import Call, Registry

Handler = Callable[[Registry, Call, Params], Result | InputRequired | Steps]

# The registry that is served: the dotted path of a Registry, in Django's settings.
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
        client has agreed to with `initialize`, where the transport remembers it.
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
        """The messages before the answer, then the reply with it."""
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
    """The one that serves, over what the setting names. Raises InvalidEntry."""
    return Dispatcher(import_string(getattr(settings, REGISTRY_SETTING, DEFAULT_REGISTRY)))


def complete_call(call: Call, envelope: Envelope, request: Request) -> Call:
    """What the request says about itself, beside what it asks. Raises JsonRpcError."""
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
    handler = METHODS[era].get(request.method)
    if handler is None or not is_served(registry, request.method):
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


def is_served(registry: Registry, method: str) -> bool:
    """Methods exist with their capability only."""
    if method in {"resources/subscribe", "resources/unsubscribe"}:
        return registry.subscribe
    if method == "logging/setLevel":
        return registry.logging
    needed = {"resources": "resources", "prompts": "prompts", "completion": "completions"}.get(method.partition("/")[0])
    return needed is None or needed in registry.capabilities


def find_subject(registry: Registry, call: Call) -> Any:
    """The collection of a narrowed endpoint. A tool says by itself, and to the model, that it is gone."""
    try:
        return registry.find_subject(call)
    except CollectionNotFound:
        raise EndpointNotFound from None


def send_notices(
    registry: Registry, call: Call, steps: Steps, may_stream: bool
) -> Generator[bytes, None, Result | InputRequired]:
    """What the call reports, encoded, as far as the client wants it; then its result."""
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
    """Progress: by who sent a token. Log messages: since 2026-07-28 by who named a level, before by every client."""
    if isinstance(notice, Progress):
        return call.progress_token is not None
    if not registry.logging or call.is_legacy:
        return registry.logging
    return call.log_level is not None and LOG_LEVELS.index(notice.level) >= LOG_LEVELS.index(call.log_level)


SHARED_METHODS: dict[str, Handler] = {
    "tools/list": methods.list_tools,
    "tools/call": call_tool,
    "resources/list": methods.list_resources,
    "resources/templates/list": methods.list_templates,
    "resources/read": methods.read_resource,
    "prompts/list": methods.list_prompts,
    "prompts/get": methods.get_prompt,
    "completion/complete": methods.complete,
}
METHODS: dict[Era, dict[str, Handler]] = {
    Era.LEGACY: {**legacy.METHODS, **SHARED_METHODS},
    Era.MODERN: {"server/discover": methods.discover, **SHARED_METHODS},
}


# By what a call is counted that is none of ours: names that clients make up are without end.
OTHER = "other"
# Outcomes that are no failure. Who hangs up has what it wanted, or wants it no more.
FINE = {"ok", "input_required", "disconnected"}


class CallRecord:
    """The log record and the count of one call, filled in as the call gets on."""

    def __init__(self, registry: Registry, principal: Principal) -> None:
        self.registry = registry
        self.principal = principal
        self.message: Message | None = None
        self.envelope: Envelope | None = None
        self.started = time.perf_counter()

    def describe(self) -> dict[str, Any]:
        """Names are the client's own words: cut short."""
        method = None if self.message is None or isinstance(self.message, Response) else self.message.method
        tool = self.find_tool()
        return {
            "method": method and shorten(method),
            "tool": tool and shorten(tool),
            "era": self.envelope and self.envelope.era.value,
            "protocol_version": self.envelope and self.envelope.protocol_version,
            "client": self.envelope and self.envelope.client_name and shorten(self.envelope.client_name),
            "key_id": self.principal.api_key_id,
        }

    def write(self, outcome: str) -> None:
        duration_ms = round((time.perf_counter() - self.started) * 1000, 1)
        logger.info("mcp_call", **self.describe(), duration_ms=duration_ms, outcome=outcome)
        count_call(self.principal, self.name_call(), duration_ms, is_error=outcome not in FINE)

    def name_call(self) -> str:
        """The tool or the method, by a name of ours."""
        request = self.message
        if not isinstance(request, Request) or not any(request.method in served for served in METHODS.values()):
            return OTHER
        tool = self.find_tool()
        return (tool and self.registry.find_tool_name(tool)) or request.method

    def find_tool(self) -> str | None:
        """By the name that the client gives; None where it calls no tool."""
        request = self.message
        name = request.params.get("name") if isinstance(request, Request) and request.method == "tools/call" else None
        return name if isinstance(name, str) else None


def explain_failure(error: Exception, record: CallRecord) -> JsonRpcError:
    """What nobody foresaw is logged, and told without its text."""
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
    """`ok`, `input_required`, or the code of the error that a tool's result tells."""
    if not result.get("isError"):
        return str(result.get("resultType", "ok"))
    return str(result.get("structuredContent", {}).get("error", {}).get("code", "error"))
