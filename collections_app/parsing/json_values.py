"""Reads JSON from outside, or refuses it with the line of the error; turns any value of YAML into one that JSON and PostgreSQL can hold."""

from __future__ import annotations

import json
import math
from base64 import b64encode
from datetime import date
from typing import Any

from collections_app.exceptions import ParseError

_MAX_INTEGER_BITS = 1024  # longer ones are written in hexadecimal, because Python limits the number of decimal digits


def make_json_value(value: Any) -> Any:
    """Dates become ISO 8601, bytes base64, sets lists, infinities and NaN their names, keys texts."""
    match value:
        case None | bool():
            return value
        case str():
            return clean_text(value)
        case int():
            return value if value.bit_length() <= _MAX_INTEGER_BITS else hex(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case date():
            return value.isoformat()
        case bytes():
            return b64encode(value).decode()
        case dict():
            return {make_json_key(key): make_json_value(each) for key, each in value.items()}
        case set():
            return sorted((make_json_value(each) for each in value), key=str)
        case list() | tuple():
            return [make_json_value(each) for each in value]
    return clean_text(str(value))


def make_json_key(key: Any) -> str:
    value = make_json_value(key)
    return value if isinstance(value, str) else json.dumps(value)


def clean_text(text: str) -> str:
    """`text` without NULs and without halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def read_json_object(text: str) -> dict[str, Any]:
    """Raises ParseError for broken JSON, for JSON nested too deeply, and for anything but an object."""
    value = read_json(text)
    if not isinstance(value, dict):
        raise ParseError("The JSON is no object: it must begin with `{`.", line=1)
    return value


def read_json(text: str) -> Any:
    """Any value. Raises ParseError for broken JSON, and for JSON nested too deeply."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"line {error.lineno}: the JSON is broken ({error.msg.lower()}, column {error.colno}). Mend it."
        raise ParseError(message, line=error.lineno) from None
    except RecursionError:
        raise ParseError("The JSON nests too deep. Flatten it.") from None
    except ValueError:  # a number with more digits than Python accepts
        raise ParseError("The JSON has a number that is too long. Shorten it.") from None
