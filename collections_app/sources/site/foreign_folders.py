"""Folders that another language seems to have: one page of each is looked at for all of its pages, since `ca/` may be about certificates.

scope.py knows which folders are doubtful; here their other pages wait.
"""

from __future__ import annotations

from collections import deque

from collections_app.sources.site.candidates import Candidate
from collections_app.sources.site.decisions import Decisions
from collections_app.sources.site.frontier import Frontier
from collections_app.sources.site.languages import is_other_language
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.skips import Skip, SkipReason

IN_ANOTHER_LANGUAGE = Skip(SkipReason.OTHER_LANGUAGE)


class ForeignFolders:
    def __init__(self, scope: Scope, frontier: Frontier, decisions: Decisions) -> None:
        self._scope = scope
        self._frontier = frontier
        self._decisions = decisions
        self._waiting: dict[str, deque[Candidate]] = {}

    def add(self, candidate: Candidate, folder: str, *, is_named: bool) -> bool:
        """Whether the page may be taken: it is visited for its folder, or waits for the one that is. Only a page that the site names
        (`is_named`) is visited for the others."""
        if folder in self._waiting:
            self._waiting[folder].append(candidate)
            return True
        if not is_named:
            self._decisions.add(candidate, IN_ANOTHER_LANGUAGE)
            return False
        is_added = self._frontier.add(candidate)
        if is_added:
            self._waiting[folder] = deque()
        return is_added

    def settle(self, candidate: Candidate, language: str | None) -> Skip | None:
        """What a page that was visited for its folder means for the others: they are visited or skipped as it is. The objection to the page
        itself, if there is one.

        `language`: as the page tells it. Empty where it tells none: the folder's name decides. None where no page is: the next tells.
        """
        folder = self._scope.find_foreign_folder(candidate.path)
        if folder not in self._waiting:
            return None
        others = self._waiting.pop(folder)
        if language is None:
            self._visit_next(others, folder)
            return None
        if language and not is_other_language(language, self._scope.language):
            self._scope.take_folder(folder)
            for each in others:
                self._frontier.add(each)
            return None
        for each in others:
            self._decisions.add(each, IN_ANOTHER_LANGUAGE)
        return None if language else IN_ANOTHER_LANGUAGE

    def _visit_next(self, others: deque[Candidate], folder: str) -> None:
        while others and not self.add(others.popleft(), folder, is_named=True):
            pass
        self._waiting.get(folder, deque()).extend(others)
