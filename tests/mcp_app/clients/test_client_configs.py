from __future__ import annotations

import json
import shlex

import pytest

from mcp_app.clients.client_configs import (
    KEY_VARIABLE,
    ClientConfig,
    make_claude_code_config,
    make_claude_desktop_config,
    make_client_configs,
    make_cursor_config,
    make_key_configs,
    make_vs_code_config,
)

URL = "http://127.0.0.1:8001/mcp"
KEY = "dmcp_0123abcd_secret"
AUTHORIZATION = {"Authorization": f"Bearer {KEY}"}


def get_desktop_server(config: ClientConfig) -> dict[str, object]:
    (server,) = json.loads(config.text)["mcpServers"].values()
    assert isinstance(server, dict)
    return server


def test_there_is_one_for_each_client() -> None:
    clients = [config.client for config in make_client_configs(URL, KEY)]
    assert clients == ["Claude Code", "Cursor", "VS Code", "Claude Desktop"]


def test_claude_code_takes_a_command() -> None:
    arguments = shlex.split(make_claude_code_config(URL, KEY).text)
    assert arguments[:3] == ["claude", "mcp", "add"]
    assert arguments[-3:] == [URL, "--header", f"Authorization: Bearer {KEY}"]


def test_no_key_breaks_out_of_the_command() -> None:
    key = "a'b\"$(touch x);`y`&"
    assert shlex.split(make_claude_code_config(URL, key).text)[-1] == f"Authorization: Bearer {key}"


def test_cursor_takes_a_url_and_headers() -> None:
    (server,) = json.loads(make_cursor_config(URL, KEY).text)["mcpServers"].values()
    assert server == {"url": URL, "headers": AUTHORIZATION}


def test_vs_code_calls_its_servers_servers() -> None:
    (server,) = json.loads(make_vs_code_config(URL, KEY).text)["servers"].values()
    assert server == {"type": "http", "url": URL, "headers": AUTHORIZATION}


def test_claude_desktop_gets_a_bridge_without_blanks_in_its_arguments() -> None:
    server = get_desktop_server(make_claude_desktop_config(URL, KEY))
    assert server["env"] == {"AUTH_HEADER": f"Bearer {KEY}"}
    assert isinstance(server["args"], list)
    assert URL in server["args"]
    assert not any(" " in argument for argument in server["args"])


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        (URL, False),
        ("http://[::1]:8001/mcp", False),
        ("http://localhost:8001/mcp", False),
        ("https://docs.example/mcp", False),
        ("http://docs.example/mcp", True),
        ("http://192.0.2.1:8001/mcp", True),
    ],
)
def test_the_bridge_is_told_when_it_is_to_speak_unencrypted_to_another_machine(url: str, is_allowed: bool) -> None:
    arguments = get_desktop_server(make_claude_desktop_config(url, KEY))["args"]
    assert isinstance(arguments, list)
    assert ("--allow-http" in arguments) is is_allowed


def test_every_client_gets_the_key_or_the_variable_that_holds_it() -> None:
    configs = make_key_configs(URL, KEY)
    assert len({config.client for config in configs}) == len(configs)
    for config in configs:
        assert KEY in config.text or KEY_VARIABLE in config.text
