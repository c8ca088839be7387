"""Tables of MyST's directives (`list-table`, `csv-table`), as tables of Markdown. PURE."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

_MAX_COLUMNS = 50
_ROW = re.compile(r"\s*[*-](?P<blanks>[ \t]+)[*-](?:[ \t]+(?P<cell>.*)|[ \t]*)$")
_CELL = re.compile(r"\s*[*-](?:[ \t]+(?P<cell>.*)|[ \t]*)$")
_BLOCK = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|`{3}|~{3}|:{3}|[|>])")


def read_list(lines: Sequence[str]) -> list[list[str]] | None:
    """The rows of a `list-table`. Each is an item that begins with the item of its first cell; the lines of a cell are joined. None if a
    cell contains blocks, such as lists or code.
    """
    rows: list[list[str]] = []
    row_indent = cell_indent = -1
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        row, cell = _ROW.match(line), _CELL.match(line)
        if row and (not rows or indent == row_indent):
            row_indent, cell_indent = indent, indent + 1 + len(row["blanks"])
            rows.append([row["cell"] or ""])
        elif rows and cell and indent == cell_indent:
            rows[-1].append(cell["cell"] or "")
        elif not rows or indent <= cell_indent or _BLOCK.match(line):
            return None
        else:
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return None if any(_BLOCK.match(cell) for row in rows for cell in row) else rows


def read_csv(lines: Sequence[str]) -> list[list[str]]:
    try:
        return [[" ".join(cell.split()) for cell in row] for row in csv.reader(lines, skipinitialspace=True) if row]
    except csv.Error:
        return []


def write_table(rows: Sequence[Sequence[str]], *, has_head: bool) -> Sequence[str]:
    width = max(map(len, rows), default=0)
    if not 0 < width <= _MAX_COLUMNS:
        return []
    filled = [[*(cell.replace("|", "\\|") for cell in row), *[""] * (width - len(row))] for row in rows]
    top = filled[0] if has_head else [""] * width
    return [f"| {' | '.join(row)} |" for row in (top, ["---"] * width, *filled[1 if has_head else 0 :])]
