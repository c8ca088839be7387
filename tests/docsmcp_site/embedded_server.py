"""What the tests of the embedded server share: connecting, looking at its processes, being another process or user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psycopg
import pytest

from docsmcp_site.database.embedded_cluster import Account, Cluster, find_install, iter_processes_in
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres

PROJECT = Path(__file__).resolve().parents[2]
NOBODY = 65534
IS_ROOT = os.geteuid() == 0

HEADER = """
import os, sys
from pathlib import Path
from docsmcp_site.database.embedded_postgres import *
"""
ENSURE = "print(EmbeddedPostgres(Path(sys.argv[1])).ensure().port, flush=True)\n"
ENSURE_OR_SAY_WHY = """
try:
    EmbeddedPostgres(Path(sys.argv[1])).ensure()
except EmbeddedPostgresError as error:
    print(error)
"""


def make_open_dir() -> Iterator[Path]:
    open_dir = Path(tempfile.mkdtemp(prefix="docsmcp test "))  # With spaces, always.
    open_dir.chmod(0o755)
    yield open_dir
    for lock in open_dir.rglob("postgres/lock"):
        EmbeddedPostgres(lock.parent.parent).stop()
    shutil.rmtree(open_dir)


def connect(server: EmbeddedPostgres, *, recheck: bool = False) -> psycopg.Connection[tuple[Any, ...]]:
    with server.attached(recheck=recheck) as parameters:
        return psycopg.connect(**asdict(parameters), autocommit=True)


def get_value(server: EmbeddedPostgres, query: str) -> Any:
    with connect(server) as connection:
        return connection.execute(query.encode()).fetchall()[0][0]


def get_postmaster(data_dir: Path) -> int:
    return int((Cluster(data_dir).data / "postmaster.pid").read_text().split()[0])


def count_postmasters(data_dir: Path) -> int:
    """Processes of the server that are no children of its other processes."""
    processes = set(iter_processes_in(Cluster(data_dir).data))
    parents = []
    for pid in processes:
        with suppress(OSError):
            parents.append(int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]))
    return sum(parent not in processes for parent in parents)


def is_running(data_dir: Path) -> bool:
    return any(iter_processes_in(Cluster(data_dir).data))


def start_python(script: str, *arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HEADER + script, *map(str, arguments)]
    return subprocess.Popen(
        command,
        cwd=PROJECT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_python(script: str, *arguments: str | Path) -> str:
    process = start_python(script, *arguments)
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return output.strip()


def run_as_nobody(script: str, *arguments: str | Path) -> str:
    """Needs root. The interpreter may be below /root: it starts as root and stays nobody after its imports."""
    if not Account(NOBODY, NOBODY).can_run(find_install() / "bin" / "postgres"):
        pytest.skip("the user nobody may not enter this virtual environment")
    become_nobody = f"os.chdir('/'), os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})\n"
    return run_python(become_nobody + script, *arguments)
