"""The files of a commit: which are asked for, in the order of their paths, and where links lead. Reads no documents.

Submodules are other repositories, and are skipped. A link to a file of the same repository is followed, a link to a folder is not.
"""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from dulwich.objects import S_ISGITLINK, ObjectID, Tree

from collections_app.clients.git_requests import Check
from collections_app.exceptions import FetchError, IngestError, InvalidParameter, UnusablePath
from collections_app.sources import RefusedFile
from collections_app.sources.git.pack import GitPack
from collections_app.sources.paths import MAX_PATH_CHARACTERS, check_path, make_printable
from collections_app.sources.selection import Selection

MAX_ENTRIES = 200_000
MAX_LINKS = 10

_TOO_DEEP = f"Its path is longer than {MAX_PATH_CHARACTERS:,} characters, so it is not looked into. Shorten it."
_MAX_TARGET_BYTES = 4 * MAX_PATH_CHARACTERS


@dataclass(frozen=True, slots=True)
class GitFile:
    """A file that is asked for; `path` is relative to the folder that is asked for."""

    path: str
    blob: ObjectID


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a tree; a folder's `path` ends in `/`."""

    path: str
    mode: int
    name: ObjectID


class GitTree:
    """The tree of one commit, seen from `folder` (empty: all of it)."""

    def __init__(self, pack: GitPack, root: Tree, folder: str, selection: Selection, check: Check) -> None:
        self._pack = pack
        self._root = root
        self._folder = folder
        self._selection = selection
        self._check = check

    def iter_files(self) -> Iterator[GitFile | RefusedFile]:
        """Raises InvalidParameter if there is no such folder, FetchError if there is too much in it."""
        waiting, seen = self._list("", self._get_folder()), 0
        while waiting:
            self._check()
            if seen + len(waiting) > MAX_ENTRIES:
                raise FetchError(
                    f"The repository has more than {MAX_ENTRIES:,} files and folders. Name a folder of it."
                )
            entry = waiting.pop()
            seen += 1
            if S_ISGITLINK(entry.mode):
                continue
            if not self._selection.takes(entry.path):
                self._selection.pass_over(entry.path)
                continue
            if not stat.S_ISDIR(entry.mode):
                yield self._make_file(entry)
            elif len(entry.path) > MAX_PATH_CHARACTERS:
                yield RefusedFile(make_printable(entry.path), UnusablePath(_TOO_DEEP))
            else:
                waiting += self._list(entry.path, self._pack.get_tree(entry.name))

    def _get_folder(self) -> Tree:
        found = _Entry("", stat.S_IFDIR, self._root.id) if not self._folder else self._find(self._folder)
        if not found or not stat.S_ISDIR(found.mode):
            raise InvalidParameter(f"The repository has no folder “{self._folder}” in this branch. Check its spelling.")
        return self._pack.get_tree(found.name)

    def _list(self, prefix: str, tree: Tree) -> list[_Entry]:
        """In reverse order, for a stack: git stores entries in the order of their paths, and the last is taken first."""
        entries = [
            _Entry(f"{prefix}{name.decode('utf-8', 'replace')}{'/' if stat.S_ISDIR(mode) else ''}", mode, sha)
            for name, mode, sha in tree.items()
        ]
        return entries[::-1]

    def _make_file(self, entry: _Entry) -> GitFile | RefusedFile:
        try:
            path = check_path(entry.path)
            blob = self._follow(posixpath.join(self._folder, entry.path), entry)
        except InvalidParameter as error:
            return RefusedFile(make_printable(entry.path), UnusablePath(error.message))
        except IngestError as error:
            return RefusedFile(entry.path, error)
        return GitFile(path, blob)

    def find_blob(self, path: str) -> ObjectID | None:
        """The file at a path from the repository's root, whether asked for or not. Raises FetchError for a dead link."""
        entry = self._find(path)
        is_file = entry and not stat.S_ISDIR(entry.mode) and not S_ISGITLINK(entry.mode)
        return self._follow(path, entry) if entry and is_file else None

    def _follow(self, path: str, found: _Entry) -> ObjectID:
        """The file itself, or the one that a link finally leads to."""
        if not stat.S_ISLNK(found.mode):
            return found.name
        for _ in range(MAX_LINKS):
            target = self._pack.find_blob(found.name) or b""
            if len(target) > _MAX_TARGET_BYTES:
                break
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.decode("utf-8", "replace")))
            if path.startswith(("/", "../")):
                raise FetchError("It is a link that leads out of the repository, so it is not followed.")
            entry = self._find(path)
            if not entry or stat.S_ISDIR(entry.mode) or S_ISGITLINK(entry.mode):
                break
            if not stat.S_ISLNK(entry.mode):
                return entry.name
            found = entry
        raise FetchError("It is a link that leads to no file of the repository.")

    def _find(self, path: str) -> _Entry | None:
        """The entry at a path from the repository's root."""
        tree, found = self._root, None
        for part in path.split("/"):
            if found:
                if not stat.S_ISDIR(found.mode):
                    return None
                tree = self._pack.get_tree(found.name)
            try:
                found = _Entry(path, *tree[part.encode()])
            except KeyError:
                return None
        return found
