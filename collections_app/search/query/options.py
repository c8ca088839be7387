"""Tells options at the end of a question (`find . -name`) from excluded words (`find -windows`), by how documents write them. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What may come before an option in text or code. The list item `- name` does not match, because of its blank, nor does `file-name`.
BEGINS = r"(?:^|[\s`'\"(\[{|,=])"
# What may come before a command, and the most letters of options that are written together.
BEGINS_CODE = r"(?:^|`|[$>] )"
MOST_LETTERS = 4


def find_options(text: str, words: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Those of the words that are options: one of the texts has the word with a minus, in upper or lower case.

    A word of a few letters is one too if code has it right after the last word of the question's `text`: `tar -czf` may be `tar czf`.
    """
    command = text.split()[-1] if text.split() else ""
    return tuple(word for word in words if any(map(make_pattern(command, word).search, texts)))


def find_unseen(words: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Those of the words that none of the texts has, in upper or lower case."""
    lower = [text.lower() for text in texts]
    return [word for word in words if not any(word.lower() in text for text in lower)]


def make_pattern(command: str, word: str) -> re.Pattern[str]:
    written = rf"{BEGINS}-{re.escape(word)}"
    if command and len(word) <= MOST_LETTERS:
        written = rf"(?:{written}|{BEGINS_CODE}{re.escape(command)}[ ]{re.escape(word)})"
    return re.compile(rf"{written}(?![\w-])", re.IGNORECASE | re.MULTILINE)


def describe_options(options: Sequence[str]) -> str:
    """A sentence on which words were taken for options and how to exclude them anyway; empty without options."""
    if not options:
        return ""
    told = ", ".join(f"-{word}" for word in options)
    quoted = " ".join(f'-"{word}"' for word in options)
    return f"Searched with {told}, which documents here have as {'an option' if len(options) == 1 else 'options'}; {quoted} excludes."
