"""HTML blocks in Markdown, written as the Markdown that says the same: agents pay for tags, and tables are hard to read in them.

Lines stay on their places: a block becomes no longer than it was. One that cannot be said so, or would lose something, stays as it is
written, as do elements that no handler of html/ is for, what a template or a component fills in, and what is hidden: the content policy
comes afterwards, and reads what is served. PURE.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.headings import HtmlBlock, iter_headings, iter_html_blocks
from collections_app.parsing.html.classes import read_class
from collections_app.parsing.html.to_markdown import convert_own_fragment
from collections_app.parsing.html.tree import Element, get_raw_text, parse_fragment
from collections_app.parsing.html.vocabulary import (
    BLOCK_TAGS,
    CODE_TAGS,
    HEADING_TAGS,
    MARKDOWN_BLOCK,
    MARKDOWN_TAG,
    make_set,
)
from collections_app.parsing.markdown_elements import MARK, drop_looks, iter_parts, read_markdown

_BEGINS_LIKE_BLOCK = re.compile(r"^[ \t]*</?[a-zA-Z]", re.MULTILINE)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s<>/]*)([^<>]*)")
_IN_LINES = make_set(
    "a b bdi bdo big br center cite col colgroup del dfn em font i img ins mark picture q s small source span strike strong sub sup time "
    "u var wbr"
)
_KNOWN = (BLOCK_TAGS - {"dialog", "form", "menu", "search"}) | set(HEADING_TAGS) | CODE_TAGS | _IN_LINES
_VOID = make_set("br col hr img source wbr")
# Nothing is said by where they begin and end: they may be closed in another block, behind Markdown.
_WRAPPERS = make_set("article center details div main p section")
_PARTS = {
    **dict.fromkeys(make_set("li"), make_set("ol ul dir")),
    **dict.fromkeys(make_set("dt dd"), make_set("dl")),
    **dict.fromkeys(make_set("caption col colgroup tbody td tfoot th thead tr"), make_set("table")),
}
_CLOSED_BY_OTHERS = frozenset([*_PARTS, "p"])
_MEANT = re.compile(r"(?:^|\s)(?:hidden|style|aria-hidden|role)(?![\w-])", re.IGNORECASE)
_CLASS = re.compile(r"\sclass\s*=\s*[\"']?([^\"'<>]*)", re.IGNORECASE)
_SOURCE = re.compile(r"<source\b[^<>]*>", re.IGNORECASE)
_UNSEEN = re.compile("<[!?]")
_TABLE = frozenset({"table"})
_JOINED = frozenset({"dl", "table"})
_JOINED_TAG = re.compile(r"<(/?)(dl|table)(?=[\s>])", re.IGNORECASE)
_TABLES = re.compile(r"<table(?=[\s>])", re.IGNORECASE)
_TERMS = re.compile(r"</?d[dlt](?=[\s>])", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\A(?:[ \t]*+\n)*+[ \t]*+\Z|\A(?:[ \t]*+\n)++")
_PRE = re.compile(r"<pre(?=[\s>]).*?</pre>", re.IGNORECASE | re.DOTALL)
_PRE_END = re.compile("</pre>", re.IGNORECASE)
_MAX_BLOCKS = 5_000  # the rest stays as it is: each is read by itself
# Text that Markdown's dialects read as Markdown within HTML too, line by line.
_MARKDOWN_LINE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|[|>]|`{3}|~{3}|:{3})", re.MULTILINE)
_TEMPLATE = re.compile(r"\{[{%<]")
_TEMPLATE_OR_EXPRESSION = re.compile(r"[{}]")
_NAMED_PLACE = re.compile(r"\s(?:id|name)\s*=\s*[\"']?([^\s\"'<>]*)", re.IGNORECASE)
_LINKED_PLACE = re.compile(r"(?:\]\(|\]:[ \t]*|\bhref\s*=\s*[\"']?)#([^\s()\"'<>]+)", re.IGNORECASE)
_TARGET = re.compile(r"\]\([^()]*\)")


def write_html_as_markdown(content: str, *, is_jsx: bool) -> str:
    """The text of a document with as many lines as before. In JSX, braces are expressions."""
    if not _BEGINS_LIKE_BLOCK.search(content):
        return content
    lines = content.split("\n")
    linked = frozenset(_LINKED_PLACE.findall(content)) if MARK.search(content) else frozenset()
    document = _Document(lines, _TEMPLATE_OR_EXPRESSION if is_jsx else _TEMPLATE, linked)
    for blocks in _join(list(islice(iter_html_blocks(list(lines)), _MAX_BLOCKS)), lines, _JOINED):
        if not document.rewrite(blocks):
            parts = list(_join(blocks, lines, _TABLE))
            for part in parts:
                if len(parts) == 1 or not document.rewrite(part):
                    document.keep(part)
    return "\n".join(lines)


def _join(blocks: Sequence[HtmlBlock], lines: Sequence[str], names: frozenset[str]) -> Iterator[Sequence[HtmlBlock]]:
    """The blocks, those of an element with one of these names and blank lines in it together. One that never ends has none together."""
    joined: list[HtmlBlock] = []
    name, depth = "", 0
    for block in blocks:
        joined.append(block)
        if name == "dl" and block.indent != joined[0].indent:
            continue  # it stands in a list, which is Markdown
        opened = _count_opened(lines[block.start : block.end], names)
        name = name or next((each for each, count in opened.items() if count > 0), "")
        depth += opened[name]
        if depth <= 0:
            yield joined
            joined, name, depth = [], "", 0
    if name == "dl":
        yield from _join(joined, lines, _TABLE)


def _count_opened(lines: Iterable[str], names: frozenset[str]) -> Counter[str]:
    """How many elements of each name are left open; in order of where the first of a name begins."""
    opened = Counter[str]()
    for line in lines:
        for sign, name in _JOINED_TAG.findall(line):
            if name.lower() in names:
                opened[name.lower()] += -1 if sign else 1
    return opened


@dataclass(frozen=True, slots=True)
class _Tags:
    """The tags of a block, by name: how many begin, how many are left open, and how many end that began before it. `meaning` are those that
    are more than a wrapper by their attributes."""

    counts: Counter[str]
    left_open: Counter[str]
    closed: Counter[str]
    meaning: frozenset[str]

    @classmethod
    def read(cls, html: str) -> _Tags:
        counts, left_open, closed = Counter[str](), Counter[str](), Counter[str]()
        meaning: set[str] = set()
        for sign, given, attributes in _TAG.findall(html):
            name = given.lower()
            counts[name] += not sign
            if name in _VOID or attributes.endswith("/"):
                continue
            if not sign:
                left_open[name] += 1
                if attributes and _means_something(attributes):
                    meaning.add(name)
            elif left_open[name]:
                left_open[name] -= 1
            else:
                closed[name] += 1
        return cls(counts, +left_open, closed, frozenset(meaning))

    @property
    def is_whole(self) -> bool:
        """Whether each element is known, stands in what it is a part of, and ends, unless others close it or it is only a wrapper."""
        if not self.counts and not self.closed:
            return False
        names = set(self.counts) | set(self.closed)
        is_placed = all(not _PARTS[name].isdisjoint(self.counts) for name in names & set(_PARTS))
        ends = (_CLOSED_BY_OTHERS | _WRAPPERS) - self.meaning
        return names <= _KNOWN and is_placed and ends.issuperset(self.left_open) and _WRAPPERS.issuperset(self.closed)


def _means_something(attributes: str) -> bool:
    """Whether an element is hidden by them, a note, or the like."""
    if _MEANT.search(drop_looks(attributes)):
        return True
    facts = read_class(found[1]) if (found := _CLASS.search(attributes)) else None
    return bool(facts and (facts.is_unseen or facts.admonition))


@dataclass(slots=True)
class _Wrappers:
    """Those that are open behind a block, by name, from the outside in: whether their tag is gone. A tag that is left keeps its end."""

    is_gone: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def let_go(self, tags: _Tags) -> bool:
        """Whether nothing that is left has its end here."""
        return all(
            len(self.is_gone[name]) >= count and all(self.is_gone[name][-count:]) for name, count in tags.closed.items()
        )

    def pass_by(self, tags: _Tags, *, is_gone: bool) -> None:
        for name, count in tags.closed.items():
            del self.is_gone[name][-count:]
        for name, count in tags.left_open.items():
            if name in _WRAPPERS or name not in _CLOSED_BY_OTHERS:
                self.is_gone[name] += [is_gone] * count


@dataclass(frozen=True, slots=True)
class _Pieces:
    """What stands in blocks: their HTML, the Markdown between them, and both as HTML. With `is_marked` all Markdown is in elements that say
    so.
    """

    html: str
    markdown: Sequence[str]
    mixed: str
    is_marked: bool = False

    @classmethod
    def read(cls, lines: Sequence[str], blocks: Sequence[HtmlBlock]) -> _Pieces:
        indent, position = blocks[0].indent, blocks[0].start
        html, markdown, mixed = list[str](), list[str](), list[str]()
        is_table = len(blocks) > 1 and any(_TABLES.search(line) for line in lines[blocks[0].start : blocks[0].end])
        for block in (*(each for each in blocks if each.indent == indent), None):
            between = _read_markdown(lines[position : block.start if block else blocks[-1].end], indent)
            if between:
                markdown.append(between)
                own, is_paragraphs = read_markdown(between) if is_table else ([between], True)
                mixed.append(_mark_up(own, is_paragraphs=is_paragraphs))
            if block:
                html.append("\n".join(line[indent:] for line in lines[block.start : block.end]))
                mixed.append(html[-1])
                position = block.end
        return cls("\n".join(html), markdown, "\n".join(mixed))

    @classmethod
    def read_marked(cls, lines: Sequence[str], blocks: Sequence[HtmlBlock]) -> _Pieces | None:
        """None where no element says that it holds Markdown."""
        indent = blocks[0].indent
        text = "\n".join(line.removeprefix(" " * indent) for line in lines[blocks[0].start : blocks[-1].end])
        html, markdown, mixed = list[str](), list[str](), list[str]()
        for part, is_markdown in iter_parts(text) if MARK.search(text) else ():
            if not is_markdown:
                html.append(part)
                mixed.append(part)
                continue
            own, is_paragraphs = read_markdown(part)
            markdown.append("\n".join(own))
            mixed.append(_mark_up(own, is_paragraphs=is_paragraphs))
        return cls("\n".join(html), markdown, "".join(mixed), is_marked=True) if markdown else None

    @property
    def can_be_one(self) -> bool:
        """Whether the Markdown is a part of the same element, and makes no sections."""
        if any(next(iter_headings(each.split("\n")), None) for each in self.markdown):
            return False
        if self.is_marked:
            return True
        return not any(map(_TERMS.search, self.markdown))


def _mark_up(lines: Sequence[str], *, is_paragraphs: bool) -> str:
    """Markdown as HTML, which stands for it among other HTML."""
    block = "" if is_paragraphs else f" {MARKDOWN_BLOCK}"
    text = "\n".join(lines)
    return f"<{MARKDOWN_TAG}{block}>{escape(text)}</{MARKDOWN_TAG}>"


def _read_markdown(lines: Sequence[str], indent: int) -> str:
    """What stands between blocks, as it is to be indented; empty for blank lines."""
    text = "\n".join(line.removeprefix(" " * indent) for line in lines)
    has_fence = "```" in text or "~~~" in text
    return _BLANK_LINES.sub("", text if has_fence else text.expandtabs(4)).rstrip()


@dataclass(frozen=True, slots=True)
class _Document:
    """A text whose HTML is being written as Markdown, in its lines. `template` is what a template fills in, `linked` are places that the
    text leads to, as far as that is asked for.
    """

    lines: list[str]
    template: re.Pattern[str]
    linked: frozenset[str] = frozenset()
    wrappers: _Wrappers = field(default_factory=_Wrappers)

    def rewrite(self, blocks: Sequence[HtmlBlock]) -> bool:
        """Whether the blocks became Markdown, as one."""
        start, end, indent = blocks[0].start, blocks[-1].end, blocks[0].indent
        pieces = _Pieces.read_marked(self.lines, blocks) or _Pieces.read(self.lines, blocks)
        tags = _Tags.read(pieces.html)
        if not pieces.can_be_one or self.template.search(pieces.html) or not self.wrappers.let_go(tags):
            return False
        is_behind_text = start > 0 and bool(self.lines[start - 1].strip())
        written = _write(pieces, tags, end - start, is_behind_text=is_behind_text)
        if written is None or (not written and self._is_place(pieces.html)):
            return False
        own = [" " * indent + line if line else "" for line in written]
        self.lines[start:end] = own + [""] * (end - start - len(own))
        self.wrappers.pass_by(tags, is_gone=True)
        return True

    def _is_place(self, html: str) -> bool:
        """Whether something may lead there. The id of a box around Markdown is for its looks, unless the text itself leads there."""
        names = _NAMED_PLACE.findall(html)
        return bool(names) and (not MARK.search(html) or not self.linked.isdisjoint(names))

    def keep(self, blocks: Sequence[HtmlBlock]) -> None:
        """They stay as they are written."""
        self.wrappers.pass_by(_Tags.read(_Pieces.read(self.lines, blocks).html), is_gone=False)


def _write(pieces: _Pieces, tags: _Tags, room: int, *, is_behind_text: bool) -> Sequence[str] | None:
    """The lines of the same as Markdown, at most `room`; None where it is to stay. Behind text a blank line sets it apart."""
    html = pieces.html
    if not tags.is_whole or _UNSEEN.search(html) or _MARKDOWN_LINE.search(_drop_code(html)):
        return None
    mixed = _SOURCE.sub("", pieces.mixed)  # libxml2 takes it for an element that holds the picture
    try:
        body = parse_fragment(mixed)
    except ParseError:
        return None
    written = list(convert_own_fragment(body))
    if len(written) > room:
        return None
    if not _says_all(written, body, "".join(pieces.markdown), pictures=tags.counts["img"]):
        return None
    return ["", *written] if written and is_behind_text and len(written) < room else written


def _drop_code(html: str) -> str:
    """Behind the last end, code would be looked for in vain."""
    end = max((found.end() for found in _PRE_END.finditer(html)), default=0)
    return _PRE.sub("", html[:end]) + html[end:]


def _says_all(written: Sequence[str], body: Element, markdown: str, *, pictures: int) -> bool:
    """Whether no letter or digit is lost, those of addresses left out, and no picture. `markdown` is what was so before."""
    text = "\n".join(written)
    told = _count(_TARGET.sub("", text)) + _count("".join(_TARGET.findall(markdown)))
    return text.count("![") == pictures + markdown.count("![") and not _count(get_raw_text(body)) - told


def _count(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))
