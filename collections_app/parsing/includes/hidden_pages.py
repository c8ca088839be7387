"""Tells which pages their site hides: those with `hidden: true` in their front matter, in a tree of GitBook (SUMMARY.md) or Mintlify
(docs.json, mint.json). Their generators leave them out of navigation and search, unless Mintlify is told to have them in its search; others
have the word for other things. PURE.
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

HINT = Hint(rb"\nhidden[ \t]*:[ \t]*[\"']?true")

_GITBOOK = "SUMMARY.md"
_MAX_BYTES = 2 * 1024 * 1024


class HiddenPages:
    """Those in one reading of a source. `read` returns a file by its path from the source's root, or None."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._folders: dict[str, bool] = {}

    def is_hidden(self, path: str, text: str) -> bool:
        """Raises ParseError for front matter that is broken."""
        hidden = split_front_matter(text)[0].metadata.get("hidden")
        return str(hidden).lower() == "true" and self._has_sign(posixpath.dirname(path))

    def forget_missing(self) -> None:
        """Files that were missing may exist now."""
        self._folders = {folder: has_sign for folder, has_sign in self._folders.items() if has_sign}

    def _has_sign(self, folder: str) -> bool:
        """Whether the folder or one above has a file that only the generator has, by which hidden pages are not found."""
        if folder not in self._folders:
            self._folders[folder] = any(self._read(path) is not None for path in iter_paths(folder, _GITBOOK)) or any(
                map(self._hides_from_search, (path for name in MINTLIFY for path in iter_paths(folder, name)))
            )
        return self._folders[folder]

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
