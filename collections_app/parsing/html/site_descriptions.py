"""Leaves the description of a site out of its pages: generators such as MkDocs with Material write it into each page that has none of its
own. PURE.

A description is the site's if more than half of the pages have it, of which some are read for that. The start page keeps it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from collections_app.parsing.detection.templates import is_html_name
from collections_app.parsing.documents import RawDocument

LOOKED_AT = 24
ENOUGH = 5
_MAX_HEAD_BYTES = 64 * 1024

_META = re.compile(rb"<meta\b[^<>]{0,4000}>", re.IGNORECASE)
_DESCRIBES = re.compile(rb"\b(?:name|property)\s*=\s*[\"']?(?:og:|twitter:)?description\b", re.IGNORECASE)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


class SiteDescription:
    """That of one source. `paths` are those of its files, of which `read` returns one, or None. Nothing is read before the first page of
    HTML with a description comes.
    """

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes | None]) -> None:
        self._paths = paths
        self._read = read
        self._has_looked = False
        self._start = ""
        self._told = b""

    def leave_out(self, raw: RawDocument) -> RawDocument:
        """The page without the site's description; any other file as it is."""
        if b"description" not in raw.content or not is_html_name(raw.path) or not any(_iter_descriptions(raw.content)):
            return raw
        if not self._has_looked:
            self._look()
        if not self._told or raw.path == self._start:
            return raw
        return replace(
            raw, content=_META.sub(self._drop, raw.content[:_MAX_HEAD_BYTES]) + raw.content[_MAX_HEAD_BYTES:]
        )

    def _look(self) -> None:
        self._has_looked = True
        pages = sorted(filter(is_html_name, self._paths))
        self._start = min(pages, key=lambda path: (path.count("/"), "index." not in path, path), default="")
        some = pages[:: max(1, -(-len(pages) // LOOKED_AT))]
        contents = [content for content in map(self._read, some) if content]
        told = Counter(text for content in contents for text in {*_iter_descriptions(content)})
        text, count = max(told.items(), key=lambda each: each[1], default=(b"", 0))
        self._told = text if count >= ENOUGH and count * 2 > len(contents) else b""

    def _drop(self, meta: re.Match[bytes]) -> bytes:
        return b"" if _find_description(meta[0]) == self._told else meta[0]


def _iter_descriptions(content: bytes) -> Iterable[bytes]:
    head = content[:_MAX_HEAD_BYTES]
    return filter(None, (_find_description(meta[0]) for meta in _META.finditer(head))) if b"description" in head else ()


def _find_description(meta: bytes) -> bytes:
    content = _CONTENT.search(meta) if _DESCRIBES.search(meta) else None
    return (content[1] or content[2] or b"").strip() if content else b""
