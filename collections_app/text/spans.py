"""Spans of a text: looks up positions in them, and replaces them. PURE."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter


def is_in_span(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether `start` to `end` is within one of the spans, which are in order and apart."""
    nearest = bisect_right(spans, start, key=itemgetter(0)) - 1
    return nearest >= 0 and end <= spans[nearest][1]


def replace_spans(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with other words from each start up to its end; the changes are in order. One that begins where an earlier one has not ended
    comes behind it.
    """
    pieces, position = list[str](), 0
    for start, end, words in changes:
        pieces += (text[position:start], words)
        position = max(position, end)
    return "".join([*pieces, text[position:]])
