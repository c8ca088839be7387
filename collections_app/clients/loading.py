"""Models and clients of which a process has one, made when it is first asked for; and what a model at hand is called."""

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
    """Once in a process, whose first requests all need it: each thread would have a model in memory of its own."""
    with _loading:
        made: T = _make(kind, *arguments)
        return made


@lru_cache(maxsize=8)
def _make(kind: Callable[..., Any], *arguments: object) -> Any:
    return kind(*arguments)


def name_model(kind: str, *files: Path) -> str:
    """The kind and a digest of what is in the model's files: another model under the same name is another one."""
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as content:
            hashlib.file_digest(content, lambda: digest)
    return f"{kind}:{digest.hexdigest()[:16]}"
