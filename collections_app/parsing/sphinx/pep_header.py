"""The fields at the beginning of a Python Enhancement Proposal, as in PEP 12 and docutils' PEP reader: `PEP: 8`, `Title: …`. They are mail
headers (RFC 2822), not markup. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_BEGINNING = re.compile(r"PEP:[ \t]*(\d{1,6})[ \t]*\n")
_FIELD = re.compile(r"([A-Za-z][\w-]{0,50}):[ \t]*(.*)")
_MAX_LINES = 200


@dataclass(frozen=True, slots=True)
class PepHeader:
    """`fields` by their names in lower case, each on one line, without those that have no value."""

    number: int
    title: str
    fields: Mapping[str, str]

    @property
    def full_title(self) -> str:
        """The title of the page."""
        return f"PEP {self.number} – {self.title}"


def split_pep_header(text: str) -> tuple[PepHeader | None, str]:
    """The header, and the text with blank lines in its place; no header if the text begins otherwise."""
    beginning = _BEGINNING.match(text)
    if not beginning:
        return None, text
    lines = text.split("\n", _MAX_LINES)
    count = next((number for number, line in enumerate(lines[:_MAX_LINES]) if not line.strip()), 0)
    fields = _read_fields(lines[:count])
    title = fields.pop("title", "")
    if not title:
        return None, text
    return PepHeader(int(beginning[1]), title, fields), "\n".join([""] * count + lines[count:])


def _read_fields(lines: Sequence[str]) -> dict[str, str]:
    """The fields; None if a line does not belong to one."""
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    for line in lines:
        if field := _FIELD.match(line):
            values = fields.setdefault(field[1].lower(), [])
        elif not line[0].isspace():
            return {}
        values.append(field[2] if field else line)
    joined = {name: " ".join(" ".join(values).split()) for name, values in fields.items()}
    return {name: value for name, value in joined.items() if value}
