"""Finds what stands at the top or the bottom of page after page: running heads, footers, page numbers. It reads no other lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from collections_app.parsing.pdf.pages import Line

_MIN_PAGES = 3
_MIN_TEXT_SHARE = 0.05  # of the pages, for a text to be a running head wherever it stands
_MIN_HEIGHT_SHARE = 0.3  # of the pages, for a height at which every line is one
_MAX_LINES = 3  # at either end of a page
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")


def drop_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without them. A head that is on too few pages to be seen goes if it stands where the others do.

    Where nothing else is on the pages, they are left as they are.
    """
    edges = [edge for page in pages for edge in _get_edge_keys(page)]
    counts = Counter(edge for edge in edges if edge[0])
    repeated = {edge for edge, count in counts.items() if count >= max(_MIN_PAGES, _MIN_TEXT_SHARE * len(pages))}
    heights = Counter(height for pattern, height in edges if (pattern, height) in repeated)
    head_heights = {y for y, count in heights.items() if count >= max(_MIN_PAGES, _MIN_HEIGHT_SHARE * len(pages))}

    def is_running_head(line: Line) -> bool:
        height = round(line.y)
        return height in head_heights or (_get_pattern(line), height) in repeated

    stripped = [_strip_page(page, is_running_head) for page in pages]
    return stripped if any(stripped) else [list(page) for page in pages]


def _get_edges(page: Sequence[Line]) -> tuple[Iterable[Line], Iterable[Line]]:
    """The page's highest lines from the top, and its lowest from the bottom."""
    by_height = sorted(page, key=lambda line: -line.y)
    return by_height[:_MAX_LINES], by_height[: -_MAX_LINES - 1 : -1]


def _get_edge_keys(page: Sequence[Line]) -> set[tuple[str, int]]:
    return {(_get_pattern(line), round(line.y)) for lines in _get_edges(page) for line in lines}


def _get_pattern(line: Line) -> str:
    """The line with its numbers made equal; empty if it says nothing, such as a brace at the end of some code."""
    pattern = _NUMBER.sub("#", line.text)
    return pattern if "#" in pattern or any(map(str.isalpha, pattern)) else ""


def _strip_page(page: Sequence[Line], is_running_head: Callable[[Line], bool]) -> list[Line]:
    heads = {id(line) for lines in _get_edges(page) for line in takewhile(is_running_head, lines)}
    return [line for line in page if id(line) not in heads]
