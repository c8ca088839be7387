"""HTML elements with `markdown="1"`, whose content kramdown and Python-Markdown (md_in_html) read as Markdown. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import dedent

from collections_app.parsing.html.vocabulary import BLOCK_TAGS, HEADING_TAGS
from collections_app.parsing.safety.hiding_styles import is_hiding_style

MARK = re.compile(r"""\smarkdown(?:\s*=\s*(?:["']?(?:1|block|span|true)["']?))?(?=[\s/>]|$)""", re.IGNORECASE)
"""Matches in the attributes of such an element."""

INLINE = re.compile(r"\]\([^()\s]|\*\*(?=[^\s*])|`")
"""Matches Markdown within a line."""

_OTHERWISE_IN_JSX = frozenset({"pre", "summary", *HEADING_TAGS})

_TAG = re.compile(
    rf"<(?P<end>/?)(?P<name>{'|'.join(sorted({*BLOCK_TAGS, *HEADING_TAGS, 'pre'}))})(?=[\s/>])(?P<attributes>[^<>]*)>",
    re.IGNORECASE,
)
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_BLOCK = re.compile(r"^(?:[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|[ \t]*(?:[|>]|`{3}|~{3}|:{3})| {4}|\t)", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")


def iter_parts(html: str, *, is_jsx: bool) -> Iterator[tuple[str, bool]]:
    """The text in order, in parts, each with whether it is the content of such an element without another block inside. In JSX every
    element contains Markdown.
    """
    position = 0
    for opening, closing in pairwise(_TAG.finditer(html)):
        is_one = not opening["end"] and closing["end"] and opening["name"].lower() == closing["name"].lower()
        is_marked = is_one and MARK.search(opening["attributes"])
        has_inline = is_one and is_jsx and opening["name"].lower() not in _OTHERWISE_IN_JSX
        if is_marked or (has_inline and INLINE.search(html, opening.end(), closing.start())):
            yield html[position : opening.end()], False
            yield html[opening.end() : closing.start()], True
            position = closing.start()
    yield html[position:], False


def read_markdown(text: str) -> tuple[Sequence[str], bool]:
    """The lines of an element's content, and whether it consists only of paragraphs, each of which becomes one line."""
    own = dedent(text.expandtabs(4) if "```" not in text else text).strip("\n").rstrip()
    first = own[: len(own) - len(own.lstrip())]
    if first.strip("\n") and "\n" in own:  # the text behind the tag is not indented like the rest
        own = own.lstrip()
    if _BLOCK.search(own):
        return own.split("\n"), False
    paragraphs = [" ".join(each.split("\n")) for each in map(str.strip, _PARAGRAPHS.split(own)) if each]
    return [line for each in paragraphs for line in ("", " ".join(each.split()))][1:], True


def drop_looks(attributes: str) -> str:
    """The attributes of such an element, without a style that hides nothing and only concerns the box around the Markdown."""
    style = _STYLE.search(attributes) if MARK.search(attributes) else None
    return attributes if style is None or is_hiding_style(style[1] or style[2] or "") else _STYLE.sub("", attributes, 1)
