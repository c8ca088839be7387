"""A directory of this machine: lists what it holds and reads one file at a time. Nothing outside it is ever read.

Symbolic links are followed as far as they stay inside: a file's always, a directory's unless it leads in a circle or to
where another link has led. What is hidden, and what package managers and interpreters keep, is passed over unless an include
pattern names it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collections_app.exceptions import FetchError, FileTooLarge, IngestError, InvalidParameter
from collections_app.parsing import SUPPORTED_EXTENSIONS
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile
from collections_app.sources.globs import compile_globs

_PASSED_OVER = {".*": r"(?:^|/)\.[^/]", "node_modules": "node_modules", "__pycache__": "__pycache__"}
_SUPPORTED_FILE = re.compile(rf".*(?:{'|'.join(map(re.escape, SUPPORTED_EXTENSIONS))})", re.DOTALL | re.IGNORECASE)
_OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A file as it was listed. By `size_bytes` and `mtime_ns` a later run can tell what it need not read again."""

    path: str
    size_bytes: int
    mtime_ns: int
    root: Path = field(repr=False)
    max_file_bytes: int = field(repr=False)

    def read(self) -> RawDocument | RefusedFile:
        """The file as it is now, which may no longer be what was listed."""
        try:
            return RawDocument(self.path, self._read_content())
        except (IngestError, OSError) as error:
            return _make_refusal(self.path, error)

    def _read_content(self) -> bytes:
        file = _resolve_inside(self.root / self.path, self.root)
        with os.fdopen(os.open(file, _OPEN_FLAGS), "rb") as opened:
            _check_file(os.fstat(opened.fileno()), self.max_file_bytes)
            content = opened.read(self.max_file_bytes + 1)
        _check_size(len(content), self.max_file_bytes)
        return content


def list_directory(
    root: Path, include: Sequence[str], exclude: Sequence[str], max_file_bytes: int
) -> Iterator[DirectoryEntry | RefusedFile]:
    """The files of a directory in the order of their paths, unread. Patterns as in globs.py; no include means every supported format.

    Raises InvalidParameter, before anything is listed, for a bad pattern and for a root that is no readable directory.
    """
    selection = _Selection(include, exclude)
    return _Listing(_get_directory(root), selection, max_file_bytes).iter_entries()


def iter_directory(
    root: Path, include: Sequence[str], exclude: Sequence[str], max_file_bytes: int
) -> Iterator[RawDocument | RefusedFile]:
    """The files of a directory in the order of their paths, each read when it is asked for. Raises as list_directory() does."""
    for entry in list_directory(root, include, exclude, max_file_bytes):
        yield entry if isinstance(entry, RefusedFile) else entry.read()


class _Selection:
    """Which paths are asked for."""

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        passed_over = [
            glob for glob, name in _PASSED_OVER.items() if not any(re.search(name, pattern) for pattern in include)
        ]
        self._included = compile_globs(include) if include else _SUPPORTED_FILE
        self._excluded = compile_globs([*exclude, *passed_over])

    def takes(self, path: str) -> bool:
        """Whether a file is to be listed, or a directory (`a/`) looked into."""
        if self._excluded.fullmatch(path):
            return False
        return path.endswith("/") or bool(self._included.fullmatch(path))


@dataclass(frozen=True, slots=True)
class _Found:
    """A name in a directory; a directory's `path` ends in `/`. `is_linked`: a symbolic link to a directory led there."""

    path: str
    entry: os.DirEntry[str]
    is_linked: bool

    @property
    def is_directory(self) -> bool:
        return self.path.endswith("/")

    @property
    def readable_path(self) -> str:
        """With what is not UTF-8 replaced."""
        return self.path.encode("utf-8", "replace").decode()


class _Listing:
    """One walk through a directory."""

    def __init__(self, root: Path, selection: _Selection, max_file_bytes: int) -> None:
        self._root = root
        self._selection = selection
        self._max_file_bytes = max_file_bytes
        self._entered_by_link: set[Path] = set()
        self._waiting: list[_Found] = []

    def iter_entries(self) -> Iterator[DirectoryEntry | RefusedFile]:
        self._scan(self._root, "", is_linked=False)
        while self._waiting:
            found = self._waiting.pop()
            try:
                if entry := self._visit(found):
                    yield entry
            except (IngestError, OSError) as error:
                yield _make_refusal(found.readable_path, error)

    def _scan(self, directory: Path, prefix: str, *, is_linked: bool) -> None:
        """Put what is in a directory on top of what waits, such that the paths of all files come sorted."""
        with os.scandir(directory) as entries:
            found = [
                _Found(f"{prefix}{entry.name}{'/' if _is_directory(entry) else ''}", entry, is_linked)
                for entry in entries
            ]
        self._waiting += sorted(found, key=lambda each: each.path, reverse=True)

    def _visit(self, found: _Found) -> DirectoryEntry | None:
        if not self._selection.takes(found.readable_path):
            return None
        if found.readable_path != found.path:
            raise FetchError("Its name is not valid UTF-8. Rename it.")
        if found.is_directory:
            self._enter(found)
            return None
        status = _resolve_inside(Path(found.entry.path), self._root).stat()
        _check_file(status, self._max_file_bytes)
        return DirectoryEntry(found.path, status.st_size, status.st_mtime_ns, self._root, self._max_file_bytes)

    def _enter(self, found: _Found) -> None:
        is_linked = found.is_linked or found.entry.is_symlink()
        if is_linked:
            target = _resolve(Path(found.entry.path))
            is_circle = _resolve(Path(found.entry.path).parent).is_relative_to(target)
            if is_circle or target in self._entered_by_link or not target.is_relative_to(self._root):
                return
            self._entered_by_link.add(target)
        self._scan(Path(found.entry.path), found.path, is_linked=is_linked)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _get_directory(root: Path) -> Path:
    try:
        directory = _resolve(root)
        os.scandir(directory).close()
    except NotADirectoryError:
        raise InvalidParameter(f"“{root.name}” is a file, not a directory. Name the directory that holds it.") from None
    except PermissionError:
        raise InvalidParameter(
            f"The directory “{root.name}” may not be read. Give the server's user the right."
        ) from None
    except (OSError, ValueError):
        raise InvalidParameter(f"There is no directory “{root.name}”. Check the path.") from None
    return directory


def _resolve(path: Path) -> Path:
    """Like Path.resolve(), which up to Python 3.12 raises RuntimeError for links that lead in a circle; this one OSError."""
    return Path(os.path.realpath(path, strict=True))


def _resolve_inside(file: Path, root: Path) -> Path:
    target = _resolve(file)
    if not target.is_relative_to(root):
        raise FetchError("It is a symbolic link that leads out of the directory, so it is not followed.")
    return target


def _check_file(status: os.stat_result, max_file_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FetchError("It is not a regular file.")
    _check_size(status.st_size, max_file_bytes)


def _check_size(size_bytes: int, max_file_bytes: int) -> None:
    if size_bytes > max_file_bytes:
        message = (
            f"It has {size_bytes:,} bytes, and the source takes at most {max_file_bytes:,}. "
            "Raise the source's max_file_bytes, or split the file."
        )
        raise FileTooLarge(message, size_bytes=size_bytes, max_file_bytes=max_file_bytes)


def _make_refusal(path: str, error: IngestError | OSError) -> RefusedFile:
    return RefusedFile(path, error if isinstance(error, IngestError) else _make_fetch_error(error))


def _make_fetch_error(error: OSError) -> FetchError:
    match error:
        case PermissionError():
            return FetchError("It may not be read. Give the server's user the right, or exclude it.")
        case FileNotFoundError():
            return FetchError("It is gone, or a symbolic link that leads nowhere.")
    return FetchError("It cannot be read: the file system reports an error.")
