"""What was decided of the pages of a crawl, in the order in which it was; each decision is taken out once. It decides nothing."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from collections_app.exceptions import IngestError
from collections_app.sources import RefusedFile, SourceFile
from collections_app.sources.site.candidates import Candidate
from collections_app.sources.site.skips import Skip


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a page. `outcome` is a Skip where it is neither taken nor a failure, and None for a page that would be taken and was
    not fetched."""

    candidate: Candidate
    outcome: SourceFile | Skip | None


class Decisions:
    """`existing` and `failed` are the paths of the pages that are there, and of those that may be. With `has_gaps` something could not be
    read that may have led to other pages."""

    def __init__(self) -> None:
        self._waiting: deque[Decision] = deque()
        self.existing: set[str] = set()
        self.failed: set[str] = set()
        self.has_gaps = False

    def __bool__(self) -> bool:
        """Whether any wait to be taken out."""
        return bool(self._waiting)

    def add(self, candidate: Candidate, outcome: SourceFile | Skip | None) -> None:
        self._waiting.append(Decision(candidate, outcome))

    def add_failure(self, candidate: Candidate, error: IngestError) -> RefusedFile:
        """The page may exist, and lead to others that nothing else leads to."""
        self.failed.add(candidate.path)
        self.has_gaps = True
        refused = RefusedFile(candidate.path, error, candidate.url)
        self.add(candidate, refused)
        return refused

    def pop(self) -> Decision:
        """The oldest. Raises IndexError where none waits."""
        return self._waiting.popleft()
