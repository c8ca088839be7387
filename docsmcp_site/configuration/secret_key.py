"""The key that Django signs with if SECRET_KEY is not set: made once, kept in the data directory for its owner.

Refuses, by ConfigError, a directory that cannot be written and a file that is damaged: a new key at every start
would end every session and leave queued jobs unreadable.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from docsmcp_site.configuration.loading import ConfigError
from docsmcp_site.configuration.setting_layers import Mistake
from docsmcp_site.private_files import make_directory

MINIMUM_CHARACTERS = 32


def get_kept_secret_key(data_dir: Path) -> str:
    """The same key for every process of this data directory, whichever comes first."""
    path = data_dir / "secret_key"
    try:
        if not path.exists():
            make_directory(data_dir)
            _write_once(path, secrets.token_urlsafe(48))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _refuse(path, getattr(error, "strerror", None) or "damaged") from None
    if len(key) < MINIMUM_CHARACTERS:
        raise _refuse(path, "damaged")
    return key


def _write_once(path: Path, key: str) -> None:
    """The file appears complete or not at all; if two processes write at once, one wins and both read its key."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret_key-") as draft:  # made with mode 0600
        draft.write(key + "\n")
        draft.flush()
        os.fsync(draft.fileno())
        try:
            os.link(draft.name, path)
        except FileExistsError:
            return


def _refuse(path: Path, reason: str) -> ConfigError:
    if not path.parent.is_dir():
        problem = f"it is no directory, and none can be made there ({reason.lower()}); choose another"
        return ConfigError([Mistake("DATA_DIR", str(path.parent), problem)])
    problem = f"it is empty, and none can be kept in {path} ({reason.lower()}); set it, or another DATA_DIR"
    return ConfigError([Mistake("SECRET_KEY", "default", problem)])
