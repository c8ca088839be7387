"""Which lines of Markdown are headings, written with signs (`## Install`). PURE."""

from __future__ import annotations

import re

_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")


def is_heading_line(line: str) -> bool:
    return _HEADING.match(line) is not None
