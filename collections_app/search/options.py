"""Options at the end of a question (`find . -name`), which look like excluded words (`find -windows`). The documents tell. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What may stand before an option in a text or in code. A list's `- name` has a blank, a name's `file-name` no sign.
BEGINS = r"(?:^|[\s`'\"(\[{|,=])"


def find_options(words: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Those of the words that one of the texts has with a minus, in any case."""
    return tuple(word for word in words if any(map(make_pattern(word).search, texts)))


def make_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"{BEGINS}-{re.escape(word)}(?![\w-])", re.IGNORECASE | re.MULTILINE)


def describe_options(options: Sequence[str]) -> str:
    """How to exclude the words all the same; nothing without options."""
    if not options:
        return ""
    told = ", ".join(f"-{word}" for word in options)
    quoted = " ".join(f'-"{word}"' for word in options)
    return f"Searched with {told}, which documents here have as {'an option' if len(options) == 1 else 'options'}; {quoted} excludes."
