"""Path → category, from the navigation files that a source holds. What such a file says is parsing's matter, and how
large it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.navigation import (
    MAX_NAVIGATION_BYTES,
    MAX_NAVIGATIONS_BYTES,
    is_navigation,
    parse_navigation,
)
from collections_app.sources import RefusedFile
from collections_app.sources.left_out import LeftOut

TOO_LARGE = "a navigation file that gives no categories: it has more than 256 KiB, or those nearer to the root have 2 MiB together"


def read_categories(
    paths: Iterable[str], read: Callable[[str], RawDocument | RefusedFile], left_out: LeftOut
) -> dict[str, str]:
    """The categories that the navigation files among `paths` assign; the file nearest to the root takes precedence.

    A file that cannot be read assigns none; it is refused when it is read as a document. One that is too large is counted in `left_out`.
    """
    categories: dict[str, str] = {}
    room = MAX_NAVIGATIONS_BYTES
    # Of two at the same depth, the later one takes precedence.
    for path in sorted(filter(is_navigation, reversed(list(paths))), key=lambda path: path.count("/")):
        file = read(path)
        if not isinstance(file, RawDocument):
            continue
        if len(file.content) > min(room, MAX_NAVIGATION_BYTES):
            left_out.add(TOO_LARGE, path)
            continue
        room -= len(file.content)
        categories = parse_navigation(path, file.content.decode("utf-8-sig", errors="replace")) | categories
    return categories
