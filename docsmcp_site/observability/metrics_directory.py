"""The directory in which the processes of one web server keep their counts: made before they start, removed with the first of them.

prometheus_client looks for it when it is imported, so the `docsmcp` command prepares it before Django is set up.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

if sys.platform != "win32":  # the command is to start on Windows too
    import fcntl

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SUMMED = ("counter", "histogram")
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  what is written there has no name, or one of mkdtemp's


def share_metrics() -> None:
    """Lets this process and those that it forks count in one directory. A directory named by the environment is used, and not removed."""
    if os.environ.get(VARIABLE):
        return
    parent = str(SHARED_MEMORY) if os.access(SHARED_MEMORY, os.W_OK) else None
    directory = tempfile.mkdtemp(prefix="docsmcp-metrics-", dir=parent)
    os.environ[VARIABLE] = directory
    atexit.register(_remove, directory, os.getpid())


@contextmanager
def reading() -> Iterator[None]:
    """In the block no counts are merged: while that happens they would be seen twice."""
    with locked(fcntl.LOCK_SH):
        yield


@contextmanager
def locked(operation: int) -> Iterator[None]:
    with (Path(os.environ[VARIABLE]) / "lock").open("ab") as lock:
        fcntl.flock(lock, operation)
        yield


def merge_dead(process_id: int) -> None:
    """Adds the counts of a process that has ended to those of earlier ones, so that the number of files does not grow."""
    directory = Path(os.environ[VARIABLE])
    if directory.is_dir():  # if somebody deleted it, the server goes on
        with locked(fcntl.LOCK_EX):
            merge_files(directory, process_id)


def merge_files(directory: Path, process_id: int) -> None:
    files: Any = import_module("prometheus_client.mmap_dict")  # untyped; and on import it looks for the variable
    for kind in SUMMED:
        ended = directory / f"{kind}_{process_id}.db"
        if not ended.exists():
            continue
        sums = files.MmapedDict(str(directory / f"{kind}_0.db"))  # 0 is no process's number
        for key, value, timestamp, _ in files.MmapedDict.read_all_values_from_file(str(ended)):
            sums.write_value(key, sums.read_value(key)[0] + value, timestamp)
        sums.close()
        ended.unlink()


def _remove(directory: str, process_id: int) -> None:
    if os.getpid() == process_id:
        shutil.rmtree(directory, ignore_errors=True)
