"""A workbook → Markdown, by way of HTML: a section for each sheet, for each title in it, and for each part of a long table.

Rows of words and numbers become rows of a table. If a column holds sentences, as in lists of requirements or of questions and answers, each
row becomes a section titled with the cells that name it: people ask for single rows, and a long table would hide them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from lxml import etree

from collections_app.parsing.documents import NormalisedText
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.hidden_text import make_findings
from collections_app.parsing.office.html import add, add_lines, add_link
from collections_app.parsing.office.spreadsheets.blocks import Block, Table, Text, Title, find_blocks
from collections_app.parsing.office.spreadsheets.sheets import Cell, Row, Sheet, Workbook
from collections_app.text.shortening import shorten

_SENTENCE_CHARACTERS = 80
"""If the cells of a column have at least this many characters on average, it holds sentences."""

_MAX_GLANCE_CHARACTERS = 1_500
"""A table of up to this size stays a table, whatever it holds."""

_MAX_TABLE_CHARACTERS = 4_000
_PART_CHARACTERS = 2_000
"""A larger table is divided into parts of about this size, each with the header."""

_SIGNS_OF_CELL = 3
_MAX_BLANKS = 2_000
_BLANKS_OF_CELL = 10
_MAX_REPEATED_CHARACTERS = 2_000_000  # of labels, which are repeated for each row of sentences
_MAX_LABEL_CHARACTERS = 200
_MAX_NAME_CHARACTERS = 100
_NAMING_COLUMNS = 4  # columns that may name a row
_MAX_ITEM_CHARACTERS = 100
_LEAST_ITEMS = 3
_BULLET = re.compile(r"\s*[-–•·▪*]\s+")
_NUMBER = re.compile(r"[\d.,]*")
_PARAGRAPH = re.compile(r"\n\s*\n")
_UNNAMED = re.compile(
    r"(?:sheet|tabelle|feuil|hoja|foglio|planilha|folha|blad|ark|taul|munka|arkusz|list|лист|аркуш|シート|工作表|시트)\s?\d+",
    re.IGNORECASE,
)
_MADE_UP_TITLE = re.compile(r"(?:untitled.*|workbook\d*|book\d+|mappe\d+|.*\.(?:xlsx?|xlsm|ods|csv))", re.IGNORECASE)
_LEVELS = ("h2", "h3", "h4")


def write_workbook(workbook: Workbook, format: str) -> NormalisedText:
    lines: list[str] = []
    sheets = [sheet for sheet in workbook.sheets if sheet.rows or sheet.boxes]
    for sheet in sheets:
        is_named = len(sheets) > 1 or not _UNNAMED.fullmatch(sheet.name)
        for body in _SheetWriter(sheet).write(is_named=is_named):
            written = convert_to_markdown([body], LinkResolver("")).writer.lines
            lines += [""] * bool(lines and written) + written
    facts = workbook.properties
    return NormalisedText(
        format=format,
        content="\n".join([*lines, ""]) if lines else "",
        title="" if _MADE_UP_TITLE.fullmatch(facts.title) else facts.title,
        description=facts.description,
        keywords=facts.keywords,
        metadata={"language": facts.language} if facts.language else {},
        findings=make_findings(workbook.hidden),
        warnings=tuple(_tell_left_out(workbook)),
    )


def _tell_left_out(workbook: Workbook) -> Iterator[str]:
    counts = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in workbook.left_out.items() if count]
    if counts:
        yield f"left out, since they are hidden: {', '.join(counts)}"
    if workbook.without_value:
        formulas = "1 formula has" if workbook.without_value == 1 else f"{workbook.without_value} formulas have"
        yield f"{formulas} no result in the file; open it in Excel or LibreOffice and save it again"
    if workbook.cut:
        yield "rows or cells that are repeated very often are there fewer times"


class _SheetWriter:
    """Writes a sheet part by part, each as an HTML body, so that a very large sheet is not held as a whole."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._blocks = find_blocks(sheet.rows)
        self._level = 0  # of headings made from titles
        self._title_levels = 0

    def write(self, *, is_named: bool) -> Iterator[Element]:
        if is_named and self._sheet.name:
            yield _make_heading(self._sheet.name, 0)
            self._level = 1
        boxes = list(self._sheet.boxes)
        for block in self._blocks:
            while boxes and boxes[0].row <= block.number:
                yield boxes.pop(0).body
            yield from self._write_block(block)
        yield from (box.body for box in boxes)

    def _write_block(self, block: Block) -> Iterator[Element]:
        match block:
            case Title():
                yield _make_heading(block.cell.text, self._level, block.cell.address)
                self._title_levels = 1
            case Text():
                yield from _write_text(block, self._level + self._title_levels)
            case Table():
                yield from _write_table(block, self._level + self._title_levels)


def _make_heading(text: str, level: int, address: str = "") -> Element:
    body = etree.Element("body")
    _write_lines(add(body, _LEVELS[min(level, len(_LEVELS) - 1)]), " ".join(text.split()), address)
    return body


def _write_text(text: Text, level: int) -> Iterator[Element]:
    return _write_parts(
        text.rows, level, lambda rows: _make_lines([cell for row in rows for cell in row.cells.values()])
    )


def _make_lines(cells: Sequence[Cell]) -> Element:
    """Paragraphs for each cell; a list if the cells are several and short."""
    body = etree.Element("body")
    is_list = len(cells) >= _LEAST_ITEMS and all(len(cell.text) <= _MAX_ITEM_CHARACTERS for cell in cells)
    place = add(body, "ul") if is_list else body
    for cell in cells:
        if is_list:
            _write_lines(add(place, "li"), cell.text, cell.address)
        else:
            _write_paragraphs(place, cell)
    return body


def _write_table(table: Table, level: int) -> Iterator[Element]:
    is_long = _count_characters(table.rows) > _MAX_GLANCE_CHARACTERS
    said = sum(map(len, table.labels.values()))
    is_short = said * len(table.rows) <= _MAX_REPEATED_CHARACTERS
    if (is_long and is_short and _holds_sentences(table)) or _is_sparse(table):
        return _write_records(table, level)
    return _write_parts(table.rows, level, lambda rows: _make_table(table.labels, rows), said, len(table.labels))


def _count_characters(rows: Iterable[Row]) -> int:
    return sum(len(cell.text) for row in rows for cell in row.cells.values())


def _is_sparse(table: Table) -> bool:
    """Whether the table would be mostly blank: a few bytes of a file, such as one cell in each column, could fill gigabytes."""
    cell_count = sum(len(row.cells) for row in table.rows)
    return len(table.rows) * len(table.labels) > _MAX_BLANKS + _BLANKS_OF_CELL * cell_count


def _holds_sentences(table: Table) -> bool:
    """Whether a column holds sentences."""
    lengths: dict[int, list[int]] = {}
    for row in table.rows:
        for column, cell in row.cells.items():
            lengths.setdefault(column, []).append(len(cell.text))
    return any(sum(each) >= _SENTENCE_CHARACTERS * max(len(each), len(table.rows) / 2) for each in lengths.values())


def _write_parts(
    rows: Sequence[Row], level: int, make: Callable[[Sequence[Row]], Element], repeated: int = 0, width: int = 0
) -> Iterator[Element]:
    """All rows as one part if they are few; otherwise several parts, each below a heading. Each part repeats `repeated` characters, and
    each row has the markup of `width` cells.
    """
    signs = _SIGNS_OF_CELL * width
    if _count_characters(rows) + signs * len(rows) <= _MAX_TABLE_CHARACTERS:
        yield make(rows)
        return
    most = max(_PART_CHARACTERS, 4 * (repeated + signs))
    start, taken = 0, 0
    for end, row in enumerate(rows, 1):
        taken += _count_characters([row]) + signs
        if taken >= most or end == len(rows):
            yield _make_heading(f"Rows {rows[start].number}–{row.number}", level)
            yield make(rows[start:end])
            start, taken = end, 0


def _make_table(labels: Mapping[int, str], rows: Sequence[Row]) -> Element:
    body = etree.Element("body")
    table = add(body, "table")
    header = add(table, "tr")
    for label in labels.values():
        add(header, "th", label)
    for row in rows:
        written = add(table, "tr")
        for column in labels:
            place = add(written, "td")
            if cell := row.cells.get(column):
                _write_lines(place, cell.text, cell.address)
    return body


def _write_records(table: Table, level: int) -> Iterator[Element]:
    """A section for each row, with its cells labelled. A cell without a label that names the row is only in the heading."""
    naming = _find_naming_columns(table)
    for row in table.rows:
        name = " – ".join(" ".join(row.cells[column].text.split()) for column in naming if column in row.cells)
        yield _make_heading(shorten(name, _MAX_NAME_CHARACTERS) or f"Row {row.number}", level)
        body = etree.Element("body")
        for column, cell in row.cells.items():
            label = shorten(table.labels.get(column, "").rstrip(":"), _MAX_LABEL_CHARACTERS)
            if label or cell.address or column not in naming or len(name) > _MAX_NAME_CHARACTERS:
                _write_paragraphs(body, cell, f"{label}:" if label else "")
        yield body


def _find_naming_columns(table: Table) -> Sequence[int]:
    """The columns that name a row, among the first ones with short texts: the first in which all rows differ, and if it has numbers, those
    after it up to the next one with texts; all of them if there is no such column.
    """
    columns = [column for column in list(table.labels)[:_NAMING_COLUMNS] if _is_short(table, column)]
    first = next((n for n, column in enumerate(columns) if _tells_apart(table, column)), None)
    if first is None:
        return columns
    last = next((n for n in range(first, len(columns)) if not _is_numeric(table, columns[n])), len(columns) - 1)
    return columns[first : last + 1]


def _is_numeric(table: Table, column: int) -> bool:
    return all(_NUMBER.fullmatch(row.cells[column].text) for row in table.rows if column in row.cells)


def _is_short(table: Table, column: int) -> bool:
    texts = [row.cells[column].text for row in table.rows if column in row.cells]
    return sum(map(len, texts)) <= _SENTENCE_CHARACTERS / 2 * len(texts)


def _tells_apart(table: Table, column: int) -> bool:
    return len({row.cells[column].text for row in table.rows if column in row.cells}) == len(table.rows)


def _write_paragraphs(parent: Element, cell: Cell, label: str = "") -> None:
    """The text of a cell as paragraphs; lines that begin like list items become lists."""
    labelled = add(parent, "p") if label else None
    if labelled is not None:
        add(labelled, "b", label).tail = " "
    for text in filter(str.strip, _PARAGRAPH.split(cell.text)):
        for is_list, lines in groupby(text.split("\n"), lambda line: _BULLET.match(line) is not None):
            if is_list:
                items = add(parent, "ul")
                for line in lines:
                    _write_lines(add(items, "li"), _BULLET.sub("", line, count=1), cell.address)
            else:
                _write_lines(add(parent, "p") if labelled is None else labelled, "\n".join(lines), cell.address)
            labelled = None


def _write_lines(parent: Element, text: str, address: str) -> None:
    add_lines(add_link(parent, address) if address else parent, text)
