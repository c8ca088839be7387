"""A crawl: from the start page and what the site names, along the links, until all pages are decided on. It keeps no text.

The order is that of the frontier; a few pages are under way at a time, so neighbours may change places.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property, partial

from collections_app.clients.http import PRODUCT_TOKEN, FetchedPage, HttpClient
from collections_app.exceptions import FetchError, IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile, ShouldStop, SourceFile, UnchangedFile
from collections_app.sources.site.admission import Admission
from collections_app.sources.site.fetching import Fetcher, Sleep
from collections_app.sources.site.frontier import Candidate, FoundIn, Frontier
from collections_app.sources.site.judging import Verdict, judge
from collections_app.sources.site.languages import choose_language
from collections_app.sources.site.llms_txt import iter_page_urls
from collections_app.sources.site.media_types import is_page, is_worth_asking
from collections_app.sources.site.options import SiteOptions
from collections_app.sources.site.pages import NOT_MODIFIED, FetchState, Visit, Visitor
from collections_app.sources.site.robots import fetch_robots
from collections_app.sources.site.scope import get_start_url, make_scope
from collections_app.sources.site.seeds import Seed, UnreadFile, iter_seeds
from collections_app.sources.site.skips import Skip, SkipReason
from collections_app.sources.site.soft_404s import NotFoundPage

ROOT_PATH = "index.html"


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a page. `outcome` is a Skip where it is neither taken nor a failure, and None for a page that would be taken and was
    not fetched."""

    candidate: Candidate
    outcome: SourceFile | Skip | None


class Crawl:
    """Open it, iterate once, close it. `known` (URL → fetch state, perhaps empty) is what the last reading found, `read_already` what of it
    this very reading did before it was interrupted.

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
        self._frontier = Frontier(options.max_pages)
        self._fetcher = Fetcher(client, should_stop, options.max_concurrent_fetches, sleep)
        self._decided: deque[Decision] = deque()
        self._underway: dict[Future[Visit | IngestError], Candidate] = {}
        self._deferred: defaultdict[str, list[Candidate]] = defaultdict(list)
        self._existing: set[str] = set()
        self._failed: set[str] = set()
        self._follows_links = options.follow_links
        self._is_partial = False
        self._has_gaps = False
        self.is_complete = False

    @property
    def listed(self) -> set[str]:
        """The paths of the pages that exist, or may, and of those that are still to be visited."""
        return self._existing.union(self._failed, self._frontier.waiting, self._get_paths_underway())

    def open(self, only: Collection[str] | None = None) -> None:
        """Ask the site what it allows and which pages it has; or take just the URLs `only`. Raises FetchError and Stopped."""
        self._robots = self._fetcher.run(lambda: fetch_robots(self._scope.origin, self._fetcher.request))
        self._fetcher.slow_down(self._robots.crawl_delay_seconds)
        self._visitor = self._make_visitor(self._known)
        self._admission = Admission(self._scope, self._robots, self._frontier, self._skip)
        if only is None:
            self._gather()
            return
        self._is_partial, self._follows_links = True, False
        for url in only:
            self._admission.offer(url, FoundIn.REQUEST, is_promised=True)

    def _make_visitor(self, known: Mapping[str, FetchState]) -> Visitor:
        max_file_bytes = self._options.max_file_bytes
        return Visitor(self._scope, self._robots, self._fetcher, known, max_file_bytes, self._read_already)

    def _skip(self, candidate: Candidate, why: Skip) -> None:
        self._decided.append(Decision(candidate, why))

    def close(self) -> None:
        self._fetcher.close()

    def __iter__(self) -> Iterator[Decision]:
        """Raises Stopped."""
        while True:
            while self._decided:
                yield self._decided.popleft()
            self._start_visits()
            if self._underway:
                self._finish_visits()
            elif not self._decided and not self._recall():
                break
        self.is_complete = not (self._is_partial or self._frontier.is_cut)

    def _gather(self) -> None:
        start = Candidate(self._start_url, self._scope.make_path(self._start_url), FoundIn.START, is_promised=True)
        visit = self._visit_start(start)
        for found in iter_seeds(self._scope, self._robots, self._fetcher):
            if isinstance(found, UnreadFile):
                self._note_unread(found)
            elif found.found_in is FoundIn.LLMS_TXT:
                self._offer_from_llms_txt(found)
            else:
                self._admission.offer(found.url, found.found_in, found.found_on, is_promised=True)
        outcome = self._decide(start, visit)
        if isinstance(outcome, RefusedFile) and not self._frontier.waiting:
            raise FetchError(f"The start page cannot be read. {outcome.error.message}")

    def _note_unread(self, file: UnreadFile) -> None:
        """It may have named pages to which nothing else leads."""
        self._has_gaps = True
        if file.error:
            self._fail(Candidate(file.url, file.url.rstrip("/").rpartition("/")[2], file.found_in), file.error)

    def _visit_start(self, start: Candidate) -> Visit | IngestError:
        """The start page is visited whatever the patterns say: it leads to the others, and tells the language."""
        self._frontier.note(start.path)
        if not self._robots.allows(start.url):
            raise FetchError(
                f"The site's robots.txt does not allow {PRODUCT_TOKEN} to read {start.url}. Ask its owner."
            )
        visit = self._fetcher.run(lambda: self._visit(start))
        if isinstance(visit, Visit):
            self._check_start(visit.answer)
            self._scope.adopt_scheme(visit.answer.final_url)
            language = self._find_language(visit) or self._likely_language
            self._scope.language = self._scope.language or choose_language(language)
        return visit

    def _find_language(self, visit: Visit) -> str:
        """As the page tells it, now or when it was read before; empty where it tells none."""
        return visit.signposts.language or self._known.get(visit.answer.final_url, {}).get("language", "")

    def _visit(self, candidate: Candidate) -> Visit | IngestError:
        try:
            return self._visitor.visit(candidate)
        except IngestError as error:
            return error

    def _check_start(self, answer: FetchedPage) -> None:
        if answer.redirect_url and self._scope.find_page(answer.redirect_url) is None:
            raise FetchError(
                f"The start page redirects to {answer.redirect_url}, which is not below {self._scope.prefix}. "
                "Give that address instead."
            )

    def _offer_from_llms_txt(self, seed: Seed) -> None:
        """A page, or the Markdown of a page that is known: then it is taken in its stead, under the page's name."""
        pages = [page for each in iter_page_urls(seed.url) if (page := self._scope.find_page(each))]
        paths = [self._scope.make_path(page) for page in pages]
        if known := next((path for path in paths if path in self._frontier), None):
            self._visitor.markdown_urls[known] = seed.url
        elif self._admission.offer(seed.url, seed.found_in, seed.found_on, is_promised=True):
            for path in paths:
                self._frontier.note(path)

    def _start_visits(self) -> None:
        while self._frontier.waiting and self._fetcher.is_free:
            candidate = self._frontier.pop()
            if self._is_rehearsal and not self._is_telling(candidate.path):
                self._decided.append(Decision(candidate, None))
            else:
                self._underway[self._fetcher.start(partial(self._visit, candidate))] = candidate

    def _is_telling(self, path: str) -> bool:
        """Whether a page has to be fetched to know whether it, or another, would be taken."""
        is_doubtful = not is_worth_asking(path) or bool(self._scope.find_foreign_folder(path))
        return is_doubtful or (self._follows_links and is_page(path))

    def _finish_visits(self) -> None:
        for future in self._fetcher.iter_done():
            self._decide(self._underway.pop(future), future.result())

    def _get_paths_underway(self) -> list[str]:
        return [candidate.path for candidate in self._underway.values()]

    def _decide(self, candidate: Candidate, visit: Visit | IngestError) -> SourceFile | Skip:
        if isinstance(visit, Visit) and self._is_soft_404(candidate, visit):
            visit = replace(visit, is_soft_404=True)
        language = self._find_language(visit) if isinstance(visit, Visit) and visit.has_page else None
        if objection := self._admission.settle(candidate, language):
            return self._conclude(candidate, objection)
        if isinstance(visit, IngestError):
            return self._fail(candidate, visit)
        try:
            verdict = judge(candidate, visit, self._scope, self._known.get(visit.answer.final_url, {}))
        except IngestError as error:
            return self._fail(candidate, error)
        self._follow(candidate, verdict)
        outcome = verdict.outcome
        if candidate.found_in is FoundIn.START and (objection := self._scope.find_objection(candidate.path)):
            outcome = objection
        elif verdict.canonical_url and self._defers(candidate, verdict.canonical_url):
            outcome = Skip(SkipReason.COPY, verdict.canonical_url)
        elif verdict.is_there:
            self._existing.add(candidate.path)
        return self._conclude(candidate, outcome)

    def _is_soft_404(self, candidate: Candidate, visit: Visit) -> bool:
        """Whether the site shows this for what it does not have. A page whose Markdown the site has elsewhere is there."""
        is_shown = visit.has_page and visit.answer.status != NOT_MODIFIED and visit.markdown is None
        if candidate.found_in is FoundIn.START or not (is_shown or visit.answer.redirect_url):
            return False
        return self._not_found_page is not None and self._not_found_page.is_alike(visit.answer)

    @cached_property
    def _not_found_page(self) -> NotFoundPage | None:
        """Asked for once there is a page to be told from it. Raises Stopped."""
        visitor = self._make_visitor({})
        return self._fetcher.run(lambda: NotFoundPage.find(self._scope, self._start_url, self._robots, visitor))

    def _follow(self, candidate: Candidate, verdict: Verdict) -> None:
        for page in verdict.translations:
            self._scope.rule_out_translation(self._scope.make_path(page))
        for url, found_in in verdict.leads:
            if self._follows_links or found_in is FoundIn.REDIRECT:
                is_moved = found_in is FoundIn.REDIRECT and not isinstance(verdict.outcome, RefusedFile)
                is_promised = candidate.is_promised and is_moved
                self._admission.offer(url, found_in, candidate.url, is_promised=is_promised)

    def _defers(self, candidate: Candidate, canonical_url: str) -> bool:
        """Whether the page steps back for the one that it calls canonical: until that turns out not to be taken.

        Where every page calls the start page canonical, that is a mistake of the site.
        """
        path = self._scope.make_path(canonical_url)
        if candidate.ignores_canonical or path in (candidate.path, ROOT_PATH):
            return False
        if path in self._existing:
            return True
        if self._follows_links:
            self._admission.offer(canonical_url, FoundIn.CANONICAL, candidate.url)
        if path not in self._frontier.waiting and path not in self._get_paths_underway():
            return False
        self._deferred[path].append(candidate)
        return True

    def _fail(self, candidate: Candidate, error: IngestError) -> SourceFile | Skip:
        """The page may exist, and lead to others that nothing else leads to."""
        self._failed.add(candidate.path)
        self._has_gaps = True
        return self._conclude(candidate, RefusedFile(candidate.path, error, candidate.url))

    def _conclude(self, candidate: Candidate, outcome: SourceFile | Skip) -> SourceFile | Skip:
        self._decided.append(Decision(candidate, outcome))
        if not isinstance(outcome, RawDocument | UnchangedFile):
            for deferred in self._deferred.pop(candidate.path, ()):
                self._frontier.add_again(replace(deferred, ignores_canonical=True))
        return outcome

    def _recall(self) -> bool:
        """Look at the pages of the last reading to which nothing leads any more, if that may be a failed page's fault. Whether any wait."""
        if self._has_gaps and not self._is_partial:
            self._has_gaps = False
            for url in self._known:
                self._admission.offer(url, FoundIn.LAST_READING)
        return bool(self._frontier.waiting or self._decided)
