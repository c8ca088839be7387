"""The values in a block of front matter, whatever language it is in, and how a block is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from collections_app.exceptions import ParseError

MAX_FRONT_MATTER_CHARACTERS = 64 * 1024
MAX_CONFIGURATION_CHARACTERS = 256 * 1024
"""Of a file that is configuration or data of a site; of a longer one nothing is read."""

MAX_DEPTH = 50

_FIELDS = frozenset({"title", "description", "keywords", "category"})

Text: TypeAlias = str | None
"""A value as text on one line; None for anything else, such as a mapping."""


@dataclass(slots=True)
class Block:
    """`fields` are those that documents have, in lower case, the first of each name; `metadata` is everything else, as JSON."""

    fields: dict[str, Text | Sequence[Text]] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


def is_field(key: str) -> bool:
    return key.lower() in _FIELDS


def open_list(value: Any) -> Any:
    """The item of a one-item list; any other value as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def refuse(line: int, problem: str, mend: str) -> NoReturn:
    """Raises ParseError. `line` is counted in the file, from 1; `mend` says what to do."""
    raise ParseError(f"front matter, line {line}: {problem}. {mend}", line=line)


def refuse_length(block: str, mend: str, max_characters: int = MAX_FRONT_MATTER_CHARACTERS) -> None:
    if len(block) > max_characters:
        refuse(1, f"it is longer than {max_characters // 1024} KiB", mend)
