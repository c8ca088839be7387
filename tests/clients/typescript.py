"""The official TypeScript clients as observers: version 2.x, and 1.x, which most hosts have in them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.node import make_environment, run_node
from tests.clients.observation import ERRAND, Observation
from tests.running_server import RunningServer

SCRIPT = Path(__file__).with_name("observe.cjs")


def observe_with_typescript(server: RunningServer, home: Path, library: str, mode: str = "legacy") -> Observation:
    """`library`: 2.x or 1.x. `mode` as in the Python client."""
    errand = json.dumps(ERRAND.as_dict())
    environment = make_environment(home, MCP_URL=server.url, MCP_KEY=server.key, MCP_ERRAND=errand)
    ended = run_node(SCRIPT, library, mode, environment=environment)
    if ended.returncode:
        raise RuntimeError(ended.stderr)
    return Observation.from_dict(json.loads(ended.stdout))
