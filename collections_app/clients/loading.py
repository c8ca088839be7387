"""Models and clients that a process has one of, created at first use; and the name of a local model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")

_loading = Lock()


def load(kind: Callable[..., T], *arguments: object) -> T:
    """Creates it once per process. Otherwise each thread of a new process would load a model of its own at its first request."""
    with _loading:
        made: T = _make(kind, *arguments)
        return made


@lru_cache(maxsize=8)
def _make(kind: Callable[..., Any], *arguments: object) -> Any:
    return kind(*arguments)


def name_model(kind: str, *files: Path) -> str:
    """The kind and a digest of the model's files, so that another model of the same name has another name here."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as content:
            hashlib.file_digest(content, lambda: digest)
    return f"{kind}:{digest.hexdigest()[:16]}"
