"""One `docsmcp up` per data directory: the lock, and in its file where the one that holds it answers.

The kernel drops the lock when its holder ends, however that happens: a file that is left behind is no obstacle.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docsmcp_site.exceptions import StartError

MAX_URL_BYTES = 1000
CHOOSE_ANOTHER = "choose another by --data-dir (`make up DATA_DIR=…`)."


@contextmanager
def holding_data_dir(data_dir: Path, url: str) -> Iterator[None]:
    """Be the only one; `url` is what the others are told. Raises StartError."""
    try:
        # Others may pass through what is root's, as the embedded database's account does, and list nothing.
        data_dir.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
        descriptor = os.open(data_dir / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartError(
            f"{data_dir} cannot be written ({error.strerror}): make it writable, or {CHOOSE_ANOTHER}"
        ) from error
    try:
        _take(descriptor, url)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _take(descriptor: int, url: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = os.read(descriptor, MAX_URL_BYTES).decode(errors="replace")
        raise StartError(
            f"docsmcp runs on this data directory already{f', at {other}' if other else ''}: "
            f"stop it, or {CHOOSE_ANOTHER}"
        ) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, url.encode())
