"""Rows as text in columns, for a terminal and for `grep`: one line a row, blanks between the columns, nothing is cut."""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.text.control_characters import replace_control_characters

GAP = "  "


def format_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A heading line and one for each row; the last column is not padded. A line break in a value becomes a blank, another
    control character a sign for one."""
    lines = [
        list(headings),
        *([replace_control_characters(" ".join(str(value).split())) for value in row] for row in rows),
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    return "\n".join(
        GAP.join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
