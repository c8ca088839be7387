"""A line of a PDF as Markdown: code in backticks, cells apart, no tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from collections_app.parsing.html.escaping import escape_text, make_code_span
from collections_app.parsing.pdf.breaks import LEADER
from collections_app.parsing.pdf.pages import Line, Word

_LIST_COMMA = re.compile(r"(?<=,) ")
_CODE_WITH_PUNCTUATION = re.compile(r"(.*?)([.,;:]*)$", re.DOTALL)


def write_line(line: Line) -> str:
    text = " | ".join(_write_cell(cell) for cell in line.cells)
    return LEADER.sub(" … ", text).strip() if LEADER.search(text) else text


def _write_cell(words: Sequence[Word]) -> str:
    written: list[str] = []
    for is_code, run in groupby(words, key=lambda word: word.is_monospaced):
        text = " ".join(word.text for word in run)
        written += map(_write_code, _LIST_COMMA.split(text)) if is_code else [escape_text(text)]
    return " ".join(written)


def _write_code(text: str) -> str:
    """`text` as a code span, without the punctuation of the sentence around it."""
    code, punctuation = _CODE_WITH_PUNCTUATION.fullmatch(text).groups()  # type: ignore[union-attr]
    # Quotation marks of the sentence, set like the code.
    if code.startswith("`") and code.endswith("'") and len(code) > 2:
        return f"‘{make_code_span(code[1:-1])}’{punctuation}"
    if code.endswith(")") and code.count(")") > code.count("("):
        code, punctuation = code[:-1], f"){punctuation}"
    if not code:
        return punctuation
    return make_code_span(code) + punctuation
