"""Finds what raw HTML hides in Markdown: what browsers drop (comments and the like), and elements that they do not show. Code hides
nothing.

Such markup extends as in CommonMark 0.31 (sections 4.6 and 6.6): at the beginning of a line, to its end mark or to the end of the text;
within a paragraph, to the end mark in the same paragraph. Except for comments, browsers drop only what comes before the first `>`. A link
definition counts as a comment if it has a title and nothing refers to it, because nobody sees the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.headings.html_blocks import BLOCK_TAGS
from collections_app.parsing.safety.instructions import has_instructions
from collections_app.parsing.safety.places import BEFORE_BLOCK, Places
from collections_app.parsing.safety.prose import is_prose, is_telling_comment, make_excerpt
from collections_app.parsing.safety.tags import Tag, iter_opening_tags
from collections_app.text.spans import is_in_span

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_DROPPED = re.compile(r"<(?:!--|\?|!\[CDATA\[|![a-zA-Z])")
_END_MARKS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
_LINE_END = r"[ \t]*+\n?[ \t>]*+"
_TITLE = r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)"
_DEFINITION = re.compile(
    rf"^{BEFORE_BLOCK.pattern}\[(?!\^)((?:[^\[\]\\\n]|\\.){{1,999}}+)\]:"
    rf"{_LINE_END}(?:<[^<>\n]*+>|[^\s<]\S*+){_LINE_END}(?<=\s)({_TITLE})[ \t]*$",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"\[((?:[^\[\]\\\n]|\\.){1,999}+)\]")
_HIDING = ("hidden", "style", "<script", "<template")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*+)(?=[\s/>])[^<>]*+>?")
_ANY_TAG = re.compile(r"<[^<>]*>")
_MIN_INSTRUCTION_CHARACTERS = 6  # `<|user|>` has 8
_HEADING = re.compile(r"([ \t]*)(?=#)")
_RAW_TEXT = frozenset({"script", "style"})
_NEVER_SHOWN = _RAW_TEXT | {"template"}
_IMPLIED_END = frozenset({"dd", "dt", "li", "option", "p", "td", "th", "tr"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is hidden from `start` to `end` of the text; `text` is its words on one line, without tags. If they are long enough, they are
    reported as `kind`; those of a script or a style sheet (None) are reported only if they are addressed to a model.
    """

    start: int
    end: int
    text: str
    kind: FindingKind | None


def find_hidden(places: Places, *, is_jsx: bool = False) -> list[Hidden]:
    """Hidden parts in order, none inside another. In JSX (MDX) a slash ends an element, and `hidden={false}` does not hide. Takes linear
    time.
    """
    dropped = _keep_outermost([*_iter_dropped(places), *_iter_definitions(places)])
    return _keep_outermost([*dropped, *_iter_hidden_elements(_Markup(places, dropped), is_jsx=is_jsx)])


def _keep_outermost(found: Sequence[Hidden]) -> list[Hidden]:
    outermost: list[Hidden] = []
    for each in sorted(found, key=lambda hidden: (hidden.start, -hidden.end)):
        if not outermost or each.start >= outermost[-1].end:
            outermost.append(each)
    return outermost


class _Markup:
    """Tells where a tag is markup: not in code, and not in what browsers drop."""

    def __init__(self, places: Places, dropped: Sequence[Hidden]) -> None:
        self.places = places
        self._dropped = [(each.start, each.end) for each in dropped]

    def holds(self, start: int, end: int) -> bool:
        return self.places.is_markup(start, end) and not is_in_span(self._dropped, start, start + 1)


def cut_hidden(places: Places, hidden: Sequence[Hidden]) -> str:
    """The text without its hidden parts; no line moves. A line that becomes a heading only by the removal is escaped."""
    content = places.content
    pieces, position = [], 0
    for each in hidden:
        line_ends = "\n" * content.count("\n", each.start, each.end)
        pieces += [content[position : each.start], line_ends]
        position = each.end
        begins_line = line_ends or not places.get_text_before(each.start).strip()
        if begins_line and (heading := _HEADING.match(content, position)):
            pieces.append(f"{heading[1]}\\")
            position = heading.end()
    return "".join([*pieces, content[position:]])


def iter_hidden_findings(hidden: Sequence[Hidden], places: Places, *, removed: bool) -> Iterator[Finding]:
    """What an editor should know of: hidden prose, long comments, and whatever is addressed to a model."""
    for each in hidden:
        if kind := _find_kind(each):
            yield Finding(kind, places.get_line(each.start), make_excerpt(each.text), removed)


def _find_kind(hidden: Hidden) -> FindingKind | None:
    if len(hidden.text) >= _MIN_INSTRUCTION_CHARACTERS and has_instructions(hidden.text):
        return FindingKind.INSTRUCTIONS
    says_something = is_telling_comment if hidden.kind is FindingKind.COMMENT else is_prose
    return hidden.kind if hidden.kind and says_something(hidden.text) else None


def _iter_dropped(places: Places) -> Iterator[Hidden]:
    content, position, blank = places.content, 0, -1
    closings: dict[str, int] = {}
    while opening := _DROPPED.search(content, position):
        start, position = opening.span()
        mark = _END_MARKS.get(opening[0], ">")
        earliest = start + 2 if mark == "-->" else position  # `<!-->` is a complete comment
        if closings.get(mark, -1) < earliest:
            closings[mark] = _find(content, mark, earliest)
        if blank < start:
            blank = _find_blank_line(content, start)
        if places.is_markup(start, position) and _ends_within_its_block(places, start, closings[mark], blank):
            browsers_mark = mark if mark == "-->" else ">"
            closing = _find(content, browsers_mark, earliest)
            text = " ".join(content[position:closing].split())
            position = min(closing + len(browsers_mark), len(content))
            yield Hidden(start, position, text, FindingKind.COMMENT)


def _find(content: str, mark: str, start: int) -> int:
    found = content.find(mark, start)
    return found if found >= 0 else len(content)


def _ends_within_its_block(places: Places, start: int, closing: int, blank: int) -> bool:
    before = places.get_text_before(start)
    is_closed = closing < len(places.content)
    if places.is_html(start):
        return True
    if BEFORE_BLOCK.fullmatch(before):
        return is_closed or before.strip() == ""
    return is_closed and closing < blank


def _find_blank_line(content: str, start: int) -> int:
    blank = _BLANK_LINE.search(content, start)
    return blank.start() if blank else len(content)


def _iter_definitions(places: Places) -> Iterator[Hidden]:
    """Link definitions with a title that nothing refers to."""
    if "]:" not in places.content:
        return
    definitions = [
        match
        for match in _DEFINITION.finditer(places.content)
        if not _BLANK_LINE.search(match[0]) and not places.is_code(*match.span())
    ]
    used = {_normalise_label(label) for label in _iter_references(places)} if definitions else set()
    for match in definitions:
        if _normalise_label(match[1]) not in used:
            yield Hidden(match.start(), match.end(), " ".join(match[2][1:-1].split()), FindingKind.COMMENT)


def _iter_references(places: Places) -> Iterator[str]:
    for match in _REFERENCE.finditer(places.content):
        is_followed = places.content.startswith(":", match.end())
        if not (is_followed and BEFORE_BLOCK.fullmatch(places.get_text_before(match.start()))):
            yield match[1]


def _normalise_label(label: str) -> str:
    return " ".join(label.casefold().split())


def _iter_hidden_elements(markup: _Markup, *, is_jsx: bool) -> Iterator[Hidden]:
    places, position = markup.places, 0
    lowered = places.content.lower() if "<" in places.content else ""
    if not any(mark in lowered for mark in _HIDING):
        return
    openings = [
        tag
        for tag in iter_opening_tags(places.content, is_jsx=is_jsx)
        if _is_hidden(tag)
        and not (is_jsx and places.content[tag.attributes.end - 2] == "/")
        and markup.holds(tag.start, tag.attributes.end)
    ]
    ends = _find_ends(markup, openings, is_jsx=is_jsx)
    for opening in openings:
        # An element that begins inside another may end after it.
        start = max(opening.start, position)
        end = ends.get(opening.start) or _find_end_of_unclosed(places, opening, start)
        if end > start:
            position = end
            text = " ".join(_ANY_TAG.sub(" ", places.content[max(start, opening.attributes.end) : end]).split())
            yield Hidden(start, end, text, None if opening.name in _RAW_TEXT else FindingKind.HIDDEN_TEXT)


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _NEVER_SHOWN and not tag.attributes.is_slot:
        return True
    return tag.attributes.hides and not tag.attributes.is_tab_panel and tag.name not in _VOID


def _find_end_of_unclosed(places: Places, opening: Tag, start: int) -> int:
    """Where an element without a closing tag ends. A block hides the rest of the text, as in browsers. A tag within a paragraph, or one
    whose closing tag may be omitted, hides only the rest of its paragraph, or nothing if its beginning is already hidden up to `start`.
    """
    is_block = opening.name in BLOCK_TAGS or not places.get_text_before(opening.start).strip()
    if is_block and opening.name not in _IMPLIED_END:
        return len(places.content)
    return _find_blank_line(places.content, opening.attributes.end) if start == opening.start else start


def _find_ends(markup: _Markup, openings: Sequence[Tag], *, is_jsx: bool) -> dict[int, int]:
    """Where the closing tag of an element ends, by where the element begins. Elements without a closing tag are left out."""
    starts = {opening.start for opening in openings}
    open_tags: dict[str, list[int]] = {opening.name: [] for opening in openings}
    ends = {}
    for tag in _TAG.finditer(markup.places.content) if openings else ():
        name = tag[2].lower()
        same = open_tags.get(name)
        is_empty = is_jsx and tag[0].endswith("/>")
        if same is None or is_empty or (tag.start() not in starts and not markup.holds(*tag.span())):
            continue
        if not tag[1]:
            same.append(tag.start())
        while tag[1] and same:
            if (start := same.pop()) in starts:
                ends[start] = tag.end()
            if name not in _RAW_TEXT:
                break
    return ends
