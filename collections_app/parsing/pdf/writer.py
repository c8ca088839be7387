"""Pages of lines and the headings on them → Markdown, and the line at which each page begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile

from collections_app.parsing.html.escaping import (
    escape_heading_end,
    escape_heading_text,
    escape_line_start,
    make_fence,
)
from collections_app.parsing.pdf.breaks import Break, BreakFinder, find_item_marker, goes_on
from collections_app.parsing.pdf.code import write_code
from collections_app.parsing.pdf.headings.choosing import PlacedHeading
from collections_app.parsing.pdf.hyphens import Hyphens
from collections_app.parsing.pdf.inline import write_line
from collections_app.parsing.pdf.pages import Line, Pages, drop_icons
from collections_app.parsing.pdf.tables import (
    get_edges,
    get_first_row,
    get_last_row,
    get_width,
    have_same_columns,
    is_table,
    split_title,
    write_rows,
    write_rule,
)

_ITEM_INDENT = 0.6  # times the font size: less is the same depth
_INDENT_SPACES = 3
_MAX_HEAD_ROWS = 3  # rows that are printed again on the next page


def write_markdown(pages: Pages, headings: Mapping[int, Sequence[PlacedHeading]]) -> tuple[str, list[int]]:
    """The content, and for each page the line at which it begins, counted from 0."""
    writer = _Writer(pages)
    for page, lines in enumerate(pages):
        writer.begin_page()
        index = 0
        for heading in headings.get(page, ()):
            writer.write_lines(lines[index : heading.index])
            writer.write_heading(heading)
            index = heading.index + heading.line_count
        writer.write_lines(lines[index:])
    return writer.finish()


@dataclass(frozen=True, slots=True)
class _OpenTable:
    """The width of the table, its column edges if it is drawn, its last row, and its first rows as they were written."""

    width: int = 0
    edges: Sequence[float] = ()
    last_row: tuple[int, int] = (0, 0)
    head: Sequence[str] = ()

    def goes_on(self, lines: Sequence[Line]) -> bool:
        """Whether the first table of the next page continues it: rows that are tagged count on, columns that are drawn are at the same
        places.
        """
        edges = get_edges(lines)
        if self.edges or edges:
            return have_same_columns(self.edges, edges)
        return self.width > 0 and get_first_row(lines) > self.last_row

    def drop_head(self, rows: Sequence[str]) -> Sequence[str]:
        """The rows without a repeated head of the table."""
        again = takewhile(lambda pair: pair[0] == pair[1], zip(self.head, rows, strict=False))
        return rows[len(list(again)) :]


_NO_TABLE = _OpenTable()


class _Writer:
    """Writes pages. `_last_line`, `_open_fence` and `_open_table` belong to what was written last, which may continue on the next page."""

    def __init__(self, pages: Pages) -> None:
        self._breaks = BreakFinder(pages)
        self._hyphens = Hyphens(pages)
        self._out: list[str] = []
        self._page_lines: list[int] = []
        self._pages_begun = 0
        self._last_line: Line | None = None
        self._ends_in_item = False
        self._open_fence = ""
        self._open_table = _NO_TABLE
        self._item_edges: list[float] = []

    def begin_page(self) -> None:
        self._pages_begun += 1
        self._item_edges = []

    def finish(self) -> tuple[str, list[int]]:
        self._note_pages()
        return "".join(f"{line}\n" for line in self._out), self._page_lines

    def write_heading(self, heading: PlacedHeading) -> None:
        self._begin_block()
        self._put([f"{'#' * heading.level} {escape_heading_end(escape_heading_text(drop_icons(heading.text)))}"])
        self._item_edges = []

    def write_lines(self, lines: Sequence[Line]) -> None:
        """Write text and code of the current page."""
        for table, part in _iter_tables(lines):
            if table and is_table(part):
                self._write_table(part)
            else:
                self._write_text_and_code(part)

    def _write_text_and_code(self, lines: Sequence[Line]) -> None:
        for is_code, part in _iter_parts(lines):
            if is_code:
                self._write_code(part)
            else:
                self._write_text(part)

    def _write_table(self, lines: Sequence[Line]) -> None:
        """Write a table with its first row as the header, unless it continues the table of the page before."""
        open_table = self._open_table
        if self._is_new_page() and open_table.goes_on(lines):
            rows = write_rows(lines, open_table.width, self._join)
            self._put(list(open_table.drop_head(rows) if open_table.edges else rows))
            self._open_table = replace(open_table, last_row=get_last_row(lines))
            return
        title, lines = split_title(lines)
        if title:
            self._write_text(title)
        self._begin_block()
        rows = write_rows(lines, 0, self._join)
        width = get_width(lines)
        self._put([rows[0], write_rule(width), *rows[1:]])
        self._open_table = _OpenTable(width, get_edges(lines), get_last_row(lines), rows[:_MAX_HEAD_ROWS])

    def _write_code(self, lines: Sequence[Line]) -> None:
        code = write_code(lines)
        fence = make_fence("\n".join(code))
        if self._is_new_page() and self._open_fence == fence:
            self._out.pop()  # the code of the page before continues
            self._put([*code, fence])
        else:
            self._begin_block()
            self._put([fence, *code, fence])
        self._open_fence = fence

    def _write_text(self, lines: Sequence[Line]) -> None:
        paragraphs = list(self._iter_paragraphs(lines))
        if self._last_line and self._is_new_page() and goes_on(self._last_line, lines[0]):
            self._write_continuation(self._last_line, paragraphs.pop(0))
        for rows in paragraphs:
            self._write_paragraph(rows)
        self._last_line = lines[-1]

    def _iter_paragraphs(self, lines: Sequence[Line]) -> Iterator[list[list[Line]]]:
        """Paragraphs as lists of rows, which stay separate, each a list of lines, which are joined."""
        rows = [[lines[0]]]
        for line, following in pairwise(lines):
            is_first = len(rows) == 1 and len(rows[0]) == 1
            match self._breaks.find(line, following, self._get_page(), is_first=is_first):
                case Break.PARAGRAPH:
                    yield rows
                    rows = [[following]]
                case Break.LINE:
                    rows.append([following])
                case Break.NONE:
                    rows[-1].append(following)
        yield rows

    def _write_continuation(self, last_line: Line, rows: list[list[Line]]) -> None:
        """Write the rest of a paragraph that began on the page before; a divided word stays on its page."""
        first = rows[0][0]
        if last_line.is_hyphenated:
            self._out[-1] += self._hyphens.get_joint(last_line, first) + first.words[0].text
            rest = [replace(first, words=first.words[1:])] if len(first.words) > 1 else []
            rows[0][:1] = rest
        self._put([escape_line_start(self._join(row)) for row in rows if row])

    def _write_paragraph(self, rows: list[list[Line]]) -> None:
        first = rows[0][0]
        marker = find_item_marker(first)
        depth = self._get_depth(first, is_item=bool(marker))
        if not (marker and self._ends_in_item):
            self._begin_block()
        indent = " " * (_INDENT_SPACES * depth)
        if marker:
            rows[0][0] = replace(first, words=first.words[1:])
            texts = [self._join(row) for row in rows]
            hang = " " * (len(marker) + 1)
            self._put(
                [f"{indent}{marker} {texts[0]}", *(f"{indent}{hang}{escape_line_start(text)}" for text in texts[1:])]
            )
        else:
            self._put([indent + escape_line_start(self._join(row)) for row in rows])
        self._ends_in_item = bool(marker) or depth > 0

    def _get_depth(self, line: Line, *, is_item: bool) -> int:
        """The depth of the line's paragraph in lists, by its left edge."""
        tolerance = _ITEM_INDENT * line.size
        self._item_edges = [edge for edge in self._item_edges if edge < line.left - tolerance]
        depth = len(self._item_edges)
        if is_item:
            self._item_edges.append(line.left)
        return depth

    def _join(self, row: Sequence[Line]) -> str:
        joints = [self._hyphens.get_joint(line, following) for line, following in pairwise(row)]
        return "".join(write_line(line) + joint for line, joint in zip(row, [*joints, ""], strict=True))

    def _begin_block(self) -> None:
        if self._out:
            self._out.append("")

    def _put(self, lines: list[str]) -> None:
        self._note_pages()
        self._out += lines
        self._last_line, self._ends_in_item, self._open_fence, self._open_table = None, False, "", _NO_TABLE

    def _note_pages(self) -> None:
        self._page_lines += [len(self._out)] * self._pages_begun
        self._pages_begun = 0

    def _is_new_page(self) -> bool:
        return self._pages_begun > 0

    def _get_page(self) -> int:
        return len(self._page_lines) + self._pages_begun - 1


def _iter_tables(lines: Sequence[Line]) -> Iterator[tuple[int, Sequence[Line]]]:
    """Groups of lines by the number of their table, 0 for other lines."""
    for table, part in groupby(lines, key=lambda line: line.mark.cell.table if line.mark.cell else 0):
        yield table, list(part)


def _iter_parts(lines: Sequence[Line]) -> Iterator[tuple[bool, Sequence[Line]]]:
    """Groups of lines of code and of text. A single word in a monospaced font is a term, not code."""
    part: list[Line] = []
    for line in lines:
        if part and line.is_monospaced != part[0].is_monospaced:
            yield _is_code(part), part
            part = []
        part.append(line)
    if part:
        yield _is_code(part), part


def _is_code(part: Sequence[Line]) -> bool:
    return part[0].is_monospaced and (len(part) > 1 or len(part[0].words) > 1)
