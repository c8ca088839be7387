"""What only the revisions up to 2025-11-25 need: their names, `initialize`, `ping`. Opens no session. PURE.

To drop those revisions delete this file and the lines that name it in protocol.py and dispatcher.py.
Not served because never declared: `logging/setLevel`, `resources/subscribe`.
https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_app.identity import INSTRUCTIONS, SERVER_INFO
from mcp_app.jsonrpc import Message, Params, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_app.dispatcher import Handler
    from mcp_app.registry import Call, Registry

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
# What a request without the version header speaks (revision 2025-06-18, "Protocol Version Header").
ASSUMED_REVISION = "2025-03-26"


def is_handshake(message: Message) -> bool:
    return isinstance(message, Request) and message.method == "initialize"


def get_version(message: Message, header: str | None) -> str:
    """The revision that a message speaks; for a handshake the one that its answer will name.

    A version that is not ours gets our newest as a counter-offer: an error would end the connection for good.
    """
    if isinstance(message, Request) and message.method == "initialize":
        requested = message.params.get("protocolVersion")
        return requested if requested in REVISIONS else REVISIONS[-1]
    return header or ASSUMED_REVISION


def initialize(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    return {
        "protocolVersion": call.protocol_version,
        "capabilities": registry.capabilities,
        "serverInfo": SERVER_INFO,
        "instructions": INSTRUCTIONS,
    }


def ping(registry: Registry, call: Call, params: Params) -> dict[str, Any]:
    return {}


METHODS: Mapping[str, Handler] = {"initialize": initialize, "ping": ping}
