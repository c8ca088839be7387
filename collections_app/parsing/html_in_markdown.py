"""HTML blocks in Markdown, written as the Markdown that says the same: agents pay for tags, and tables are hard to read in them.

Lines stay on their places: a block becomes no longer than it was. One that cannot be said so, or would lose something, stays as it is
written, as do elements that no handler of html/ is for, and what a template or a component fills in. PURE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.headings import HtmlBlock, iter_html_blocks
from collections_app.parsing.html.to_markdown import convert_fragment
from collections_app.parsing.html.tree import Element, get_raw_text, parse_tree
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, CODE_TAGS, HEADING_TAGS, make_set

_BEGINS_LIKE_BLOCK = re.compile(r"^[ \t]*</?[a-zA-Z]", re.MULTILINE)
_TAG = re.compile(r"</?([a-zA-Z][^\s<>/]*)")
_IN_LINES = make_set(
    "a abbr acronym b bdi bdo big br center cite col colgroup del dfn em font i img ins mark picture q s small source span strike "
    "strong sub sup time u var wbr"
)
_KNOWN = (BLOCK_TAGS - {"dialog", "form", "menu", "search"}) | set(HEADING_TAGS) | CODE_TAGS | _IN_LINES
_TABLES = re.compile(r"<(/?)table(?=[\s>])", re.IGNORECASE)
_UNSEEN = re.compile("<[!?]")
_PRE = re.compile(r"<pre(?=[\s>]).*?</pre>", re.IGNORECASE | re.DOTALL)
_PRE_END = re.compile("</pre>", re.IGNORECASE)
_MAX_BLOCKS = 5_000  # the rest stays as it is: each is read by itself
# Text that Markdown's dialects read as Markdown within HTML too, line by line.
_MARKDOWN_LINE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|[|>]|`{3}|~{3}|:{3})", re.MULTILINE)
_TEMPLATE = re.compile(r"\{[{%<]")
_TEMPLATE_OR_EXPRESSION = re.compile(r"[{}]")
_NAMED_PLACE = re.compile(r"\s(?:id|name)\s*=", re.IGNORECASE)
_TARGET = re.compile(r"\]\([^()]*\)")


def write_html_as_markdown(content: str, *, is_jsx: bool) -> str:
    """The text of a document with as many lines as before. In JSX, braces are expressions."""
    if not _BEGINS_LIKE_BLOCK.search(content):
        return content
    lines = content.split("\n")
    template = _TEMPLATE_OR_EXPRESSION if is_jsx else _TEMPLATE
    for block in _join_tables(islice(list(iter_html_blocks(lines)), _MAX_BLOCKS), lines):
        text = "\n".join(line[block.indent :] for line in lines[block.start : block.end])
        if not template.search(text) and (written := _write(text)) is not None:
            own = [" " * block.indent + line if line else "" for line in written]
            room = block.end - block.start - len(own)
            if own and room > 0 and block.start and lines[block.start - 1].strip():  # the end of a paragraph
                own, room = ["", *own], room - 1
            if room >= 0:
                lines[block.start : block.end] = own + [""] * room
    return "\n".join(lines)


def _join_tables(blocks: Iterable[HtmlBlock], lines: Sequence[str]) -> Iterator[HtmlBlock]:
    """The blocks, those of a table with blank lines in it as one; none of a table that has Markdown in its cells."""
    joined: HtmlBlock | None = None
    depth, has_markdown = 0, False
    for block in blocks:
        if joined:
            has_markdown |= block.indent != joined.indent or any(map(str.strip, lines[joined.end : block.start]))
        joined = joined._replace(end=block.end) if joined else block
        depth += sum(-1 if sign else 1 for line in lines[block.start : block.end] for sign in _TABLES.findall(line))
        if depth <= 0:
            if not has_markdown:
                yield joined
            joined, depth, has_markdown = None, 0, False


def _write(html: str) -> Sequence[str] | None:
    """The lines of the same as Markdown; None where it is to stay."""
    names = _TAG.findall(html)
    if not names or not all(name.lower() in _KNOWN for name in names) or _UNSEEN.search(html):
        return None
    if _MARKDOWN_LINE.search(_drop_code(html)):
        return None
    try:
        root, _ = parse_tree(f"<html><body>{html}</body></html>".encode(), "text/html; charset=utf-8")
    except ParseError:
        return None
    body = root.find("body")
    written = convert_fragment(body) if body is not None else []
    if not written and _NAMED_PLACE.search(html):
        return None
    return written if body is None or _says_all(written, body) else None


def _drop_code(html: str) -> str:
    """Behind the last end, code would be looked for in vain."""
    end = max((found.end() for found in _PRE_END.finditer(html)), default=0)
    return _PRE.sub("", html[:end]) + html[end:]


def _says_all(written: Sequence[str], body: Element) -> bool:
    """Whether no letter or digit is lost, those of addresses left out."""
    return not _count(get_raw_text(body)) - _count(_TARGET.sub("", "\n".join(written)))


def _count(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))
