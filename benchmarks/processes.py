"""What /proc says of running processes: whose children they are, the time they took, their memory. It starts and stops none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def find_descendants(pid: int) -> list[int]:
    """Those that it started, and those that they started."""
    parents = read_parents()
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def find_web_workers(supervisor: int) -> list[int]:
    """The gunicorn workers: grandchildren of the supervisor whose parent is gunicorn too."""
    parents = read_parents()
    masters = [pid for pid, parent in parents.items() if parent == supervisor and "gunicorn" in read_command(pid)]
    return [pid for pid, parent in parents.items() if parent in masters]


def find_working_below(folder: Path) -> list[int]:
    """Processes whose working directory is there: PostgreSQL's is its data directory."""
    return [pid for pid in list_processes() if folder in read_working_directory(pid).parents]


def read_parents() -> dict[int, int]:
    parents = {}
    for pid in list_processes():
        if fields := read_fields(pid):
            parents[pid] = int(fields[1])
    return parents


def list_processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def read_fields(pid: int) -> list[str]:
    """From the third on; see proc_pid_stat(5). Empty when the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def read_command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def read_working_directory(pid: int) -> Path:
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except OSError:
        return Path()


def read_cpu_seconds(pids: Iterable[int]) -> float:
    """What they have computed since they began, in all."""
    fields = [each for pid in pids if (each := read_fields(pid))]
    return sum(int(each[11]) + int(each[12]) for each in fields) / TICKS_PER_SECOND


def read_memory(pid: int) -> tuple[float, float]:
    """Resident and proportional set size, MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    rss, pss = (int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss"))
    return rss, pss
