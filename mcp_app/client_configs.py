"""What to paste into MCP clients so that they use this server. PURE: an endpoint's URL and a key in, text out.

The shapes are those of the clients' own documentation. Refuses to guess a key: the caller passes one, or a placeholder.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

SERVER_NAME = "docsmcp"


@dataclass(frozen=True)
class ClientConfig:
    """`text` is a command to run or JSON to put into a file: `where` says which."""

    client: str
    where: str
    text: str


def make_client_configs(url: str, key: str) -> list[ClientConfig]:
    return [make(url, key) for make in MAKERS]


def make_claude_code_config(url: str, key: str) -> ClientConfig:
    command = ("claude", "mcp", "add", "--transport", "http", SERVER_NAME, url, "--header", _make_header(key))
    return ClientConfig("Claude Code", "run", shlex.join(command))


def make_cursor_config(url: str, key: str) -> ClientConfig:
    server = {"url": url, "headers": _make_headers(key)}
    return ClientConfig("Cursor", "~/.cursor/mcp.json", _make_json({"mcpServers": {SERVER_NAME: server}}))


def make_vs_code_config(url: str, key: str) -> ClientConfig:
    server = {"type": "http", "url": url, "headers": _make_headers(key)}
    return ClientConfig("VS Code", ".vscode/mcp.json", _make_json({"servers": {SERVER_NAME: server}}))


def make_claude_desktop_config(url: str, key: str) -> ClientConfig:
    """Its file knows programs only, so a bridge of Node.js speaks HTTP; a blank in its arguments breaks on Windows."""
    arguments = ["-y", "mcp-remote@latest", url, "--transport", "http-only", "--header", "Authorization:${AUTH_HEADER}"]
    if _is_plain_and_remote(url):
        arguments.append("--allow-http")
    server = {"command": "npx", "args": arguments, "env": {"AUTH_HEADER": f"Bearer {key}"}}
    return ClientConfig(
        "Claude Desktop", "claude_desktop_config.json, needs Node.js", _make_json({"mcpServers": {SERVER_NAME: server}})
    )


MAKERS: tuple[Callable[[str, str], ClientConfig], ...] = (
    make_claude_code_config,
    make_cursor_config,
    make_vs_code_config,
    make_claude_desktop_config,
)


def _make_header(key: str) -> str:
    return f"Authorization: Bearer {key}"


def _make_headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _make_json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2)


def _is_plain_and_remote(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and not _is_loopback(parts.hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
