"""Divides the blocks of an HTML element in Markdown into HTML, the Markdown between, and comments. It converts nothing. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from html import escape
from itertools import pairwise

from lxml.html import defs

from collections_app.parsing.dialects.template_tags.liquid_addresses import write_liquid_addresses_in_html
from collections_app.parsing.headings import HtmlBlock, iter_headings
from collections_app.parsing.html.gitbook import drop_choices
from collections_app.parsing.html.vocabulary import MARKDOWN_BLOCK, MARKDOWN_TAG, make_set
from collections_app.parsing.normalising.markdown_elements import INLINE, MARK, iter_parts, read_markdown

# In a table, a placeholder for the reader to fill in (`<port>`, `<db name>`): it has no closing tag and no values.
_PLACEHOLDER = re.compile(r"<(?P<name>[a-zA-Z][\w.-]*+)(?:[ \t]++[a-zA-Z][\w.-]*+){0,4}>")
_HTML_NAMES = defs.tags | {"dialog", "main", "search", "slot", "template", "xmp"}
_SPAN = re.compile(r"`([^`\n]++)`")
_NO_WORD = re.compile(r"\b(?:hidden|inert)\b", re.IGNORECASE)
_ITEM = re.compile(r"\n[ \t]*(?=(?:[-*+]|\d{1,9}[.)])[ \t])")
_TABLES = re.compile(r"<table(?=[\s>])", re.IGNORECASE)
_TERMS = re.compile(r"</?d[dlt](?=[\s>])", re.IGNORECASE)
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][\w.-]*+)")
_PRE = re.compile(r"<(?:pre|textarea)(?=[\s>])", re.IGNORECASE)
_PART_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])")
_CELL_PARTS = make_set("li ol p td th tr ul")
_BLANK_LINES = re.compile(r"\A(?:[ \t]*+\n)*+[ \t]*+\Z|\A(?:[ \t]*+\n)++")
_SOURCE = re.compile(r"<source\b[^<>]*>", re.IGNORECASE)  # libxml2 puts the picture into it
_COMMENT_START, _COMMENT_END = "<!--", "-->"


class Pieces:
    """The content of blocks: `html` without the Markdown between, `mixed` with the Markdown in elements for it, and the comments, which are
    in neither. With `is_marked`, all Markdown is in elements that say so.
    """

    def __init__(self, *, is_marked: bool = False) -> None:
        self.is_marked = is_marked
        self.markdown: list[str] = []
        self.comments: list[str] = []
        self._html: list[str] = []
        self._mixed: list[str] = []

    @cached_property
    def html(self) -> str:
        return "\n".join(self._html)

    @cached_property
    def mixed(self) -> str:
        return ("" if self.is_marked else "\n").join(self._mixed)

    @property
    def can_be_one(self) -> bool:
        """Whether the Markdown is inside the same element and has no headings that make sections."""
        if any(next(iter_headings(each.split("\n")), None) for each in self.markdown):
            return False
        return self.is_marked or not any(map(_TERMS.search, self.markdown))

    def add_html(self, html: str, *, is_table: bool = False) -> None:
        cleaned, comments = _take_comments(drop_choices(html))
        cleaned = _write_cells(cleaned) if is_table or _TABLES.search(cleaned) else cleaned
        self._html.append(cleaned)
        self._mixed.append(_SOURCE.sub("", cleaned))
        self.comments += comments

    def add_markdown(self, source: str, lines: Sequence[str], *, is_paragraphs: bool) -> None:
        self.markdown.append(source)
        self._mixed.append(_mark_up(lines, is_paragraphs=is_paragraphs))


def read_pieces(lines: Sequence[str], blocks: Sequence[HtmlBlock], *, is_jsx: bool = False) -> Pieces:
    """The pieces of the blocks in `lines`."""
    indent = blocks[0].indent
    text = "\n".join(line.removeprefix(" " * indent) for line in lines[blocks[0].start : blocks[-1].end])
    has_inline = is_jsx and len(blocks) == 1 and INLINE.search(text)
    if (has_inline or MARK.search(text)) and (marked := _read_marked(text, is_jsx=is_jsx)):
        return marked
    is_table = len(blocks) > 1 and _TABLES.search(text) is not None
    return (_read_whole_table(text, lines, blocks) if is_table else None) or _read_mixed(
        lines, blocks, is_table=is_table
    )


def _read_marked(text: str, *, is_jsx: bool) -> Pieces | None:
    """The pieces, if an element says that it contains Markdown, or does so in JSX; else None."""
    pieces = Pieces(is_marked=True)
    for part, is_markdown in iter_parts(text, is_jsx=is_jsx):
        if is_markdown:
            own, is_paragraphs = read_markdown(part)
            pieces.add_markdown("\n".join(own), own, is_paragraphs=is_paragraphs)
        else:
            pieces.add_html(part)
    return pieces if pieces.markdown else None


def _read_whole_table(text: str, lines: Sequence[str], blocks: Sequence[HtmlBlock]) -> Pieces | None:
    """A table as a single piece of HTML, if cells end in what is between its blocks: HTML after a blank line, indented so far that
    CommonMark takes it for code. kramdown and others read a table as HTML to its end. None for other tables.
    """
    between = ["\n".join(lines[before.end : after.start]) for before, after in pairwise(blocks)]
    if not any(map(_ends_cells, between)):
        return None
    pieces = Pieces()
    pieces.add_html(write_liquid_addresses_in_html(text))
    return pieces


def _ends_cells(text: str) -> bool:
    """Whether the indented lines close more parts of a table than they open, and there is no fenced code."""
    if "</" not in text or "```" in text or "~~~" in text:
        return False
    code = "\n".join(line for line in text.split("\n") if line.startswith(("    ", "\t")))
    depths = dict.fromkeys(_CELL_PARTS, 0)
    for sign, given in _PART_TAG.findall(code):
        name = given.lower()
        if name in depths:
            depths[name] += -1 if sign else 1
            if depths[name] < 0:
                return True
    return False


def _read_mixed(lines: Sequence[str], blocks: Sequence[HtmlBlock], *, is_table: bool) -> Pieces:
    """The blocks as HTML, and what is between them as Markdown."""
    indent, position = blocks[0].indent, blocks[0].start
    pieces = Pieces()
    for block in (*(each for each in blocks if each.indent == indent), None):
        between = _read_between(lines[position : block.start if block else blocks[-1].end], indent)
        if is_table and between and _is_comment(between):
            pieces.add_html(between)
        elif between:
            own, is_paragraphs = read_markdown(between) if is_table else ([between], True)
            pieces.add_markdown(between, own, is_paragraphs=is_paragraphs)
        if block:
            html = "\n".join(line[indent:] for line in lines[block.start : block.end])
            pieces.add_html(html, is_table=is_table)
            position = block.end
    return pieces


def _read_between(lines: Sequence[str], indent: int) -> str:
    """The text between blocks, without their indentation; empty if it is blank."""
    text = "\n".join(line.removeprefix(" " * indent) for line in lines)
    has_fence = "```" in text or "~~~" in text
    return _BLANK_LINES.sub("", text if has_fence else text.expandtabs(4)).rstrip()


def _is_comment(text: str) -> bool:
    return text.lstrip().startswith(_COMMENT_START) and not _take_comments(text)[0].strip()


def _write_cells(table: str) -> str:
    """The HTML of a table with placeholders as text, and with line breaks between list items, since they are no list in HTML."""
    closed = {name.lower() for sign, name in _ANY_TAG.findall(table) if sign}

    def write(found: re.Match[str]) -> str:
        name = found["name"].lower()
        is_tag = name in _HTML_NAMES or name in closed or _NO_WORD.search(found[0])
        return found[0] if is_tag else escape(found[0])

    def write_code(span: re.Match[str]) -> str:
        code = _PLACEHOLDER.sub(write, span[1])
        return f"<code>{code}</code>" if code != span[1] else span[0]

    written = _PLACEHOLDER.sub(write, _SPAN.sub(write_code, table))
    return written if _PRE.search(written) else _ITEM.sub("\n<br>", written)


def _take_comments(html: str) -> tuple[str, list[str]]:
    """The HTML without its comments, and the comments, each on one line. Comments that browsers end elsewhere than CommonMark (`<!-->`,
    `--!>`) stay.
    """
    pieces, comments, position = list[str](), list[str](), 0
    while (start := html.find(_COMMENT_START, position)) >= 0:
        end = html.find(_COMMENT_END, start + len(_COMMENT_START))
        if end < 0:
            break
        text = html[start + len(_COMMENT_START) : end]
        end += len(_COMMENT_END)
        is_odd = text.startswith((">", "->")) or "--!>" in text
        pieces.append(html[position : end if is_odd else start])
        if not is_odd and text.strip():
            comments.append(f"{_COMMENT_START} {' '.join(text.split())} {_COMMENT_END}")
        position = end
    return "".join([*pieces, html[position:]]), comments


def _mark_up(lines: Sequence[str], *, is_paragraphs: bool) -> str:
    """Markdown in an element that stands for it among HTML."""
    block = "" if is_paragraphs else f" {MARKDOWN_BLOCK}"
    text = "\n".join(lines)
    return f"<{MARKDOWN_TAG}{block}>{escape(text)}</{MARKDOWN_TAG}>"
