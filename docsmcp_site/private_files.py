"""Files and directories of the data directory that are for nobody else to read. Whose they are is not changed here."""

from __future__ import annotations

import os
from pathlib import Path


def make_directory(directory: Path) -> Path:
    """Others may not list it. Where root owns it they may pass through, as the embedded database's account does."""
    if not directory.is_dir():
        directory.mkdir(parents=True, exist_ok=True)  # another process may be here at the same moment
        directory.chmod(0o711 if os.geteuid() == 0 else 0o700)
    return directory


def write_private(path: Path, text: str) -> None:
    """A new file, in place of one that is there. Not at once: who must not be seen half written is a draft until it is whole."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
