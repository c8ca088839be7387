"""Headings of methods that differ only in their parameters, whose types Javadoc has in the anchors alone: `plusDays(int)`,
`plusDays(long)`. A name that only one heading has stays as it is. PURE.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

_MOST_TYPES = 20
_PACKAGE = re.compile(r"\b(?:[\w$]+\.)+(?=[\w$])")
_TYPES = re.compile(r"[\w$., \[\]]*")
_SIGN = re.compile(r"#{1,6} ")


def name_overloads(lines: list[str], anchors: Mapping[int, str]) -> None:
    """Write the types of the parameters behind the names of such headings; `anchors` are by the headings' lines."""
    if not any(anchor.endswith((")", "-")) for anchor in anchors.values()):
        return
    overloads: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for line, anchor in anchors.items():
        types = _read_types(_SIGN.sub("", lines[line], count=1), anchor)
        if types is not None:
            overloads[lines[line]][line] = types
    for found in overloads.values():
        if len(set(found.values())) > 1:
            for line, types in found.items():
                lines[line] += f"({types})"


def _read_types(name: str, anchor: str) -> str | None:
    """The types in `name(java.lang.String,int)`, `<init>(int)` or, as Javadoc 8 has them, `name-java.lang.String-int:A-`, without packages;
    None if it is no anchor of a method with this name.
    """
    method, bracket, rest = anchor.partition("(")
    if bracket and rest.endswith(")") and method in (name, "<init>"):
        types = rest[:-1].split(",")
    elif name and anchor.startswith(f"{name}-") and anchor.endswith("-"):
        types = [each.replace(":A", "[]") for each in anchor[len(name) + 1 : -1].split("-")]
    else:
        return None
    named = ", ".join(_PACKAGE.sub("", each.strip()) for each in types)
    return named if len(types) <= _MOST_TYPES and _TYPES.fullmatch(named) else None
