"""Path → category, from the navigation files that a source holds. What such a file says is parsing's matter, and how
large it may be.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from functools import cache

from collections_app.parsing.navigation import (
    MAX_NAVIGATION_BYTES,
    MAX_NAVIGATIONS_BYTES,
    is_navigation,
    parse_navigation,
)
from collections_app.parsing.navigation.sites import rank_site_file
from collections_app.sources.left_out import LeftOut

TOO_LARGE = "a navigation file that gives no categories: it has more than 256 KiB, or those nearer to the root have 2 MiB together"


def read_categories(
    paths: Collection[str], read: Callable[[str], bytes | None], left_out: LeftOut
) -> Mapping[str, str]:
    """The categories that the navigation files among `paths` assign, to those paths and others; the file nearest to the root takes
    precedence.

    A file that cannot be read (None) assigns none; one that is a document is refused when it is read as such. One that is too large is
    counted in `left_out`. `read` is also asked for files that these name, of which it may have none (None).
    """
    categories: dict[str, str] = {}
    files = _Files(read, left_out)
    # Of two at the same depth, the later one takes precedence, but for those of site generators.
    found = filter(is_navigation, reversed(list(paths)))
    for path in sorted(found, key=lambda path: (path.count("/"), rank_site_file(path))):
        content = files.read(path)
        if content is None:
            continue
        text = content.decode("utf-8-sig", errors="replace")
        for page, category in parse_navigation(path, text, files.read).items():
            categories.setdefault(page, category)
    return _give_folders(categories, paths)


class _Files:
    """The files of a source that are read for categories, with what is left of their limit. A file counts each time that it is asked for:
    each file that names it takes its pages anew.
    """

    def __init__(self, read: Callable[[str], bytes | None], left_out: LeftOut) -> None:
        self._read = cache(read)
        self._left_out = left_out
        self._room = MAX_NAVIGATIONS_BYTES
        self._refused: set[str] = set()

    def read(self, path: str) -> bytes | None:
        content = self._read(path)
        if content is None:
            return None
        if len(content) > min(self._room, MAX_NAVIGATION_BYTES):
            if path not in self._refused:
                self._refused.add(path)
                self._left_out.add(TOO_LARGE, path)
            return None
        self._room -= len(content)
        return content


def _give_folders(categories: dict[str, str], paths: Collection[str]) -> Mapping[str, str]:
    """With the category of its nearest folder for each of the paths that has none of its own."""
    folders = {path: category for path, category in categories.items() if path.endswith("/")}

    @cache  # many pages may be in one deep folder
    def find(folder: str) -> str:
        return folders.get(f"{folder}/") or (find(posixpath.dirname(folder)) if folder else "")

    given = {path: category for path in paths if (category := find(posixpath.dirname(path)))} if folders else {}
    return given | {path: category for path, category in categories.items() if path not in folders}
