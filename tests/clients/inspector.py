"""The MCP Inspector's command line as an observer: one process a question, and its strict judgement of the tools."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from mcp_app.clients.client_configs import make_inspector_config
from tests.clients.node import INSPECTOR, make_environment, run_node
from tests.clients.observation import ERRAND, Observation, Refusal
from tests.running_server import RunningServer

Ask = Callable[..., "CompletedProcess[str]"]


def observe_with_inspector(server: RunningServer, home: Path, era: str) -> Observation:
    """`era`: legacy or modern. Raises RuntimeError, also for a tool that is not portable."""

    def ask(method: str, *arguments: str) -> CompletedProcess[str]:
        options = ("--protocol-era", era, "--format", "json", "--method", method, *arguments)
        return run_node(INSPECTOR, *make_connection(server), *options, environment=make_environment(home))

    def list_names(method: str, entries: str, name: str, *arguments: str) -> list[str]:
        return [entry[name] for entry in get_result(ask(method, *arguments))[entries]]

    call = ("--tool-name", ERRAND.tool, "--tool-args-json", json.dumps(dict(ERRAND.arguments)))
    return Observation(
        revision=None,
        tools=list_names("tools/list", "tools", "name", "--strict"),
        resources=list_names("resources/list", "resources", "uri"),
        templates=list_names("resources/templates/list", "resourceTemplates", "uriTemplate"),
        prompts=list_names("prompts/list", "prompts", "name"),
        called=get_result(ask("tools/call", *call))["content"][0]["text"],
        read=get_result(ask("resources/read", "--uri", ERRAND.uri))["contents"][0]["text"],
        unknown_tool=get_refusal(ask("tools/call", "--tool-name", ERRAND.unknown_tool)),
        missing_resource=get_refusal(ask("resources/read", "--uri", ERRAND.missing_uri)),
    )


def make_connection(server: RunningServer) -> list[str]:
    """The options that say which server, of the command that docs/clients.md tells."""
    _, _, *options = shlex.split(make_inspector_config(server.url, server.key).text)
    return options[: options.index("--protocol-era")]


def get_result(ended: CompletedProcess[str]) -> dict[str, Any]:
    if ended.returncode:
        raise RuntimeError(ended.stderr or ended.stdout)
    result: dict[str, Any] = json.loads(ended.stdout)["result"]
    return result


def get_refusal(ended: CompletedProcess[str]) -> Refusal:
    """It has exit codes and codes of its own: only the message is the server's."""
    return Refusal(None, ended.stderr if ended.returncode else f"no error but {ended.stdout}")
