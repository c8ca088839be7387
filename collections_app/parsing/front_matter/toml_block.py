"""Front matter in TOML, as Hugo has it."""

from __future__ import annotations

import re
import tomllib
from datetime import date, time
from typing import Any, NoReturn

from collections_app.parsing.front_matter.block import (
    MAX_DEPTH,
    MAX_FRONT_MATTER_CHARACTERS,
    Block,
    Text,
    is_field,
    refuse,
    refuse_length,
)
from collections_app.parsing.json_values import clean_text, make_json_value

_MAX_DOTS = 200  # in a line: tomllib takes seconds for keys with thousands of parts
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

_MEND = 'Mend the TOML between the `+++` lines; text needs quotes, as in `title = "Guide"`.'


def read_toml(block: str) -> Block:
    """Raises ParseError for broken TOML and for deep nesting."""
    found = Block()
    for key, value in load_toml(block).items():
        if is_field(key):
            found.fields.setdefault(key.lower(), _get_text_or_texts(value))
        else:
            found.metadata[clean_text(key)] = make_json_value(value)
    return found


def load_toml(block: str, max_characters: int = MAX_FRONT_MATTER_CHARACTERS) -> dict[str, Any]:
    """The values by key, as tomllib returns them. Raises as read_toml() does."""
    refuse_length(block, _MEND, max_characters)
    for number, line in enumerate(block.split("\n"), 2):
        if line.count(".") > _MAX_DOTS:
            _refuse(number, f"it has more than {_MAX_DOTS} dots")
    try:
        values = tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        _refuse_broken(block, str(error))
    except RecursionError:
        _refuse_depth()
    except ValueError:
        _refuse(1, "a number has too many digits")
    _check_depth(values, 0)
    return values


def _refuse_broken(block: str, message: str) -> NoReturn:
    place = _PLACE.search(message)
    problem = message[: place.start()] if place else message
    line = int(place[1]) if place and place[1] else block.rstrip().count("\n") + 1
    _refuse(line + 1, problem[:1].lower() + problem[1:])


def _check_depth(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        _refuse_depth()
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(each, depth + 1)


def _refuse_depth() -> NoReturn:
    _refuse(1, f"it nests deeper than {MAX_DEPTH} levels")


def _get_text_or_texts(value: Any) -> Text | list[Text]:
    return list(map(_get_text, value)) if isinstance(value, list) else _get_text(value)


def _get_text(value: Any) -> Text:
    match value:
        case str():
            return " ".join(clean_text(value).split())
        case bool():
            return str(value).lower()
        case int() | float() | date() | time():
            return str(value)
    return None


def _refuse(line: int, problem: str) -> NoReturn:
    refuse(line, problem, _MEND)
