"""Version labels: which is newer, and which one a caller means. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBER = r"\d+(?:\.\d+)*(?:\.x)?(?!\w)"
# Numbers that are joined are of the same kind: `from version 29 to 30`, `4.2, 5.1`.
NUMBERS = re.compile(
    rf"(?:(?P<mark>\b(?:v|versions?|releases?)\s?[.:=]?\s?)|(?<![\w.]))(?P<numbers>{NUMBER}(?:(?:\s*[,–→-]\s*|\s+(?:to|and|or)\s+)v?{NUMBER})*)",
    re.IGNORECASE,
)
PART = re.compile(r"\d+|[a-z]+")
# Names for the newest version; other words name an unreleased version, or nothing in particular.
NEWEST = ("latest", "stable", "current")


def make_sort_key(label: str) -> tuple[tuple[int, int, str], ...]:
    """Newer labels sort higher: 9 < 14-rc1 < 14 < 14.2 < latest; words that are not in NEWEST, and the empty label, come first."""
    name = fold_version(label)
    if name in NEWEST:
        return ((3, 0, ""),)
    parts = [(2, int(part), "") if part.isdecimal() else (0, 0, part) for part in PART.findall(name)]
    return (*parts, (1, 0, "")) if parts else ((-1, 0, ""),)


def fold_version(label: str) -> str:
    """`v14.2` and `V14.2` are `14.2`."""
    return re.sub(r"^v(?:ersion)?[ .]?(?=\d)", "", label.strip().lower())


def find_version(wanted: str, labels: Sequence[str]) -> str | None:
    """The label that is meant: the same one, else the newest that continues it (14.2.1 for 14)."""
    name = fold_version(wanted)
    same = [label for label in labels if fold_version(label) == name]
    further = [label for label in labels if name and fold_version(label).startswith((f"{name}.", f"{name}-"))]
    return max(same or further, key=make_sort_key, default=None)


def list_named(question: str, labels: Sequence[str], preferred: Sequence[str] = ()) -> list[str]:
    """The labels of the versions that a question names, each once: `29.0`, `v29`, `from version 29 to 30`. A bare number is no version, nor
    is one without a label. `preferred`: labels that take precedence over newer ones."""
    found: dict[str, None] = {}
    for run in NUMBERS.finditer(question):
        numbers = re.findall(NUMBER, run["numbers"], re.IGNORECASE)
        if run["mark"] or any("." in number and find_label(number, labels) for number in numbers):
            named = (find_label(number, preferred) or find_label(number, labels) for number in numbers)
            found |= dict.fromkeys(filter(None, named))
    return list(found)


def find_label(number: str, labels: Sequence[str]) -> str | None:
    """As find_version() does; if there is none, the label that the number is a release of: 29.0 for 29.0.1."""
    label = find_version(number.removesuffix(".x"), labels)
    while not label and number.count(".") > 1:
        number = number.rpartition(".")[0]
        label = next((label for label in labels if fold_version(label) == number), None)
    return label
