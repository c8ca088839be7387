"""Other people's clients against a running server with a key: `python -m tests.clients`, one line each.

Exit code 1 if any of them failed, or could not be run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.clients.inspector import observe_with_inspector
from tests.clients.observation import LEGACY, MODERN, PAGES, Observation, iter_faults
from tests.clients.python_sdk import (
    observe_by_oauth,
    observe_over_http,
    observe_through_mcp_remote,
    observe_through_mcp_remote_by_oauth,
)
from tests.clients.typescript import observe_with_typescript
from tests.running_server import RunningServer, running_server

Observe = Callable[[RunningServer, Path], Observation]

# Name → the revision that it must speak, and how it looks at a server.
CLIENTS: dict[str, tuple[str, Observe]] = {
    "Python SDK, legacy": (LEGACY, partial(observe_over_http, mode="legacy")),
    "Python SDK, auto": (MODERN, partial(observe_over_http, mode="auto")),
    "Python SDK, pinned": (MODERN, partial(observe_over_http, mode=MODERN)),
    "TypeScript client, legacy": (LEGACY, partial(observe_with_typescript, library="2.x", mode="legacy")),
    "TypeScript client, auto": (MODERN, partial(observe_with_typescript, library="2.x", mode="auto")),
    "TypeScript client, pinned": (MODERN, partial(observe_with_typescript, library="2.x", mode=MODERN)),
    "TypeScript SDK 1.x": (LEGACY, partial(observe_with_typescript, library="1.x")),
    "Inspector, legacy": (LEGACY, partial(observe_with_inspector, era="legacy")),
    "Inspector, modern": (MODERN, partial(observe_with_inspector, era="modern")),
    "mcp-remote, legacy": (LEGACY, partial(observe_through_mcp_remote, mode="legacy")),
    "mcp-remote, auto": (MODERN, partial(observe_through_mcp_remote, mode="auto")),
    "Python SDK by OAuth, legacy": (LEGACY, partial(observe_by_oauth, mode="legacy")),
    "Python SDK by OAuth, auto": (MODERN, partial(observe_by_oauth, mode="auto")),
    "mcp-remote by OAuth": (LEGACY, observe_through_mcp_remote_by_oauth),
}


def main() -> int:
    with tempfile.TemporaryDirectory() as home, running_server(PAGES, OAUTH_ENABLED="true") as server:
        results = [check(name, server, Path(home)) for name in CLIENTS]
    return 0 if all(results) else 1


def check(name: str, server: RunningServer, home: Path) -> bool:
    """Whether the client saw what it must; says so."""
    revision, look = CLIENTS[name]
    try:
        faults = list(iter_faults(look(server, home), revision))
    except Exception as error:  # one that cannot be run must not hide the others
        faults = [f"{type(error).__name__}: {describe(error)}"]
    say(f"{'FAILED' if faults else 'ok':<8}{name} ({revision})", *(f"        {fault}" for fault in faults))
    return not faults


def describe(error: BaseException) -> str:
    """What is at the bottom of the groups that tasks wrap around it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or repr(error)


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
