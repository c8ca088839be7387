"""Recognises the numbers before headings, and no others: `3.1 Lists`, `Chapter 2: Setup`, `A.4 Keys`."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"(?:(?:chapter|appendix|part|section)\s+)?(\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)(?:[.:)]|\s+[-–—])?\s+(?=\S)",
    re.IGNORECASE,
)


def find_number(heading: str) -> str:
    """`3.1` of `3.1 Lists`; empty if the heading has none."""
    match = _NUMBER.match(heading)
    return match[1] if match else ""


def strip_number(heading: str) -> str:
    return _NUMBER.sub("", heading, count=1) if _NUMBER.match(heading) else heading


def get_depth(heading: str) -> int:
    """1 for `3 Lists` and for a heading without a number, 2 for `3.1 Items`."""
    return find_number(heading).count(".") + 1
