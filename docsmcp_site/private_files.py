"""Files and directories of the data directory that only their owner may read. The owner is not changed here."""

from __future__ import annotations

import os
from pathlib import Path


def make_directory(directory: Path) -> Path:
    """Makes a directory that others may not list. If root owns it, others may pass through, as the embedded database's account does."""
    if not directory.is_dir():
        directory.mkdir(parents=True, exist_ok=True)  # another process may create it at the same moment
        directory.chmod(0o711 if os.geteuid() == 0 else 0o700)
    return directory


def write_private(path: Path, text: str) -> None:
    """Replaces the file. This is not atomic: a file that must never be seen half written is written as a draft and then renamed."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
