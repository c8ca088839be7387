"""The places in a source where a file that a page names may be."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator


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
