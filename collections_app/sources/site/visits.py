"""The visits of a crawl that are under way: which pages they are of, and what comes of each. A failure is a result like any other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial

from collections_app.exceptions import IngestError
from collections_app.sources.site.candidates import Candidate
from collections_app.sources.site.fetching import Fetcher
from collections_app.sources.site.pages import Visit, Visitor


class Visits:
    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._underway: dict[Future[Visit | IngestError], Candidate] = {}

    def __bool__(self) -> bool:
        return bool(self._underway)

    @property
    def paths(self) -> list[str]:
        return [candidate.path for candidate in self._underway.values()]

    def make(self, candidate: Candidate, visitor: Visitor) -> Visit | IngestError:
        """The one visit, made while the caller waits. Raises Stopped."""
        return self._fetcher.run(partial(_visit, candidate, visitor))

    def start(self, candidate: Candidate, visitor: Visitor) -> None:
        self._underway[self._fetcher.start(partial(_visit, candidate, visitor))] = candidate

    def iter_done(self) -> Iterator[tuple[Candidate, Visit | IngestError]]:
        """What has ended of what was started, at least one. Raises Stopped."""
        for future in self._fetcher.iter_done():
            yield self._underway.pop(future), future.result()


def _visit(candidate: Candidate, visitor: Visitor) -> Visit | IngestError:
    try:
        return visitor.visit(candidate)
    except IngestError as error:
        return error
