"""Where in a source the file that a page names may be."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator


def iter_paths(folder: str, target: str) -> Iterator[str]:
    """Where a file may be that a page in `folder` names: there, then in each folder above, down to the source's root.

    Builders of pages start from the page, from the folder of their configuration, or from the root of all pages, and write the
    last as `/`, `@/` or `~/`. No path leads out of the source.
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
