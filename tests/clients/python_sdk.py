"""The official Python client as an observer: over HTTP, or through a program that speaks stdio."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import TextContent, TextResourceContents

from mcp_app.clients.client_configs import make_claude_desktop_config
from tests.clients import node
from tests.clients.observation import ERRAND, Observation, Refusal
from tests.running_server import RunningServer

DEADLINE_SECONDS = 120


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
