"""Options at the end of a question (`find . -name`), which look like excluded words (`find -windows`). The documents tell. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What may stand before an option in a text or in code. A list's `- name` has a blank, a name's `file-name` no sign.
BEGINS = r"(?:^|[\s`'\"(\[{|,=])"
# And before a command; letters of several options in one.
BEGINS_CODE = r"(?:^|`|[$>] )"
MOST_LETTERS = 4


def find_options(text: str, words: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Those of the words that one of the texts has with a minus, in any case, or a few letters that code has behind the word before them
    in the question, whose `text` they end: `tar -czf` is also written `tar czf`."""
    command = text.split()[-1] if text.split() else ""
    return tuple(word for word in words if any(map(make_pattern(command, word).search, texts)))


def make_pattern(command: str, word: str) -> re.Pattern[str]:
    written = rf"{BEGINS}-{re.escape(word)}"
    if command and len(word) <= MOST_LETTERS:
        written = rf"(?:{written}|{BEGINS_CODE}{re.escape(command)}[ ]{re.escape(word)})"
    return re.compile(rf"{written}(?![\w-])", re.IGNORECASE | re.MULTILINE)


def describe_options(options: Sequence[str]) -> str:
    """How to exclude the words all the same; nothing without options."""
    if not options:
        return ""
    told = ", ".join(f"-{word}" for word in options)
    quoted = " ".join(f'-"{word}"' for word in options)
    return f"Searched with {told}, which documents here have as {'an option' if len(options) == 1 else 'options'}; {quoted} excludes."
