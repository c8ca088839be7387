"""Tells which pages their site leaves out of its own search: those with `noIndex: true` in their front matter in a tree of GitBook
(SUMMARY.md), whose `hidden` only concerns the menu, and those with `hidden: true` in one of Mintlify (docs.json, mint.json), unless that is
told to find them. Other generators have these words for other things. PURE.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.hints import Hint
from collections_app.parsing.json_values import read_json_object
from collections_app.parsing.navigation.sites import MINTLIFY
from collections_app.parsing.source_paths import FilesAbove, Read

HINT = Hint(rb"\n(?:hidden|noIndex)[ \t]*:[ \t]*[\"']?true")

_GITBOOK = ("SUMMARY.md",)
_MAX_BYTES = 2 * 1024 * 1024


class HiddenPages:
    """Those in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Read) -> None:
        self._generators = {
            "noIndex": FilesAbove(read, _GITBOOK),
            "hidden": FilesAbove(read, MINTLIFY, _hides_from_search),
        }

    def is_hidden(self, path: str, text: str) -> bool:
        """Raises ParseError for front matter that is broken."""
        metadata = split_front_matter(text)[0].metadata
        folder = posixpath.dirname(path)
        return any(
            str(metadata.get(name)).lower() == "true" and files.are_above(folder)
            for name, files in self._generators.items()
        )

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        for files in self._generators.values():
            files.forget_missing()


def _hides_from_search(content: bytes) -> bool:
    """Whether it is a configuration of Mintlify that does not have hidden pages found."""
    if len(content) > _MAX_BYTES:
        return False
    try:
        configuration = read_json_object(decode_text(content)[0])
    except IngestError:
        return False
    seo = configuration.get("seo")
    finds_all = isinstance(seo, Mapping) and (seo.get("indexing") == "all" or seo.get("indexHiddenPages") is True)
    return "navigation" in configuration and not finds_all
