"""Icons of MkDocs Material (`:material-anchor:`, `:octicons-book-16:{ .big }`) that only decorate words: those go. PURE.

They begin or end a heading or the words of a link, begin the label of a tab or a box, or stand before the link or the bold words that begin
an item or a paragraph. Others stay as they are written, since they say something: a tick in a cell, a button's sign within a sentence.
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import replace_outside_spans

_MAX_LINE_CHARACTERS = 1_000
_SET = r"(?:material|octicons|simple|fontawesome-(?:brands|regular|solid))"
_ICON = rf":{_SET}(?:-[a-z0-9]++)++:(?:\{{[^{{}}]*\}})?"
_ICONS = rf"{_ICON}(?:[ \t]*+(?:&nbsp;[ \t]*+)?{_ICON})*+(?:[ \t]*+&nbsp;)*+"
_MAY_HAVE = re.compile(rf":{_SET}-")
_BEGINS_BLOCK = r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?"
# A word has to follow, or to stand before: nobody would see what else is meant.
_WORD = r"(?=[*_`(]{0,3}\w)"
_BEFORE_WORDS = re.compile(
    rf"(?P<kept>^[ \t>]*+#{{1,6}}[ \t]++|(?<!\\)\[|^[ \t>]*+(?:={{3}}|!{{3}}|\?{{3}})[^\"]*+\"){_ICONS}[ \t]*+{_WORD}"
    rf"|(?P<block>{_BEGINS_BLOCK}){_ICONS}[ \t]++(?=(?:\*\*|__)\[?\w|\[\w)"
)
_BEHIND_WORDS = re.compile(rf"(?<=[\w`*_)?!.])[ \t]++{_ICONS}(?=\])")
_ENDS_HEADING = re.compile(rf"(?P<words>^[ \t>]*+#{{1,6}}[ \t].*?[\w`*_)?!.])[ \t]++{_ICONS}(?=[ \t]*$|[ \t]++\{{)")


def drop_icons(content: str) -> str:
    """The text without these; no line moves."""
    if not _MAY_HAVE.search(content):
        return content
    lines = content.split("\n")
    for number, kind in enumerate(iter_line_kinds(lines)):
        line = lines[number]
        if kind is LineKind.MARKDOWN and len(line) <= _MAX_LINE_CHARACTERS and _MAY_HAVE.search(line):
            lines[number] = _drop_in(line)
    return "\n".join(lines)


def _drop_in(line: str) -> str:
    line = replace_outside_spans(_BEFORE_WORDS, lambda found: found["kept"] or found["block"] or "", line)
    line = replace_outside_spans(_BEHIND_WORDS, lambda _: "", line)
    return replace_outside_spans(_ENDS_HEADING, lambda found: found["words"], line)
