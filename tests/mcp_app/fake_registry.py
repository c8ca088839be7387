"""A registry with something of every kind, and callers of both eras. Needs no database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from collections_app.access.principal import Principal
from collections_app.exceptions import DocumentNotFound
from mcp_app.dispatching.dispatcher import Dispatcher
from mcp_app.dispatching.reply import Reply
from mcp_app.entries import Call, Prompt, PromptArgument, Resource, ResourceTemplate, Tool
from mcp_app.protocol.answers import (
    Content,
    InputRequired,
    LogMessage,
    Notice,
    Progress,
    make_audio,
    make_embedded_resource,
    make_image,
    make_resource_link,
    make_text,
)
from mcp_app.protocol.revisions import CAPABILITIES_KEY, LOG_LEVEL_KEY
from mcp_app.registry import Registry
from tests.mcp_app.fake_tools import (
    META,
    READER,
    EchoParams,
    NothingParams,
    SaidAnswer,
    make_headers,
    make_message,
)

Steps = Iterator[Notice | None]
ASK_NAME = {"name": {"method": "elicitation/create", "params": {"mode": "form", "message": "Who?"}}}
closed: list[str] = []


def count(call: Call, params: NothingParams) -> Any:
    try:
        yield Progress(0, 2)
        yield LogMessage("info", "half way", "counter")
        yield LogMessage("debug", "details")
        yield None
        yield Progress(2, 2, "done")
        return SaidAnswer({"counted": 2})
    finally:
        closed.append("count")


def fail_late(call: Call, params: NothingParams) -> Any:
    yield Progress(1)
    raise DocumentNotFound("It went away.")


def break_late(call: Call, params: NothingParams) -> Any:
    yield Progress(1)
    raise RuntimeError("secret detail")


def never_end(call: Call, params: NothingParams) -> Any:
    try:
        while True:
            yield Progress(1)
    finally:
        closed.append("never_end")


def show(call: Call, params: NothingParams) -> Content:
    blocks = [
        make_text("all kinds"),
        make_image(b"\x89PNG", "image/png"),
        make_audio(b"RIFF", "audio/wav"),
        make_embedded_resource("test://a", "text/plain", "inside"),
        make_resource_link("test://b", "b", title="The other"),
    ]
    return Content(blocks, {"kinds": 5})


def greet(call: Call, arguments: Mapping[str, Any]) -> Content | InputRequired:
    if not call.input_responses or "name" not in call.input_responses:
        return InputRequired(ASK_NAME, {"asked": 1})
    return Content([make_text(f"{call.input_responses['name']} {json.dumps(call.request_state)}")])


def need_sampling(call: Call, params: NothingParams) -> SaidAnswer:
    call.require_client_capability("sampling")
    return SaidAnswer({"sampled": True})


def iter_numbered(call: Call) -> Iterator[Resource]:
    """120 of them, for who has a key."""
    for number in range(120 if call.principal.api_key_id else 0):
        yield Resource(f"numbered:{number:03}", f"number {number}", lambda call: "a number")


def read_item(call: Call, values: Mapping[str, str]) -> str | InputRequired | None:
    if values["path"] == "ask" and not call.input_responses:
        return InputRequired(ASK_NAME)
    return None if values["path"] == "missing" else json.dumps(dict(values))


def complete_path(call: Call, value: str, others: Mapping[str, str]) -> list[str]:
    return [path for number in range(150) if (path := f"{others.get('shelf', '')}item-{number}").startswith(value)]


def compare(call: Call, arguments: Mapping[str, str]) -> str:
    if arguments["first"] == "missing":
        raise DocumentNotFound("There is no document 'missing'.")
    return f"Compare {arguments}"


SHELF = "test://{shelf}/{+path}"
REGISTRY = Registry(
    [
        Tool("count", "Count", "Counts to two.", NothingParams, count),
        Tool("fail_late", "Fail", "Fails after a while.", NothingParams, fail_late),
        Tool("break_late", "Break", "Breaks after a while.", NothingParams, break_late),
        Tool("never_end", "Never end", "Goes on.", NothingParams, never_end, deadline_seconds=0),
        Tool("show", "Show", "Shows all kinds of content.", NothingParams, show),
        Tool("greet", "Greet", "Asks back.", NothingParams, greet, schema={"type": "object", "$defs": {}}),
        Tool("need_sampling", "Sample", "Needs sampling.", NothingParams, need_sampling),
        Tool("echo_query", "Echo", "Says what it was given.", EchoParams, lambda call, params: SaidAnswer({})),
    ],
    resources=[
        Resource("test://text", "text", lambda call: "# Text", "A text", "What it is about", size=6),
        Resource("test://bytes", "bytes", lambda call: b"\x00\xff", mime_type="image/png"),
        Resource("test://gone", "gone", lambda call: None),
        iter_numbered,
    ],
    templates=[ResourceTemplate(SHELF, "item", read_item, "An item", completers={"path": complete_path})],
    prompts=[
        Prompt("plain", "Says hello.", lambda call, arguments: "Hello"),
        Prompt(
            "compare",
            "Compares two things.",
            compare,
            arguments=(
                PromptArgument("first", "One", completer=complete_path),
                PromptArgument("second", "The other", required=False),
            ),
        ),
        Prompt("ask_first", "Asks back.", lambda call, arguments: InputRequired(ASK_NAME)),
    ],
    logging=True,
    subscribe=True,
)
DISPATCHER = Dispatcher(REGISTRY)


def send(message: dict[str, Any], principal: Principal = READER, **options: Any) -> Reply:
    headers = make_headers(message) if "io.modelcontextprotocol/protocolVersion" in str(message) else None
    return DISPATCHER.handle(json.dumps(message).encode(), principal, headers=headers, **options)


def ask(method: str, params: dict[str, Any] | None = None, principal: Principal = READER, **options: Any) -> Any:
    """The legacy answer, without events."""
    return read(send(make_message(method, params), principal, **options))[-1]


def ask_modern(
    method: str,
    params: dict[str, Any] | None = None,
    principal: Principal = READER,
    capabilities: dict[str, Any] | None = None,
    **meta: Any,
) -> Any:
    """The modern answer, without events."""
    return read(send(make_modern(method, params, capabilities, **meta), principal))[-1]


def make_modern(
    method: str, params: dict[str, Any] | None = None, capabilities: dict[str, Any] | None = None, **meta: Any
) -> dict[str, Any]:
    message = make_message(method, params, modern=True)
    message["params"]["_meta"] = META | {CAPABILITIES_KEY: capabilities or {}} | meta
    return message


def make_log_level(level: Any) -> dict[str, Any]:
    return {LOG_LEVEL_KEY: level}


def read(reply: Reply) -> list[Any]:
    """The messages of a reply; None for one that only says that the call goes on."""
    return [json.loads(message) if message else None for message in reply.iter_messages()]
