"""The titles of pages in the tables of contents of a source (SUMMARY.md, _sidebar.md). PURE."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.navigation import MAX_NAVIGATION_BYTES, MAX_NAVIGATIONS_BYTES, NAMES, parse_titles
from collections_app.parsing.source_paths import iter_paths


class NavigationTitles:
    """The titles in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._tables: dict[str, Mapping[str, str] | None] = {}
        self._around: dict[str, Sequence[Mapping[str, str]]] = {}
        self._bytes_left = MAX_NAVIGATIONS_BYTES

    def find(self, path: str) -> str:
        """The title in the nearest table, in the page's folder or above, that links to the page; empty if there is none."""
        titles = (table.get(path, "") for table in self._list_tables(posixpath.dirname(path)))
        return next(filter(None, titles), "")

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._tables = {path: titles for path, titles in self._tables.items() if titles is not None}
        self._around.clear()

    def _list_tables(self, folder: str) -> Sequence[Mapping[str, str]]:
        """The tables in the folder and above, nearest first."""
        if folder not in self._around:
            self._around[folder] = list(filter(None, map(self._get, _iter_places(folder))))
        return self._around[folder]

    def _get(self, path: str) -> Mapping[str, str] | None:
        if path not in self._tables:
            content = self._read(path)
            self._tables[path] = None if content is None else self._parse(path, content)
        return self._tables[path]

    def _parse(self, path: str, content: bytes) -> Mapping[str, str]:
        if len(content) > min(MAX_NAVIGATION_BYTES, self._bytes_left):
            return {}
        self._bytes_left -= len(content)
        try:
            return parse_titles(path, decode_text(content)[0])
        except IngestError:
            return {}  # its parser will report it


def _iter_places(folder: str) -> Iterator[str]:
    """The paths at which a table may be, nearest first."""
    return chain.from_iterable(zip(*(iter_paths(folder, name) for name in NAMES), strict=True))
