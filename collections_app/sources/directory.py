"""(temporary stand-in until the real one lands)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from collections_app.exceptions import InvalidParameter
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    root: Path
    path: str
    size_bytes: int

    def read(self) -> RawDocument | RefusedFile:
        return RawDocument(self.path, (self.root / self.path).read_bytes())


def list_directory(
    root: Path, include: Sequence[str], exclude: Sequence[str], max_file_bytes: int
) -> Iterator[DirectoryEntry | RefusedFile]:
    if not root.is_dir():
        raise InvalidParameter("That is no directory.")
    for path in sorted(root.rglob("*.md")):
        yield DirectoryEntry(root, str(path.relative_to(root)), path.stat().st_size)
