"""Tables as text: CSV (RFC 4180) and TSV, with commas, semicolons, tabs or vertical bars between the cells."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from collections_app.exceptions import ParseError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.office.spreadsheets.sheets import MAX_COLUMNS, Cell, Row, Sheet, Workbook
from collections_app.parsing.office.spreadsheets.to_markdown import write_workbook

if TYPE_CHECKING:
    from _csv import Reader

# The first one wins among those that fit equally well: commas also occur in numbers and sentences.
_DELIMITERS = "\t;|,"
_COMMENT = "#"
_LOOKED_AT = 50  # rows, to find the delimiter
_SAID = re.compile(r"sep=(.)\n")  # the delimiter as Excel writes and reads it
_NUMBER = re.compile(r"[+-]?[\d.,\s]*\d%?")


def parse_csv(raw: RawDocument) -> NormalisedText:
    """The table, divided into parts if it is long. Raises ParseError if it is not a table, and UnsupportedFormat if it is not text."""
    text, warnings = decode_text(raw.content)
    said = _SAID.match(text)
    lines = list(io.StringIO(text[said.end() if said else 0 :], newline="\n"))
    widths = {sign: _find_width(lines, sign) for sign in (said[1] if said else _DELIMITERS)}
    delimiter = max(widths, key=lambda sign: widths[sign][1])
    # A line with a `#` is no comment if it has as many cells: the name of the first column may begin with one.
    width, _ = widths[delimiter]
    comments = list(
        takewhile(lambda line: line.startswith(_COMMENT) and _find_width([line], delimiter)[0] != width, lines)
    )
    rows = [Row(number, {0: _make_cell(line.strip())}) for number, line in enumerate(comments, 1)]
    rows += [row for row in _iter_rows(lines[len(comments) :], delimiter, len(comments) + 1) if row.cells]
    written = write_workbook(Workbook([Sheet("", rows)]), "csv")
    return replace(written, warnings=(*warnings, *written.warnings))


def _find_width(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """The most frequent number of cells in the first rows, and how many rows have it; both 0 if no row has several cells."""
    try:
        widths = Counter(width for record in islice(_read(lines, delimiter), _LOOKED_AT) if (width := len(record)) > 1)
    except csv.Error:
        return 0, 0
    return widths.most_common(1)[0] if widths else (0, 0)


def _read(lines: Iterable[str], delimiter: str) -> Reader:
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True)


def _iter_rows(lines: Sequence[str], delimiter: str, first: int) -> Iterator[Row]:
    reader = _read(lines, delimiter)
    try:
        for number, record in enumerate(reader, first):
            cells = ((column, text.strip()) for column, text in enumerate(record[:MAX_COLUMNS]))
            yield Row(number, {column: _make_cell(text) for column, text in cells if text})
    except csv.Error as error:
        line = first - 1 + reader.line_num
        message = f"line {line}: it cannot be read as a table ({error}). Is a quotation mark not closed? Mend it, or give it as `.txt`."
        raise ParseError(message, line=line) from None


def _make_cell(text: str) -> Cell:
    return Cell(text, is_number=_NUMBER.fullmatch(text) is not None)
