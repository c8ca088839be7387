"""The properties of a request or response body whose schema is described elsewhere: one level of them, shortened, so that a reader can call
the operation and knows what it returns.

Read-only properties (`readOnly`) are left out of requests, write-only ones (`writeOnly`) out of responses. Where this would repeat too
much, links have to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from collections_app.parsing.openapi.components import Components
from collections_app.parsing.openapi.details import describe_row
from collections_app.parsing.openapi.references import name_reference
from collections_app.parsing.openapi.schemas import HEADER
from collections_app.parsing.openapi.types import describe_type
from collections_app.parsing.openapi.values import (
    Object,
    get_object,
    get_objects,
    get_text,
    get_texts,
    is_true,
    to_text,
)
from collections_app.parsing.openapi.writing import Writer

MAX_ROWS = 50
MAX_REPEATED_CHARACTERS = 5_000_000
"""The limits for a description: for all request bodies together, and for all response bodies."""

_MAX_REFERENCES = 20
_MAX_PARTS = 100
_MAX_DESCRIPTION_CHARACTERS = 160
_MAX_DETAILS_CHARACTERS = 400

_Row = tuple[str, str, str, str]


@dataclass(frozen=True, eq=False)
class Direction:
    """Whether bodies are sent or received, as the keyword of properties that are then left out."""

    not_shown: str

    def shows(self, schema: Object) -> bool:
        return not any(is_true(part, self.not_shown) for part in (schema, *get_objects(schema, "allOf")))

    def list_references(self, body: Object, components: Components) -> list[tuple[str, str]]:
        """The references to schemas in a body, with where they are: `""` for the whole body, `data` for a property."""
        found = (each for schema in _list_schemas(body) for each in self._iter_references(schema))
        return list(islice(dict.fromkeys(found), _MAX_REFERENCES))

    def _iter_references(self, schema: Object) -> Iterator[tuple[str, str]]:
        """The references of the schema itself and, if it is inline, of its properties."""
        yield from _iter_own("", schema)
        for part in (schema, *get_objects(schema, "allOf")):
            for key, value in get_object(part, "properties").items():
                if isinstance(value, dict) and self.shows(value):
                    yield from _iter_own(to_text(key), value)

    def make_own_rows(self, body: Object, components: Components) -> list[_Row]:
        inline = (schema for schema in _list_schemas(body) if schema and not get_text(schema, "$ref"))
        return [row for schema in inline for row in self.make_rows(schema, components)]

    def make_rows(self, schema: Object, components: Components) -> list[_Row]:
        """The rows of properties, one more than are shown if there are more."""
        parts = _flatten(schema, components)
        required = {name for part in parts for name in get_texts(part, "required")}
        properties = {key: value for part in parts for key, value in get_object(part, "properties").items()}
        values = ((to_text(key), value if isinstance(value, dict) else {}) for key, value in properties.items())
        shown = (each for each in values if self.shows(each[1]))
        return [
            (
                name,
                describe_type(value, components.links),
                "yes" if name in required else "no",
                _describe(value, components),
            )
            for name, value in islice(shown, MAX_ROWS + 1)
        ]


SENT = Direction("readOnly")
RECEIVED = Direction("writeOnly")


def write_body_properties(writer: Writer, body: Object, components: Components, direction: Direction) -> None:
    """Written after what the body itself says about them, which is nothing if the body is a reference."""
    own = components.make(body, direction.make_own_rows) if get_text(body, "$ref") else []
    rows: dict[str, _Row] = {row[0]: (f"`{row[0]}`", *row[1:]) for row in own}
    references = components.make(body, direction.list_references)
    for path, reference in references:
        for name, kind, needed, said in components.make({"$ref": reference}, direction.make_rows):
            shown = f"{path}.{name}" if path else name
            rows.setdefault(shown, (f"`{shown}`", kind, needed, said))
    components.repeated_characters[direction] += sum(
        len(cell) for row in islice(rows.values(), MAX_ROWS) for cell in row
    )
    if not rows or components.repeated_characters[direction] > MAX_REPEATED_CHARACTERS:
        return
    names = dict.fromkeys(name_reference(reference, components.links) for _, reference in references)
    whose = f" of {', '.join(names)}" if names else ""
    writer.add(f"{f'The first {MAX_ROWS} properties' if len(rows) > MAX_ROWS else 'Properties'}{whose}, in short:")
    writer.add_table(HEADER, islice(rows.values(), MAX_ROWS))


def _list_schemas(body: Object) -> list[Object]:
    """The schemas of all media types, or the single one of Swagger 2."""
    return [get_object(each, "schema") for each in (body, *get_object(body, "content").values())]


def _iter_own(path: str, schema: Object) -> Iterator[tuple[str, str]]:
    items = get_object(schema, "items")
    for place, each in ((path, schema), *((path, part) for part in get_objects(schema, "allOf")), (f"{path}[]", items)):
        if reference := get_text(each, "$ref"):
            yield place, reference


def _flatten(schema: Object, components: Components) -> list[Object]:
    """The schema with everything that it combines (`allOf`), each part once."""
    parts: dict[int, Object] = {}
    waiting = [schema]
    while waiting and len(parts) < _MAX_PARTS:
        part = components.resolve(waiting.pop())
        if id(part) not in parts:
            parts[id(part)] = part
            waiting += get_objects(part, "allOf")
    return list(parts.values())[::-1]


def _describe(schema: Object, components: Components) -> str:
    """The beginning of its description, then its allowed values."""
    said = _shorten(get_text(schema, "description"), _MAX_DESCRIPTION_CHARACTERS)
    return _shorten(describe_row({**schema, "description": said}, components.links), _MAX_DETAILS_CHARACTERS)


def _shorten(text: str, most: int) -> str:
    words = " ".join(text[: 2 * most].split())
    return words if len(words) <= most else f"{words[:most].rpartition(' ')[0] or words[:most]} …"
