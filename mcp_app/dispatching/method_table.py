"""The methods of both eras, and which of them a registry serves."""

from __future__ import annotations

from collections.abc import Callable

from mcp_app.dispatching import methods
from mcp_app.dispatching.tool_calls import Steps, call_tool
from mcp_app.entries import Call
from mcp_app.protocol import legacy
from mcp_app.protocol.answers import InputRequired
from mcp_app.protocol.jsonrpc import Params, Result
from mcp_app.protocol.revisions import Era
from mcp_app.registry import Registry

Handler = Callable[[Registry, Call, Params], Result | InputRequired | Steps]

_SHARED: dict[str, Handler] = {
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
    Era.LEGACY: {**legacy.METHODS, **_SHARED},
    Era.MODERN: {"server/discover": methods.discover, **_SHARED},
}


def find_handler(registry: Registry, era: Era, method: str) -> Handler | None:
    """None for a method that the era does not have, or whose capability the registry does not declare."""
    return METHODS[era].get(method) if _is_served(registry, method) else None


def is_known(method: str) -> bool:
    """Whether it is a method of either era."""
    return any(method in known for known in METHODS.values())


def _is_served(registry: Registry, method: str) -> bool:
    if method in {"resources/subscribe", "resources/unsubscribe"}:
        return registry.subscribe
    if method == "logging/setLevel":
        return registry.logging
    needed = {"resources": "resources", "prompts": "prompts", "completion": "completions"}.get(method.partition("/")[0])
    return needed is None or needed in registry.capabilities
