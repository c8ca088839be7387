"""What a document's path says about it: its extension, and a title when nothing better is known."""

from __future__ import annotations

from pathlib import PurePosixPath

from collections_app.parsing.heading_text import shorten_heading


def get_extension(path: str) -> str:
    """The extension in lower case with its dot; empty if there is none."""
    return PurePosixPath(path).suffix.lower()


def get_title_from_path(path: str) -> str:
    """The file name without its extension."""
    return shorten_heading(PurePosixPath(path).stem) or path
