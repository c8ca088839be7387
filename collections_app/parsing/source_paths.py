"""The places in a source where a file that a page names may be."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

Read: TypeAlias = Callable[[str], bytes | None]
"""Returns a file by its path from the source's root, or None."""


def iter_paths(folder: str, target: str) -> Iterator[str]:
    """The paths to try for a file that a page in `folder` names: in this folder, then in each folder above, up to the source's root.

    Site generators start from the page, from the folder of their configuration, or from the root of all pages, which they write as `/`,
    `@/` or `~/`. No path leads out of the source.
    """
    target = target.replace("\\", "/").removeprefix("@").removeprefix("~").lstrip("/")
    if not target or ":" in target:
        return
    while True:
        path = posixpath.normpath(posixpath.join(folder, target))
        if path != ".." and not path.startswith(("../", "/")):
            yield path
        if folder in ("", "/"):
            return
        folder = posixpath.dirname(folder)


def iter_paths_below(root: str, folder: str, target: str) -> Iterator[str]:
    """The same for a target that counts from `root`, the page's folder or one above: there first, then in each folder between, in case the
    pages have their root in one of them, then in those above.
    """
    paths = list(iter_paths(folder, target))
    below = max(0, _count_levels(folder) - _count_levels(root)) + 1
    yield from (*reversed(paths[:below]), *paths[below:])


def _count_levels(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


class FilesAbove:
    """Whether folders of a source, or those above them, have a file of one of these names, such as a generator's configuration. Each folder
    is asked once. `counts` takes the content of such a file.
    """

    def __init__(self, read: Read, names: Sequence[str], counts: Callable[[bytes], bool] = lambda _: True) -> None:
        self._read = read
        self._names = names
        self._counts = counts
        self._folders: dict[str, bool] = {}

    def are_above(self, folder: str) -> bool:
        if folder not in self._folders:
            paths = (path for name in self._names for path in iter_paths(folder, name))
            self._folders[folder] = any(
                content is not None and self._counts(content) for content in map(self._read, paths)
            )
        return self._folders[folder]

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._folders = {folder: is_there for folder, is_there in self._folders.items() if is_there}


def find_beside(file: str, name: str) -> str | None:
    """The path of the file that another one names by a path from its own folder; None if it leads out of the source, to the root of a
    machine or to something hidden.
    """
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
    if not name.isprintable() or name.startswith("/") or ":" in name or "\\" in name or "/." in f"/{path}":
        return None
    return path
