"""Operations of an API: each with its parameters, its body and its responses. Schemas are named; what is written inline is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from collections_app.parsing.openapi.schemas import describe_details, describe_type, find_example, write_properties
from collections_app.parsing.openapi.values import (
    Object,
    get_object,
    get_objects,
    get_reference_name,
    get_text,
    get_texts,
    is_true,
    resolve,
    to_text,
)
from collections_app.parsing.openapi.writing import Writer

_METHODS = ("get", "put", "post", "patch", "delete", "head", "options", "trace", "query")
_PARAMETER_HEADER = ("Name", "In", "Type", "Required", "Description")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Operation:
    """`place` is the path, or the webhook's name; `shared` are the parameters of all operations there."""

    method: str
    place: str
    values: Object
    shared: list[Object]

    @property
    def tag(self) -> str:
        """The first of its tags, under which it is shown."""
        return next(iter(get_texts(self.values, "tags")), "")


class Components:
    """What references in the description stand for; what is made of each is made once, however often it is referred to."""

    def __init__(self, description: Object) -> None:
        self._description = description
        self._made: dict[tuple[str, str], object] = {}

    def make(self, value: Object, make: Callable[[Object], _T]) -> _T:
        reference = get_text(value, "$ref")
        if not reference:
            return make(value)
        key = (make.__qualname__, reference)
        if key not in self._made:
            self._made[key] = make(resolve(self._description, value))
        return self._made[key]  # type: ignore[return-value]

    def resolve(self, value: Object) -> Object:
        return resolve(self._description, value)


def iter_operations(description: Object, key: str, components: Components) -> Iterator[Operation]:
    """Those of `paths` or `webhooks`, in the order of the file."""
    for place, value in get_object(description, key).items():
        item = components.resolve(value if isinstance(value, dict) else {})
        shared = get_objects(item, "parameters")
        for method in item:
            if method in _METHODS and isinstance(item[method], dict):
                yield Operation(method.upper(), to_text(place), item[method], shared)


def write_operation(writer: Writer, operation: Operation, components: Components) -> None:
    values = operation.values
    writer.add_heading(3, f"{operation.method} {operation.place}")
    if summary := get_text(values, "summary"):
        writer.add(f"**{' '.join(summary.split())}**")
    if is_true(values, "deprecated"):
        writer.add("Deprecated.")
    writer.add_markdown(get_text(values, "description"))
    _write_names(writer, values)
    parameters = _merge_parameters(operation, components)
    _write_parameters(writer, [each for each in parameters if each[1] not in ("body", "formData")])
    _write_body(writer, operation, components)
    _write_responses(writer, get_object(values, "responses"), components)


def _write_names(writer: Writer, values: Object) -> None:
    names = {"Operation": get_text(values, "operationId"), "Tags": ", ".join(get_texts(values, "tags"))}
    security = [" and ".join(map(to_text, each)) or "none" for each in get_objects(values, "security")]
    names["Security"] = " or ".join(security)
    if said := [f"{name}: `{value}`" for name, value in names.items() if value]:
        writer.add(" · ".join(said))


_Row = tuple[str, str, str, str, str]


def _merge_parameters(operation: Operation, components: Components) -> list[_Row]:
    """The operation's own before those of its path, each name and place once."""
    rows: dict[tuple[str, str], _Row] = {}
    for parameter in (*operation.shared, *get_objects(operation.values, "parameters")):
        row = components.make(parameter, _make_row)
        rows[row[0], row[1]] = row
    return list(rows.values())


def _make_row(parameter: Object) -> _Row:
    if reference := get_text(parameter, "$ref"):
        return f"`{reference}`", "", "", "", "Described in another place."
    schema = get_object(parameter, "schema") or parameter
    details = describe_details(
        {**schema, "description": get_text(parameter, "description") or get_text(schema, "description")}
    )
    required = "yes" if is_true(parameter, "required") else "no"
    return f"`{get_text(parameter, 'name')}`", get_text(parameter, "in"), describe_type(schema), required, details


def _write_parameters(writer: Writer, rows: list[_Row]) -> None:
    if rows:
        writer.add("**Parameters**")
        writer.add_table(_PARAMETER_HEADER, rows)


def _write_body(writer: Writer, operation: Operation, components: Components) -> None:
    """OpenAPI 3 has it in `requestBody`, Swagger 2 among the parameters."""
    body = get_object(operation.values, "requestBody")
    given = [components.resolve(each) for each in (*operation.shared, *get_objects(operation.values, "parameters"))]
    if body:
        content = components.resolve(body)
        writer.add(f"**Request body**{' (required)' if is_true(content, 'required') else ''}")
        _write_content(writer, body, components)
    elif in_body := next((each for each in given if get_text(each, "in") == "body"), None):
        writer.add(f"**Request body**{' (required)' if is_true(in_body, 'required') else ''}")
        writer.add_markdown(get_text(in_body, "description"))
        _write_schema(writer, get_object(in_body, "schema"))
    elif form := [_make_row(each) for each in given if get_text(each, "in") == "formData"]:
        writer.add("**Form**")
        writer.add_table(_PARAMETER_HEADER, form)


def _write_responses(writer: Writer, responses: Object, components: Components) -> None:
    if responses:
        writer.add("**Responses**")
    for code, value in responses.items():
        response = value if isinstance(value, dict) else {}
        resolved = components.resolve(response)
        writer.add(f"`{to_text(code)}` {get_text(resolved, 'description')}".rstrip())
        _write_content(writer, response, components)


def _write_content(writer: Writer, holder: Object, components: Components) -> None:
    """The body's types. Of one that is referred to, only their names: it may be referred to ten thousand times."""
    for line in components.make(holder, _list_content):
        writer.add(line)
    if get_text(holder, "$ref"):
        return
    if schema := get_object(holder, "schema"):  # Swagger 2
        _write_schema(writer, schema)
    for media_type in get_object(holder, "content").values():
        schema = get_object(media_type, "schema")
        write_properties(writer, schema)
        if example := find_example(media_type if isinstance(media_type, dict) else {}) or find_example(schema):
            writer.add_example(example)


def _list_content(holder: Object) -> list[str]:
    if reference := get_text(holder, "$ref"):
        return [f"- described in another place: `{get_reference_name(reference)}`"]
    types = get_object(holder, "content").items()
    lines = [
        f"- `{to_text(name)}`: {_describe_schema(get_object(value, 'schema'))}".rstrip(": ") for name, value in types
    ]
    return ["\n".join(lines)] if lines else []


def _describe_schema(schema: Object) -> str:
    required = get_texts(schema, "required")
    listed = f" (required: {', '.join(required)})" if required else ""
    return describe_type(schema) + listed


def _write_schema(writer: Writer, schema: Object) -> None:
    writer.add(f"- {_describe_schema(schema)}")
    write_properties(writer, schema)
    if example := find_example(schema):
        writer.add_example(example)
