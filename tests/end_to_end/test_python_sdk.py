"""The official Python SDK client against the endpoint over HTTP, as each kind of client that it can be."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent

from tests.mcp_app.conftest import GOOD_KEY, config  # noqa: F401  (a fixture)
from tests.mcp_app.fake_tools import MODERN, TOOLS

pytestmark = pytest.mark.usefixtures("config")

# legacy opens with initialize, auto asks server/discover first, a pinned revision asks nothing.
MODES = {"legacy": "2025-11-25", "auto": MODERN, MODERN: MODERN}


@asynccontextmanager
async def connect(url: str, mode: str, key: str = GOOD_KEY) -> AsyncIterator[Client]:
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {key}"}) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, cache=None) as client,
    ):
        yield client


def run_session(url: str, mode: str, use: Callable[[Client], Awaitable[Any]], key: str = GOOD_KEY) -> Any:
    async def run() -> Any:
        with anyio.fail_after(30):
            async with connect(url, mode, key) as client:
                return await use(client)

    return anyio.run(run)


def read_text(answer: CallToolResult) -> str:
    [block] = answer.content
    assert isinstance(block, TextContent)
    return block.text


def find_refusal(error: BaseException) -> MCPError | None:
    """The client's own error inside the groups that its tasks wrap around it."""
    if isinstance(error, BaseExceptionGroup):
        return next((found for inner in error.exceptions if (found := find_refusal(inner))), None)
    return error if isinstance(error, MCPError) else None


@pytest.mark.parametrize(("mode", "version"), MODES.items())
def test_it_agrees_on_a_version_and_learns_who_we_are(server_url: str, mode: str, version: str) -> None:
    async def use(client: Client) -> None:
        assert client.protocol_version == version
        if mode != MODERN:
            assert client.server_info is not None
            assert client.server_info.name == "docsmcp"
            assert "An error says what was wrong" in (client.instructions or "")
            assert client.server_capabilities.tools is not None
            assert client.server_capabilities.resources is None

    run_session(server_url, mode, use)


@pytest.mark.parametrize("mode", MODES)
def test_it_lists_and_calls_tools(server_url: str, mode: str) -> None:
    async def use(client: Client) -> None:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
        assert listed.next_cursor is None
        answer = await client.call_tool("echo_query", {"q": "words", "limit": "5"})
        assert not answer.is_error
        assert "query=words, limit=5" in read_text(answer)
        answer = await client.call_tool("echo_query", {"query": "wörter", "format": "json"})
        assert answer.structured_content["query"] == "wörter"

    run_session(server_url, mode, use)


@pytest.mark.parametrize("mode", MODES)
def test_it_tells_the_two_planes_of_errors_apart(server_url: str, mode: str) -> None:
    async def use(client: Client) -> None:
        answer = await client.call_tool("echo_query", {"querry": "x"})
        assert answer.is_error
        assert "did you mean 'query'" in read_text(answer)
        with pytest.raises(MCPError, match="Unknown tool: no_such_tool") as caught:
            await client.call_tool("no_such_tool", {})
        assert caught.value.code == -32602
        with pytest.raises(MCPError) as caught:
            await client.list_resources()
        assert caught.value.code == -32601

    run_session(server_url, mode, use)


@pytest.mark.parametrize("mode", MODES)
def test_it_hears_of_progress_before_the_answer(server_url: str, mode: str) -> None:
    async def use(client: Client) -> None:
        heard: list[tuple[float, float | None]] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total))

        answer = await client.call_tool("report_progress", {}, progress_callback=hear)
        assert read_text(answer) == "steps=3"
        assert heard == [(0, 3), (1, 3), (2, 3)]

    run_session(server_url, mode, use)


@pytest.mark.filterwarnings("ignore:ping is removed")
def test_an_old_client_may_ping(server_url: str) -> None:
    run_session(server_url, "legacy", lambda client: client.send_ping())


@pytest.mark.parametrize("mode", MODES)
def test_a_bad_key_is_told_as_such(server_url: str, mode: str) -> None:
    with pytest.raises((MCPError, BaseExceptionGroup)) as caught:
        run_session(server_url, mode, lambda client: client.list_tools(), key="wrong")
    refusal = find_refusal(caught.value)
    assert refusal is not None
    assert "The API key is not valid" in str(refusal)


@pytest.mark.parametrize("mode", MODES)
def test_many_calls_at_once_get_their_own_answers(server_url: str, mode: str) -> None:
    async def use(client: Client) -> None:
        async def ask(number: int) -> None:
            answer = await client.call_tool("echo_query", {"query": f"n{number}", "format": "json"})
            answers[number] = answer.structured_content["query"]

        answers: dict[int, str] = {}
        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(ask, number)
        assert answers == {number: f"n{number}" for number in range(20)}

    run_session(server_url, mode, use)
