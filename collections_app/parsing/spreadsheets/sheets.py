"""The content of a sheet, whichever program wrote it: its cells as people see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.archive import Kind
from collections_app.parsing.office.properties import Properties

MAX_COLUMNS = 16_384
"""Of a sheet of Excel and LibreOffice."""

MAX_CHARACTERS = 10_000_000
SIGNS_OF_CELL = 10
"""Of all cells, each of which counts so many besides its text: a few bytes may stand for many cells, or for a text that many have."""


def check_characters(count: int, kind: Kind) -> None:
    """Raises ParseError for more than all cells of a file may have."""
    if count > MAX_CHARACTERS:
        kind.refuse(f"its cells have more than {MAX_CHARACTERS:,} characters; split it into several")


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` is as it is shown, its lines ended by `\\n`. `columns` and `rows` are how many it covers; `address` is where it leads."""

    text: str
    address: str = ""
    is_bold: bool = False
    is_number: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """`number` counts from 1, as the program shows it. `cells` are those that say something, by their columns, from 0, in their order.
    `has_gap` is whether a blank row stands above it.
    """

    number: int
    cells: Mapping[int, Cell]
    has_gap: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Text that lies over the cells; `row` is where it begins, `body` holds its paragraphs as HTML."""

    row: int
    body: Element


@dataclass(frozen=True, slots=True)
class Sheet:
    """`rows` are those that say something, in their order."""

    name: str
    rows: Sequence[Row]
    boxes: Sequence[Box] = ()


@dataclass(frozen=True, slots=True)
class Workbook:
    """What people see of it. `hidden` are texts that they do not, `left_out` counts sheets, rows and cells of such, `without_value` the
    formulas whose results the file does not hold, and `cut` how often something was repeated more than it is here.
    """

    sheets: Sequence[Sheet]
    properties: Properties = field(default_factory=Properties)
    hidden: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    without_value: int = 0
    cut: int = 0
