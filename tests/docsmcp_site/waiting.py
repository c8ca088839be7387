"""What the tests of real processes share: waiting without sleeping for a fixed time, and telling the living from zombies."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

DEADLINE_SECONDS = 240


def wait_for(condition: Callable[[], bool], do: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        do()
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Zombies are not: where no first process buries them they stay."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
