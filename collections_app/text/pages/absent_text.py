"""Notes in a text for content that the document lacks because it comes from elsewhere: docstrings of code, another file. PURE."""

from __future__ import annotations

import re

from collections_app.text.markdown.heading_lines import is_heading_line

DOCSTRINGS = "from the code's docstrings"
FILE = "from another file"

_NOTE = re.compile(rf"\*Not in this text, (?:{DOCSTRINGS}|{FILE}):\* .+")


def begin_note(where: str) -> str:
    """The beginning of a note, which is in emphasis and followed by the names of what is missing; `where`: DOCSTRINGS or FILE."""
    return f"Not in this text, {where}:"


def has_notes_alone(text: str) -> bool:
    """Whether a section, as Markdown, has nothing but such notes below its heading."""
    if "*Not in this text, " not in text:
        return False
    lines = [line for line in text.splitlines() if line.strip() and not is_heading_line(line)]
    return all(map(_NOTE.fullmatch, lines))
