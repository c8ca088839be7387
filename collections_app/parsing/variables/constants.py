"""Constants of MongoDB's documentation (`{+driver+}`), which its builder replaces everywhere, in code and addresses too. PURE.

https://github.com/mongodb/snooty-parser: `[constants]` of `snooty.toml`, which may name each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from collections_app.parsing.variables.values import Tree

_CONSTANT = re.compile(r"\{\+(?P<name>[A-Za-z_][\w-]*+)\+\}")
_ROUNDS = 4
_MAX_CHARACTERS = 1000
"""Of one constant's value."""
_MAX_ADDED_CHARACTERS = 1024 * 1024


def write_constants(text: str, find_configuration: Callable[[], Tree | None]) -> str:
    """The text with the values of its constants; names that nothing defines stay as they are written."""
    if "{+" not in text:
        return text
    constants = (find_configuration() or {}).get("constants")
    values = _read_values(constants) if isinstance(constants, Mapping) else {}
    return _write(text, values, _MAX_ADDED_CHARACTERS) if values else text


def _read_values(constants: Tree) -> Mapping[str, str]:
    """The values, each on one line, with the constants in them replaced."""
    texts = {name: " ".join(value.split()) for name, value in constants.items() if isinstance(value, str)}
    values = {name: value for name, value in texts.items() if len(value) <= _MAX_CHARACTERS}
    for _ in range(_ROUNDS):
        values = {name: _write(value, values, _MAX_CHARACTERS) for name, value in values.items()}
    return values


def _write(text: str, values: Mapping[str, str], room: int) -> str:
    """The text with constants replaced, as long as there is room for their values."""

    def write(found: re.Match[str]) -> str:
        nonlocal room
        value = values.get(found["name"])
        if value is None or len(value) > room:
            return found[0]
        room -= len(value)
        return value

    return _CONSTANT.sub(write, text)
