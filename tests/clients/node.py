"""The programs that run on Node.js: where `make` installed them, and running one. Refuses to go on without them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from docsmcp_site.configuration.config import PROJECT_ROOT

FOLDER = PROJECT_ROOT / ".node"
PACKAGES = FOLDER / "node_modules"
NODE = PACKAGES / "node" / "bin" / "node"
INSPECTOR = PACKAGES / ".bin" / "mcp-inspector"
MCP_REMOTE = PACKAGES / ".bin" / "mcp-remote"
CONFORMANCE = PACKAGES / ".bin" / "conformance"

DEADLINE_SECONDS = 120


def make_environment(home: Path, **variables: str) -> dict[str, str]:
    """This process's, with packages to be found, and a home of its own: these programs write into it."""
    return {**os.environ, "NODE_PATH": str(PACKAGES), "HOME": str(home), **variables}


def make_command(script: Path) -> list[str]:
    """The interpreter and the script. Raises FileNotFoundError."""
    for needed in (NODE, script):
        if not needed.exists():
            raise FileNotFoundError(f"{needed.relative_to(PROJECT_ROOT)} is not installed: run this by make")
    return [str(NODE), str(script)]


def run_node(
    script: Path, *arguments: str, environment: Mapping[str, str], deadline_seconds: int = DEADLINE_SECONDS
) -> subprocess.CompletedProcess[str]:
    """Raises FileNotFoundError where nothing is installed, subprocess.TimeoutExpired."""
    return subprocess.run(
        [*make_command(script), *arguments],
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=deadline_seconds,
        check=False,
    )
