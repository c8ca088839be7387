"""What is recorded of each call: a log record and a count. Arguments and document text are never recorded."""

from __future__ import annotations

import time
from typing import Any

import structlog

from collections_app.access.principal import Principal
from collections_app.activity.usage import count_call
from mcp_app.arguments import shorten
from mcp_app.dispatching.method_table import is_known
from mcp_app.protocol.jsonrpc import Message, Request, Response
from mcp_app.protocol.revisions import Envelope
from mcp_app.registry import Registry

# A call that names none of our tools or methods is counted under this name: clients can make up names without end.
OTHER = "other"
# Outcomes that are not failures. A client that hangs up has what it wanted, or no longer wants it.
FINE = {"ok", "input_required", "disconnected"}

logger = structlog.get_logger(__name__)


class CallRecord:
    """The record of one call, filled in while the call is worked on."""

    def __init__(self, registry: Registry, principal: Principal) -> None:
        self.registry = registry
        self.principal = principal
        self.message: Message | None = None
        self.envelope: Envelope | None = None
        self.started = time.perf_counter()

    def describe(self) -> dict[str, Any]:
        """The fields for the log. Names are the client's own words, so they are cut short."""
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
        """Writes the log record and adds to the counts."""
        duration_ms = round((time.perf_counter() - self.started) * 1000, 1)
        logger.info("mcp_call", **self.describe(), duration_ms=duration_ms, outcome=outcome)
        count_call(self.principal, self.name_call(), duration_ms, is_error=outcome not in FINE)

    def name_call(self) -> str:
        """Our own name for the tool or the method."""
        request = self.message
        if not isinstance(request, Request) or not is_known(request.method):
            return OTHER
        tool = self.find_tool()
        return (tool and self.registry.find_tool_name(tool)) or request.method

    def find_tool(self) -> str | None:
        """The tool's name as the client gives it; None if the call is not of a tool."""
        request = self.message
        name = request.params.get("name") if isinstance(request, Request) and request.method == "tools/call" else None
        return name if isinstance(name, str) else None
