"""Allows one `docsmcp up` per data directory: a lock, in whose file its holder writes its address.

The kernel drops the lock when its holder ends, however that happens, so a file that is left behind is no obstacle.
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
    """Holds the lock during the block; `url` is what other processes are told. Raises StartError."""
    try:
        # A directory of root's may be passed through by others, as the embedded database's account does, but not listed.
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
