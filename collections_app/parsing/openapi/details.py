"""What a schema says about its values besides their type: description, allowed values, bounds. References are not followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from collections_app.parsing.openapi.examples import find_example, write_inline
from collections_app.parsing.openapi.references import Links, name_reference
from collections_app.parsing.openapi.types import MAX_ALTERNATIVES, describe_type
from collections_app.parsing.openapi.values import (
    Object,
    get_items,
    get_object,
    get_objects,
    get_text,
    is_true,
    to_text,
)

_MAX_DEPTH = 4
_MAX_VALUES = 500
_BOUNDS = (
    "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "minProperties", "maxProperties", "style", "explode", "collectionFormat", "default",
)  # fmt: skip
_FLAGS = {
    "uniqueItems": "No value twice.",
    "allowEmptyValue": "May be empty.",
    "readOnly": "Read only.",
    "writeOnly": "Write only.",
    "deprecated": "Deprecated.",
}


def describe_row(schema: Object, links: Links) -> str:
    """A schema's details for a table cell, which may be cut: the most important ones first, an example last."""
    example = find_example(schema) or find_example(get_items(schema))
    return " ".join(
        filter(None, (describe_details(schema, links), f"Example: {write_inline(example)}." if example else ""))
    )


def describe_details(schema: Object, links: Links, depth: int = 0) -> str:
    """A schema's description, allowed values and bounds, including those of its inline parts."""
    if depth > _MAX_DEPTH or not schema:
        return ""
    parts = [
        _end_sentence(get_text(schema, "description") or get_text(schema, "title")),
        *_describe_values(schema),
        *(f"{key}: {write_inline(schema[key])}." for key in _BOUNDS if schema.get(key) is not None),
        *(words for key, words in _FLAGS.items() if is_true(schema, key)),
        *_describe_objects(schema, links),
        *_describe_parts(schema, links, depth),
    ]
    return " ".join(filter(None, parts))


def _describe_values(schema: Object) -> Iterator[str]:
    values: Any = schema.get("enum")
    if isinstance(values, list) and values:
        more = ["…"] if len(values) > _MAX_VALUES else []
        yield f"One of {', '.join([*map(write_inline, values[:_MAX_VALUES]), *more])}."
    if "const" in schema:
        yield f"Always {write_inline(schema['const'])}."


def _describe_objects(schema: Object, links: Links) -> Iterator[str]:
    discriminator = get_object(schema, "discriminator")
    if name := get_text(discriminator, "propertyName") or get_text(schema, "discriminator"):
        mapping = list(get_object(discriminator, "mapping").items())[:_MAX_VALUES]
        kinds = ", ".join(f"`{to_text(value)}` is {name_reference(to_text(kind), links)}" for value, kind in mapping)
        yield f"`{name}` says which: {kinds}." if kinds else f"`{name}` says which."
    others = schema.get("additionalProperties")
    if "properties" in schema and others is False:
        yield "No other properties."
    if "properties" in schema and isinstance(others, dict):
        yield f"Other properties: {describe_type(others, links) or 'any'}."


def _describe_parts(schema: Object, links: Links, depth: int) -> Iterator[str]:
    """The details of a list's or map's values, and of alternatives."""
    for values in (get_items(schema), get_object(schema, "additionalProperties")):
        if said := describe_details(values, links, depth + 1):
            yield f"Each: {said}"
    for key in ("allOf", "oneOf", "anyOf"):
        for part in get_objects(schema, key)[:MAX_ALTERNATIVES]:
            yield describe_details(part, links, depth + 1)


def _end_sentence(text: str) -> str:
    return f"{text}." if text and text[-1].isalnum() else text
