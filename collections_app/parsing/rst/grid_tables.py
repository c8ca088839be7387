"""Redraws tables that docutils refuses. This module handles grid tables whose borders are not aligned, using the separators between cells.

A table is redrawn only if each row has as many cells as each border has columns. Others, such as those with merged cells, stay as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

from docutils import nodes, utils
from docutils.parsers.rst import states
from docutils.statemachine import StringList

from collections_app.parsing.rst.simple_tables import draw_simple
from collections_app.parsing.rst.states import STATE_CLASSES

_MESSAGE = "Malformed table"
_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_BORDER_IN_ROW = re.compile(r"\+[-=]{2,}\+")
MAX_TABLES = 500
"""Each is parsed separately."""

_MOST_GROWN = 4
"""How many times larger than its source a table may be drawn."""


def mend_tables(document: nodes.document, inliner: states.Inliner) -> Set[nodes.system_message]:
    """Replace docutils' messages about tables with the tables, up to MAX_TABLES. Returns the messages replaced."""
    mended: set[nodes.system_message] = set()
    for message in list(document.findall(nodes.system_message)):
        if len(mended) >= MAX_TABLES:
            break
        if lines := _draw_refused(message):
            parts = _parse(lines, message["line"], document, inliner)
            message.parent.replace(message, parts)
            mended.add(message)
    return mended


def _draw_refused(message: Any) -> Sequence[str]:
    """The redrawn lines of the table that a message is about; none if it is about something else, or the table cannot be redrawn."""
    words, *blocks = message.children or [nodes.Text("")]
    if not words.astext().startswith(_MESSAGE) or not blocks or message.parent is None:
        return ()
    lines = blocks[0].astext().split("\n")
    return draw_grid(lines) if lines[0].startswith("+") else draw_simple(lines)


def _parse(lines: Sequence[str], line: int, document: nodes.document, inliner: states.Inliner) -> list[nodes.Node]:
    """The nodes of a text. Docutils appends to the document what it reads."""
    before = len(document.children)
    machine = states.RSTStateMachine(state_classes=STATE_CLASSES, initial_state="Body")
    machine.run(StringList(list(lines)), document, input_offset=line - 1, match_titles=False, inliner=inliner)
    parts = document.children[before:]
    del document.children[before:]
    return parts


def draw_grid(lines: Sequence[str]) -> Sequence[str]:
    """The same table with its borders aligned; empty if that is uncertain."""
    lines = [line.strip() for line in lines]
    if not (_BORDER.fullmatch(lines[0]) and _BORDER.fullmatch(lines[-1])):
        return ()
    rows = [list(_iter_cells(line)) for line in lines]
    if any(len(row) != len(rows[0]) for row in rows):
        return ()
    widths = [max(map(utils.column_width, column)) for column in zip(*rows, strict=True)]
    if len(rows) * sum(widths) > _MOST_GROWN * sum(map(len, lines)):
        return ()
    return [_draw_row(row, widths, is_border=line.startswith("+")) for line, row in zip(lines, rows, strict=True)]


def _iter_cells(line: str) -> Iterator[str]:
    """The cells of a row or of a border across the whole table; nothing for any other line."""
    if _BORDER.fullmatch(line):
        yield from line[1:-1].split("+")
    elif line.startswith("|") and not _BORDER_IN_ROW.search(line):
        yield from (cell.rstrip() for cell in line[1:].removesuffix("|").split("|"))


def _draw_row(cells: Sequence[str], widths: Sequence[int], *, is_border: bool) -> str:
    sign = "+" if is_border else "|"
    padding = [width - utils.column_width(cell) for cell, width in zip(cells, widths, strict=True)]
    drawn = (cell + (cell[0] if is_border else " ") * count for cell, count in zip(cells, padding, strict=True))
    return f"{sign}{sign.join(drawn)}{sign}"
