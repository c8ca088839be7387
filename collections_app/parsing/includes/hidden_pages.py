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
from collections_app.parsing.json_files import read_json_object
from collections_app.parsing.navigation.sites import MINTLIFY
from collections_app.parsing.source_paths import Read, iter_paths

HINT = Hint(rb"\n(?:hidden|noIndex)[ \t]*:[ \t]*[\"']?true")

_GITBOOK = "SUMMARY.md"
_GITBOOKS, _MINTLIFYS = "noIndex", "hidden"
_MAX_BYTES = 2 * 1024 * 1024


class HiddenPages:
    """Those in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._generated: dict[tuple[str, str], bool] = {}

    def is_hidden(self, path: str, text: str) -> bool:
        """Raises ParseError for front matter that is broken."""
        metadata = split_front_matter(text)[0].metadata
        folder = posixpath.dirname(path)
        told = (name for name in (_GITBOOKS, _MINTLIFYS) if str(metadata.get(name)).lower() == "true")
        return any(self._is_meant(name, folder) for name in told)

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._generated = {place: is_meant for place, is_meant in self._generated.items() if is_meant}

    def _is_meant(self, name: str, folder: str) -> bool:
        """Whether the folder or one above has a file of the generator that has this word for it."""
        if (name, folder) not in self._generated:
            self._generated[name, folder] = (
                any(self._read(path) is not None for path in iter_paths(folder, _GITBOOK))
                if name == _GITBOOKS
                else any(self._hides_from_search(path) for each in MINTLIFY for path in iter_paths(folder, each))
            )
        return self._generated[name, folder]

    def _hides_from_search(self, path: str) -> bool:
        content = self._read(path)
        if content is None or len(content) > _MAX_BYTES:
            return False
        try:
            configuration = read_json_object(decode_text(content)[0])
        except IngestError:
            return False
        seo = configuration.get("seo")
        finds_all = isinstance(seo, Mapping) and (seo.get("indexing") == "all" or seo.get("indexHiddenPages") is True)
        return "navigation" in configuration and not finds_all
