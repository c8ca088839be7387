"""API descriptions: every operation and schema is a section; references end; hostile YAML is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.openapi.loading import MAX_DEPTH

PET = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "next": {"$ref": "#/components/schemas/Pet"}},
}


def parse_description(**parts: Any) -> ParsedDocument:
    description = {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, **parts}
    return parse(RawDocument("api.json", json.dumps(description).encode()))


def parse_yaml(text: str) -> ParsedDocument:
    return parse(RawDocument("api.yaml", text.encode()))


def get_section(document: ParsedDocument, heading: str) -> str:
    return next(section.text for section in document.sections if section.heading == heading)


def make_get(**values: Any) -> dict[str, Any]:
    return {"/pets/{id}": {"get": values}}


def test_operations_stand_under_their_tags_and_schemas_last() -> None:
    paths = {"/a": {"get": {"tags": ["b"]}, "post": {}}, "/c": {"delete": {"tags": ["d", "b"]}}}
    document = parse_description(paths=paths, tags=[{"name": "d"}], components={"schemas": {"Pet": PET}})
    assert [section.section_id for section in document.sections] == [
        "pets", "pets/d", "pets/d/delete-c", "pets/b", "pets/b/get-a", "pets/operations", "pets/operations/post-a",
        "pets/schemas", "pets/schemas/pet",
    ]  # fmt: skip


def test_a_schema_is_a_table_and_a_reference_its_name() -> None:
    text = get_section(parse_description(components={"schemas": {"Pet": PET}}), "Pet")
    assert "| `id` | integer | yes |" in text
    assert "| `next` | `Pet` | no |" in text


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, "array of `Pet`"),
        ({"oneOf": [{"type": "string"}, {"$ref": "#/x/Dog"}]}, "string or `Dog`"),
        ({"allOf": [{"$ref": "#/x/Cat"}, {"type": "object"}]}, "`Cat` and object"),
        ({"type": "string", "format": "date-time"}, "string (date-time)"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "string", "nullable": True}, "string or null"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map of integer"),
        ({"$ref": "other.yaml#/Pet"}, "`other.yaml#/Pet`"),
        ({"enum": ["a", True, None]}, "One of `a`, `true`"),
    ],
)
def test_types_are_written_in_words(schema: dict[str, Any], expected: str) -> None:
    components = {"schemas": {"Box": {"type": "object", "properties": {"it": schema}}}}
    assert expected in get_section(parse_description(components=components), "Box")


def test_an_operation_says_what_goes_in_and_what_comes_out() -> None:
    components = {
        "schemas": {"Pet": PET},
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}},
        "responses": {
            "Gone": {"description": "No such pet", "content": {"text/plain": {"schema": {"type": "string"}}}}
        },
    }
    body = {"required": True, "content": {"application/json": {"schema": PET, "example": {"id": 3}}}}
    operation = {
        "summary": "One pet", "operationId": "getPet", "description": "# Details\nMore.", "requestBody": body,
        "parameters": [{"$ref": "#/components/parameters/Id"}], "responses": {"404": {"$ref": "#/components/responses/Gone"}},
    }  # fmt: skip
    document = parse_description(paths=make_get(**operation), components=components)
    (first,) = (section for section in document.sections if section.heading == "GET /pets/{id}")
    text = "".join(each.text for each in document.sections[first.position : first.end_position])
    for expected in ("**One pet**", "`getPet`", "#### Details", "| `id` | path | integer | yes |", "(required: id)",
                     "`404` No such pet", "- `text/plain`: string", '"id": 3'):  # fmt: skip
        assert expected in text


def test_parameters_of_the_path_count_unless_the_operation_has_its_own() -> None:
    shared = [{"name": "id", "in": "path", "description": "shared"}, {"name": "x", "in": "query"}]
    own = [{"name": "id", "in": "path", "description": "own"}]
    text = get_section(parse_description(paths={"/p": {"parameters": shared, "get": {"parameters": own}}}), "GET /p")
    assert "own" in text
    assert "shared" not in text
    assert "`x`" in text


@pytest.mark.parametrize("target", ["#/components/parameters/A", "#/nowhere", "other.yaml#/A", "#"])
def test_a_reference_in_a_circle_or_to_nowhere_is_named(target: str) -> None:
    components = {"parameters": {"A": {"$ref": "#/components/parameters/A"}}}
    document = parse_description(paths=make_get(parameters=[{"$ref": target}]), components=components)
    assert f"`{target}`" in document.content


def test_an_unclosed_description_hides_no_operation() -> None:
    document = parse_description(paths={"/a": {"get": {"description": "```\ncode"}}, "/b": {"get": {}}})
    assert "GET /b" in [section.heading for section in document.sections]


@pytest.mark.parametrize(
    "wrong", [None, 3, "x", [], [None], {"x": None}, {"/x": {"get": {"parameters": 3, "responses": [1]}}}]
)
@pytest.mark.parametrize("key", ["info", "paths", "components", "servers", "tags", "webhooks"])
def test_what_has_a_wrong_shape_is_passed_over(key: str, wrong: Any) -> None:
    assert parse_description(**{key: wrong}).format == "openapi"


def test_yaml_texts_stay_as_they_are_written() -> None:
    document = parse_yaml(
        "openapi: 3.0.0\ninfo: {title: T, version: 1.10}\ncomponents:\n  schemas:\n    A:\n      enum: [no, 2020-01-01, 010, 7]\n"
    )
    assert "Version: 1.10" in document.content
    assert "`no`, `2020-01-01`, `010`, `7`" in document.content


def test_yaml_aliases_and_merge_keys_are_followed() -> None:
    document = parse_yaml(
        "openapi: 3.0.0\nx: &base {type: object, properties: {a: {type: string}}}\ncomponents: {schemas: {B: {<<: *base, title: Bee}}}\n"
    )
    assert "| `a` | string |" in get_section(document, "B")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
            "2,000,000 values",
        ),
        ("a: &a [*a]\n", "line 2"),
        ("paths: " + "[" * 1_000_000, f"deeper than {MAX_DEPTH}"),
        ("a: [\n", "line"),
        ("a: !!python/object:os.system x\n", "line 2"),
        ("? [a]\n: b\n", "line 2"),
    ],
)
def test_hostile_and_broken_yaml_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_yaml(f"openapi: 3.0.0\n{text}")
    assert words in caught.value.message


def test_what_expands_without_end_is_refused() -> None:
    components = {"responses": {"R": {"description": "x" * 10_000}}}
    paths = {
        f"/{number}": {"get": {"responses": {"200": {"$ref": "#/components/responses/R"}}}} for number in range(4000)
    }
    with pytest.raises(ParseError, match="expands to more than"):
        parse_description(paths=paths, components=components)


def test_another_version_is_unsupported() -> None:
    with pytest.raises(UnsupportedFormat, match="OpenAPI 3 or Swagger 2"):
        parse(RawDocument("a.json", b'{"openapi": "4.0.0"}', "application/vnd.oai.openapi"))
