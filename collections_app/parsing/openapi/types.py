"""What type a schema is, in a few words. A reference is its name, so that circles end."""

from __future__ import annotations

from collections_app.parsing.openapi.values import (
    Object,
    get_object,
    get_objects,
    get_reference_name,
    get_text,
    get_texts,
    is_true,
)

MAX_ALTERNATIVES = 20

_MAX_DEPTH = 4


def describe_type(schema: Object, depth: int = 0) -> str:
    """`array of Pet`, `string (date-time)`, `Cat or Dog`; empty if it says nothing."""
    if depth > _MAX_DEPTH:
        return "…"
    nullable = ["null"] if is_true(schema, "nullable") or is_true(schema, "x-nullable") else []
    return " or ".join(filter(None, [_describe_value(schema, depth), *nullable]))


def _describe_value(schema: Object, depth: int) -> str:
    if reference := get_text(schema, "$ref"):
        return f"`{get_reference_name(reference)}`"
    for key, word in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts := get_objects(schema, key)[:MAX_ALTERNATIVES]:
            return word.join(filter(None, (describe_type(part, depth + 1) for part in parts))) or "object"
    kinds = get_texts(schema, "type") or [get_text(schema, "type")]
    return " or ".join(filter(None, (_describe_kind(schema, kind, depth) for kind in kinds[:MAX_ALTERNATIVES])))


def _describe_kind(schema: Object, kind: str, depth: int) -> str:
    form = get_text(schema, "format")
    values = get_object(schema, "additionalProperties")
    if kind == "array" or (not kind and "items" in schema):
        return f"array of {describe_type(get_object(schema, 'items'), depth + 1) or 'values'}"
    if kind in ("object", "") and values and "properties" not in schema:
        return f"map of {describe_type(values, depth + 1) or 'values'}"
    if not kind and "properties" in schema:
        return "object"
    return f"{kind} ({form})" if form and kind else kind or form
