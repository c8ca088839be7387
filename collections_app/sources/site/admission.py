"""Which of the found pages are visited: those of the site that its rules, the patterns and the limits allow, each once.

The others are decided on at once. It fetches nothing.
"""

from __future__ import annotations

from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.decisions import Decisions
from collections_app.sources.site.foreign_folders import ForeignFolders
from collections_app.sources.site.frontier import Frontier
from collections_app.sources.site.llms_txt import iter_page_urls
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.seeds import Seed
from collections_app.sources.site.skips import Skip, SkipReason


class Admission:
    """`markdown_urls` (path → URL) is where the Markdown of pages is noted that llms.txt names. With `follows_links` what pages link to
    is offered, too."""

    def __init__(
        self,
        scope: Scope,
        robots: Robots,
        frontier: Frontier,
        folders: ForeignFolders,
        decisions: Decisions,
        markdown_urls: dict[str, str],
        *,
        follows_links: bool,
    ) -> None:
        self._scope = scope
        self._robots = robots
        self._frontier = frontier
        self._folders = folders
        self._decisions = decisions
        self._markdown_urls = markdown_urls
        self.follows_links = follows_links

    def offer_seed(self, seed: Seed) -> None:
        if seed.found_in is FoundIn.LLMS_TXT:
            self._offer_from_llms_txt(seed)
        else:
            self.offer(seed.url, seed.found_in, seed.found_on, is_promised=True)

    def _offer_from_llms_txt(self, seed: Seed) -> None:
        """A page, or the Markdown of a page that is known: then it is taken in its stead, under the page's name."""
        pages = [page for each in iter_page_urls(seed.url) if (page := self._scope.find_page(each))]
        paths = [self._scope.make_path(page) for page in pages]
        if known := next((path for path in paths if path in self._frontier), None):
            self._markdown_urls[known] = seed.url
        elif self.offer(seed.url, seed.found_in, seed.found_on, is_promised=True):
            for path in paths:
                self._frontier.note(path)

    def offer(self, url: str, found_in: FoundIn, found_on: str = "", *, is_promised: bool = False) -> bool:
        """Whether the page is now to be visited."""
        page = self._scope.find_page(url)
        if page is None or not self._frontier.note(path := self._scope.make_path(page)):
            return False
        candidate = Candidate(page, path, found_in, found_on, is_promised)
        is_named = is_promised or found_in is FoundIn.LAST_READING
        if objection := self._find_objection(candidate, is_named=is_named):
            self._decisions.add(candidate, objection)
            return False
        if folder := self._scope.find_foreign_folder(path):
            return self._folders.add(candidate, folder, is_named=is_named)
        return self._frontier.add(candidate)

    def _find_objection(self, candidate: Candidate, *, is_named: bool) -> Skip | None:
        if objection := self._scope.find_objection(candidate.path, is_named=is_named):
            return objection
        return None if self._robots.allows(candidate.url) else Skip(SkipReason.DISALLOWED)
