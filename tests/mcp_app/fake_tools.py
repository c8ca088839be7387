"""A registry of tools that need no database, and what tests send to them."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from collections_app.access.principal import Principal, Scope
from collections_app.exceptions import DocumentNotFound, UpstreamUnavailable
from mcp_app.dispatching.dispatcher import Dispatcher
from mcp_app.dispatching.reply import Reply
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.protocol.answers import Notice, Progress
from mcp_app.protocol.revisions import CAPABILITIES_KEY, CLIENT_INFO_KEY, NAMED_BY, VERSION_KEY, RoutingHeaders
from mcp_app.registry import Registry

READER = Principal()
WRITER = Principal(scopes=frozenset({Scope.READ, Scope.WRITE}), api_key_id=7)

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
META = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, CLIENT_INFO_KEY: {"name": "test-client", "version": "1"}}


@dataclass(frozen=True)
class SaidAnswer:
    data: dict[str, Any]

    def as_markdown(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.data.items())

    def as_json(self) -> dict[str, Any]:
        return self.data


class EchoParams(ToolParams):
    aliases: ClassVar = {"q": "query", "userQuery": "query", "max_results": "limit"}

    query: Annotated[str, Field(min_length=1, max_length=100, description="Words to look for")]
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    mode: Literal["keyword", "semantic", "hybrid"] | None = None
    sections: Annotated[list[str], Field(max_length=3)] = []  # noqa: RUF012
    include: list[Literal["context", "history"]] | None = None
    filters: dict[str, Any] | None = None
    exact: bool = False
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None


class PathParams(ToolParams):
    path: str


class StepsParams(ToolParams):
    steps: int = 3


class NothingParams(ToolParams):
    pass


def echo(call: Call, params: EchoParams) -> SaidAnswer:
    return SaidAnswer(params.model_dump(exclude={"format"}) | {"narrowed_to": call.narrowed_to})


def find_nothing(call: Call, params: PathParams) -> SaidAnswer:
    raise DocumentNotFound(f"No document at {params.path}. Call list_doc_pages.", path=params.path)


def wait_for_nobody(call: Call, params: NothingParams) -> SaidAnswer:
    raise UpstreamUnavailable("The embedding server does not answer. Try again in 5 s.", retry_after=5)


def break_down(call: Call, params: NothingParams) -> SaidAnswer:
    raise RuntimeError("secret detail at /etc/secret")


def say_unsayable(call: Call, params: NothingParams) -> SaidAnswer:
    return SaidAnswer({"text": "half a pair: \ud800", "number": float("nan")})


def report_progress(call: Call, params: StepsParams) -> Generator[Notice, None, SaidAnswer]:
    for step in range(params.steps):
        yield Progress(step, params.steps)
    return SaidAnswer({"steps": params.steps})


def take_note(call: Call, params: NothingParams) -> SaidAnswer:
    return SaidAnswer({"written": True})


TOOLS = (
    Tool("echo_query", "Echo", "Says what it was given.", EchoParams, echo),
    Tool("find_nothing", "Find nothing", "Fails as a caller can mend.", PathParams, find_nothing),
    Tool("wait_for_nobody", "Wait", "Fails for a while.", NothingParams, wait_for_nobody),
    Tool("break_down", "Break down", "Fails as nobody foresaw.", NothingParams, break_down),
    Tool("say_unsayable", "Say", "Answers what JSON cannot say.", NothingParams, say_unsayable),
    Tool("report_progress", "Report", "Says how far it is.", StepsParams, report_progress),
    Tool("take_note", "Write", "Needs the write scope.", NothingParams, take_note, Scope.WRITE, read_only=False),
)
ECHO = TOOLS[0]
DISPATCHER = Dispatcher(Registry(TOOLS))


def make_message(
    method: str, params: dict[str, Any] | None = None, *, modern: bool = False, **extra: Any
) -> dict[str, Any]:
    """A request with id 1 unless `extra` says otherwise."""
    sent = dict(params or {})
    if modern:
        sent["_meta"] = META
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": sent} | extra


def make_headers(message: dict[str, Any]) -> RoutingHeaders:
    """The headers that a well-behaved modern client sends along with a message."""
    method = message["method"]
    return RoutingHeaders(MODERN, method, message["params"].get(NAMED_BY.get(method, "")))


def ask(message: Any, principal: Principal = READER, **options: Any) -> tuple[Reply, Any]:
    """The dispatcher's reply and the message in it."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    reply = DISPATCHER.handle(body, principal, **options)
    return reply, json.loads(reply.body) if reply.body else None


def ask_modern(method: str, params: dict[str, Any] | None = None, principal: Principal = READER) -> tuple[Reply, Any]:
    message = make_message(method, params, modern=True)
    return ask(message, principal, headers=make_headers(message))


def call_tool(name: str, arguments: dict[str, Any] | None = None, principal: Principal = READER) -> dict[str, Any]:
    """The result of a legacy tools/call."""
    _, answer = ask(make_message("tools/call", {"name": name, "arguments": arguments}), principal)
    result: dict[str, Any] = answer["result"]
    return result
