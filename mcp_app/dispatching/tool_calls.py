"""tools/call: finds the tool that is meant, runs it until its answer or its deadline, and builds the result, also for a failure."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import structlog

from collections_app.exceptions import DocsError, InternalError, UpstreamUnavailable
from collections_app.postgres.outages import find_outage
from mcp_app.arguments import coerce_arguments, find_closest, shorten
from mcp_app.entries import Call, Tool, ToolAnswer
from mcp_app.next_calls import tell_error
from mcp_app.protocol.answers import Content, InputRequired, Notice, fit_blocks, make_text
from mcp_app.protocol.jsonrpc import INVALID_PARAMS, JsonRpcError, Params, Result, dump_json
from mcp_app.registry import Registry

Steps = Generator[Notice | None, None, Result | InputRequired]
"""A running call: it yields what it reports (None: still working), and returns its result."""

logger = structlog.get_logger(__name__)


def call_tool(registry: Registry, call: Call, params: Params) -> Steps:
    """`tools/call`. Raises JsonRpcError if there is no such tool; any failure of a tool is a result, which the model gets to see."""
    arguments = params.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise JsonRpcError(INVALID_PARAMS, "params.arguments must be an object")
    try:
        tool, given = find_called(registry, call, params.get("name"), arguments or {})
    except DocsError as error:
        return explain(registry, call, error)
    try:
        return (yield from run_tool(tool, call, given))
    except JsonRpcError:
        raise
    except DocsError as error:
        return explain(registry, call, error)
    except Exception as error:
        if outage := find_outage(error):
            return build_tool_error(outage)
        logger.exception("mcp_tool_failure", tool=tool.name)
        return build_tool_error(InternalError(f"{tool.name} failed inside the server, which has logged why."))


def find_called(
    registry: Registry, call: Call, name: object, arguments: Mapping[str, Any]
) -> tuple[Tool, Mapping[str, Any]]:
    """The tool that a call means, by its own name or an older one, and its arguments. Raises JsonRpcError and DocsError."""
    older = registry.older_names
    if older and isinstance(name, str) and registry.find_tool(name, call.principal, call.profile) is None:
        meant = registry.find_tool(older.find_tool_name(name) or "", call.principal)
        translated = older.translate_arguments(call, name, arguments) if meant else None
        if meant and translated is not None:
            return older.find_stand_in(name) or meant, translated
    return get_tool(registry, call, name), arguments


def get_tool(registry: Registry, call: Call, name: object) -> Tool:
    """Raises JsonRpcError. A tool outside the principal's scopes is neither found nor suggested."""
    if not isinstance(name, str):
        raise JsonRpcError(INVALID_PARAMS, "params.name must be the name of a tool")
    tool = registry.find_tool(name, call.principal, call.profile)
    if tool is None:
        closest = find_closest(name, [tool.name for tool in registry.visible_tools(call.principal, call.profile)])
        hint = f" Did you mean {closest}?" if closest else ""
        raise JsonRpcError(INVALID_PARAMS, f"Unknown tool: {shorten(name)}.{hint}")
    return tool


def run_tool(tool: Tool, call: Call, arguments: Mapping[str, Any]) -> Steps:
    params = None if tool.schema is not None else coerce_arguments(tool, arguments)
    answer = tool.run(call, arguments if params is None else params)
    if isinstance(answer, Generator):
        answer = yield from watch(tool, answer)
    if isinstance(answer, InputRequired):
        return answer
    if isinstance(answer, Content):
        return build_content(answer, call)
    if params is None or params.format == "markdown":
        return {"content": [make_text(answer.as_markdown())]}
    data = answer.as_json()
    return {"content": [make_text(dump_json(data))], "structuredContent": data}


def watch(tool: Tool, steps: Generator[Notice | None, None, ToolAnswer]) -> Generator[Notice | None, None, ToolAnswer]:
    """Passes on what the tool reports, and returns its answer.

    A tool past its deadline is stopped and counts as failed, so that it does not keep its thread for good.
    """
    last = time.monotonic() + tool.deadline_seconds
    try:
        while True:
            notice = next(steps)
            if time.monotonic() > last:
                raise UpstreamUnavailable(
                    f"{tool.name} did not finish within {tool.deadline_seconds:g} s. Try again later."
                )
            yield notice
    except StopIteration as end:
        answer: ToolAnswer = end.value
        return answer
    finally:
        steps.close()


def build_content(content: Content, call: Call) -> Result:
    result: Result = {"content": fit_blocks(content.blocks, call.protocol_version)}
    if content.structured is not None:
        result["structuredContent"] = content.structured
    return result | ({"isError": True} if content.is_error else {})


def explain(registry: Registry, call: Call, error: DocsError) -> Result:
    """The result for an error, with the call to make next, among the tools that are listed to the caller."""
    return build_tool_error(error, registry.visible_tools(call.principal, call.profile))


def build_tool_error(error: DocsError, tools: Sequence[Tool] = ()) -> Result:
    message = tell_error(error, tools)
    data = {"error": {"code": error.code, "message": message, "details": error.details}}
    return {"content": [make_text(message)], "structuredContent": data, "isError": True}
