"""Documentation sites: read page by page as a Reading, or listed without taking anything. Nothing outside the prefix is taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from collections_app.clients.http import HttpClient
from collections_app.exceptions import FetchError
from collections_app.sources import ReadingDefaults, RefusedFile, ShouldStop, SourceFile
from collections_app.sources.left_out import LeftOut
from collections_app.sources.site.crawler import Crawl
from collections_app.sources.site.decisions import Decision
from collections_app.sources.site.fetching import Sleep
from collections_app.sources.site.options import SiteOptions
from collections_app.sources.site.pages import FetchState
from collections_app.sources.site.skips import NOT_MISSED, Skip
from collections_app.sources.stopping import Stopped

__all__ = ["ListedPage", "SiteOptions", "SiteReading", "list_site"]


class SiteReading(ReadingDefaults):
    """A reading of a site. The client stays the caller's, to be closed after the reading.

    `known` (source URL → fetch state, perhaps empty) are the pages of the last reading. `read_already` are those that this reading has
    already read before it was interrupted; they are not requested again. `only` are URLs
    to be read again, and nothing else; each of them gets an outcome. Pages that do not exist (dead links), that ask
    not to be indexed or are in another language are no files and have no outcome. `likely_language` is a tag that applies if neither the
    options nor the start page name one. `sleep` replaces Event.wait() in tests.
    """

    def __init__(
        self,
        options: SiteOptions,
        client: HttpClient,
        *,
        known: Mapping[str, FetchState] | None = None,
        read_already: Collection[str] = (),
        should_stop: ShouldStop = lambda: False,
        only: Collection[str] | None = None,
        likely_language: str = "",
        sleep: Sleep | None = None,
    ) -> None:
        self._crawl = Crawl(
            options,
            client,
            known=known or {},
            read_already=read_already,
            should_stop=should_stop,
            likely_language=likely_language,
            sleep=sleep,
        )
        self._only = only
        self._is_stopped = False
        self.categories: Mapping[str, str] = {}
        self.left_out = LeftOut()

    @property
    def listed(self) -> Collection[str]:
        return self._crawl.listed

    @property
    def is_complete(self) -> bool:
        return self._crawl.is_complete

    def __enter__(self) -> Self:
        try:
            self._crawl.open(self._only)
        except Stopped:
            self._is_stopped = True
        except BaseException:
            self._crawl.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._crawl.close()

    def __iter__(self) -> Iterator[SourceFile]:
        if self._is_stopped:
            return
        try:
            for decision in self._crawl:
                if file := self._find_file(decision):
                    yield file
        except Stopped:
            return

    def _find_file(self, decision: Decision) -> SourceFile | None:
        page, outcome = decision.candidate, decision.outcome
        if not isinstance(outcome, Skip):
            return outcome
        if self._only is not None:
            return RefusedFile(page.path, FetchError(f"It is not taken: {outcome}."), page.url)
        if outcome.reason not in NOT_MISSED:
            self.left_out.add(outcome.kind, page.path)
        return None


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page of a site. `reason` says why it is not taken; empty if it is.

    `found_in` is one of `start page`, `sitemap`, `llms.txt`, `link`, `redirect`, `canonical link`; `found_on` the URL that names it.
    """

    url: str
    path: str
    found_in: str
    found_on: str
    reason: str


def list_site(
    options: SiteOptions, client: HttpClient, should_stop: ShouldStop = lambda: False
) -> Iterator[ListedPage]:
    """What a reading would take, and which pages of the site it would not. Raises as SiteReading does.

    Fetches only pages that may lead to others, and those whose names do not tell what they are; without `follow_links`, only the latter and
    the start page.
    """
    crawl = Crawl(options, client, known={}, should_stop=should_stop, is_rehearsal=True)
    try:
        crawl.open()
        for decision in crawl:
            yield _make_listed(decision)
    except Stopped:
        return
    finally:
        crawl.close()


def _make_listed(decision: Decision) -> ListedPage:
    page = decision.candidate
    return ListedPage(page.url, page.path, page.found_in, page.found_on, _find_reason(decision.outcome))


def _find_reason(outcome: SourceFile | Skip | None) -> str:
    if isinstance(outcome, RefusedFile):
        return outcome.error.message
    return str(outcome) if isinstance(outcome, Skip) else ""
