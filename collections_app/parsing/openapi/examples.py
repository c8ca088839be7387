"""Example values as text, written only as far as they are shown."""

from __future__ import annotations

import json
from typing import Any

from collections_app.parsing.openapi.values import Object, get_objects, get_text, to_text
from collections_app.parsing.openapi.writing import MAX_EXAMPLE_CHARACTERS, Writer

_ENCODER = json.JSONEncoder(indent=2, ensure_ascii=False, default=to_text)
_MAX_INLINE_CHARACTERS = 200
_MAX_CODE_SAMPLES = 10


def find_example(holder: Object) -> str:
    """The first example, as text; empty if there is none."""
    values = (_find_value(holder, key) for key in ("example", "examples"))
    example = next((value for value in values if value not in (None, "", [], {})), None)
    return "" if example is None else write_value(example)


def _find_value(holder: Object, key: str) -> Any:
    """The first value in `examples`, a list or a map. In OpenAPI 3 each has a `value`; in Swagger 2 and JSON Schema each is a value."""
    value = holder.get(key)
    if key == "example" or not value:
        return value
    first = next(iter(value.values())) if isinstance(value, dict) else value[0] if isinstance(value, list) else value
    return first.get("value", first) if isinstance(first, dict) else first


def write_value(value: Any) -> str:
    """A text as it is, an object or a list as JSON, written only as far as it is shown."""
    if not isinstance(value, dict | list):
        return "null" if value is None else to_text(value)
    pieces, length = [], 0
    for piece in _ENCODER.iterencode(value):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_EXAMPLE_CHARACTERS:
            break
    return "".join(pieces)


def write_inline(value: Any) -> str:
    """A value within a line, as code."""
    text = " ".join(write_value(value).split())
    return f"`{text if len(text) <= _MAX_INLINE_CHARACTERS else f'{text[:_MAX_INLINE_CHARACTERS]}…'}`"


def write_code_samples(writer: Writer, values: Object) -> None:
    """The code samples of Redoc's extension `x-codeSamples`, under either of its names."""
    samples = get_objects(values, "x-codeSamples") or get_objects(values, "x-code-samples")
    for sample in samples[:_MAX_CODE_SAMPLES]:
        if source := get_text(sample, "source"):
            writer.add_example(source, "".join(filter(str.isalnum, get_text(sample, "lang").lower())))
    if len(samples) > _MAX_CODE_SAMPLES:
        writer.add(f"… {len(samples) - _MAX_CODE_SAMPLES:,} more code samples are left out.")
