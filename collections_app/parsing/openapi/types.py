"""A schema's type in a few words. A reference is written as its name, so that circular references end."""

from __future__ import annotations

from collections_app.parsing.openapi.references import Links, name_reference
from collections_app.parsing.openapi.values import (
    Object,
    get_items,
    get_object,
    get_objects,
    get_text,
    get_texts,
    is_true,
)

MAX_ALTERNATIVES = 20

_MAX_DEPTH = 4


def describe_type(schema: Object, links: Links, depth: int = 0) -> str:
    """`array of Pet`, `string (date-time)`, `Cat or Dog`; empty if it says nothing."""
    if depth > _MAX_DEPTH:
        return "…"
    kind = _describe_value(schema, links, depth)
    is_nullable = is_true(schema, "nullable") or is_true(schema, "x-nullable")
    return " or ".join(filter(None, [kind, "null" if is_nullable and not kind.endswith("null") else ""]))


def _describe_value(schema: Object, links: Links, depth: int) -> str:
    if reference := get_text(schema, "$ref"):
        return name_reference(reference, links)
    for key, word in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts := get_objects(schema, key):
            kinds = [describe_type(part, links, depth + 1) for part in parts[:MAX_ALTERNATIVES]]
            return _join_parts([*kinds, *(["…"] if len(parts) > MAX_ALTERNATIVES else [])], word)
    kinds = get_texts(schema, "type") or [get_text(schema, "type")]
    return " or ".join(filter(None, (_describe_kind(schema, kind, links, depth) for kind in kinds[:MAX_ALTERNATIVES])))


def _join_parts(kinds: list[str], word: str) -> str:
    """The types without repetitions. If one part allows null, the whole does, also in `allOf`."""
    joined = word.join(dict.fromkeys(kind for kind in kinds if kind and kind != "null"))
    return " or ".join(filter(None, [joined, "null" if "null" in kinds else ""])) or "object"


def _describe_kind(schema: Object, kind: str, links: Links, depth: int) -> str:
    form = get_text(schema, "format")
    values = get_object(schema, "additionalProperties")
    if kind == "array" or (not kind and ("items" in schema or "prefixItems" in schema)):
        return f"array of {describe_type(get_items(schema), links, depth + 1) or 'values'}"
    if kind in ("object", "") and values and "properties" not in schema:
        return f"map of {describe_type(values, links, depth + 1) or 'values'}"
    if not kind and "properties" in schema:
        return "object"
    return f"{kind} ({form})" if form and kind else kind or form
