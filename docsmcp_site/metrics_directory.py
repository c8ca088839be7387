"""Where the processes of one web server keep what they count together: a directory that is made before they are, and goes with the first.

prometheus_client looks for it when it is imported, so the `docsmcp` command prepares it before Django is set up.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  the name within it is made up by mkdtemp


def share_metrics() -> None:
    """Of this process and those that it forks. One that the environment names is used as it is, and left."""
    if os.environ.get(VARIABLE):
        return
    parent = str(SHARED_MEMORY) if os.access(SHARED_MEMORY, os.W_OK) else None
    directory = tempfile.mkdtemp(prefix="docsmcp-metrics-", dir=parent)
    os.environ[VARIABLE] = directory
    atexit.register(_remove, directory, os.getpid())


def _remove(directory: str, process_id: int) -> None:
    if os.getpid() == process_id:
        shutil.rmtree(directory, ignore_errors=True)
