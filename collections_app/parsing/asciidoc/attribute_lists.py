"""Parses the text in the brackets of a block or macro: `[quote#id.role%option, author, cite="…"]`. It knows nothing about blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_MAX_CHARACTERS = 5000
# Values in quotes may follow each other without a comma.
_END = r"\s*+(?:,|$|(?=[A-Za-z_][\w:.-]*+\s*+=))"
_ENTRY = re.compile(
    rf"""\s*+(?:(?P<name>[A-Za-z_][\w:.-]*+)\s*+=\s*+)?
    (?:"(?P<double>(?:[^"\\]++|\\.)*+)"{_END}|'(?P<single>(?:[^'\\]++|\\.)*+)'{_END}|(?P<bare>[^,]*+)\s*+(?:,|$))""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPED_QUOTE = re.compile(r"\\([\"'])")
_SHORTHAND = re.compile(r"([.#%])([^.#%]+)")
_SHORTHAND_SIGN = re.compile(r"[.#%]")
_BETWEEN = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class AttributeList:
    """`positional` are the values without a name, in their places, some of them empty; the first is the style, without its shorthand."""

    positional: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    roles: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()

    @property
    def style(self) -> str:
        return self.get(0)

    def get(self, place: int, *names: str) -> str:
        """The named value, else the one at the position, counted from 0; empty if there is neither."""
        named = next((self.named[name] for name in names if self.named.get(name)), "")
        return named or (self.positional[place] if 0 <= place < len(self.positional) else "")

    def add(self, later: AttributeList) -> AttributeList:
        """Combine two lines above one block: the later one takes precedence."""
        width = max(len(self.positional), len(later.positional))
        return AttributeList(
            tuple(later.get(place) or self.get(place) for place in range(width)),
            {**self.named, **later.named},
            later.id or self.id,
            self.roles | later.roles,
            self.options | later.options,
        )


def read_attribute_list(text: str) -> AttributeList:
    """Parse the list between the brackets; if it is too long, only its beginning."""
    text = text[:_MAX_CHARACTERS]
    positional: list[str] = []
    named: dict[str, str] = {}
    for entry in _ENTRY.finditer(text) if text.strip() else ():
        quoted = entry["double"] if entry["double"] is not None else entry["single"]
        value = _ESCAPED_QUOTE.sub(r"\1", quoted) if quoted is not None else (entry["bare"] or "").strip()
        if entry["name"]:
            named[entry["name"]] = value
        elif entry.end() > entry.start():
            positional.append(value)
    style, id, roles, options = _split_shorthand(positional[0] if positional else "")
    if positional:
        positional[0] = style
    roles |= _split(named.get("role", ""))
    options |= _split(named.get("options", "")) | _split(named.get("opts", ""))
    options |= {name.removesuffix("-option") for name in named if name.endswith("-option")}
    return AttributeList(tuple(positional), named, named.get("id", "") or id, roles, options)


def _split(value: str) -> frozenset[str]:
    return frozenset(filter(None, _BETWEEN.split(value)))


def _split_shorthand(first: str) -> tuple[str, str, frozenset[str], frozenset[str]]:
    """Style, id, roles and options of `style#id.role%option`; a sentence has none."""
    sign = _SHORTHAND_SIGN.search(first)
    if sign is None or re.search(r"\s", first):
        return first, "", frozenset(), frozenset()
    found: dict[str, list[str]] = {".": [], "#": [], "%": []}
    for kind, name in _SHORTHAND.findall(first[sign.start() :]):
        found[kind].append(name)
    return first[: sign.start()], (found["#"] or [""])[-1], frozenset(found["."]), frozenset(found["%"])
