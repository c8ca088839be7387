"""Shortens text that somebody else wrote to one line of limited length."""

from __future__ import annotations


def shorten(text: str, characters: int) -> str:
    """The text on one line, with at most this many characters; ends with … if it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= characters else f"{line[: characters - 1].rstrip()}…"
