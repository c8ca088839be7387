"""The official Python client as an observer: over HTTP, or through a program that speaks stdio."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import TextContent, TextResourceContents

from mcp_app.clients.client_configs import make_claude_desktop_config
from tests.clients import node
from tests.clients.observation import ERRAND, Observation, Refusal
from tests.consenting import allow
from tests.oauth_session import App
from tests.running_server import RunningServer

DEADLINE_SECONDS = 120
CONSENT = re.compile(r"http://\S+/oauth/authorize\S+")


def observe_over_http(server: RunningServer, home: Path, mode: str) -> Observation:
    """`mode`: legacy opens with initialize, auto asks server/discover first, a revision asks nothing."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Client]:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {server.key}"}) as http,
            Client(streamable_http_client(server.url, http_client=http), mode=mode, cache=None) as client,
        ):
            yield client

    return anyio.run(observe, connect)


def observe_through_mcp_remote(server: RunningServer, home: Path, mode: str) -> Observation:
    """As Claude Desktop does it, with the configuration that is printed for it."""
    [config] = json.loads(make_claude_desktop_config(server.url, server.key).text)["mcpServers"].values()
    arguments = config["args"]
    command, script = node.make_command(node.MCP_REMOTE)
    bridge = StdioServerParameters(
        command=command,
        args=[script, *arguments[arguments.index(server.url) :]],
        env={**node.make_environment(home, MCP_REMOTE_CONFIG_DIR=str(home)), **config["env"]},
    )

    @asynccontextmanager
    async def connect() -> AsyncIterator[Client]:
        with Path(os.devnull).open("w") as errors:
            async with Client(stdio_client(bridge, errlog=errors), mode=mode, cache=None) as client:
                yield client

    return anyio.run(observe, connect)


def observe_by_oauth(server: RunningServer, home: Path, mode: str) -> Observation:
    """Nobody gave it a key: it sends the administrator to sign in and consent."""
    app = App(server.admin_user, server.admin_password)
    return anyio.run(observe, partial(app.connect, server.oauth_url, mode))


def observe_through_mcp_remote_by_oauth(server: RunningServer, home: Path) -> Observation:
    """The bridge writes the address that the person is to open, and listens for the person to come back."""
    command, script = node.make_command(node.MCP_REMOTE)
    bridge = StdioServerParameters(
        command=command,
        args=[script, server.oauth_url, "--transport", "http-only"],
        env=node.make_environment(home, MCP_REMOTE_CONFIG_DIR=str(home / "by-oauth")),
    )
    written = home / "by-oauth.log"

    @asynccontextmanager
    async def connect() -> AsyncIterator[Client]:
        with written.open("w") as errors:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(consent_when_asked, server, written)
                async with Client(stdio_client(bridge, errlog=errors), mode="legacy", cache=None) as client:
                    yield client

    return anyio.run(observe, connect)


async def consent_when_asked(server: RunningServer, written: Path) -> None:
    while (asked := CONSENT.search(written.read_text())) is None:
        await anyio.sleep(0.1)

    def go_through() -> None:
        httpx.get(allow(asked[0], server.admin_user, server.admin_password), trust_env=False).raise_for_status()

    await anyio.to_thread.run_sync(go_through)


async def observe(connect: Any) -> Observation:
    with anyio.fail_after(DEADLINE_SECONDS):
        async with connect() as client:
            return await ask(client)


async def ask(client: Client) -> Observation:
    called = (await client.call_tool(ERRAND.tool, dict(ERRAND.arguments))).content[0]
    read = (await client.read_resource(ERRAND.uri)).contents[0]
    assert isinstance(called, TextContent)
    assert isinstance(read, TextResourceContents)
    return Observation(
        revision=client.protocol_version,
        tools=[tool.name for tool in (await client.list_tools()).tools],
        resources=[str(resource.uri) for resource in (await client.list_resources()).resources],
        templates=[entry.uri_template for entry in (await client.list_resource_templates()).resource_templates],
        prompts=[prompt.name for prompt in (await client.list_prompts()).prompts],
        called=called.text,
        read=read.text,
        unknown_tool=await get_refusal(client.call_tool(ERRAND.unknown_tool, {})),
        missing_resource=await get_refusal(client.read_resource(ERRAND.missing_uri)),
    )


async def get_refusal(answer: Awaitable[Any]) -> Refusal:
    try:
        result = await answer
    except MCPError as error:
        return Refusal(error.code, error.message)
    return Refusal(None, f"no error but {result!r}")
