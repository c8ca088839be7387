"""Removes drawings from a Markdown text (`<svg>`): thousands of characters that nobody reads. Only the name of a drawing is kept.

A hidden drawing stays as it is written, for the content policy; so does one without an end, or with Markdown in it. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from collections_app.parsing.safety.hiding_styles import is_hiding_style
from collections_app.parsing.safety.places import Places
from collections_app.text.spans import replace_spans

_TAG = re.compile(r"(?<!\\)<(?P<end>/)?svg(?P<attributes>(?:\s[^<>]*+)?)>", re.IGNORECASE)
_NAME = re.compile(
    r"\saria-label=(?:\"([^\"<>{}]*+)\"|'([^'<>{}]*+)')|<title\b[^<>]*+>([^<>{}]*+)</title", re.IGNORECASE
)
_HIDING = re.compile(
    r"\s(?:hidden|aria-hidden=[\"']?true)(?=[\s\"'/>]|$)|\sstyle=(?:\"([^\"]*+)\"|'([^']*+)')", re.IGNORECASE
)
_MARKDOWN = re.compile(r"^[ \t]*+(?:#{1,6}[ \t]|`{3}|~{3}|[-*+][ \t]|>[ \t])", re.MULTILINE)
_SIGNS = re.compile(r"[\[\]<>{}`*_\\|&]")


def drop_drawings(content: str) -> str:
    """The text without drawings; the number of lines is unchanged."""
    if "<svg" not in content.lower():
        return content
    drawings = _iter_drawings(content)
    return replace_spans(content, ((start, end, _describe(content[start:end])) for start, end in drawings))


def _iter_drawings(content: str) -> Iterator[tuple[int, int]]:
    """The outermost drawings."""
    places, start, depth = Places(content, has_markup=True), 0, 0
    for tag in _TAG.finditer(content):
        if places.is_code(*tag.span()) or (not depth and tag["end"]):
            continue
        if not depth:
            start = tag.start()
        if not tag["attributes"].endswith("/"):
            depth += -1 if tag["end"] else 1
        if not depth and not _stays(content[start : tag.end()]):
            yield start, tag.end()


def _stays(drawing: str) -> bool:
    tag = drawing.partition(">")[0]
    is_hidden = any(not any(style) or is_hiding_style("".join(style)) for style in _HIDING.findall(tag))
    is_telling = is_hidden and "<text" in drawing.lower()
    return is_telling or _MARKDOWN.search(drawing) is not None


def _describe(drawing: str) -> str:
    name = _NAME.search(drawing)
    words = " ".join("".join(filter(None, name.groups())).split()) if name else ""
    return ("" if _SIGNS.search(words) else words) + "\n" * drawing.count("\n")
