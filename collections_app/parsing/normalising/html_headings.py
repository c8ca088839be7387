"""Writes HTML headings that have an id as headings of Markdown with that id: generators of references write a whole page as one block of
HTML, and its headings are what people link to.

Only a heading that stands by itself, at the margin and in no other element, is one. Those without an id are as often only large words,
as at the top of a README. PURE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from collections_app.exceptions import ParseError
from collections_app.parsing.headings import HtmlBlock, iter_html_blocks
from collections_app.parsing.html.to_markdown import convert_own_heading
from collections_app.parsing.html.tree import get_raw_text, parse_fragment
from collections_app.parsing.html.vocabulary import make_set
from collections_app.parsing.normalising.tag_attributes import hides

# Begins with a sign, and is found faster.
_MAY_HAVE = re.compile("<h[1-6]", re.IGNORECASE)
_START = re.compile(r"^ {0,3}<h([1-6])(?=[^<>{}]*?\sid\s*=)(\s[^<>{}]*+)>", re.IGNORECASE | re.MULTILINE)
# Not `p`, and not the parts of lists and tables: their ends are often missing, and what they stand in counts.
_HOLDERS = make_set(
    "address article aside blockquote center details dialog dir div dl fieldset figure footer form header main menu nav ol pre section "
    "table ul"
)
_HOLDER = re.compile(rf"<!--|--!?>|<(/?)(?:{'|'.join(sorted(_HOLDERS))})(?=[\s/>])", re.IGNORECASE)
_COMMENT_START = "<!--"
_MAX_LINES = 5
_CODE_INDENT = "    "


def write_html_headings(content: str) -> str:
    """The text with such headings between blank lines, with as many lines as before or more."""
    if not _MAY_HAVE.search(content) or not _START.search(content):
        return content
    lines = content.split("\n")
    for start, end in reversed(list(_iter_headings(lines))):
        if heading := _write_heading("\n".join(lines[start:end])):
            before = [""] if start and lines[start - 1].strip() else []
            after = [""] if end < len(lines) and lines[end].strip() else []
            own = [*before, heading, *after]
            lines[start:end] = [*own, *[""] * (end - start - len(own))]
    return "\n".join(lines)


def _iter_headings(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of each, and the one behind its last."""
    depth = 0
    for block in iter_html_blocks(lines):
        number = block.start
        while number < block.end:
            end = 0 if depth or block.indent else _find_end(lines, number, block)
            if end:
                yield number, end
            else:
                depth = _count_open(lines[number], depth)
            number = end or number + 1


def _find_end(lines: Sequence[str], start: int, block: HtmlBlock) -> int:
    """The line behind the heading that begins in this line; 0 if none does, or if something stands behind it in its last line."""
    found = _START.match(lines[start])
    if not found:
        return 0
    for number in range(start, min(start + _MAX_LINES, block.end)):
        _, closing, after = lines[number].lower().partition(f"</h{found[1]}>")
        if closing:
            return 0 if after.strip() or _is_code(lines, number + 1) else number + 1
    return 0


def _is_code(lines: Sequence[str], number: int) -> bool:
    """Whether the line would be code if it stood behind a blank one."""
    return number < len(lines) and lines[number].startswith((_CODE_INDENT, "\t"))


def _count_open(line: str, depth: int) -> int:
    """How many elements, and comments, are open behind the line."""
    for found in _HOLDER.finditer(line):
        opens = found[0] == _COMMENT_START or (found[1] is not None and not found[1])
        depth = depth + 1 if opens else max(0, depth - 1)
    return depth


def _write_heading(html: str) -> str:
    """The line of Markdown; empty if the heading is to stay: it is hidden, filled in by a template, or would lose a letter."""
    found = _START.match(html)
    if not found or hides(found[2]) or "{" in html:
        return ""
    try:
        body = parse_fragment(html)
    except ParseError:
        return ""
    written, anchor = convert_own_heading(body)
    words, _, said = written.partition(" ")
    if Counter(filter(str.isalnum, get_raw_text(body))) - Counter(filter(str.isalnum, said)):
        return ""
    return f'{words} <a id="{escape(anchor)}"></a>{said}' if said and anchor else ""
