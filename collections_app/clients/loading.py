"""Models and clients of which a process has one, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
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
