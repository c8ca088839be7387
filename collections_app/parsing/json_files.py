"""Reads JSON files from outside, or refuses them with the line of the error. It knows no format."""

from __future__ import annotations

import json
from typing import Any

from collections_app.exceptions import ParseError


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
