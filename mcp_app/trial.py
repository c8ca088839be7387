"""Runs a tool for a person who wants to see what an agent would get, through the tool's own code. It leaves no trace in histories."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import structlog

from collections_app.access.principal import Principal
from collections_app.exceptions import DocsError, InternalError
from collections_app.text.tokens import estimate_tokens
from mcp_app.arguments import coerce_arguments
from mcp_app.entries import Answer, Call, Tool
from mcp_app.next_calls import tell_error
from mcp_app.product import REGISTRY
from mcp_app.protocol.answers import Content, InputRequired
from mcp_app.protocol.revisions import MODERN_REVISIONS

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """`text` is the text block of the result, `data` its JSON form (empty for an error)."""

    text: str
    data: Mapping[str, Any]
    is_error: bool
    milliseconds: float

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)

    @property
    def is_cached(self) -> bool:
        return bool(self.data.get("cached"))


def try_tool(name: str, principal: Principal, arguments: Mapping[str, Any]) -> Trial | None:
    """What the tool answers this principal; None if the principal has no such tool."""
    principal = replace(principal, is_trial=True)
    tool = REGISTRY.find_tool(name, principal)
    if tool is None:
        return None
    began = perf_counter()
    try:
        answer = run_tool(tool, Call(principal, MODERN_REVISIONS[-1]), arguments)
        text, data, is_error = answer.as_markdown(), answer.as_json(), False
    except DocsError as error:
        text, data, is_error = tell_error(error, REGISTRY.visible_tools(principal)), {}, True
    except Exception:
        logger.exception("trial_failure", tool=name)
        failure = InternalError(f"{name} failed inside the server, which has logged why.")
        text, data, is_error = failure.message, {}, True
    return Trial(text, data, is_error, (perf_counter() - began) * 1000)


def run_tool(tool: Tool, call: Call, arguments: Mapping[str, Any]) -> Answer:
    """The tool's answer; its reports of progress are dropped."""
    answer = tool.run(call, coerce_arguments(tool, arguments))
    if isinstance(answer, Generator):
        answer = drain(answer)
    if isinstance(answer, Content | InputRequired):
        raise InternalError(f"{tool.name} has no text to show here.")
    return answer


def drain(steps: Generator[Any, None, Any]) -> Any:
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return end.value
