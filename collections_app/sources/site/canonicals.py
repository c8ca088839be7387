"""Pages that step back for the one that they call canonical: until that turns out not to be taken."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from collections_app.sources.site.admission import Admission
from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.decisions import Decisions
from collections_app.sources.site.frontier import Frontier
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.visits import Visits

ROOT_PATH = "index.html"


class Canonicals:
    def __init__(
        self,
        scope: Scope,
        frontier: Frontier,
        visits: Visits,
        admission: Admission,
        decisions: Decisions,
    ) -> None:
        self._scope = scope
        self._frontier = frontier
        self._visits = visits
        self._admission = admission
        self._decisions = decisions
        self._deferred: defaultdict[str, list[Candidate]] = defaultdict(list)

    def defer(self, candidate: Candidate, canonical_url: str) -> bool:
        """Whether the page steps back.

        Where every page calls the start page canonical, that is a mistake of the site.
        """
        path = self._scope.make_path(canonical_url)
        if candidate.ignores_canonical or path in (candidate.path, ROOT_PATH):
            return False
        if path in self._decisions.existing:
            return True
        if self._admission.follows_links:
            self._admission.offer(canonical_url, FoundIn.CANONICAL, candidate.url)
        if path not in self._frontier.waiting and path not in self._visits.paths:
            return False
        self._deferred[path].append(candidate)
        return True

    def recall(self, path: str) -> None:
        """The page of this path is not taken: those that stepped back for it are visited next."""
        for deferred in self._deferred.pop(path, ()):
            self._frontier.add_again(replace(deferred, ignores_canonical=True))
