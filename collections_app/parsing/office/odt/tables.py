"""The rows and cells of an OpenDocument table, and whether its first row is its header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from collections_app.parsing.office.odt.names import TABLE

MAX_CELL_CHARACTERS = 1000
"""A table with a longer cell lays out a page."""


def iter_rows(table: Element, *, is_header: bool) -> Iterator[tuple[Element, bool]]:
    for child in table:
        if child.get(f"{TABLE}visibility", "visible") != "visible":
            continue
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in (f"{TABLE}table-header-rows", f"{TABLE}table-rows", f"{TABLE}table-row-group"):
            yield from iter_rows(child, is_header=is_header or child.tag.endswith("header-rows"))


def iter_cells(row: Element) -> Iterator[Element]:
    """The cells of a row, without those that another cell covers, and without empty ones that only fill the row."""
    cells = row.findall(f"{TABLE}table-cell")
    while cells and not len(cells[-1]) and f"{TABLE}number-columns-repeated" in cells[-1].keys():  # noqa: SIM118
        cells.pop()
    yield from cells


def holds_data(table: Element, cells: Sequence[Sequence[Element]]) -> bool:
    """Whether the first row is the header although nobody marked it."""
    texts = [["".join(cell.itertext()).strip() for cell in row] for row in cells]
    has_header = len(texts) > 1 and len(texts[0]) > 1 and any(texts[0])
    is_short = all(len(text) <= MAX_CELL_CHARACTERS for row in texts for text in row)
    return has_header and is_short and sum(1 for _ in table.iter(f"{TABLE}table")) == 1
