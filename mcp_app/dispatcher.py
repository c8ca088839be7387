"""One message in, at most one answer out, whatever carries them: the methods, what errors become, one record a call.

It knows no HTTP and no session. Two planes of errors: what a model can mend is a tool result with `isError`; what only
the client's author can mend is a JSON-RPC error. Arguments and document text are never logged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import structlog

from collections_app.exceptions import DocsError, InternalError
from collections_app.principal import Principal
from mcp_app import jsonrpc, legacy
from mcp_app.arguments import coerce_arguments, find_closest, shorten
from mcp_app.identity import INSTRUCTIONS
from mcp_app.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    JsonRpcError,
    Message,
    Params,
    Request,
    Response,
)
from mcp_app.protocol import MODERN_REVISIONS, Envelope, Era, RoutingHeaders, admit, dress_result, get_http_status
from mcp_app.registry import Answer, Call, Registry, Tool

Result = dict[str, Any]
Handler = Callable[[Registry, Call, Params], Result]

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: `body` is one encoded message, or None where none is due. The status is for HTTP alone."""

    body: bytes | None
    http_status: int
    outcome: str


NO_ANSWER = Reply(None, 202, "accepted")


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
    ) -> Reply:
        """Answer the message in `body`. Raises nothing: every failure is an answer."""
        record = CallRecord(principal)
        try:
            message = record.message = jsonrpc.decode(body)
            envelope = record.envelope = admit(message, headers)
            if not isinstance(message, Request):
                return NO_ANSWER
            call = Call(principal, envelope.protocol_version, narrowed_to)
            reply = answer_request(self.registry, call, message, envelope.era)
        except JsonRpcError as error:
            reply = refuse_message(error, record)
        except Exception:
            logger.exception("mcp_failure", **record.describe())
            reply = refuse_message(JsonRpcError(INTERNAL_ERROR, "Internal error: it has been logged"), record)
        record.write(reply.outcome)
        return reply


@cache
def get_dispatcher() -> Dispatcher:
    """The one that serves the product's own tools. The only place that imports them. Raises InvalidTool."""
    from mcp_app.tools import TOOLS

    return Dispatcher(Registry(TOOLS))


def answer_request(registry: Registry, call: Call, request: Request, era: Era) -> Reply:
    handler = METHODS[era].get(request.method)
    if handler is None:
        raise JsonRpcError(METHOD_NOT_FOUND, "Method not found", {"method": shorten(request.method)})
    result = handler(registry, call, request.params)
    message = jsonrpc.build_result(request.id, dress_result(era, request.method, result))
    return Reply(jsonrpc.encode(message), get_http_status(era), get_outcome(result))


def discover(registry: Registry, call: Call, params: Params) -> Result:
    return {
        "supportedVersions": list(MODERN_REVISIONS),
        "capabilities": registry.capabilities,
        "instructions": INSTRUCTIONS,
    }


def list_tools(registry: Registry, call: Call, params: Params) -> Result:
    if params.get("cursor") is not None:
        raise JsonRpcError(INVALID_PARAMS, "Unknown cursor: tools/list has a single page, ask for it without a cursor")
    return {"tools": [tool.describe() for tool in registry.visible_tools(call.principal)]}


def call_tool(registry: Registry, call: Call, params: Params) -> Result:
    tool = get_tool(registry, call.principal, params.get("name"))
    arguments = params.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise JsonRpcError(INVALID_PARAMS, "params.arguments must be an object")
    try:
        return run_tool(tool, call, arguments or {})
    except DocsError as error:
        return build_tool_error(error)
    except Exception:
        logger.exception("mcp_tool_failure", tool=tool.name)
        return build_tool_error(InternalError(f"{tool.name} failed inside the server, which has logged why."))


def get_tool(registry: Registry, principal: Principal, name: object) -> Tool:
    """Raises JsonRpcError; a tool outside the principal's scopes is neither found nor suggested."""
    if not isinstance(name, str):
        raise JsonRpcError(INVALID_PARAMS, "params.name must be the name of a tool")
    tool = registry.find_tool(name, principal)
    if tool is None:
        closest = find_closest(name, [tool.name for tool in registry.visible_tools(principal)])
        hint = f" Did you mean {closest}?" if closest else ""
        raise JsonRpcError(INVALID_PARAMS, f"Unknown tool: {shorten(name)}.{hint}")
    return tool


def run_tool(tool: Tool, call: Call, arguments: Mapping[str, Any]) -> Result:
    params = coerce_arguments(tool, arguments)
    answer: Answer = tool.run(call, params)
    if params.format == "markdown":
        return {"content": [build_text(answer.as_markdown())]}
    data = answer.as_json()
    return {"content": [build_text(jsonrpc.dump_json(data))], "structuredContent": data}


def build_tool_error(error: DocsError) -> Result:
    data = {"error": {"code": error.code, "message": error.message, "details": error.details}}
    return {"content": [build_text(error.message)], "structuredContent": data, "isError": True}


def build_text(text: str) -> dict[str, str]:
    text.encode()  # fails here, where it is this tool's failure, not at the end, where it would be the server's
    return {"type": "text", "text": text}


SHARED_METHODS: dict[str, Handler] = {"tools/list": list_tools, "tools/call": call_tool}
METHODS: dict[Era, dict[str, Handler]] = {
    Era.LEGACY: {**legacy.METHODS, **SHARED_METHODS},
    Era.MODERN: {"server/discover": discover, **SHARED_METHODS},
}


class CallRecord:
    """The log record of one call, filled in as the call gets on."""

    def __init__(self, principal: Principal) -> None:
        self.principal = principal
        self.message: Message | None = None
        self.envelope: Envelope | None = None
        self.started = time.perf_counter()

    def describe(self) -> dict[str, Any]:
        """Names are the client's own words: cut short."""
        method = None if self.message is None or isinstance(self.message, Response) else self.message.method
        tool = self.message.params.get("name") if isinstance(self.message, Request) and method == "tools/call" else None
        return {
            "method": method and shorten(method),
            "tool": shorten(tool) if isinstance(tool, str) else None,
            "era": self.envelope and self.envelope.era.value,
            "protocol_version": self.envelope and self.envelope.protocol_version,
            "client": self.envelope and self.envelope.client_name and shorten(self.envelope.client_name),
            "key_id": self.principal.api_key_id,
        }

    def write(self, outcome: str) -> None:
        duration_ms = round((time.perf_counter() - self.started) * 1000, 1)
        logger.info("mcp_call", **self.describe(), duration_ms=duration_ms, outcome=outcome)


def refuse_message(error: JsonRpcError, record: CallRecord) -> Reply:
    if isinstance(record.message, Request):
        error.request_id = record.message.id
    era = record.envelope.era if record.envelope else Era.MODERN
    return Reply(jsonrpc.encode(jsonrpc.build_error(error)), get_http_status(era, error), str(error.code))


def get_outcome(result: Result) -> str:
    """`ok`, or the code of the error that a tool's result tells."""
    return str(result["structuredContent"]["error"]["code"]) if result.get("isError") else "ok"
