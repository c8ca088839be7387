"""Where documents come from: each module reads one kind of source, a file at a time, and reports what it could not take. Knows no rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.sources.left_out import LeftOut

ShouldStop = Callable[[], bool]
"""Asked before each fetch and, in waits, at least once a second: true once the run is to end early."""


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was asked for and could not be taken. A `path` that ends in `/` is a directory that was not listed. `fetch_state` as in
    RawDocument.
    """

    path: str
    error: IngestError
    source_url: str = ""
    fetch_state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnchangedFile:
    """A file that its source reported as unchanged since it was last ingested, without sending it."""

    path: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Not a file: the next one may take long, so everything so far should be written now."""


SourceFile = RawDocument | RefusedFile | UnchangedFile


class ReadArchive(NamedTuple):
    """The paths in an archive, and its `moved_pages` as those of a Reading."""

    listed: Collection[str]
    moved_pages: Mapping[str, str]


class Reading(AbstractContextManager["Reading"], Protocol):
    """One reading of a source: enter it, iterate once over its files, leave it (which releases its resources).

    `listed` are the paths known to be in the source so far; a crawl finds more as it goes. `is_complete` is
    true once all of the source has been seen, so that a document which is not in `listed` is gone from it; a part that could not
    be listed, a limit or an early stop make it false. `categories` (path → category) come from navigation files.
    `moved_pages` (former address → the present one, or a path) is what the source tells of pages that have moved; None if it was not asked.
    `left_out` counts files that were passed over and somebody may miss, by the reason in words, and has the first paths of each.
    `fetch_state` is what the source wants to know at its next reading; `read_archives` are archives that were read to their end, by path
    (ReadingDefaults is for readings that have neither).
    Entering and iterating raise InvalidParameter or FetchError if the source as a whole cannot be read.
    """

    @property
    def listed(self) -> Collection[str]: ...

    @property
    def is_complete(self) -> bool: ...

    @property
    def categories(self) -> Mapping[str, str]: ...

    @property
    def moved_pages(self) -> Mapping[str, str] | None: ...

    @property
    def left_out(self) -> LeftOut: ...

    @property
    def fetch_state(self) -> Mapping[str, Any]: ...

    @property
    def read_archives(self) -> Mapping[str, ReadArchive]: ...

    def __iter__(self) -> Iterator[SourceFile | Pause]: ...


class ReadingDefaults:
    """For a Reading with nothing more for the run to store."""

    moved_pages: Mapping[str, str] | None = None
    fetch_state: Mapping[str, Any] = MappingProxyType({})
    read_archives: Mapping[str, ReadArchive] = MappingProxyType({})
