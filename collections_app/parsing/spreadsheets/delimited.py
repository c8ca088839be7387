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
from collections_app.parsing.spreadsheets.sheets import MAX_COLUMNS, Cell, Row, Sheet, Workbook
from collections_app.parsing.spreadsheets.to_markdown import write_workbook

if TYPE_CHECKING:
    from _csv import Reader

_DELIMITERS = "\t;|,"  # of those that fit alike the first: commas stand in numbers and sentences too
_COMMENT = "#"
_LOOKED_AT = 50  # rows, for the sign between cells
_SAID = re.compile(r"sep=(.)\n")  # what Excel writes and reads
_NUMBER = re.compile(r"[+-]?[\d.,\s]*\d%?")


def parse_csv(raw: RawDocument) -> NormalisedText:
    """The table, in parts if it is long. Raises ParseError if it is not a table, and UnsupportedFormat if it is not text."""
    text, warnings = decode_text(raw.content)
    said = _SAID.match(text)
    lines = list(io.StringIO(text[said.end() if said else 0 :], newline="\n"))
    widths = {sign: _find_width(lines, sign) for sign in (said[1] if said else _DELIMITERS)}
    delimiter = max(widths, key=lambda sign: widths[sign][1])
    width, _ = widths[delimiter]  # of a row: `#` may be what its first column is called
    comments = list(
        takewhile(lambda line: line.startswith(_COMMENT) and _find_width([line], delimiter)[0] != width, lines)
    )
    rows = [Row(number, {0: _make_cell(line.strip())}) for number, line in enumerate(comments, 1)]
    rows += [row for row in _iter_rows(lines[len(comments) :], delimiter, len(comments) + 1) if row.cells]
    written = write_workbook(Workbook([Sheet("", rows)]), "csv")
    return replace(written, warnings=(*warnings, *written.warnings))


def _find_width(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """How many cells most of the first rows have, and how many rows these are; 0 of each where none has several."""
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
