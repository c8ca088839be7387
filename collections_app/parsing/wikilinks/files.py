"""Finds the file of a source that a link means, which gives only as much of its path as it needs."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import unquote

MAX_NAMESAKES = 50
"""Files with the same name, or with the same name and folder, among which a link may choose."""

_NOTE_ENDING = re.compile(r"\.(?:md|markdown|mdown|mkd|mdx|rst|adoc|asciidoc|org|textile)$")
_MARKDOWN_ENDING = re.compile(r"\.(?:md|markdown|mdown|mkd|mdx)$", re.IGNORECASE)
# Wikis store `Page Name` as Page-Name.md, MkDocs' plugins as page_name.md, Logseq `Page/Name` as Page___Name.md.
_LOOSE = re.compile(r"[\s_/-]+")


class FileNames:
    """The files in one reading of a source. `list_paths` returns their paths from the root, and is called at the first look-up."""

    def __init__(self, list_paths: Callable[[], Iterable[str]] = lambda: ()) -> None:
        self._list_paths = list_paths
        self._paths: dict[str, str] | None = None
        self._by_end: dict[str, list[str]] = {}
        self._by_loose_end: dict[str, list[str]] = {}

    def find(self, target: str, page: str) -> str | None:
        """The file that `target`, with or without an extension, means in a link of the page at that path.

        As in Obsidian: by its path from the root, else beside the page, else the shortest of the paths that end with it. Case does not
        matter.
        """
        paths, folder = self._get_paths(), posixpath.dirname(page)
        wanted = _fold(target.replace("\\", "/"))
        if wanted.startswith(("./", "../")):
            return paths.get(posixpath.normpath(posixpath.join(_fold(folder), wanted)))
        wanted = wanted.strip("/ ")
        if not wanted:
            return None
        beside = posixpath.join(_fold(folder), wanted)
        if found := paths.get(wanted) or paths.get(beside):
            return found
        named = (path for path in self._by_end.get(_cut_end(wanted), ()) if _ends_with(path, wanted))
        return _choose(named, folder) or _choose(self._by_loose_end.get(_loosen(wanted), ()), folder)

    def _get_paths(self) -> Mapping[str, str]:
        if self._paths is None:
            self._paths = {}
            for path in sorted(self._list_paths(), key=_rank):
                if "/." not in f"/{path}":
                    self._add(path, self._paths)
        return self._paths

    def _add(self, path: str, paths: dict[str, str]) -> None:
        for spelling in _iter_spellings(path):
            paths.setdefault(spelling, path)
            for end in {_cut_end(spelling), spelling.rpartition("/")[2]}:
                _append(self._by_end, end, path)
                _append(self._by_loose_end, _loosen(end), path)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _iter_spellings(path: str) -> Iterator[str]:
    """The path, and for a page also the path without its extension."""
    folded = _fold(path)
    yield folded
    if ending := _NOTE_ENDING.search(folded):
        yield folded[: ending.start()]


def _rank(path: str) -> tuple[bool, int, str]:
    return not _MARKDOWN_ENDING.search(path), len(path), path


def _cut_end(path: str) -> str:
    """The name with its folder."""
    return "/".join(path.rsplit("/", 2)[-2:])


def _loosen(name: str) -> str:
    return _LOOSE.sub("-", unquote(name))


def _append(files: dict[str, list[str]], name: str, path: str) -> None:
    found = files.setdefault(name, [])
    if len(found) < MAX_NAMESAKES and path not in found[-2:]:
        found.append(path)


def _ends_with(path: str, wanted: str) -> bool:
    return any(f"/{spelling}".endswith(f"/{wanted}") for spelling in _iter_spellings(path))


def _choose(paths: Iterable[str], folder: str) -> str | None:
    found = list(paths)
    return next((path for path in found if posixpath.dirname(path) == folder), found[0] if found else None)
