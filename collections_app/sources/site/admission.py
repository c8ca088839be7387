"""Which of the pages that are found are visited: those of the site that its rules, the patterns and the limits leave, each once.

A folder that another language seems to have is decided by one of its pages: the others wait until that one was looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from collections_app.sources.site.frontier import Candidate, FoundIn, Frontier
from collections_app.sources.site.languages import is_other_language
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.skips import Skip, SkipReason

IN_ANOTHER_LANGUAGE = Skip(SkipReason.OTHER_LANGUAGE)


class Admission:
    """Puts pages into the frontier. `skip` hears of each page of the site that is not to be visited."""

    def __init__(
        self, scope: Scope, robots: Robots, frontier: Frontier, skip: Callable[[Candidate, Skip], None]
    ) -> None:
        self._scope = scope
        self._robots = robots
        self._frontier = frontier
        self._skip = skip
        self._waiting_for_folder: dict[str, deque[Candidate]] = {}

    def offer(self, url: str, found_in: FoundIn, found_on: str = "", *, is_promised: bool = False) -> bool:
        """Whether the page is now one to visit."""
        page = self._scope.find_page(url)
        if page is None or not self._frontier.note(path := self._scope.make_path(page)):
            return False
        candidate = Candidate(page, path, found_in, found_on, is_promised)
        is_named = is_promised or found_in is FoundIn.LAST_READING
        objection = self._scope.find_objection(path, is_named=is_named)
        if not objection and not self._robots.allows(page):
            objection = Skip(SkipReason.DISALLOWED)
        if objection:
            self._skip(candidate, objection)
            return False
        if folder := self._scope.find_foreign_folder(path):
            return self._doubt(candidate, folder, is_named=is_named)
        return self._enqueue(candidate)

    def settle(self, candidate: Candidate, language: str | None) -> Skip | None:
        """What a page that was looked at means for the others of its folder, if that is doubtful: they are visited or skipped as it is.
        The objection to the page itself, if there is one.

        `language`: as the page tells it. Empty where it tells none: the folder's name decides. None where there was none: the next tells.
        """
        folder = self._scope.find_foreign_folder(candidate.path)
        if folder not in self._waiting_for_folder:
            return None
        waiting = self._waiting_for_folder.pop(folder)
        if language is None:
            self._look_at_another(waiting, folder)
            return None
        if language and not is_other_language(language, self._scope.language):
            self._scope.take_folder(folder)
            for each in waiting:
                self._enqueue(each)
            return None
        for each in waiting:
            self._skip(each, IN_ANOTHER_LANGUAGE)
        return None if language else IN_ANOTHER_LANGUAGE

    def _doubt(self, candidate: Candidate, folder: str, *, is_named: bool) -> bool:
        """One page that the site names is looked at for all in the folder."""
        if folder in self._waiting_for_folder:
            self._waiting_for_folder[folder].append(candidate)
            return True
        if not is_named:
            self._skip(candidate, IN_ANOTHER_LANGUAGE)
            return False
        is_enqueued = self._enqueue(candidate)
        if is_enqueued:
            self._waiting_for_folder[folder] = deque()
        return is_enqueued

    def _look_at_another(self, waiting: deque[Candidate], folder: str) -> None:
        while waiting and not self._doubt(waiting.popleft(), folder, is_named=True):
            pass
        self._waiting_for_folder.get(folder, deque()).extend(waiting)

    def _enqueue(self, candidate: Candidate) -> bool:
        if objection := self._frontier.find_objection(candidate):
            self._skip(candidate, objection)
            return False
        self._frontier.add(candidate)
        return True
