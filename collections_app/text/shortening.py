"""Text that somebody else wrote, on one line and no longer than there is room for."""

from __future__ import annotations


def shorten(text: str, characters: int) -> str:
    """At most so many characters; where some were left out it ends with …."""
    line = " ".join(text.split())
    return line if len(line) <= characters else f"{line[: characters - 1].rstrip()}…"
