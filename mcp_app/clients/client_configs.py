"""What to paste into MCP clients so that they use this server. PURE: an endpoint's URL and a key in, text out.

The shapes are those of the clients' own documentation. Refuses to guess a key: the caller passes one, or a placeholder.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from mcp_app.protocol.revisions import CAPABILITIES_KEY, MODERN_REVISIONS, VERSION_KEY

SERVER_NAME = "docsmcp"
# Where clients are told to look for the key, when they can.
KEY_VARIABLE = "DOCSMCP_API_KEY"
# Placed where a key would be when there is none to show.
KEY_PLACEHOLDER = "YOUR_API_KEY"


@dataclass(frozen=True)
class ClientConfig:
    """A configuration. `text` is a command to run, or the content of a file or a request: `where` says which."""

    client: str
    where: str
    text: str
    language: str = "json"


def make_client_configs(url: str, key: str) -> list[ClientConfig]:
    return [make(url, key) for make in MAKERS]


def make_key_configs(url: str, key: str) -> list[ClientConfig]:
    """A configuration for every client that takes a key, for the page that shows one."""
    codex = make_codex_config(url)
    codex = replace(codex, where=f"{codex.where}, with the key in the variable {KEY_VARIABLE}")
    return [
        *make_client_configs(url, key),
        codex,
        make_claude_code_project_config(url),
        make_messages_api_config(url, key),
        make_responses_api_config(url, key),
        make_inspector_config(url, key),
        make_curl_config(url, key),
    ]


def make_claude_code_config(url: str, key: str) -> ClientConfig:
    command = ("claude", "mcp", "add", "--transport", "http", SERVER_NAME, url, "--header", _make_header(key))
    return ClientConfig("Claude Code", "run", shlex.join(command), "sh")


def make_cursor_config(url: str, key: str) -> ClientConfig:
    server = {"url": url, "headers": _make_headers(key)}
    return ClientConfig("Cursor", "~/.cursor/mcp.json", _make_json({"mcpServers": {SERVER_NAME: server}}))


def make_vs_code_config(url: str, key: str) -> ClientConfig:
    server = {"type": "http", "url": url, "headers": _make_headers(key)}
    return ClientConfig("VS Code", ".vscode/mcp.json", _make_json({"servers": {SERVER_NAME: server}}))


def make_claude_desktop_config(url: str, key: str) -> ClientConfig:
    """Claude Desktop's file starts programs only, so a Node.js bridge speaks HTTP. Arguments have no blanks: they break on Windows."""
    arguments = ["-y", "mcp-remote@latest", url, "--transport", "http-only", "--header", "Authorization:${AUTH_HEADER}"]
    if _is_plain_and_remote(url):
        arguments.append("--allow-http")
    server = {"command": "npx", "args": arguments, "env": {"AUTH_HEADER": f"Bearer {key}"}}
    return ClientConfig(
        "Claude Desktop", "claude_desktop_config.json, needs Node.js", _make_json({"mcpServers": {SERVER_NAME: server}})
    )


def make_claude_code_project_config(url: str) -> ClientConfig:
    """To be checked in: each person's key is in their environment."""
    server = {"type": "http", "url": url, "headers": _make_headers(f"${{{KEY_VARIABLE}}}")}
    return ClientConfig("Claude Code, for a project", ".mcp.json", _make_json({"mcpServers": {SERVER_NAME: server}}))


def make_stdio_config() -> ClientConfig:
    """For hosts that start their servers, on the machine where docsmcp runs. The command takes no key as an argument."""
    server = {"command": "docsmcp", "args": ["mcp_stdio"]}
    return ClientConfig("stdio", "the host's configuration", _make_json({"mcpServers": {SERVER_NAME: server}}))


def make_vs_code_prompting_config(url: str) -> ClientConfig:
    """VS Code asks for the key once, and keeps it outside the file."""
    asked = {"type": "promptString", "id": f"{SERVER_NAME}-key", "description": "docsmcp API key", "password": True}
    server = {"type": "http", "url": url, "headers": _make_headers(f"${{input:{asked['id']}}}")}
    return ClientConfig(
        "VS Code", ".vscode/mcp.json", _make_json({"inputs": [asked], "servers": {SERVER_NAME: server}})
    )


def make_codex_config(url: str) -> ClientConfig:
    """Codex takes no key in the file, only the name of a variable. JSON strings are valid in TOML too."""
    lines = [f"[mcp_servers.{SERVER_NAME}]", f"url = {json.dumps(url)}", f'bearer_token_env_var = "{KEY_VARIABLE}"']
    return ClientConfig("Codex", "~/.codex/config.toml", "\n".join(lines), "toml")


def make_inspector_config(url: str, key: str) -> ClientConfig:
    inspector = ("npx", "@modelcontextprotocol/inspector", "--cli", url, "--transport", "http")
    command = (*inspector, "--header", _make_header(key), "--protocol-era", "modern", "--method", "tools/list")
    return ClientConfig("MCP Inspector", "run, needs Node.js 22", shlex.join(command), "sh")


def make_messages_api_config(url: str, key: str) -> ClientConfig:
    server = {"type": "url", "name": SERVER_NAME, "url": url, "authorization_token": key}
    body = {"mcp_servers": [server], "tools": [{"type": "mcp_toolset", "mcp_server_name": SERVER_NAME}]}
    return ClientConfig("Anthropic Messages API", "in the request's body", _make_json(body))


def make_responses_api_config(url: str, key: str) -> ClientConfig:
    server = {"type": "mcp", "server_label": SERVER_NAME, "server_url": url, "headers": _make_headers(key)}
    return ClientConfig(
        "OpenAI Responses API",
        "in the request's body",
        _make_json({"tools": [server | {"require_approval": "never"}]}),
    )


def make_chatgpt_config(url: str) -> ClientConfig:
    """ChatGPT sends no key of its own, and looks for the tools search and fetch."""
    return ClientConfig("ChatGPT", "the connector's URL", f"{url}?profile=openai", "text")


def make_curl_config(url: str, key: str) -> ClientConfig:
    """One request is enough: no handshake needs to come first."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": _SEARCH}
    return ClientConfig("curl", "run", _make_curl(url, key, message, {}), "sh")


def make_modern_curl_config(url: str, key: str) -> ClientConfig:
    """The same in revision 2026-07-28, where each request describes itself fully and headers repeat a part of it."""
    meta = {VERSION_KEY: MODERN_REVISIONS[-1], CAPABILITIES_KEY: {}}
    headers = {
        "MCP-Protocol-Version": MODERN_REVISIONS[-1],
        "Mcp-Method": "tools/call",
        "Mcp-Name": str(_SEARCH["name"]),
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**_SEARCH, "_meta": meta}}
    return ClientConfig("curl, revision 2026-07-28", "run", _make_curl(url, key, message, headers), "sh")


MAKERS: tuple[Callable[[str, str], ClientConfig], ...] = (
    make_claude_code_config,
    make_cursor_config,
    make_vs_code_config,
    make_claude_desktop_config,
)


_SEARCH: dict[str, Any] = {"name": "search_docs", "arguments": {"query": "how to install"}}


def _make_curl(url: str, key: str, message: dict[str, Any], headers: dict[str, str]) -> str:
    """A curl command on several lines, one argument a line."""
    sent = [
        _make_header(key),
        "Content-Type: application/json",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    arguments = [f"-H {shlex.quote(header)}" for header in sent] + [f"-d {shlex.quote(json.dumps(message))}"]
    return " \\\n  ".join([f"curl -sS {shlex.quote(url)}", *arguments])


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
