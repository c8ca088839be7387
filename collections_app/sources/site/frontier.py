"""The frontier of a crawl: the pages still to be visited, each once, in the order in which they were found. Fetches nothing.

Likely traps are cut off: a calendar or a shop with parameters has no end. Pages in a sitemap or llms.txt are trusted.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Collection

from collections_app.sources.site.candidates import Candidate
from collections_app.sources.site.decisions import Decisions
from collections_app.sources.site.skips import Skip, SkipReason

MAX_QUERIES_PER_PAGE = 50
MAX_ALIKE = 1000
MAX_DEPTH = 20
MAX_REPEATS = 3
# A site may name pages without end, taken or not. Each costs its path and NOTED_WITH_A_PATH characters more, all of them at most this many.
MAX_NOTED_CHARACTERS = 250_000_000
NOTED_WITH_A_PATH = 200

_NUMBER = re.compile(r"\d+")


class Frontier:
    """Takes at most `max_pages` candidates; of the others it is decided at once that they are not visited."""

    def __init__(self, max_pages: int, decisions: Decisions) -> None:
        self._max_pages = max_pages
        self._decisions = decisions
        self._waiting: OrderedDict[str, Candidate] = OrderedDict()
        self._seen: set[str] = set()
        self._alike: Counter[str] = Counter()
        self._accepted = 0
        self._room_for_notes = MAX_NOTED_CHARACTERS
        self.is_cut = False

    @property
    def waiting(self) -> Collection[str]:
        """The paths of the pages to be visited."""
        return self._waiting.keys()

    def __contains__(self, path: str) -> bool:
        """Whether the page was ever offered."""
        return path in self._seen

    def note(self, path: str) -> bool:
        """Whether the page is new; from now on it is not. Pages beyond the limit are ignored, as if they did not exist."""
        if path in self._seen:
            return False
        self._room_for_notes -= len(path) + NOTED_WITH_A_PATH
        if self._room_for_notes < 0:
            self.is_cut = True
            return False
        self._seen.add(path)
        return True

    def add(self, candidate: Candidate) -> bool:
        """Whether the candidate is to be visited."""
        if objection := self._find_objection(candidate):
            self._decisions.add(candidate, objection)
            return False
        self._accepted += 1
        self._waiting[candidate.path] = candidate
        return True

    def add_again(self, candidate: Candidate) -> None:
        """Adds a page that was visited already; it is visited next."""
        self._waiting[candidate.path] = candidate
        self._waiting.move_to_end(candidate.path, last=False)

    def pop(self) -> Candidate:
        """The next candidate. Raises KeyError if none waits."""
        return self._waiting.popitem(last=False)[1]

    def _find_objection(self, candidate: Candidate) -> Skip | None:
        if not candidate.is_promised and self._is_trap(candidate.path):
            return Skip(SkipReason.TRAP)
        if self._accepted >= self._max_pages:
            self.is_cut = True
            return Skip(SkipReason.OVER_LIMIT, f"{self._max_pages:,}")
        return None

    def _is_trap(self, path: str) -> bool:
        page, _, query = path.partition(";")
        segments = page.split("/")
        if len(segments) > MAX_DEPTH or max(Counter(segments).values()) > MAX_REPEATS:
            return True
        shape = _NUMBER.sub("0", page)
        if query:
            self._alike[f"{page};"] += 1
            return self._alike[f"{page};"] > MAX_QUERIES_PER_PAGE
        if shape != page:
            self._alike[shape] += 1
        return self._alike[shape] > MAX_ALIKE
