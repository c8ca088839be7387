"""`docsmcp mcp_stdio`, the real one, in a process of its own: by hand, and by the official client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE
from tests.docsmcp_site.embedded_server import make_open_dir
from tests.docsmcp_site.waiting import DEADLINE_SECONDS
from tests.mcp_app.fake_tools import MODERN, make_message
from tests.migrated import give_tables

pytestmark = pytest.mark.embedded

COMMAND = (sys.executable, str(PROJECT_ROOT / "manage.py"))
PING = json.dumps(make_message("ping", id=41)).encode() + b"\n"


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """Of processes on a data directory with one collection, `guide`."""
    for directory in make_open_dir():
        inherited = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
        data_dir = {"DATA_DIR": str(directory / "data")}
        environment = inherited | dict.fromkeys(SETTING_NAMES, "") | data_dir
        (directory / "docs").mkdir()
        (directory / "docs" / "start.md").write_text("# Start\n\nPull the lever.\n")
        give_tables(directory / "data")
        ingest = (*COMMAND, "ingest_path", str(directory / "docs"), "--collection", "guide")
        subprocess.run(ingest, env=environment, check=True, capture_output=True)
        yield environment


def start(environment: dict[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [*COMMAND, "mcp_stdio", *arguments]
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


@pytest.mark.requirement("stdio.end")
def test_it_answers_until_the_input_ends_and_logs_on_stderr_alone(environment: dict[str, str]) -> None:
    process = start(environment)
    out, log = process.communicate(PING + b"\n{\n" + PING, DEADLINE_SECONDS)
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer.get("id") for answer in answers] == [41, None, 41]
    assert process.returncode == 0
    assert b"mcp_call" in log
    assert b"Traceback" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_traceback(environment: dict[str, str], number: signal.Signals) -> None:
    process = start(environment)
    assert process.stdin
    assert process.stdout
    process.stdin.write(PING)
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(number)
    out, log = process.communicate(timeout=DEADLINE_SECONDS)
    assert (process.returncode, out) == (128 + number, b"")
    assert b"Traceback" not in log


def test_it_ends_when_nobody_reads_its_answers(environment: dict[str, str]) -> None:
    process = start(environment)
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    process.stdin.write(PING)
    process.stdin.flush()
    assert process.wait(DEADLINE_SECONDS) == 0
    assert process.stderr
    assert b"Traceback" not in process.stderr.read()
    process.stdin.close()
    process.stderr.close()


@pytest.mark.requirement("stdio.only-messages")
def test_what_else_is_printed_goes_to_stderr() -> None:
    script = "import django, os; django.setup(); from mcp_app.transports.stdio import guarded_output\nwith guarded_output() as messages:\n"
    script += " print('stray', flush=True); os.write(1, b'low'); os.system('echo child')\n messages.write(b'message')\n"
    script += "print('after')\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=PROJECT_ROOT)
    assert done.stdout == b"messageafter\n"
    assert all(word in done.stderr for word in (b"stray", b"low", b"child"))


def test_what_is_wrong_is_said_and_nothing_is_served(environment: dict[str, str]) -> None:
    process = start(environment | {"DOCSMCP_API_KEY": "dmcp_bad"})
    out, log = process.communicate(PING, DEADLINE_SECONDS)
    assert (process.returncode, out) == (2, b"")
    assert b"The API key in DOCSMCP_API_KEY is not valid" in log


@pytest.mark.parametrize(("mode", "arguments"), [("legacy", []), ("auto", []), (MODERN, ["--collection", "guide"])])
def test_the_official_client_lists_calls_and_reads(
    environment: dict[str, str], mode: Any, arguments: list[str], tmp_path: Path
) -> None:
    parameters = StdioServerParameters(command=COMMAND[0], args=[COMMAND[1], "mcp_stdio", *arguments], env=environment)

    async def use() -> None:
        with anyio.fail_after(DEADLINE_SECONDS), (tmp_path / "log").open("w") as log:
            async with Client(stdio_client(parameters, errlog=log), mode=mode, cache=None) as client:
                assert "search_docs" in [tool.name for tool in (await client.list_tools()).tools]
                found = await client.call_tool("search_docs", {"query": "lever"})
                assert "start.md" in found.content[0].text  # type: ignore[union-attr]
                page = await client.read_resource("docs://guide/start.md")
                assert page.contents[0].text == "# Start\n\nPull the lever.\n"  # type: ignore[union-attr]

    anyio.run(use)
