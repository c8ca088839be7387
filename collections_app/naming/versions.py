"""Version labels: which is newer, and which one a caller means. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBER = re.compile(r"(\bv(?:ersions?)?[ .]?|\b)(\d+(?:\.\d+)*)", re.IGNORECASE)
PART = re.compile(r"\d+|[a-z]+")
# Names of whatever is newest; other words name what is not released yet, or nothing in particular.
NEWEST = ("latest", "stable", "current")


def make_sort_key(label: str) -> tuple[tuple[int, int, str], ...]:
    """Newer labels sort higher: 9 < 14-rc1 < 14 < 14.2 < latest; words that are not in NEWEST, and no label, come first."""
    name = fold_version(label)
    if name in NEWEST:
        return ((3, 0, ""),)
    parts = [(2, int(part), "") if part.isdecimal() else (0, 0, part) for part in PART.findall(name)]
    return (*parts, (1, 0, "")) if parts else ((-1, 0, ""),)


def fold_version(label: str) -> str:
    """`v14.2` and `V14.2` are `14.2`."""
    return re.sub(r"^v(?:ersion)?[ .]?(?=\d)", "", label.strip().lower())


def find_version(wanted: str, labels: Sequence[str]) -> str | None:
    """The label that is meant: itself, else the newest that goes on behind it (14.2.1 for 14)."""
    name = fold_version(wanted)
    same = [label for label in labels if fold_version(label) == name]
    further = [label for label in labels if name and fold_version(label).startswith((f"{name}.", f"{name}-"))]
    return max(same or further, key=make_sort_key, default=None)


def list_named(question: str, labels: Sequence[str]) -> list[str]:
    """The labels of the versions that a question names, each once: `29.0`, `v29`, `from version 29 to 30`. Numbers alone are none."""
    numbers = list(NUMBER.finditer(question))
    if not any(found[1] or "." in found[2] for found in numbers):
        return []
    return list(dict.fromkeys(filter(None, (find_version(found[2], labels) for found in numbers))))
