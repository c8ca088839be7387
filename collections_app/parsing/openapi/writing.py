"""Writes Markdown line by line, with a bound on how much a description may expand to. It knows nothing of APIs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collections_app.exceptions import ParseError
from collections_app.parsing.markdown.fences import enclose, fence_code

MAX_CHARACTERS = 30_000_000
MAX_EXAMPLE_CHARACTERS = 1500

_MAX_CELL_CHARACTERS = 1500
_BEGINNING_CHARACTERS = 300
_MAX_TEXT_CHARACTERS = 20_000


class Writer:
    """The blocks so far, and the anchors of their headings. Raises ParseError beyond MAX_CHARACTERS."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._characters = 0
        self._level = 0

    def add_heading(self, level: int, text: str) -> None:
        self._level = level
        self.add(f"{'#' * level} {' '.join(text.split())}")

    def add_markdown(self, text: str, *, makes_sections: bool = True) -> None:
        """Add Markdown. Headings in it go below the heading above; they become bold lines if more of the same section follows."""
        if text.strip():
            plain = text.strip("\n").replace("\r\n", "\n")
            self.add(enclose(plain, below_level=self._level, makes_sections=makes_sections))

    def add_table(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Add a table. A text too long for its cell begins there, and is given in full below the table, after the name of its row."""
        made = [[_make_line(cell) for cell in row] for row in rows]
        if made:
            lines = [
                _make_row(header),
                _make_row(["---"] * len(header)),
                *(_make_row(map(_shorten, row)) for row in made),
            ]
            self.add("\n".join(lines))
        if below := [f"- {row[0]}: {cell}" for row in made for cell in row if len(cell) > _MAX_CELL_CHARACTERS]:
            self.add("\n".join(below))

    def add_example(self, text: str, language: str = "json") -> None:
        cut = text if len(text) <= MAX_EXAMPLE_CHARACTERS else f"{text[:MAX_EXAMPLE_CHARACTERS]}\n…"
        self.add(fence_code(cut, language))

    def add(self, block: str) -> None:
        self._characters += len(block)
        if self._characters > MAX_CHARACTERS:
            raise ParseError(f"The description expands to more than {MAX_CHARACTERS:,} characters. Split it.")
        self._blocks.append(block)

    def get_content(self) -> str:
        return "\n\n".join([*self._blocks, ""]).rstrip("\n") + "\n"


def _make_row(cells: Iterable[str]) -> str:
    return " | ".join(["", *(cell.replace("|", "\\|") for cell in cells), ""]).strip(" ")


def _make_line(text: str) -> str:
    words = " ".join(text[: 2 * _MAX_TEXT_CHARACTERS].split())
    return words if len(words) <= _MAX_TEXT_CHARACTERS else f"{words[:_MAX_TEXT_CHARACTERS]}…"


def _shorten(text: str) -> str:
    """The beginning of a text that is too long for a cell, cut at a blank outside of code."""
    if len(text) <= _MAX_CELL_CHARACTERS:
        return text
    words = text[:_BEGINNING_CHARACTERS]
    outside = words if words.count("`") % 2 == 0 else words.rpartition("`")[0]
    return f"{outside.rpartition(' ')[0] or outside} … (in full below)".lstrip()
