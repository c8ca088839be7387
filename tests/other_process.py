"""Runs Python in a process of its own, as an operator or a worker would: with these settings and none of the developer's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from docsmcp_site.configuration.config import PROJECT_ROOT

TIMEOUT_SECONDS = 600


def run_python(environment: Mapping[str, str], *arguments: str | Path) -> str:
    """What it writes, once it has ended well."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT_ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
