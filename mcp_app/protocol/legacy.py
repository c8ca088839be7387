"""What only the revisions up to 2025-11-25 need: their names, `initialize`, `ping`. Opens no session. PURE.

To drop those revisions, delete this file and the lines that name it. `logging/setLevel`, `resources/subscribe` and
`resources/unsubscribe` are acknowledged if the registry declares them (the product's does not), but change nothing: the server
remembers nothing from one request to the next.
https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_app.protocol.answers import LOG_LEVELS
from mcp_app.protocol.identity import SERVER_INFO, get_instructions
from mcp_app.protocol.jsonrpc import INVALID_PARAMS, JsonRpcError, Message, Params, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_app.dispatching.method_table import Handler
    from mcp_app.entries import Call
    from mcp_app.registry import Registry

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
# The revision of a request without the version header (revision 2025-06-18, "Protocol Version Header").
ASSUMED_REVISION = "2025-03-26"
# The code for a missing resource; since 2026-07-28 it is INVALID_PARAMS.
RESOURCE_NOT_FOUND = -32002


def is_handshake(message: Message) -> bool:
    return isinstance(message, Request) and message.method == "initialize"


def get_version(message: Message, header: str | None) -> str:
    """The revision of a message; for a handshake, the one that its answer will name.

    For a version that we do not know, our newest is offered instead: an error would end the connection for good.
    """
    if isinstance(message, Request) and message.method == "initialize":
        requested = message.params.get("protocolVersion")
        return requested if requested in REVISIONS else REVISIONS[-1]
    return header or ASSUMED_REVISION


def initialize(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    return {
        "protocolVersion": call.protocol_version,
        "capabilities": get_capabilities(registry, call.protocol_version),
        "serverInfo": SERVER_INFO,
        "instructions": get_instructions(registry.visible_tools(call.principal, call.profile), call.subject),
    }


def get_capabilities(registry: Registry, version: str) -> dict[str, Any]:
    declared = dict(registry.capabilities)
    if version == "2024-11-05":
        declared.pop("completions", None)  # served, but that revision has no name for it
    if registry.subscribe:
        declared["resources"] = {"subscribe": True}
    if registry.logging:
        declared["logging"] = {}
    return declared


def ping(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    return {}


def set_level(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    if params.get("level") not in LOG_LEVELS:
        raise JsonRpcError(INVALID_PARAMS, f"params.level must be one of {', '.join(LOG_LEVELS)}")
    return {}


def subscribe(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    if not isinstance(params.get("uri"), str):
        raise JsonRpcError(INVALID_PARAMS, "params.uri must be the URI of a resource")
    return {}


METHODS: Mapping[str, Handler] = {
    "initialize": initialize,
    "ping": ping,
    "logging/setLevel": set_level,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": subscribe,
}
