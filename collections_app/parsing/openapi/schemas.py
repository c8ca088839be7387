"""Schemas: what type each is, in a few words, and the rows of its properties. A reference is its name, so that circles end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from collections_app.parsing.openapi.values import (
    Object,
    get_object,
    get_objects,
    get_reference_name,
    get_text,
    get_texts,
    is_true,
    to_text,
)
from collections_app.parsing.openapi.writing import MAX_EXAMPLE_CHARACTERS, Writer

MAX_PROPERTIES = 1000

_ENCODER = json.JSONEncoder(indent=2, ensure_ascii=False, default=to_text)
_HEADER = ("Property", "Type", "Required", "Description")
_MAX_DEPTH = 4
_MAX_ALTERNATIVES = 20
_MAX_ENUM_VALUES = 50
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "pattern", "default")


def describe_type(schema: Object, depth: int = 0) -> str:
    """`array of Pet`, `string (date-time)`, `Cat or Dog`; empty if it says nothing."""
    if reference := get_text(schema, "$ref"):
        return f"`{get_reference_name(reference)}`"
    if depth > _MAX_DEPTH:
        return "…"
    for key, word in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts := get_objects(schema, key)[:_MAX_ALTERNATIVES]:
            return word.join(filter(None, (describe_type(part, depth + 1) for part in parts))) or "object"
    return _describe_plain(schema, depth)


def _describe_plain(schema: Object, depth: int) -> str:
    kinds = get_texts(schema, "type") or [get_text(schema, "type")]
    words = [_describe_kind(schema, kind, depth) for kind in kinds[:_MAX_ALTERNATIVES]]
    nullable = ["null"] if is_true(schema, "nullable") or is_true(schema, "x-nullable") else []
    return " or ".join([*filter(None, words), *nullable])


def _describe_kind(schema: Object, kind: str, depth: int) -> str:
    form = get_text(schema, "format")
    values = get_object(schema, "additionalProperties")
    if kind == "array" or (not kind and "items" in schema):
        return f"array of {describe_type(get_object(schema, 'items'), depth + 1) or 'values'}"
    if kind in ("object", "") and values:
        return f"map of {describe_type(values, depth + 1) or 'values'}"
    if not kind and "properties" in schema:
        return "object"
    return f"{kind} ({form})" if form and kind else kind or form


def describe_details(schema: Object) -> str:
    """Its description with the values and bounds that it allows."""
    values = schema.get("enum")
    names = [f"`{to_text(value)}`" for value in values[:_MAX_ENUM_VALUES]] if isinstance(values, list) else []
    more = ["…"] if isinstance(values, list) and len(values) > _MAX_ENUM_VALUES else []
    parts = [
        _end_sentence(get_text(schema, "description") or get_text(schema, "title")),
        f"One of {', '.join([*names, *more])}." if names else "",
        f"Always `{get_text(schema, 'const')}`." if get_text(schema, "const") else "",
        *(f"{key}: `{value}`." for key in _BOUNDS if (value := get_text(schema, key))),
        *(
            word
            for key, word in (("readOnly", "Read only."), ("writeOnly", "Write only."), ("deprecated", "Deprecated."))
            if is_true(schema, key)
        ),
    ]
    return " ".join(filter(None, parts))


def _end_sentence(text: str) -> str:
    return f"{text}." if text and text[-1].isalnum() else text


def write_schema(writer: Writer, schema: Object) -> None:
    """What a schema says of itself, and a table of its properties, those of inline objects as `owner.property`."""
    kind = describe_type(schema)
    if kind not in ("", "object"):
        writer.add(f"Type: {kind}")
    writer.add_markdown(describe_details(schema))
    write_properties(writer, schema)
    if example := find_example(schema):
        writer.add_example(example)


def write_properties(writer: Writer, schema: Object) -> None:
    writer.add_table(_HEADER, islice(_iter_rows(schema, "", 0), MAX_PROPERTIES))


def _iter_rows(schema: Object, prefix: str, depth: int) -> Iterator[tuple[str, str, str, str]]:
    if depth > _MAX_DEPTH:
        return
    required = frozenset(get_texts(schema, "required"))
    for key, value in get_object(schema, "properties").items():
        name = f"{prefix}{to_text(key)}"
        part: Object = value if isinstance(value, dict) else {}
        yield f"`{name}`", describe_type(part), "yes" if key in required else "no", describe_details(part)
        yield from _iter_rows(part, f"{name}.", depth + 1)
        yield from _iter_rows(get_object(part, "items"), f"{name}[].", depth + 1)
    if prefix == "" and (get_text(schema, "type") == "array"):
        yield from _iter_rows(get_object(schema, "items"), "[].", depth + 1)
    for alternatives in ("allOf", "oneOf", "anyOf"):
        for part in get_objects(schema, alternatives)[:_MAX_ALTERNATIVES]:
            yield from _iter_rows(part, prefix, depth + 1)


def find_example(holder: Object) -> str:
    """The first example that it gives, as text; empty if there is none."""
    example = next(filter(None, (_find_value(holder, key) for key in ("example", "examples"))), None)
    if example is None:
        return ""
    return write_value(example) if isinstance(example, dict | list) else to_text(example)


def _find_value(holder: Object, key: str) -> Any:
    """Of `examples` the first, a list's or a map's: each has its own `value` in OpenAPI 3, is one in Swagger 2 and JSON Schema."""
    value = holder.get(key)
    if key == "example" or not value:
        return value
    first = next(iter(value.values())) if isinstance(value, dict) else value[0] if isinstance(value, list) else value
    return first.get("value", first) if isinstance(first, dict) else first


def write_value(value: Any) -> str:
    """JSON, written no further than is shown of it."""
    pieces, length = [], 0
    for piece in _ENCODER.iterencode(value):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_EXAMPLE_CHARACTERS:
            break
    return "".join(pieces)
