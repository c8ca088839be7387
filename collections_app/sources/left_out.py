"""What a reading passed over and somebody may miss: how many files for each reason, and the names of the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from collections_app.sources.paths import make_printable
from collections_app.text.shortening import shorten

# So few that a job's row and its page stay small, whatever a source has.
KEPT_PATHS = 5
PATH_CHARACTERS = 100


class LeftOut(Counter[str]):
    """How many files or pages, by the reason in words. `paths` are the first KEPT_PATHS of each reason, in order, printable and cut."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: dict[str, list[str]] = {}

    def add(self, reason: str, path: str) -> None:
        self[reason] += 1
        self._keep(reason, [path])

    def take(self, other: LeftOut) -> None:
        """Adds what another reading, opened by this one, passed over."""
        self.update(other)
        for reason, paths in other.paths.items():
            self._keep(reason, paths)

    def _keep(self, reason: str, paths: Iterable[str]) -> None:
        kept = self.paths.setdefault(reason, [])
        room = KEPT_PATHS - len(kept)
        kept += [shorten(make_printable(path), PATH_CHARACTERS) for path, _ in zip(paths, range(room), strict=False)]
