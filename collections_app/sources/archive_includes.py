"""What the pages of an archive include from its other files: text from the same archive only.

An archive yields its files only in its own order. So a page that includes a file which was not read yet has to wait, and is read again
in the pass after the one that reads that file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.includes import MAX_FILE_BYTES, IncludeResolver
from collections_app.parsing.wikilinks import FileNames
from collections_app.sources.archive_formats import ArchiveLimitPassed, Member

MAX_KEPT_BYTES = 64 * 1024**2
"""Of included files, which stay in memory until the last page is read."""


class ArchiveIncludes:
    """The includes of one reading of an archive. `files` are the names of all its files, with each one's number in the archive's order."""

    def __init__(self, files: Mapping[str, int]) -> None:
        self._files = files
        self._names = {number: name for name, number in files.items()}
        self._kept: dict[str, bytes | None] = {}
        self._wanted: set[str] = set()
        self._lacks_any = False
        self._bytes_left = MAX_KEPT_BYTES
        self.begin()

    def begin(self) -> None:
        """Resets how much pages have included together; files that were read are kept."""
        self._resolver = IncludeResolver(self._find, FileNames(lambda: self._files))

    def resolve(self, page: RawDocument, number: int) -> RawDocument | None:
        """The page with this number and the files that it includes; None if load() has to read some first."""
        self._lacks_any = False
        resolved = self._resolver.resolve(page, self._names[number])
        if not self._lacks_any:
            return resolved
        self._resolver.forget_missing()
        return None

    def write_variables(self, page: RawDocument, number: int) -> RawDocument:
        """The whole page that was resolved last, with its variables replaced but nothing included."""
        return self._resolver.write_variables(page, self._names[number])

    @property
    def parts(self) -> Collection[int]:
        """The numbers of the parts in the page that was resolved last, if it was complete."""
        return [] if self._lacks_any else [self._files[name] for name in self._resolver.parts]

    def load(self, members: Iterable[Member]) -> None:
        """Reads the files that pages wait for from `members`, which are all of the archive's. Raises what iterating over them raises."""
        wanted = {self._files[name]: name for name in self._wanted}
        for number, member in enumerate(members):
            if name := wanted.get(number):
                self._kept[name] = content = self._read(member)
                self._bytes_left -= len(content or b"")
        self._wanted.clear()

    def _find(self, name: str) -> bytes | None:
        if name in self._files and name not in self._kept:
            self._wanted.add(name)
            self._lacks_any = True
        return self._kept.get(name)

    def _read(self, member: Member) -> bytes | None:
        """None if it is too large or cannot be read: the page then keeps what it says."""
        max_bytes = min(MAX_FILE_BYTES, self._bytes_left)
        if member.problem or member.size_bytes > max_bytes:
            return None
        try:
            return member.read(max_bytes)
        except ArchiveLimitPassed:
            raise
        except IngestError:
            return None
