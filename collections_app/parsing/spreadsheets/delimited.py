"""Tables as text: CSV (RFC 4180) and TSV, with commas, semicolons, tabs or bars between the cells."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.spreadsheets.sheets import MAX_COLUMNS, Cell, Row, Sheet, Workbook
from collections_app.parsing.spreadsheets.to_markdown import write_workbook

_DELIMITERS = ",;\t|"
_LOOKED_AT = 50  # rows, for the sign between cells
_SAID = re.compile(r"sep=(.)\n")  # what Excel writes and reads
_NUMBER = re.compile(r"[+-]?[\d.,\s]*\d%?")


def parse_csv(raw: RawDocument) -> NormalisedText:
    """The table, in parts where it is long. Raises ParseError for what is no table, and UnsupportedFormat for what is no text."""
    text, warnings = decode_text(raw.content)
    said = _SAID.match(text)
    lines = text[said.end() if said else 0 :].splitlines(keepends=True)
    delimiter = said[1] if said else max(_DELIMITERS, key=lambda sign: _rate(lines, sign))
    rows = [row for row in _iter_rows(lines, delimiter) if row.cells]
    written = write_workbook(Workbook([Sheet("", rows)]), "csv", has_gaps=False)
    return replace(written, warnings=(*warnings, *written.warnings))


def _rate(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """How many of the first rows have as many cells as most have, if these are several; then how many cells that is."""
    try:
        widths = [len(record) for record in islice(csv.reader(lines, delimiter=delimiter), _LOOKED_AT)]
    except csv.Error:
        return 0, 0
    counted = Counter(width for width in widths if width > 1)
    width, count = counted.most_common(1)[0] if counted else (0, 0)
    return count, width


def _iter_rows(lines: Sequence[str], delimiter: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        for number, record in enumerate(reader, 1):
            cells = ((column, text.strip()) for column, text in enumerate(record[:MAX_COLUMNS]))
            yield Row(number, {column: _make_cell(text) for column, text in cells if text})
    except csv.Error as error:
        message = f"line {reader.line_num}: it cannot be read as a table ({error}). Mend it, or give it as `.txt`."
        raise ParseError(message, line=reader.line_num) from None


def _make_cell(text: str) -> Cell:
    return Cell(text, is_number=_NUMBER.fullmatch(text) is not None)
