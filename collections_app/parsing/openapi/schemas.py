"""Schemas: what each says about itself, and the rows of its properties. Schemas that it refers to have their own rows elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from collections_app.parsing.openapi.details import describe_details, describe_row
from collections_app.parsing.openapi.examples import find_example
from collections_app.parsing.openapi.references import Links
from collections_app.parsing.openapi.types import MAX_ALTERNATIVES, describe_type
from collections_app.parsing.openapi.values import (
    Object,
    get_items,
    get_object,
    get_objects,
    get_texts,
    to_text,
)
from collections_app.parsing.openapi.writing import Writer

MAX_PROPERTIES = 1000

HEADER = ("Property", "Type", "Required", "Description")
_MAX_ROW_DEPTH = 6
_ALTERNATIVES = ("allOf", "oneOf", "anyOf")

Row = tuple[str, str, str, str]


def write_schema(writer: Writer, schema: Object, links: Links) -> None:
    """What a schema says about itself, and a table of its properties; those of inline objects as `owner.property`."""
    kind = describe_type(schema, links)
    if kind not in ("", "object"):
        writer.add(f"Type: {kind}")
    writer.add_markdown(describe_details(schema, links), makes_sections=False)
    write_properties(writer, schema, links)
    if example := find_example(schema):
        writer.add_example(example)


def write_properties(writer: Writer, schema: Object, links: Links) -> None:
    writer.add_table(HEADER, take_rows(schema, links))


def take_rows(schema: Object, links: Links, path: str = "") -> list[Row]:
    """The first rows. If there are more, the last row says so."""
    rows = list(islice(iter_rows(schema, links, path), MAX_PROPERTIES + 1))
    more = [_leave_out(f"There are more than {MAX_PROPERTIES:,}: the others are left out.")]
    return rows if len(rows) <= MAX_PROPERTIES else rows[:MAX_PROPERTIES] + more


def _leave_out(why: str) -> Row:
    return "…", "", "", why


def iter_rows(schema: Object, links: Links, path: str = "", depth: int = 0) -> Iterator[Row]:
    """Name, type, whether it is required, and details: `a.b` for a property of an object, `a[].b` of list items, `a.*.b` of map values."""
    if depth > _MAX_ROW_DEPTH:
        if _has_properties(schema):
            yield _leave_out(f"What is within `{path}` is left out: it is nested deeper than {_MAX_ROW_DEPTH} levels.")
        return
    if not schema:
        return
    required = frozenset(get_texts(schema, "required"))
    for key, value in get_object(schema, "properties").items():
        name = f"{path}.{to_text(key)}".removeprefix(".")
        part: Object = value if isinstance(value, dict) else {}
        yield f"`{name}`", describe_type(part, links), "yes" if key in required else "no", describe_row(part, links)
        yield from iter_rows(part, links, name, depth + 1)
    yield from iter_rows(get_items(schema), links, f"{path}[]", depth + 1)
    yield from iter_rows(get_object(schema, "additionalProperties"), links, f"{path}.*".removeprefix("."), depth + 1)
    for alternatives in _ALTERNATIVES:
        parts = get_objects(schema, alternatives)
        for part in parts[:MAX_ALTERNATIVES]:
            yield from iter_rows(part, links, path, depth + 1)
        if len(parts) > MAX_ALTERNATIVES:
            yield _leave_out(f"Of `{alternatives}` {len(parts) - MAX_ALTERNATIVES:,} more are left out.")


def _has_properties(schema: Object) -> bool:
    """Whether the schema or one of its direct parts has properties."""
    parts = [part for key in _ALTERNATIVES for part in get_objects(schema, key)]
    within = (schema, get_items(schema), get_object(schema, "additionalProperties"), *parts)
    return any(get_object(each, "properties") for each in within)
