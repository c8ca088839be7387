"""Writes HTML blocks in Markdown as equivalent Markdown, because agents pay for tags, and tables are hard to read in them.

A block that becomes shorter is filled up with blank lines. A block that was written on fewer lines than its Markdown needs becomes longer,
and what follows moves down. Comments in it are put behind it. A block stays as it is written if it cannot be expressed in Markdown or would
lose something; so do elements that html/ has no handler for, parts filled in by a template or a component, and hidden elements, since the
content policy comes later and judges the text that is served. PURE.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.dialects.shown_tags import write_kind
from collections_app.parsing.headings import HtmlBlock, iter_html_blocks
from collections_app.parsing.html.gitbook import mend_gitbook
from collections_app.parsing.html.to_markdown import convert_own_fragment
from collections_app.parsing.html.tree import Element, get_raw_text, parse_fragment
from collections_app.parsing.html.vocabulary import (
    BLOCK_TAGS,
    CODE_TAGS,
    HEADING_TAGS,
    make_set,
)
from collections_app.parsing.normalising.html_pieces import Pieces, read_pieces
from collections_app.parsing.normalising.markdown_elements import MARK
from collections_app.parsing.normalising.tag_attributes import hides, read_class_attribute

_BEGINS_LIKE_BLOCK = re.compile(r"\n[ \t]*+</?[a-zA-Z]")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s<>/]*)([^<>]*)")
_IN_LINES = make_set(
    "a b bdi bdo big br center cite col colgroup del dfn em font i img ins mark picture q s small source span strike strong sub sup time "
    "u var wbr"
)
_KNOWN = (BLOCK_TAGS - {"dialog", "form", "menu", "search"}) | set(HEADING_TAGS) | CODE_TAGS | _IN_LINES
_VOID = make_set("br col hr img source wbr")
# Their beginning and end mean nothing by themselves, and may be in different blocks, with Markdown in between.
_WRAPPERS = make_set("article aside center details div figcaption figure main p section")
# A box around Markdown whose class says what kind it is.
_BOX = re.compile(r"\s*<(?:article|aside|div|section)(\s[^<>]*)>\s*", re.IGNORECASE)
_PARTS = {
    **dict.fromkeys(make_set("li"), make_set("ol ul dir")),
    **dict.fromkeys(make_set("dt dd"), make_set("dl")),
    **dict.fromkeys(make_set("caption col colgroup tbody td tfoot th thead tr"), make_set("table")),
}
_CLOSED_BY_OTHERS = frozenset([*_PARTS, "p"])
# The end of a cell closes them.
_LOOKS = make_set("b em font i small strong u")
# Ends of these that stand in a table, and begin nowhere, mean nothing: converters of Google's documents write such.
_STRAY = _LOOKS | {"a", "span"}
_UNSEEN = re.compile("<[!?]")
_TABLE = frozenset({"table"})
_JOINED = frozenset({"dl", "table"})
_JOINED_TAG = re.compile(r"<(/?)(dl|table)(?=[\s>])", re.IGNORECASE)
_TABLE_PART = re.compile(r"</?(?:t[dhr]|tbody)(?=[\s>])", re.IGNORECASE)
_FENCE = "```"
_PRE = re.compile(r"<pre(?=[\s>]).*?</pre>", re.IGNORECASE | re.DOTALL)
_PRE_END = re.compile("</pre>", re.IGNORECASE)
_MAX_TIMES = 10  # times as long as the HTML: cells that span rows are repeated
_SHORT_CHARACTERS = 10_000
_MAX_BLOCKS = 5_000  # others stay as they are, because each block is parsed by itself
# Text that flavours of Markdown read as Markdown inside HTML too, line by line.
_MARKDOWN_LINE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|[|>]|`{3}|~{3}|:{3})", re.MULTILINE)
_TEMPLATE = re.compile(r"\{[{%<]")
_TEMPLATE_OR_EXPRESSION = re.compile(r"[{}]")
_NAMED_PLACE = re.compile(r"\s(?:id|name)\s*=\s*[\"']?([^\s\"'<>]*)", re.IGNORECASE)
_LINKED_PLACE = re.compile(r"(?:\]\(|\]:[ \t]*|\bhref\s*=\s*[\"']?)#([^\s()\"'<>]+)", re.IGNORECASE)
_TARGET = re.compile(r"\]\([^()]*\)")


def write_html_as_markdown(content: str, *, is_jsx: bool) -> str:
    """The text of a document, with as many lines as before or more. In JSX, braces are expressions."""
    if "<" not in content or not _BEGINS_LIKE_BLOCK.search(f"\n{content}"):
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


def _join(blocks: Sequence[HtmlBlock], lines: list[str], names: frozenset[str]) -> Iterator[Sequence[HtmlBlock]]:
    """The blocks in groups: those that one element with these names has, with blank lines in it, form one group. A table without an end
    gets one in its line that is the last with a part of it; any other element without an end has no groups.
    """
    joined: list[HtmlBlock] = []
    name, depth = "", 0
    for block in blocks:
        joined.append(block)
        if name == "dl" and block.indent != joined[0].indent:
            continue  # it is in a list, which is Markdown
        opened = _count_opened(lines[block.start : block.end], names)
        name = name or next((each for each, count in opened.items() if count > 0), "")
        depth += opened[name]
        if depth <= 0:
            yield joined
            joined, name, depth = [], "", 0
    if name == "dl":
        yield from _join(joined, lines, _TABLE)
    elif depth == 1 and (end := _close_table(joined, lines)):
        yield joined[:end]
        yield from _join(joined[end:], lines, names)


def _close_table(blocks: Sequence[HtmlBlock], lines: list[str]) -> int:
    """Writes the end of a table behind its last part; returns how many of the blocks it has, none if it has no part."""
    for number in range(len(blocks), 0, -1):
        block = blocks[number - 1]
        if _TABLE_PART.search("\n".join(lines[block.start : block.end])):
            lines[block.end - 1] += "</table>"
            return number
    return 0


def _count_opened(lines: Iterable[str], names: frozenset[str]) -> Counter[str]:
    """How many elements of each name are left open, in the order of their first tags."""
    opened = Counter[str]()
    for line in lines:
        for sign, name in _JOINED_TAG.findall(line):
            if name.lower() in names:
                opened[name.lower()] += -1 if sign else 1
    return opened


@dataclass(frozen=True, slots=True)
class _Tags:
    """The tags of a block, by name: how many begin, how many are left open, and how many end that began in an earlier block. `meaning` has
    those whose attributes make them more than a wrapper.
    """

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
                if attributes and _means_something(name, attributes):
                    meaning.add(name)
            elif left_open[name]:
                left_open[name] -= 1
            elif not (left_open["table"] and name in _STRAY):
                closed[name] += 1
        return cls(counts, +left_open, closed, frozenset(meaning))

    @property
    def is_whole(self) -> bool:
        """Whether every element is known, is inside what it belongs to, and is closed, unless others close it or it is only a wrapper."""
        if not self.counts and not self.closed:
            return False
        names = set(self.counts) | set(self.closed)
        is_placed = all(not _PARTS[name].isdisjoint(self.counts) for name in names & set(_PARTS))
        closed_by_cells = _LOOKS if self.counts["table"] else frozenset[str]()
        ends = (_CLOSED_BY_OTHERS | _WRAPPERS | closed_by_cells) - self.meaning
        return names <= _KNOWN and is_placed and ends.issuperset(self.left_open) and _WRAPPERS.issuperset(self.closed)


def _means_something(name: str, attributes: str) -> bool:
    """Whether the attributes hide an element, make it a note, or the like. A cell, row or item of this kind is only coloured."""
    return hides(attributes) or (name not in _PARTS and bool(read_class_attribute(attributes).admonition))


def _find_kind(html: str) -> str:
    """The kind of a box that begins here and has Markdown behind blank lines; empty if it is none, is hidden, or can be linked to."""
    box = _BOX.fullmatch(html)
    is_plain = box and not hides(box[1]) and not _NAMED_PLACE.search(box[1])
    return read_class_attribute(box[1]).admonition if box and is_plain else ""


@dataclass(slots=True)
class _Wrappers:
    """The wrappers that are open after a block, by name, outermost first: whether their opening tags were removed. A tag that is kept also
    keeps its closing tag.
    """

    is_gone: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def let_go(self, tags: _Tags) -> bool:
        """Whether all closing tags here belong to removed opening tags, or are those of paragraphs that another block had ended."""
        return all(
            (len(self.is_gone[name]) >= count or name == "p") and all(self.is_gone[name][-count:])
            for name, count in tags.closed.items()
        )

    def pass_by(self, tags: _Tags, *, is_gone: bool) -> None:
        for name, count in tags.closed.items():
            del self.is_gone[name][-count:]
        for name, count in tags.left_open.items():
            if name in _WRAPPERS or name not in _CLOSED_BY_OTHERS:
                self.is_gone[name] += [is_gone] * count


@dataclass(frozen=True, slots=True)
class _Document:
    """A text whose HTML is being replaced in its lines. `template` matches what a template fills in; `linked` has the targets of links in
    the text, if they are needed.
    """

    lines: list[str]
    template: re.Pattern[str]
    linked: frozenset[str] = frozenset()
    wrappers: _Wrappers = field(default_factory=_Wrappers)

    def rewrite(self, blocks: Sequence[HtmlBlock]) -> bool:
        """Write the blocks as Markdown together, if possible; returns whether it was."""
        pieces = read_pieces(self.lines, blocks, is_jsx=self.template is _TEMPLATE_OR_EXPRESSION)
        tags = _Tags.read(pieces.html)
        if not pieces.can_be_one or self._has_template(pieces.html) or not self.wrappers.let_go(tags):
            return False
        written = _write(pieces, tags)
        if written is None or (not written and self._is_place(pieces.html)):
            return False
        self._put(blocks, [*written, "", *pieces.comments] if pieces.comments else written)
        self.wrappers.pass_by(tags, is_gone=True)
        return True

    def _has_template(self, html: str) -> bool:
        """Whether it contains template signs outside of code. In JSX, expressions in code count too."""
        return self.template.search(html if self.template is _TEMPLATE_OR_EXPRESSION else _drop_code(html)) is not None

    def _put(self, blocks: Sequence[HtmlBlock], written: Sequence[str]) -> None:
        """Put the lines in place of the blocks, separated from text around them. If they are too many, the last place holds all the rest,
        so that no other line changes its number until all are joined.
        """
        start, end, indent = blocks[0].start, blocks[-1].end, blocks[0].indent
        own = [" " * indent + line if line else "" for line in written]
        if own and start > 0 and self.lines[start - 1].strip():
            own.insert(0, "")
        if own and end < len(self.lines) and self.lines[end].strip() and not own[-1].strip().startswith(_FENCE):
            own.append("")
        last = end - start - 1
        self.lines[start:end] = [*own[:last], *[""] * (last - len(own)), "\n".join(own[last:])]

    def _is_place(self, html: str) -> bool:
        """Whether something may link to it. The id of a box around Markdown is only for its looks, unless the text itself links to it."""
        names = _NAMED_PLACE.findall(html)
        return bool(names) and (not MARK.search(html) or not self.linked.isdisjoint(names))

    def keep(self, blocks: Sequence[HtmlBlock]) -> None:
        """Leave the blocks as they are written."""
        self.wrappers.pass_by(_Tags.read(read_pieces(self.lines, blocks).html), is_gone=False)


def _write(pieces: Pieces, tags: _Tags) -> Sequence[str] | None:
    """The equivalent lines of Markdown; None if the HTML is to stay."""
    html = pieces.html
    if kind := _find_kind(html):
        return [write_kind(kind).rstrip()]
    if not tags.is_whole or _UNSEEN.search(html) or _MARKDOWN_LINE.search(_drop_code(html)):
        return None
    try:
        body = parse_fragment(pieces.mixed)
    except ParseError:
        return None
    pictures = tags.counts["img"] - _count_pictures(body)
    if not mend_gitbook(body):
        return None
    pictures += _count_pictures(body)
    written = list(convert_own_fragment(body))
    if sum(map(len, written)) > _MAX_TIMES * len(html) + _SHORT_CHARACTERS:
        return None
    return written if _says_all(written, body, "".join(pieces.markdown), pictures=pictures) else None


def _count_pictures(body: Element) -> int:
    return sum(1 for _ in body.iter("img"))


def _drop_code(html: str) -> str:
    """The HTML without code. The search stops at the last `</pre>`, after which it would be in vain."""
    end = max((found.end() for found in _PRE_END.finditer(html)), default=0)
    return _PRE.sub("", html[:end]) + html[end:]


def _says_all(written: Sequence[str], body: Element, markdown: str, *, pictures: int) -> bool:
    """Whether no letter, digit or picture is lost, apart from addresses. `markdown` is what was Markdown before."""
    text = "\n".join(written)
    told = _count(_TARGET.sub("", text)) + _count("".join(_TARGET.findall(markdown)))
    return text.count("![") == pictures + markdown.count("![") and not _count(get_raw_text(body)) - told


def _count(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))
