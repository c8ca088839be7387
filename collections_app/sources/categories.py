"""Path → category, from the navigation files that a source holds. What such a file says is parsing's matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.navigation import NAVIGATION_FILES, parse_navigation
from collections_app.sources import RefusedFile


def is_navigation(path: str) -> bool:
    return path.rpartition("/")[2] in NAVIGATION_FILES


def read_categories(paths: Iterable[str], read: Callable[[str], RawDocument | RefusedFile]) -> dict[str, str]:
    """The categories that the navigation files among `paths` give, the one nearest to the root deciding.

    What cannot be read gives none here: it is refused where it is read as a document.
    """
    categories: dict[str, str] = {}
    for path in sorted(filter(is_navigation, paths), key=lambda path: path.count("/"), reverse=True):
        file = read(path)
        if isinstance(file, RawDocument):
            categories |= parse_navigation(path, file.content.decode("utf-8-sig", errors="replace"))
    return categories
