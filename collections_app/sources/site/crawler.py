"""A crawl: from the start page and the pages that the site names, along the links, until all pages are decided on. Keeps no text.

A page goes from admission.py (is it one to visit?) through frontier.py (where it waits its turn) and visits.py (where it is fetched) to
deciding.py (what becomes of it, and where it leads), and out by decisions.py. The order is that of the frontier; a few pages are under
way at a time, so neighbours may change places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from collections_app.clients.http import HttpClient
from collections_app.exceptions import FetchError
from collections_app.sources import RefusedFile, ShouldStop
from collections_app.sources.site.admission import Admission
from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.canonicals import Canonicals
from collections_app.sources.site.deciding import Deciding
from collections_app.sources.site.decisions import Decision, Decisions
from collections_app.sources.site.fetching import Fetcher, Sleep
from collections_app.sources.site.foreign_folders import ForeignFolders
from collections_app.sources.site.frontier import Frontier
from collections_app.sources.site.media_types import is_page, is_worth_asking
from collections_app.sources.site.options import SiteOptions
from collections_app.sources.site.pages import FetchState, Visit, Visitor
from collections_app.sources.site.robots import Robots, fetch_robots
from collections_app.sources.site.scope import get_start_url, make_scope
from collections_app.sources.site.seeds import UnreadFile, iter_seeds
from collections_app.sources.site.soft_404s import Soft404s
from collections_app.sources.site.start_page import check_allowed, learn_from_start
from collections_app.sources.site.visits import Visits


class Crawl:
    """Open it, iterate once, close it. `known` (URL → fetch state, perhaps empty) is what the last reading found; `read_already` is what
    this very reading found before it was interrupted.

    A rehearsal fetches only what it needs to find the other pages. `is_complete` is true once no other page of the site can exist.
    """

    def __init__(
        self,
        options: SiteOptions,
        client: HttpClient,
        *,
        known: Mapping[str, FetchState],
        should_stop: ShouldStop,
        read_already: Collection[str] = (),
        likely_language: str = "",
        sleep: Sleep | None = None,
        is_rehearsal: bool = False,
    ) -> None:
        self._options = options
        self._known = known
        self._read_already = read_already
        self._likely_language = likely_language
        self._is_rehearsal = is_rehearsal
        self._start_url = get_start_url(options)
        self._scope = make_scope(options)
        self._fetcher = Fetcher(client, should_stop, options.max_concurrent_fetches, sleep)
        self._decisions = Decisions()
        self._frontier = Frontier(options.max_pages, self._decisions)
        self._visits = Visits(self._fetcher)
        self._is_partial = False
        self.is_complete = False

    @property
    def listed(self) -> set[str]:
        """The paths of the pages that exist, or may, and of those that are still to be visited."""
        return self._decisions.existing.union(self._decisions.failed, self._frontier.waiting, self._visits.paths)

    def open(self, only: Collection[str] | None = None) -> None:
        """Ask the site what it allows and which pages it has; or take just the URLs `only`. Raises FetchError and Stopped."""
        robots = self._fetcher.run(lambda: fetch_robots(self._scope.origin, self._fetcher.request))
        self._fetcher.slow_down(robots.crawl_delay_seconds)
        self._is_partial = only is not None
        self._prepare(robots)
        if only is None:
            self._gather(robots)
            return
        for url in only:
            self._admission.offer(url, FoundIn.REQUEST, is_promised=True)

    def _prepare(self, robots: Robots) -> None:
        scope, frontier, decisions = self._scope, self._frontier, self._decisions
        max_bytes = self._options.max_file_bytes
        self._visitor = Visitor(scope, robots, self._fetcher, self._known, max_bytes, self._read_already)
        folders = ForeignFolders(scope, frontier, decisions)
        follows_links = self._options.follow_links and not self._is_partial
        urls = self._visitor.markdown_urls
        self._admission = Admission(scope, robots, frontier, folders, decisions, urls, follows_links=follows_links)
        canonicals = Canonicals(scope, frontier, self._visits, self._admission, decisions)
        soft_404s = Soft404s(scope, self._start_url, robots, self._fetcher, max_bytes)
        self._deciding = Deciding(scope, self._known, soft_404s, folders, self._admission, canonicals, decisions)

    def _gather(self, robots: Robots) -> None:
        """The start page is visited whatever the patterns say: it leads to the others. It is decided on when these are known."""
        start = Candidate(self._start_url, self._scope.make_path(self._start_url), FoundIn.START, is_promised=True)
        self._frontier.note(start.path)
        check_allowed(start.url, robots)
        visit = self._visits.make(start, self._visitor)
        if isinstance(visit, Visit):
            learn_from_start(visit, self._scope, self._known, self._likely_language)
        for found in iter_seeds(self._scope, robots, self._fetcher):
            if isinstance(found, UnreadFile):
                self._note_unread(found)
            else:
                self._admission.offer_seed(found)
        outcome = self._deciding.decide(start, visit)
        if isinstance(outcome, RefusedFile) and not self._frontier.waiting:
            raise FetchError(f"The start page cannot be read. {outcome.error.message}")

    def _note_unread(self, file: UnreadFile) -> None:
        """It may have named pages to which nothing else leads."""
        self._decisions.has_gaps = True
        if file.error:
            name = file.url.rstrip("/").rpartition("/")[2]
            self._decisions.add_failure(Candidate(file.url, name, file.found_in), file.error)

    def close(self) -> None:
        self._fetcher.close()

    def __iter__(self) -> Iterator[Decision]:
        """Raises Stopped."""
        while True:
            while self._decisions:
                yield self._decisions.pop()
            self._start_visits()
            if self._visits:
                for candidate, visit in self._visits.iter_done():
                    self._deciding.decide(candidate, visit)
            elif not self._decisions and not self._recall():
                break
        self.is_complete = not (self._is_partial or self._frontier.is_cut)

    def _start_visits(self) -> None:
        while self._frontier.waiting and self._fetcher.is_free:
            candidate = self._frontier.pop()
            if self._is_rehearsal and not self._is_telling(candidate.path):
                self._decisions.add(candidate, None)
            else:
                self._visits.start(candidate, self._visitor)

    def _is_telling(self, path: str) -> bool:
        """Whether a page has to be fetched to know whether it, or another, would be taken."""
        is_doubtful = not is_worth_asking(path) or bool(self._scope.find_foreign_folder(path))
        return is_doubtful or (self._admission.follows_links and is_page(path))

    def _recall(self) -> bool:
        """Look at the pages of the last reading to which nothing leads any more, if that may be a failed page's fault. Whether any wait."""
        if self._decisions.has_gaps and not self._is_partial:
            self._decisions.has_gaps = False
            for url in self._known:
                self._admission.offer(url, FoundIn.LAST_READING)
        return bool(self._frontier.waiting or self._decisions)
