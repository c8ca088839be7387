"""Operations of an API: each with its parameters, its body and its responses. Named schemas appear by name; inline ones are written out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collections_app.parsing.openapi.access import describe_requirements, write_servers
from collections_app.parsing.openapi.bodies import RECEIVED, SENT, write_body_properties
from collections_app.parsing.openapi.components import Components
from collections_app.parsing.openapi.details import describe_details, describe_row
from collections_app.parsing.openapi.examples import find_example, write_code_samples
from collections_app.parsing.openapi.references import Links
from collections_app.parsing.openapi.schemas import take_rows, write_properties
from collections_app.parsing.openapi.types import describe_type
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
from collections_app.parsing.openapi.writing import Writer

_INHERITED = ("security", "consumes", "produces")
_METHODS = ("get", "put", "post", "patch", "delete", "head", "options", "trace", "query")
_PARAMETER_HEADER = ("Name", "In", "Type", "Required", "Description")


@dataclass(frozen=True, slots=True)
class Operation:
    """`place` is the path, the webhook's name or the callback's; `item` has what all operations of the place share."""

    method: str
    place: str
    values: Object
    item: Object

    @property
    def tag(self) -> str:
        """The first of its tags, under which it is listed."""
        return next(iter(get_texts(self.values, "tags")), "")

    @property
    def parameters(self) -> list[Object]:
        """The parameters of the place, then its own."""
        return [*get_objects(self.item, "parameters"), *get_objects(self.values, "parameters")]


def iter_operations(description: Object, key: str, components: Components) -> Iterator[Operation]:
    """The operations of `paths` or `webhooks`, in file order, each with what the description says for all of them."""
    inherited = {key: description[key] for key in _INHERITED if key in description}
    for place, value in get_object(description, key).items():
        item = components.resolve(value if isinstance(value, dict) else {})
        yield from _iter_item(to_text(place), item, inherited)


def _iter_item(place: str, item: Object, inherited: Object) -> Iterator[Operation]:
    for method, values in item.items():
        if method in _METHODS and isinstance(values, dict):
            yield Operation(method.upper(), place, {**inherited, **values}, item)


def write_operation(writer: Writer, operation: Operation, components: Components) -> None:
    writer.add_heading(3, f"{operation.method} {operation.place}")
    _write_call(writer, operation, components)
    for name, value in get_object(operation.values, "callbacks").items():
        for place, item in components.resolve(value if isinstance(value, dict) else {}).items():
            for callback in _iter_item(to_text(place), components.resolve(item if isinstance(item, dict) else {}), {}):
                writer.add_heading(4, f"Callback {to_text(name)}: {callback.method} {callback.place}")
                _write_call(writer, callback, components)


def _write_call(writer: Writer, operation: Operation, components: Components) -> None:
    values = operation.values
    if reference := get_text(values, "$ref"):
        writer.add(f"Described in another place: `{reference}`.")
    described = {_get_words(each, "description") for each in (values, operation.item)}
    for each in (values, operation.item):
        summary = _get_words(each, "summary")
        if summary and summary not in described:
            writer.add(f"**{summary}**")
    if is_true(values, "deprecated"):
        writer.add("Deprecated.")
    writer.add_markdown(get_text(values, "description"), makes_sections=False)
    writer.add_markdown(get_text(operation.item, "description"), makes_sections=False)
    _write_names(writer, values)
    write_servers(writer, {"servers": get_objects(values, "servers") or get_objects(operation.item, "servers")})
    _write_parameters(writer, "Parameters", _merge_parameters(operation, components))
    _write_body(writer, operation, components)
    _write_responses(writer, get_object(values, "responses"), components)
    write_code_samples(writer, values)


def _get_words(values: Object, key: str) -> str:
    return " ".join(get_text(values, key).split())


def _write_names(writer: Writer, values: Object) -> None:
    names = {
        "Operation": get_text(values, "operationId"),
        "Tags": ", ".join(get_texts(values, "tags")),
        "Security": describe_requirements(values),
        "Consumes": ", ".join(get_texts(values, "consumes")),
        "Produces": ", ".join(get_texts(values, "produces")),
    }
    if said := [f"{name}: `{value}`" for name, value in names.items() if value]:
        writer.add(" · ".join(said))


_Row = tuple[str, str, str, str, str]


def _merge_parameters(operation: Operation, components: Components) -> list[_Row]:
    """The parameters without repetitions by name and place; the operation's own take precedence over those of its path."""
    rows: dict[tuple[str, str], list[_Row]] = {}
    for parameter in operation.parameters:
        made = components.make(parameter, _make_rows)
        rows[made[0][0], made[0][1]] = made
    return [row for made in rows.values() for row in made if row[1] not in ("body", "formData")]


def _make_rows(parameter: Object, components: Components) -> list[_Row]:
    """The row of a parameter, and those of its properties if it is an object."""
    if reference := get_text(parameter, "$ref"):
        return [(f"`{reference}`", "", "", "", "Described in another place.")]
    name, place = get_text(parameter, "name"), get_text(parameter, "in")
    links, schema = components.links, _find_schema(parameter) or parameter
    required = "yes" if is_true(parameter, "required") else "no"
    rows = take_rows(schema, links, name)
    own = {key: value for key, value in parameter.items() if value not in (None, "")}
    details = describe_row({**schema, **own}, links)
    return [
        (f"`{name}`", place, describe_type(schema, links), required, details),
        *((of, place, kind, needed, said) for of, kind, needed, said in rows),
    ]


def _find_schema(holder: Object) -> Object:
    """The schema of a parameter or a header, also that of its only media type."""
    return get_object(holder, "schema") or next(
        (get_object(each, "schema") for each in get_object(holder, "content").values()), {}
    )


def _write_parameters(writer: Writer, title: str, rows: list[_Row]) -> None:
    if rows:
        writer.add(f"**{title}**")
        writer.add_table(_PARAMETER_HEADER, rows)


def _write_body(writer: Writer, operation: Operation, components: Components) -> None:
    """Write the body, which OpenAPI 3 has in `requestBody`, Swagger 2 among the parameters."""
    given = [(each, components.resolve(each)) for each in operation.parameters]
    if body := get_object(operation.values, "requestBody"):
        _write_body_head(writer, components.resolve(body))
        _write_content(writer, body, components)
        write_body_properties(writer, body, components, SENT)
    elif in_body := next((each for _, each in given if get_text(each, "in") == "body"), None):
        _write_body_head(writer, in_body)
        _write_schema(writer, get_object(in_body, "schema"), components.links)
        write_body_properties(writer, in_body, components, SENT)
    else:
        fields = (named for named, each in given if get_text(each, "in") == "formData")
        form = [row for each in fields for row in components.make(each, _make_rows)]
        _write_parameters(writer, "Form", form)


def _write_body_head(writer: Writer, body: Object) -> None:
    writer.add(f"**Request body**{' (required)' if is_true(body, 'required') else ''}")
    writer.add_markdown(get_text(body, "description"), makes_sections=False)


def _write_responses(writer: Writer, responses: Object, components: Components) -> None:
    if responses:
        writer.add("**Responses**")
    for code, value in responses.items():
        response = value if isinstance(value, dict) else {}
        resolved = components.resolve(response)
        writer.add(f"`{to_text(code)}` {get_text(resolved, 'description')}".rstrip())
        if headers := components.make(response, _list_headers):
            writer.add("\n".join(headers))
        _write_content(writer, response, components)
        if _is_success(to_text(code), responses):
            write_body_properties(writer, response, components, RECEIVED)


def _is_success(code: str, responses: Object) -> bool:
    """Whether a response means success. Bodies of errors, which operations share, are looked up by their links."""
    return code.startswith("2") or (code == "default" and not any(to_text(each).startswith("2") for each in responses))


def _list_headers(response: Object, components: Components) -> list[str]:
    headers = get_object(response, "headers")
    described = {to_text(name): components.make(get_object(headers, name), _describe_header) for name in headers}
    return [f"- header `{name}`{said}" for name, said in described.items()]


def _describe_header(header: Object, components: Components) -> str:
    schema = _find_schema(header) or header
    kind = describe_type(schema, components.links)
    said = " ".join(describe_row({**schema, **header}, components.links).split())
    return (f" ({kind})" if kind else "") + (f": {said}" if said else "")


def _write_content(writer: Writer, holder: Object, components: Components) -> None:
    """Write the types of a body. Of a referenced body only their names are given, as ten thousand operations may refer to it."""
    for line in components.make(holder, _list_content):
        writer.add(line)
    if get_text(holder, "$ref"):
        return
    if schema := get_object(holder, "schema"):  # Swagger 2
        _write_schema(writer, schema, components.links)
    if example := find_example(holder):  # Swagger 2
        writer.add_example(example)
    for media_type in get_object(holder, "content").values():
        schema = get_object(media_type, "schema")
        write_properties(writer, schema, components.links)
        if example := find_example(media_type if isinstance(media_type, dict) else {}) or find_example(schema):
            writer.add_example(example)


def _list_content(holder: Object, components: Components) -> list[str]:
    if reference := get_text(holder, "$ref"):
        return [f"- described in another place: `{get_reference_name(reference)}`"]
    types = get_object(holder, "content").items()
    lines = [
        f"- `{to_text(name)}`: {_describe_schema(get_object(value, 'schema'), components.links)}".rstrip(": ")
        for name, value in types
    ]
    return ["\n".join(lines)] if lines else []


def _describe_schema(schema: Object, links: Links) -> str:
    required = get_texts(schema, "required")
    listed = f" (required: {', '.join(required)})" if required else ""
    return " ".join(f"{describe_type(schema, links)}{listed} {describe_details(schema, links)}".split())


def _write_schema(writer: Writer, schema: Object, links: Links) -> None:
    writer.add(f"- {_describe_schema(schema, links)}")
    write_properties(writer, schema, links)
    if example := find_example(schema):
        writer.add_example(example)
