"""Times the stages of a search, for the metrics and for callers that collect them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import NamedTuple

from collections_app.metrics import SEARCH_STAGE_SECONDS


class Stage(NamedTuple):
    """A step of a search, and how long it took."""

    name: str
    milliseconds: float


_collected: ContextVar[list[Stage] | None] = ContextVar("collected", default=None)


@contextmanager
def timing(name: str) -> Iterator[None]:
    """Time a stage, as a context manager or a decorator. A stage that raises is counted too."""
    began = perf_counter()
    try:
        yield
    finally:
        seconds = perf_counter() - began
        SEARCH_STAGE_SECONDS.labels(name).observe(seconds)
        if (stages := _collected.get()) is not None:
            stages.append(Stage(name, seconds * 1000))


@contextmanager
def collecting_stages() -> Iterator[list[Stage]]:
    """A list that fills with the stages that end within the block, in their order."""
    stages: list[Stage] = []
    token = _collected.set(stages)
    try:
        yield stages
    finally:
        _collected.reset(token)
