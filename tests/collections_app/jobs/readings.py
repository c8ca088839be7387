"""Sources that do what a test says, in the place of real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

import pytest

from collections_app.jobs import running
from collections_app.models import Collection, IngestJob, Source
from collections_app.parsing.documents import RawDocument
from collections_app.sources import Reading, ReadingDefaults, ShouldStop, SourceFile
from collections_app.sources.left_out import LeftOut

Step = SourceFile | Callable[[], object]


class FakeReading(ReadingDefaults):
    """Gives these files in order. What is callable among them is called in its place, and may raise."""

    def __init__(self, steps: Sequence[Step], *, is_complete: bool = True, also_listed: Sequence[str] = ()) -> None:
        self._steps = steps
        self.listed = [step.path for step in steps if not callable(step)] + list(also_listed)
        self.is_complete = is_complete
        self.categories: Mapping[str, str] = {}
        self.left_out = LeftOut()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Iterator[SourceFile]:
        for step in self._steps:
            if callable(step):
                step()
            else:
                yield step


def use_reading(monkeypatch: pytest.MonkeyPatch, reading: Reading) -> None:
    """Let every job read this, whatever its source."""

    @contextmanager
    def open_reading(job: IngestJob, source: Source, should_stop: ShouldStop) -> Iterator[Reading]:
        with reading:
            yield reading

    monkeypatch.setattr(running, "open_reading", open_reading)


def make_source(collection: Collection, kind: str = "directory", location: str = "somewhere") -> Source:
    return Source.objects.create(tenant=collection.tenant, collection=collection, kind=kind, location=location)


def make_files(count: int, text: str = "about llamas") -> list[RawDocument]:
    return [RawDocument(f"{n:03}.md", f"# Page {n}\n\n{text} {n}\n".encode()) for n in range(count)]
