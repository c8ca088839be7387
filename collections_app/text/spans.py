"""Looks up positions in spans of a text. PURE."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter


def is_in_span(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether `start` to `end` is within one of the spans, which are in order and apart."""
    nearest = bisect_right(spans, start, key=itemgetter(0)) - 1
    return nearest >= 0 and end <= spans[nearest][1]
