"""The commands for curl in docs/clients.md, run as they stand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from mcp_app.clients import client_configs
from mcp_app.clients.client_configs import ClientConfig, make_curl_config, make_modern_curl_config
from tests.mcp_app.conftest import GOOD_KEY, config  # noqa: F401  (a fixture)

pytestmark = [
    pytest.mark.usefixtures("config"),
    pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed"),
]

MAKERS = (make_curl_config, make_modern_curl_config)


def run(made: ClientConfig) -> dict[str, Any]:
    """The answer's message. A proxy is not for this machine."""
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    ended = subprocess.run(
        ["/bin/sh", "-c", made.text], capture_output=True, text=True, timeout=240, check=True, env=environment
    )
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


@pytest.mark.parametrize("make", MAKERS)
def test_the_command_gets_an_answer(
    server_url: str, make: Callable[[str, str], ClientConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(client_configs._SEARCH, "name", "echo_query")
    result = run(make(f"{server_url}/mcp", GOOD_KEY))["result"]
    assert "query=how to install" in result["content"][0]["text"]


@pytest.mark.parametrize("make", MAKERS)
def test_a_wrong_key_is_told_in_words(server_url: str, make: Callable[[str, str], ClientConfig]) -> None:
    assert "API key" in run(make(f"{server_url}/mcp", "wrong"))["error"]["message"]
