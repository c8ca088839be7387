"""The JSON Schema of a tool's arguments, flat enough for every host and model provider. PURE."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

# Checked but not listed: no sensible value is that long, and the list of tools is part of every conversation.
_LENGTHS = {"minLength", "maxLength", "minItems", "maxItems"}
_COMPOSITION = {"$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "if"}


def flatten_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """pydantic's schema as an object of plain properties, `format` last."""
    properties = {name: _flatten(prop) for name, prop in schema.get("properties", {}).items()}
    properties["format"] = properties.pop("format")
    flat: dict[str, Any] = {"type": "object", "properties": properties}
    if schema.get("required"):
        flat["required"] = schema["required"]
    return flat | {"additionalProperties": False}


def drop_optional(schema: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The schema without these properties, except for those that are required."""
    dropped = set(names) - set(schema.get("required", ()))
    kept = {key: prop for key, prop in schema.get("properties", {}).items() if key not in dropped}
    return schema | ({"properties": kept} if "properties" in schema else {})


def is_plain(prop: dict[str, Any]) -> bool:
    """Whether a property has one JSON type and nothing in it is composed of several."""
    has_type = isinstance(prop.get("type"), str)
    if prop.get("type") == "array":
        has_type = isinstance(prop.get("items", {}).get("type"), str)
    return has_type and _COMPOSITION.isdisjoint(_iter_keywords(prop))


def _flatten(prop: dict[str, Any]) -> dict[str, Any]:
    """A property without generated titles, lengths and empty defaults; an optional one is described by its type when given."""
    flat = {key: value for key, value in prop.items() if key != "title" and key not in _LENGTHS}
    kinds = [kind for kind in flat.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) == 1:
        del flat["anyOf"]
        flat = _flatten(kinds[0]) | flat
    if flat.get("default", ...) in (None, [], {}):
        del flat["default"]
    if flat.get("type") == "object" and flat.get("additionalProperties") is True:
        del flat["additionalProperties"]
    return flat


def _iter_keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
        for value in schema.values():
            yield from _iter_keywords(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _iter_keywords(value)
