"""Unvalidated values of an API description: each is read with its expected type, and is empty if it has another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from collections_app.parsing.json_values import clean_text

Object = Mapping[str, Any]

_MAX_REFERENCES = 20
_MAX_DIGITS = 10


def get_object(holder: Any, key: str) -> Object:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else {}


def get_objects(holder: Any, key: str) -> list[Object]:
    value = holder.get(key) if isinstance(holder, dict) else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def get_items(schema: Object) -> Object:
    """The schema of a list's items. Schemas for single positions, as in `items` of older JSON Schema, are alternatives."""
    items = get_object(schema, "items")
    places = get_objects(schema, "items") + get_objects(schema, "prefixItems")
    return {"anyOf": [*places, items]} if places else items


def get_texts(holder: Any, key: str) -> list[str]:
    value = holder.get(key) if isinstance(holder, dict) else None
    return [to_text(each) for each in value if not isinstance(each, dict | list)] if isinstance(value, list) else []


def get_text(holder: Any, key: str) -> str:
    value = holder.get(key) if isinstance(holder, dict) else None
    return "" if value is None or isinstance(value, dict | list) else to_text(value)


def is_true(holder: Any, key: str) -> bool:
    """Whether a value is true; in YAML it is a text."""
    return get_text(holder, key) == "true"


def to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean_text(str(value)).strip()


def get_reference_name(reference: str) -> str:
    """`Pet` for `#/components/schemas/Pet`; a reference to another file is its own name."""
    return reference.rpartition("/")[2] if reference.startswith("#/") else reference


def resolve(description: Object, value: Object) -> Object:
    """The target of a local reference; a reference to another file, to nothing, or in a circle stays as it is."""
    resolved = value
    for _ in range(_MAX_REFERENCES):
        reference = get_text(resolved, "$ref")
        if not reference.startswith("#/"):
            return resolved
        target = find_by_pointer(description, unquote(reference[2:]))
        if not isinstance(target, dict):
            return resolved
        resolved = target
    return value


def find_by_pointer(value: Any, pointer: str) -> Any:
    """The target of a JSON pointer (RFC 6901) without its first slash: the value itself for an empty one, None for nothing. In YAML, keys
    may be numbers (`200:`).
    """
    for part in pointer.split("/") if pointer else ():
        key = unescape_key(part)
        number = int(key) if key.isascii() and key.isdigit() and len(key) < _MAX_DIGITS else -1
        if isinstance(value, dict):
            value = value.get(key, value.get(number))
        else:
            value = value[number] if isinstance(value, list) and 0 <= number < len(value) else None
    return value


def escape_key(key: str) -> str:
    """The key, escaped for a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1")


def unescape_key(part: str) -> str:
    """The key that a part of a JSON pointer names (RFC 6901, section 4)."""
    return part.replace("~1", "/").replace("~0", "~")
