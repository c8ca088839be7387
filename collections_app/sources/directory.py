"""Reads a directory of this machine: lists what is in it, then reads one file at a time. Nothing outside it is ever read.

Symbolic links are followed if they stay inside: a link to a file always; a link to a directory unless it is circular or leads to where
another link has led.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from collections_app.exceptions import FetchError, IngestError, InvalidParameter, PathRefused, UnusablePath
from collections_app.naming.paths import compose
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html.site_descriptions import SiteDescription
from collections_app.parsing.includes import MAX_FILE_BYTES, IncludeResolver
from collections_app.parsing.site_settings import SiteSettings, is_site_settings, read_site_settings
from collections_app.parsing.wikilinks import FileNames
from collections_app.sources import ReadingDefaults, RefusedFile, ShouldStop
from collections_app.sources.categories import read_categories
from collections_app.sources.parts import PartsOfPages
from collections_app.sources.paths import check_path, make_printable
from collections_app.sources.references import make_reference_resolver
from collections_app.sources.selection import EVERY_FILE, FileChoice, Selection, check_size
from collections_app.sources.site_settings import find_unbuilt, list_moved
from collections_app.sources.stopping import Stopped, make_check

_OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


_SPELLED_TWICE = (
    "Another file has the same name in another Unicode spelling (composed and decomposed). Rename one of them."
)


class _LeadsOut(FetchError):
    """A link that leads out of the directory."""


class DirectoryReading(ReadingDefaults):
    """A reading of a directory, its files in the order of their paths. Patterns as in globs.py; no include means every supported format.

    Every file is read at every reading: size and time alone would miss a file that is written twice within a tick of the file
    system's clock. Files that are only a part of pages that include them are left out. An empty listing is never
    complete: it is more likely a mistake than an emptied directory.
    `only` are paths to read again, and nothing else; one that is no longer listed is refused.
    Entering raises InvalidParameter for a bad pattern and for a root that is no readable directory.
    """

    def __init__(
        self,
        root: Path,
        choice: FileChoice = EVERY_FILE,
        only: Collection[str] | None = None,
        should_stop: ShouldStop = lambda: False,
    ) -> None:
        self._root = root
        self._selection = Selection(choice.include, choice.exclude)
        self._max_file_bytes = choice.max_file_bytes
        self._only = only
        self._check = make_check(should_stop)
        self._files: dict[str, _DirectoryFile | RefusedFile] = {}
        self._all_files: Mapping[str, _DirectoryFile | RefusedFile] = {}
        self.left_out = self._selection.left_out
        self.is_complete = False
        self.categories: Mapping[str, str] = {}
        self.moved_pages: Mapping[str, str] | None = None

    @property
    def listed(self) -> Collection[str]:
        return self._files.keys()

    def __enter__(self) -> Self:
        self._resolved_root = _get_directory(self._root)
        listed = _index(self._list())
        self.is_complete = self._only is None and _is_whole(listed)
        self.categories = self._read_categories(listed)
        self._parts = PartsOfPages(lambda path: _read(listed[path]), self._find_included, check=self._check)
        settings = read_site_settings(
            [*self._selection.site_settings, *filter(is_site_settings, listed)], self._find_included
        )
        self.moved_pages = list_moved(settings) if self.is_complete else None
        left_out = self._leave_out(listed.keys(), settings)
        files = {path: file for path, file in listed.items() if path not in left_out}
        self._all_files = files
        only = None if self._only is None else [path for path in self._only if path not in left_out]
        self._files = files if only is None else _choose(files, only)
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __iter__(self) -> Iterator[RawDocument | RefusedFile]:
        names = FileNames(lambda: [*self._all_files, *self._selection.pictures])
        includes = IncludeResolver(self._find_included, names)
        references = make_reference_resolver(self._all_files, self._parts.read_named, self._parts.find_configuration)
        description = SiteDescription(self._all_files, self._find_included)
        for file in self._files.values():
            read = self._check_root(_read(file))
            if isinstance(read, RawDocument):
                yield references.resolve(includes.resolve(description.leave_out(read)))
            else:
                yield read

    def _read_categories(self, listed: Mapping[str, _DirectoryFile | RefusedFile]) -> Mapping[str, str]:
        root = self._resolved_root

        def read(path: str) -> bytes | None:
            file = _read(listed.get(path) or _DirectoryFile(path, root / path, root, self._max_file_bytes))
            return file.content if isinstance(file, RawDocument) else None

        return read_categories([*listed, *self._selection.navigation], read, self._selection.left_out)

    def _leave_out(self, listed: Collection[str], settings: SiteSettings) -> Collection[str]:
        """Nothing where the run is to end."""
        try:
            found = self._parts.leave_out(self._selection, listed)
            return {*found, *find_unbuilt(self._selection, set(listed).difference(found), settings)}
        except Stopped:
            return ()

    def _find_included(self, path: str) -> bytes | None:
        """The content of any file in the directory, even if it is no document of the source. Its path may begin with the directory's own
        name, as MkDocs' do, which count from the folder of its configuration (`docs/parts/a.md` in `docs`).
        """
        file = f"{self._resolved_root}{os.sep}{path}"  # many times faster than making a path
        if not os.path.lexists(file):
            path = path.removeprefix(f"{self._resolved_root.name}/")
            file = f"{self._resolved_root}{os.sep}{path}"
        if not os.path.lexists(file):  # most of what pages may include, and what no file can be called, as with a NUL
            return None
        read = _DirectoryFile(path, Path(file), self._resolved_root, MAX_FILE_BYTES).read()
        return read.content if isinstance(read, RawDocument) else None

    def _list(self) -> list[_DirectoryFile | RefusedFile]:
        """Empty if the run should stop; the run itself reports that."""
        try:
            return list(list_directory(self._root, self._selection, self._max_file_bytes, self._check))
        except Stopped:
            return []

    def _check_root(self, read: RawDocument | RefusedFile) -> RawDocument | RefusedFile:
        """If the root is gone, each file's own reason would be misleading."""
        if isinstance(read, RawDocument) or self._root.is_dir():
            return read
        self.is_complete = False
        return RefusedFile(
            read.path, FetchError("The directory vanished while it was read. See that it is there, and try again.")
        )


def check_directory(root: Path) -> None:
    """Raises InvalidParameter if the root is no readable directory."""
    _get_directory(root)


def list_directory(
    root: Path, selection: Selection, max_file_bytes: int, check: Callable[[], None]
) -> Iterator[_DirectoryFile | RefusedFile]:
    """The files of a directory in the order of their paths, unread. Raises as DirectoryReading does, before anything is listed.

    `check` is called at each name, and may raise to stop.
    """
    return _Listing(_get_directory(root), selection, max_file_bytes, check).iter_entries()


def _index(files: Iterable[_DirectoryFile | RefusedFile]) -> dict[str, _DirectoryFile | RefusedFile]:
    """By path. If two files differ only in how Unicode spells their names, neither is used, since either could be meant."""
    listed: dict[str, _DirectoryFile | RefusedFile] = {}
    for file in files:
        is_second = file.path in listed
        listed[file.path] = RefusedFile(file.path, FetchError(_SPELLED_TWICE)) if is_second else file
    return listed


def _is_whole(listed: Mapping[str, _DirectoryFile | RefusedFile]) -> bool:
    """Whether there are files, and every folder was listed, except those that are elsewhere."""
    refused = [file for file in listed.values() if isinstance(file, RefusedFile) and file.path.endswith("/")]
    return len(refused) < len(listed) and all(isinstance(file.error, _LeadsOut) for file in refused)


def _choose(
    listed: Mapping[str, _DirectoryFile | RefusedFile], only: Collection[str]
) -> dict[str, _DirectoryFile | RefusedFile]:
    """The files with these paths, and everything below directories (`a/`) among them."""
    wanted, folders = frozenset(only), tuple(path for path in only if path.endswith("/"))
    chosen = {path: file for path, file in listed.items() if path in wanted or path.startswith(folders)}
    gone = FetchError("It is gone from the directory, or no longer among the files that are asked for.")
    return chosen | {path: RefusedFile(path, gone) for path in only if path not in chosen and not path.endswith("/")}


def _read(file: _DirectoryFile | RefusedFile) -> RawDocument | RefusedFile:
    return file if isinstance(file, RefusedFile) else file.read()


@dataclass(frozen=True, slots=True)
class _DirectoryFile:
    path: str
    file: Path
    root: Path
    max_file_bytes: int

    def read(self) -> RawDocument | RefusedFile:
        """The file's present content, which may differ from when it was listed."""
        try:
            return RawDocument(self.path, self._read_content())
        except (IngestError, OSError) as error:
            return _make_refusal(self.path, error)

    def _read_content(self) -> bytes:
        with os.fdopen(_open_inside(self.file, self.root), "rb") as opened:
            _check_file(os.fstat(opened.fileno()), self.max_file_bytes)
            content = opened.read(self.max_file_bytes + 1)
        check_size(len(content), self.max_file_bytes)
        return content


@dataclass(frozen=True, slots=True)
class _Found:
    """A name in a directory; its `path` is in Unicode's composed form, and ends in `/` for a directory. `is_linked`: reached through a
    symbolic link to a directory.
    """

    path: str
    entry: os.DirEntry[str]
    is_linked: bool

    @property
    def is_directory(self) -> bool:
        return self.path.endswith("/")

    @property
    def readable_path(self) -> str:
        """With bytes that are not UTF-8 replaced."""
        return self.path.encode("utf-8", "replace").decode()


class _Listing:
    """One walk through a directory."""

    def __init__(self, root: Path, selection: Selection, max_file_bytes: int, check: Callable[[], None]) -> None:
        self._root = root
        self._selection = selection
        self._max_file_bytes = max_file_bytes
        self._check = check
        self._entered_by_link: set[Path] = set()
        self._waiting: list[_Found] = []

    def iter_entries(self) -> Iterator[_DirectoryFile | RefusedFile]:
        self._scan(self._root, "", is_linked=False)
        while self._waiting:
            self._check()
            found = self._waiting.pop()
            try:
                if entry := self._visit(found):
                    yield entry
            except InvalidParameter as error:
                yield RefusedFile(make_printable(found.path), UnusablePath(error.message))
            except (IngestError, OSError) as error:
                yield _make_refusal(found.readable_path, error)

    def _scan(self, directory: Path, prefix: str, *, is_linked: bool) -> None:
        """Pushes a directory's entries on the stack, in such an order that the paths of all files come sorted."""
        with os.scandir(directory) as entries:
            found = [
                _Found(f"{prefix}{compose(entry.name)}{'/' if _is_directory(entry) else ''}", entry, is_linked)
                for entry in entries
            ]
        self._waiting += sorted(found, key=lambda each: each.path, reverse=True)

    def _visit(self, found: _Found) -> _DirectoryFile | None:
        if not self._selection.takes(found.readable_path):
            self._selection.pass_over(found.readable_path)
            return None
        if found.readable_path != found.path:
            raise FetchError("Its name is not valid UTF-8. Rename it.")
        if found.is_directory:
            self._enter(found)
            return None
        path, file = check_path(found.path), Path(found.entry.path)
        is_link = found.entry.is_symlink()
        status = _resolve_inside(file, self._root).stat() if is_link else found.entry.stat(follow_symlinks=False)
        _check_file(status, self._max_file_bytes)
        return _DirectoryFile(path, file, self._root, self._max_file_bytes)

    def _enter(self, found: _Found) -> None:
        is_linked = found.is_linked or found.entry.is_symlink()
        if is_linked:
            target = _resolve_inside(Path(found.entry.path), self._root)
            is_circle = _resolve(Path(found.entry.path).parent).is_relative_to(target)
            if is_circle or target in self._entered_by_link:
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
        raise PathRefused(
            "“{}” is a file, not a directory. Name the directory that holds it; a pattern of what is taken keeps it to the file.",
            root,
        ) from None
    except PermissionError:
        raise PathRefused("The directory “{}” may not be read. Give the server's user the right.", root) from None
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.ELOOP:
            raise PathRefused("“{}” is a symbolic link that leads in a circle. Check the link.", root) from None
        raise PathRefused("There is no directory “{}”. Check the path.", root) from None
    return directory


def _resolve(path: Path) -> Path:
    """Like Path.resolve(), which up to Python 3.12 raises RuntimeError for circular links; this one raises OSError."""
    return Path(os.path.realpath(path, strict=True))


def _open_inside(file: Path, root: Path) -> int:
    """A file descriptor. Only what may be a link is resolved, which takes a call of the system for each folder from `/` on."""
    is_link = stat.S_ISLNK(file.lstat().st_mode)  # first, as most of what pages may include is not there
    target = _resolve_inside(file, root) if is_link or _is_behind_link(file, root) else file
    return os.open(target, _OPEN_FLAGS)


def _is_behind_link(file: Path, root: Path) -> bool:
    """Whether a folder between the root and the file is a symbolic link, or leads back."""
    folder = root
    for name in file.relative_to(root).parts[:-1]:
        folder = folder / name
        if name == ".." or folder.is_symlink():
            return True
    return False


def _resolve_inside(file: Path, root: Path) -> Path:
    target = _resolve(file)
    if not target.is_relative_to(root):
        raise _LeadsOut(
            "It is a symbolic link that leads out of the directory, so it is not followed. Exclude it, or add its target by itself."
        )
    return target


def _check_file(status: os.stat_result, max_file_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FetchError("It is not a regular file.")
    check_size(status.st_size, max_file_bytes)


def _make_refusal(path: str, error: IngestError | OSError) -> RefusedFile:
    return RefusedFile(path, error if isinstance(error, IngestError) else _make_fetch_error(error))


def _make_fetch_error(error: OSError) -> FetchError:
    match error:
        case PermissionError():
            return FetchError("It may not be read. Give the server's user the right, or exclude it.")
        case FileNotFoundError():
            return FetchError("It is gone, or a symbolic link that leads nowhere.")
    return FetchError("It cannot be read: the file system reports an error.")
