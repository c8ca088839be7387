"""Words on a page → the cells of the tables drawn there. PURE.

Lines are drawn for other purposes too: around boxes, under coloured areas, in charts. So the words decide: whether they are data, which
lines wrongly divide what belongs together, and where an area drawn as one cell is really several.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, takewhile
from operator import attrgetter

from collections_app.parsing.pdf.page.drawn_tables import DrawnTable, Place
from collections_app.parsing.pdf.page.placed_texts import TIGHT, PlacedText, are_on_a_line, iter_gaps
from collections_app.parsing.pdf.pages import Cell

_MOST_CUT = 0.1  # of the rows with a vertical line: if texts cross it in more, it does not divide columns
_FEWEST_CELLS = 4
_LEAST_FILLED = 0.3  # of the cells: with fewer filled, it is a drawing
_MOST_DIVIDED = 0.3  # of the cells with gaps: with more, there are columns that are not drawn
_MAX_CHARACTERS, _MAX_MEAN_CHARACTERS = 2_000, 400  # of a cell: with more, it is the layout of a page
_MOST_CODE = 0.5  # of a table's words
_MOSTLY_CODE = 0.6  # of a page's words: with more, monospaced type says nothing about them
_MAX_UNDRAWN_ROWS = 100
_FEWEST_TITLED, _FEWEST_IN_SIZE = 15, 3  # words of a cell with a title, and words in each size
_LARGER = 1.3  # times the smaller size


@dataclass(frozen=True, slots=True)
class _FilledCell:
    """`row` is the highest that it covers, counted from the top, `words` are the numbers of its words; `is_wide` means that it covers all
    columns.
    """

    row: int
    column: int
    is_wide: bool
    words: Sequence[int]


def place_words(tables: Sequence[DrawnTable], words: Sequence[PlacedText]) -> list[Cell | None]:
    """The cells of words, which are in page order. Rows and columns without words are not counted."""
    if sum(word.is_code for word in words) >= _MOSTLY_CODE * len(words):
        words = [word._replace(is_code=False) for word in words]
    cells: list[Cell | None] = [None] * len(words)
    left = dict(enumerate(words))
    for number, table in enumerate(tables, 1):
        own = {
            index: place
            for index, word in left.items()
            if (place := table.find((word.left + word.right) / 2, word.middle))
        }
        for index, cell in _place_in(table, number, own, words).items():
            cells[index] = cell
        left = {index: word for index, word in left.items() if cells[index] is None}
    return cells


def _place_in(table: DrawnTable, number: int, own: Mapping[int, Place], words: Sequence[PlacedText]) -> dict[int, Cell]:
    """The words of a table by their numbers; nothing if it is no table of data. A title or a note within its lines does not belong
    to it.
    """
    table = _split_merged(_drop_cutting(table, own, words), own, words)
    cells = table.list_cells()
    filled = _fill(table, cells, own)
    if len(filled) < _LEAST_FILLED * len(cells) or not _is_data([[words[n] for n in cell.words] for cell in filled]):
        return {}
    is_wide = attrgetter("is_wide")
    outer = {id(cell) for cell in chain(takewhile(is_wide, filled), takewhile(is_wide, reversed(filled)))}
    filled = [cell for cell in filled if id(cell) not in outer]
    rows = _number_rows(filled, words)
    columns = {column: place for place, column in enumerate(sorted({cell.column for cell in filled}))}
    if len(set(rows.values())) < 2 or len(columns) < 2:
        return {}
    edges = (*(table.xs[column] for column in columns), table.xs[-1])
    return {
        n: Cell(number, (0, rows[n]), columns[cell.column], edges, table.is_ruled)
        for cell in filled
        for n in cell.words
    }


def _fill(table: DrawnTable, cells: Sequence[set[Place]], own: Mapping[int, Place]) -> list[_FilledCell]:
    """The filled cells from top to bottom, each row from left to right."""
    numbers = {place: number for number, cell in enumerate(cells) for place in cell}
    words: defaultdict[int, list[int]] = defaultdict(list)
    for index, place in own.items():
        words[numbers[place]].append(index)
    last_row, width = len(table.ys) - 2, len(table.xs) - 1
    filled = []
    for number, inside in words.items():
        columns = {column for _, column in cells[number]}
        row = last_row - max(row for row, _ in cells[number])
        filled.append(_FilledCell(row, min(columns), len(columns) == width, inside))
    return sorted(filled, key=attrgetter("row", "column"))


def _is_data(cells: Sequence[Sequence[PlacedText]]) -> bool:
    """Whether the texts are those of a table's cells, and not of a page layout, of a table whose columns are not drawn, or of code in
    boxes.
    """
    lengths = [sum(len(text.text) for text in texts) for texts in cells]
    is_short = max(lengths, default=0) <= _MAX_CHARACTERS and sum(lengths) <= _MAX_MEAN_CHARACTERS * len(cells)
    divided = sum(any(True for _ in iter_gaps(texts)) for texts in cells)
    is_divided = divided > _MOST_DIVIDED * len(cells)
    is_code = sum(text.is_code for texts in cells for text in texts) > _MOST_CODE * sum(map(len, cells))
    is_text = is_short and not (is_divided or is_code)
    return len(cells) >= _FEWEST_CELLS and is_text and not any(map(_has_title, cells))


def _has_title(texts: Sequence[PlacedText]) -> bool:
    sizes = Counter(round(text.size) for text in texts)
    usual = [size for size, count in sizes.items() if count >= _FEWEST_IN_SIZE]
    return len(texts) >= _FEWEST_TITLED and len(usual) > 1 and max(usual) > _LARGER * min(usual)


def _number_rows(filled: Sequence[_FilledCell], words: Sequence[PlacedText]) -> dict[int, int]:
    """The row of each word, by its number, counted from 0."""
    rows: dict[int, tuple[int, int]] = {}
    for row, cells in groupby(filled, key=attrgetter("row")):
        own = list(cells)
        heights = _find_heights([[words[n] for n in cell.words] for cell in own])
        for n in (n for cell in own for n in cell.words):
            distances = [abs(words[n].middle - height) for height in heights]
            rows[n] = row, distances.index(min(distances))
    numbers = {row: number for number, row in enumerate(sorted(set(rows.values())))}
    return {n: numbers[row] for n, row in rows.items()}


def _find_heights(cells: Sequence[Sequence[PlacedText]]) -> Sequence[float]:
    """The heights of rows that are drawn as one: columns of numbers below each other show them."""
    columns = Counter(
        tuple(sorted((round(text.middle) for text in texts), reverse=True))
        for texts in cells
        if len(texts) > 1 and all(_is_number(text.text) for text in texts)
    )
    heights, count = columns.most_common(1)[0] if columns else ((), 0)
    is_column = count > 1 and len(set(heights)) == len(heights) <= _MAX_UNDRAWN_ROWS
    return heights if is_column else (0.0,)


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _drop_cutting(table: DrawnTable, own: Mapping[int, Place], words: Sequence[PlacedText]) -> DrawnTable:
    """The table without vertical lines that cut through what belongs together."""
    cut: defaultdict[int, set[int]] = defaultdict(set)  # number of a line → rows
    for index, (row, column) in own.items():
        for wall in _iter_crossed(table.xs, words[index]):
            cut[wall].add(row)
        following = own.get(index + 1)
        if following and following[0] == row and _is_tight(words[index], words[index + 1]):
            for wall in range(column + 1, following[1] + 1):
                cut[wall].add(row)
    rows = {row for row, _ in own.values()}
    dropped = {
        wall for wall, of_rows in cut.items() if _count(table, wall, of_rows) > _MOST_CUT * _count(table, wall, rows)
    }
    return replace(table, walls=frozenset(wall for wall in table.walls if wall[1] not in dropped)) if dropped else table


def _iter_crossed(xs: Sequence[float], word: PlacedText) -> range:
    slack = TIGHT * word.size / 2
    return range(bisect_right(xs, word.left + slack), bisect_left(xs, word.right - slack))


def _count(table: DrawnTable, wall: int, rows: Iterable[int]) -> int:
    return sum((row, wall) in table.walls for row in rows)


def _is_tight(word: PlacedText, following: PlacedText) -> bool:
    """Whether they are as close together as words of a sentence."""
    return are_on_a_line(word, following) and 0 <= following.left - word.right < TIGHT * word.size


def _split_merged(table: DrawnTable, own: Mapping[int, Place], words: Sequence[PlacedText]) -> DrawnTable:
    """The table with the vertical lines of other rows where texts are apart in the same way: many tables draw them only in the head."""
    inside: defaultdict[Place, list[PlacedText]] = defaultdict(list)
    for index, place in own.items():
        inside[place].append(words[index])
    walls: set[tuple[int, int]] = set()
    for cell in table.list_cells():
        columns = sorted({column for _, column in cell})
        texts = [text for place in cell for text in inside.get(place, ())]
        free = [n for n in columns[1:] if not any(text.left < table.xs[n] < text.right for text in texts)]
        gaps = list(iter_gaps(texts)) if free else []
        wide = [n for n in free if any(start <= table.xs[n] <= end for start, end in gaps)]
        chosen = free if 2 * len(wide) >= len(columns) - 1 else wide
        walls |= {(row, column) for row, _ in cell for column in chosen}
    return replace(table, walls=table.walls | walls) if walls else table
