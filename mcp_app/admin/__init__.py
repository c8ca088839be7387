"""The admin's pages that need to know what agents are given: API keys with the configuration of clients, and the playground."""

from mcp_app.admin import documents, keys, playground

__all__ = ["documents", "keys", "playground"]
