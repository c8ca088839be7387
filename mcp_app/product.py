"""What the product serves, put together: the registry that is served unless the setting names another."""

from __future__ import annotations

from mcp_app.registry import Registry
from mcp_app.tools import TOOLS

REGISTRY = Registry(TOOLS)
