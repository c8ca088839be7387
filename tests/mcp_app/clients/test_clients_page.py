"""docs/clients.md has the blocks that the code makes, word by word, and they work as far as that can be tried here."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest

from mcp_app.clients import client_configs
from mcp_app.clients.client_configs import KEY_VARIABLE, ClientConfig

PAGE = Path(client_configs.__file__).parents[2] / "docs" / "clients.md"
# A marker, and the block behind it if there is one.
BLOCK = re.compile(r"<!-- ([\w-]+) -->\n(?:\n```\w+\n.*?\n```\n)?", re.DOTALL)
URL = "https://docs.example.com/mcp"
KEY = "YOUR_API_KEY"


def make_blocks(url: str = URL, key: str = KEY) -> dict[str, ClientConfig]:
    """What stands behind each marker of the page."""
    return {
        "claude-code": client_configs.make_claude_code_config(url, key),
        "claude-code-project": client_configs.make_claude_code_project_config(url),
        "claude-desktop": client_configs.make_claude_desktop_config(url, key),
        "stdio": client_configs.make_stdio_config(),
        "cursor": client_configs.make_cursor_config(url, f"${{env:{KEY_VARIABLE}}}"),
        "vs-code": client_configs.make_vs_code_prompting_config(url),
        "codex": client_configs.make_codex_config(url),
        "chatgpt": client_configs.make_chatgpt_config(url),
        "inspector": client_configs.make_inspector_config(url, key),
        "messages-api": client_configs.make_messages_api_config(url, key),
        "responses-api": client_configs.make_responses_api_config(url, key),
        "curl": client_configs.make_curl_config(url, key),
        "curl-modern": client_configs.make_modern_curl_config(url, key),
    }


def render_page(page: str) -> str:
    """The page with every block as it is made now. KeyError for a marker of nothing."""
    blocks = make_blocks()

    def render(match: re.Match[str]) -> str:
        config = blocks[match[1]]
        return f"<!-- {match[1]} -->\n\n```{config.language}\n{config.text}\n```\n"

    return BLOCK.sub(render, page)


def test_the_page_has_the_golden_blocks() -> None:
    page = PAGE.read_text()
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(render_page(page))
    assert PAGE.read_text() == render_page(page), "run `make golden`"


def test_every_block_has_its_place_once() -> None:
    assert [match[1] for match in BLOCK.finditer(PAGE.read_text())] == list(make_blocks())


@pytest.mark.parametrize("config", make_blocks().values(), ids=make_blocks().keys())
def test_files_parse_and_name_the_endpoint(config: ClientConfig) -> None:
    if config.language == "json":
        assert isinstance(json.loads(config.text), dict)
    if config.language == "toml":
        [server] = tomllib.loads(config.text)["mcp_servers"].values()
        assert server == {"url": URL, "bearer_token_env_var": KEY_VARIABLE}
    assert URL in config.text or config.client == "stdio"


@pytest.mark.parametrize("client", ["claude-code-project", "cursor", "vs-code", "codex", "chatgpt"])
def test_files_that_people_share_hold_no_key(client: str) -> None:
    assert "dmcp_secret" not in make_blocks(key="dmcp_secret")[client].text


def test_the_key_that_vs_code_asks_for_is_the_one_that_it_sends() -> None:
    config = json.loads(client_configs.make_vs_code_prompting_config(URL).text)
    [asked], [server] = config["inputs"], config["servers"].values()
    assert server["headers"] == {"Authorization": f"Bearer ${{input:{asked['id']}}}"}
    assert asked["password"] is True


def test_each_api_is_told_the_key_and_uses_the_server_that_it_names() -> None:
    messages = json.loads(client_configs.make_messages_api_config(URL, KEY).text)
    [server], [tools] = messages["mcp_servers"], messages["tools"]
    assert (server["url"], server["authorization_token"]) == (URL, KEY)
    assert tools == {"type": "mcp_toolset", "mcp_server_name": server["name"]}
    [tool] = json.loads(client_configs.make_responses_api_config(URL, KEY).text)["tools"]
    assert (tool["server_url"], tool["headers"]) == (URL, {"Authorization": f"Bearer {KEY}"})
