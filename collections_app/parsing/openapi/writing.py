"""Markdown as it is written down line by line, with a bound on how much a description may expand to. It knows nothing of APIs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collections_app.exceptions import ParseError
from collections_app.parsing.fences import enclose, make_fence

MAX_CHARACTERS = 30_000_000
MAX_EXAMPLE_CHARACTERS = 1500

_MAX_CELL_CHARACTERS = 1500


class Writer:
    """The blocks so far, and what their headings are in the source. Raises ParseError beyond MAX_CHARACTERS."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._characters = 0
        self._level = 0

    def add_heading(self, level: int, text: str) -> None:
        self._level = level
        self.add(f"{'#' * level} {' '.join(text.split())}")

    def add_markdown(self, text: str, *, makes_sections: bool = True) -> None:
        """Headings in it go below the heading above, or are lines in bold where more of the same section follows."""
        if text.strip():
            plain = text.strip("\n").replace("\r\n", "\n")
            self.add(enclose(plain, below_level=self._level, makes_sections=makes_sections))

    def add_table(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        lines = [_make_row(row) for row in rows]
        if lines:
            self.add("\n".join([_make_row(header), _make_row(["---"] * len(header)), *lines]))

    def add_example(self, text: str, language: str = "json") -> None:
        cut = text if len(text) <= MAX_EXAMPLE_CHARACTERS else f"{text[:MAX_EXAMPLE_CHARACTERS]}\n…"
        self.add(make_fence(cut, language))

    def add(self, block: str) -> None:
        self._characters += len(block)
        if self._characters > MAX_CHARACTERS:
            raise ParseError(f"The description expands to more than {MAX_CHARACTERS:,} characters. Split it.")
        self._blocks.append(block)

    def get_content(self) -> str:
        return "\n\n".join([*self._blocks, ""]).rstrip("\n") + "\n"


def _make_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_make_cell, cells))} |"


def _make_cell(text: str) -> str:
    words = " ".join(text[: 2 * _MAX_CELL_CHARACTERS].split())
    cut = words if len(words) <= _MAX_CELL_CHARACTERS else f"{words[:_MAX_CELL_CHARACTERS]}…"
    return cut.replace("|", "\\|")
