"""Lists of attributes that a Markdown block, link or picture has (`{: .note }`, `{style="warning"}`, `{ width="300" }`), as kramdown,
Python-Markdown and Writerside write them. No reader sees them, but for the kind of a box, which becomes words. PURE.

Those of headings are heading_ids.py's, but for those in quotes, which make no sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.heading_text import ATTRIBUTE_LIST
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import find_code_spans, is_in_span
from collections_app.parsing.shown_tags import write_kind

_MAX_LINE_CHARACTERS = 1000
_MAX_BOX_LINES = 50
_KINDS = frozenset({"caution", "danger", "important", "info", "note", "tip", "warning"})

_LINE = re.compile(rf"[ \t>]*+(?P<list>{ATTRIBUTE_LIST})[ \t]*$")
# Of a class or an id, which no text is: it may stand above its block too.
_IS_SURE = re.compile(r"\{:|\{[ \t]*[.#]")
_KIND = re.compile(r"(?:\.|\b(?:class|style)=[\"']?)([a-z]+)(?=[\s\"'}])")
# At a link or a picture, where `width=300` needs no quotes.
_VALUE = r"(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}\"'=]+)"
_MARK = rf"(?:[.#][\w:-]+|[\w:-]+={_VALUE})"
_AT_LINK = re.compile(rf"(?<=[)\]])(?:\{{:?[ \t]*+{_MARK}(?:[ \t]++{_MARK})*+[ \t]*+\}})++")
# ExDoc's boxes: `> #### Mind it {: .warning}`.
_QUOTED_HEADING = re.compile(rf"(?P<heading>[ \t]*+>[ \t>]*+#{{1,6}}[ \t].*?)[ \t]*{ATTRIBUTE_LIST}[ \t]*$")
# The first is the faster one.
_MAY_BEGIN = re.compile(r"\{:?[ \t]*+(?:[.#-]|[\w:-]++=)")
_MAY_HAVE = re.compile(rf"^{_LINE.pattern}|{_AT_LINK.pattern}|^[ \t]*+>[ \t>]*+#[^\n]*\}}[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_TEXT = re.compile(r"(?P<signs>[ \t>]*+)(?=[\w\[*_`\"'(])(?![-*+][ \t]|\d{1,9}[.)][ \t]|`{3})")
_SIGNS_ALONE = re.compile(r"[ \t>]*+$")


def drop_block_attributes(content: str) -> str:
    """The text without them, its lines on their places."""
    if not (_MAY_BEGIN.search(content) and _MAY_HAVE.search(content)):
        return content
    lines = content.split("\n")
    kinds = list(iter_line_kinds(lines))
    for number, kind in enumerate(kinds):
        if kind is LineKind.MARKDOWN and "{" in lines[number] and len(lines[number]) <= _MAX_LINE_CHARACTERS:
            if found := _find_of_block(lines, number):
                lines[number] = ""
                _write_kind(lines, kinds, number, found)
            else:
                quoted = _QUOTED_HEADING.match(lines[number])
                lines[number] = quoted["heading"] if quoted else _drop_at_links(lines[number])
    return "\n".join(lines)


def _find_of_block(lines: Sequence[str], number: int) -> str:
    """The list that this line is, at a block of text."""
    found = _LINE.match(lines[number])
    if not found:
        return ""
    above = lines[number - 1] if number else ""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    if _HEADING.match(above):
        return ""
    is_below = above.strip() and not _TEXT.match(below)
    is_of_block = is_below or (_IS_SURE.match(found["list"]) and (above.strip() or below.strip()))
    return found["list"] if is_of_block else ""


def _write_kind(lines: list[str], kinds: Sequence[LineKind], number: int, attributes: str) -> None:
    """Before the text of the box: the block above the line, or the one below it. Lists and code have none."""
    words = next((write_kind(each) for each in _KIND.findall(attributes) if each in _KINDS), "")
    if not words:
        return
    first = number
    while first and number - first < _MAX_BOX_LINES and _is_text(lines[first - 1], kinds[first - 1]):
        first -= 1
    while first < number and _SIGNS_ALONE.match(lines[first]):
        first += 1
    if first == number:
        lines[number] = "" if number and lines[number - 1].strip() else words.rstrip()
    elif text := _TEXT.match(lines[first]):
        lines[first] = f"{text['signs']}{words}{lines[first][text.end() :]}"


def _is_text(line: str, kind: LineKind) -> bool:
    return kind is LineKind.MARKDOWN and bool(line.strip()) and not _HEADING.match(line)


def _drop_at_links(line: str) -> str:
    if not _AT_LINK.search(line):
        return line
    code = find_code_spans(line)
    return _AT_LINK.sub(lambda found: found[0] if is_in_span(code, *found.span()) else "", line)
