"""The seven kinds of HTML block (CommonMark 0.31, section 4.6): what begins one and what ends it. It reads no HTML."""

from __future__ import annotations

import re
from collections.abc import Callable

LineTest = Callable[[str], object]

_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul"
)
BLOCK_TAGS = frozenset(_NAMES.split())
_IGNORE_CASE = re.IGNORECASE | re.ASCII

_RAW_TEXT = re.compile(r"<(?:script|pre|style|textarea)(?=[ >]|$)", _IGNORE_CASE)
_BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(BLOCK_TAGS)})(?= |/?>|$)", _IGNORE_CASE)
_VALUE = r"""(?:[^ \t"'=<>`]++|'[^']*+'|"[^"]*+")"""
_ATTRIBUTE = rf"(?: ++[a-zA-Z_:][a-zA-Z0-9:._-]*+(?: *+= *+{_VALUE})?+)"
_WHOLE_TAG = re.compile(rf"(?:<[a-zA-Z][a-zA-Z0-9-]*+{_ATTRIBUTE}*+ *+/?>|</[a-zA-Z][a-zA-Z0-9-]*+ *+>) *+$")

_BLANK = re.compile(r"[ \t]*$").match
_ENDS_BY_START: tuple[tuple[re.Pattern[str], LineTest], ...] = (
    (_RAW_TEXT, re.compile(r"</(?:script|pre|style|textarea)>", _IGNORE_CASE).search),
    (re.compile("<!--"), re.compile("-->").search),
    (re.compile(r"<\?"), re.compile(r"\?>").search),
    (re.compile("<![a-zA-Z]"), re.compile(">").search),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>").search),
    (_BLOCK_TAG, _BLANK),
)


def find_html_block_end(text: str, *, interrupts_paragraph: bool) -> LineTest | None:
    """The test for the last line of the HTML block that `text` (a line from its `<`) begins; None if it begins none.

    The test may be true of `text` itself. A whole tag of any name (kind 7) cannot interrupt a paragraph.
    """
    for start, ends in _ENDS_BY_START:
        if start.match(text):
            return ends
    if not interrupts_paragraph and _WHOLE_TAG.match(text):
        return _BLANK
    return None
