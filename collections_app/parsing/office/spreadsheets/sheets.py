"""The content of a sheet as people see it, whichever program wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.archive import Kind
from collections_app.parsing.office.properties import Properties

MAX_COLUMNS = 16_384
"""Columns of a sheet in Excel and LibreOffice."""

MAX_CHARACTERS = 10_000_000
SIGNS_OF_CELL = 10
"""The limit for all cells of a file together. Each counts this much in addition to its text: a few bytes may stand for many cells, and many
cells may share one text.
"""


def check_characters(count: int, kind: Kind) -> None:
    """Raises ParseError if the cells of a file have more characters than allowed."""
    if count > MAX_CHARACTERS:
        kind.refuse(f"its cells have more than {MAX_CHARACTERS:,} characters; split it into several")


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` is as it is shown, with `\\n` between its lines. `columns` and `rows` are how many it covers; `address` is the target of its
    link.
    """

    text: str
    address: str = ""
    is_bold: bool = False
    is_number: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """`number` counts from 1, as the program shows it. `cells` has the cells that are not empty, by column from 0, in column order.
    `has_gap` is whether a blank row stands above it.
    """

    number: int
    cells: Mapping[int, Cell]
    has_gap: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Text that lies over the cells; `row` is the number of the row where it begins, `body` has its paragraphs as HTML."""

    row: int
    body: Element


@dataclass(frozen=True, slots=True)
class Sheet:
    """`rows` has the rows that are not empty, in order."""

    name: str
    rows: Sequence[Row]
    boxes: Sequence[Box] = ()


@dataclass(frozen=True, slots=True)
class Workbook:
    """What people see in the file. `hidden` has the texts that they do not see, `left_out` counts the hidden sheets, rows and cells,
    `without_value` the formulas whose results are not in the file, and `cut` the repeated rows and cells that were not repeated in full.
    """

    sheets: Sequence[Sheet]
    properties: Properties = field(default_factory=Properties)
    hidden: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    without_value: int = 0
    cut: int = 0
