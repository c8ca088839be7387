"""API descriptions: every operation and schema is a section; references come to an end; hostile YAML is refused."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import Mock

import pytest

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.openapi import bodies, details, operations
from collections_app.parsing.yaml_files import MAX_DEPTH

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
    assert "| `next` | [`Pet`](#pets/schemas/pet) | no |" in text


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("#/components/schemas/", ["Pet", "pet", "Ältere Tiere", "a/b~c"]),
        ("#/definitions/", ["Pet", "It`s | this ](x)"]),
    ],
)
def test_a_reference_leads_to_the_section_of_its_schema(place: str, names: list[str]) -> None:
    schemas = {name: {"type": "string"} for name in names}
    places = [f"{place}{name.replace('~', '~0').replace('/', '~1')}" for name in names]
    box = {"properties": {f"p{number}": {"$ref": each} for number, each in enumerate(places)}}
    holder = (
        {"components": {"schemas": {**schemas, "Box": box}}}
        if "components" in place
        else {"definitions": {**schemas, "Box": box}}
    )
    document = parse_description(**holder)
    targets = re.findall(r"\]\(#([^()\s]+)\) \| no", get_section(document, "Box"))
    by_id = {section.section_id: section.position for section in document.sections}
    assert [document.sections[by_id[target]].position for target in targets] == [
        section.position for section in document.sections if section.level == 3 and section.heading != "Box"
    ]


def test_a_reference_to_what_has_no_section_is_a_name() -> None:
    components = {
        "schemas": {"Box": {"properties": {"a": {"$ref": "#/x/Pet"}, "b": {"$ref": "#/components/schemas/No"}}}}
    }
    text = get_section(parse_description(components=components), "Box")
    assert "| `a` | `Pet` | no |" in text
    assert "| `b` | `No` | no |" in text


def test_what_is_too_long_for_a_cell_stands_below_its_table_in_full() -> None:
    values = [f"value number {number}" for number in range(200)]
    properties = {"a": {"type": "string", "description": "Which | of them.", "enum": values}, "b": {"type": "integer"}}
    text = get_section(parse_description(components={"schemas": {"Box": {"properties": properties}}}), "Box")
    (row,) = (line for line in text.split("\n") if line.startswith("| `a`"))
    assert row.startswith("| `a` | string | no | Which \\| of them. One of `value number 0`, ")
    assert row.endswith("`, … (in full below) |")
    assert row.count("`") % 2 == 0
    assert len(row) < 400
    assert "| `b` | integer | no | |\n\n- `a`: Which | of them. One of `value number 0`, `value number 1`, " in text
    assert text.endswith("`value number 199`.\n")


def make_post(body: dict[str, Any], **components: Any) -> ParsedDocument:
    return parse_description(paths={"/pets": {"post": {"requestBody": body}}}, components=components)


BASE = {
    "type": "object",
    "properties": {"name": {"type": "string", "description": "word " * 100, "enum": ["a"]}, "age": {}},
}
DOG = {
    "allOf": [
        {"$ref": "#/components/schemas/Base"},
        {"required": ["name", "size"], "properties": {"age": {"type": "integer"}, "size": {"type": "number"},
         "id": {"type": "integer", "readOnly": True}, "by": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"readOnly": True}]}}},
        {"$ref": "#/components/schemas/Dog"},
    ]
}  # fmt: skip
TO_DOG = {"$ref": "#/components/schemas/Dog"}


@pytest.mark.parametrize(
    ("schema", "prefix"),
    [
        (TO_DOG, ""),
        ({"type": "object", "properties": {"data": TO_DOG}}, "data."),
        ({"type": "object", "properties": {"data": {"allOf": [TO_DOG, {"nullable": True}]}}}, "data."),
        ({"allOf": [{"properties": {"dogs": {"type": "array", "items": TO_DOG}}}]}, "dogs[]."),
        ({"type": "array", "items": TO_DOG}, "[]."),
    ],
)
def test_a_body_shows_the_properties_of_the_schema_that_it_names(schema: dict[str, Any], prefix: str) -> None:
    content = {"application/json": {"schema": schema}, "text/json": {"schema": schema}}
    document = make_post({"content": content}, schemas={"Base": BASE, "Dog": DOG})
    text = get_section(document, "POST /pets")
    rows = [line for line in text.partition("in short:")[2].split("\n") if line.startswith("| `")]
    assert "Properties of [`Dog`](#pets/schemas/dog), in short:" in text
    assert [row.split(" | ")[:3] for row in rows] == [
        [f"| `{prefix}name`", "string", "yes"],
        [f"| `{prefix}age`", "integer", "no"],
        [f"| `{prefix}size`", "number", "yes"],
    ]
    assert rows[0].endswith("word … One of `a`. |")
    assert len(rows[0]) < 250


def test_a_body_that_is_referred_to_shows_its_properties_in_short() -> None:
    body = {"content": {"application/json": {"schema": {"properties": {"a": {"type": "integer"}, "dog": TO_DOG}}}}}
    reference = {"$ref": "#/components/requestBodies/Own"}
    text = get_section(
        make_post(reference, schemas={"Base": BASE, "Dog": DOG}, requestBodies={"Own": body}), "POST /pets"
    )
    for expected in (
        "| `a` | integer | no |",
        "| `dog` | [`Dog`](#pets/schemas/dog) | no |",
        "| `dog.size` | number | yes |",
    ):
        assert expected in text


def test_a_swagger_body_shows_the_properties_of_its_schema() -> None:
    parameters = [{"in": "body", "name": "b", "schema": {"$ref": "#/definitions/Pet"}}]
    description = {"swagger": "2.0", "paths": {"/a": {"post": {"parameters": parameters}}},
                   "definitions": {"Pet": {"properties": {"a": {"type": "integer"}}}}}  # fmt: skip
    document = parse(RawDocument("api.json", json.dumps(description).encode()))
    assert "Properties of [`Pet`](#api/schemas/pet), in short:" in get_section(document, "POST /a")


def test_of_a_large_body_the_first_properties_are_shown() -> None:
    large = {"properties": {f"p{number}": {"type": "string"} for number in range(bodies.MAX_ROWS + 1)}}
    document = make_post(
        {"content": {"a/b": {"schema": {"$ref": "#/components/schemas/Large"}}}}, schemas={"Large": large}
    )
    text = get_section(document, "POST /pets")
    assert f"The first {bodies.MAX_ROWS} properties of [`Large`](#pets/schemas/large), in short:" in text
    assert text.count("| string |") == bodies.MAX_ROWS


def test_what_is_left_out_of_a_schema_is_said() -> None:
    many = {f"p{number}": {"type": "string"} for number in range(1001)}
    deep: dict[str, Any] = {"properties": {"leaf": {"type": "string"}}}
    for level in range(8):
        deep = {"properties": {f"l{level}": deep}}
    kinds = {"oneOf": [{"type": "object", "properties": {f"k{number}": {}}} for number in range(22)]}
    document = parse_description(components={"schemas": {"Many": {"properties": many}, "Deep": deep, "Kinds": kinds}})
    text = document.content
    assert "`p999`" in text
    assert "`p1000`" not in text
    assert "| … | | | There are more than 1,000: the others are left out. |" in text
    assert "What is within `l7.l6.l5.l4.l3.l2.l1` is left out: it is nested deeper than 6 levels." in text
    assert "Of `oneOf` 2 more are left out." in text
    assert "Type: object or …" in text


def make_answer(answers: dict[str, Any], **components: Any) -> str:
    paths = {"/pets": {"get": {"responses": answers}}}
    return get_section(parse_description(paths=paths, components=components), "GET /pets")


@pytest.mark.parametrize(
    ("schema", "prefix"),
    [(TO_DOG, ""), ({"properties": {"data": TO_DOG}}, "data."), ({"type": "array", "items": TO_DOG}, "[].")],
)
@pytest.mark.parametrize("code", ["200", "2XX", "default"])
def test_a_response_shows_the_properties_that_come_back(code: str, schema: dict[str, Any], prefix: str) -> None:
    secret = {"properties": {"password": {"type": "string", "writeOnly": True}}}
    base = {"allOf": [BASE, secret]}
    text = make_answer(
        {code: {"description": "All.", "content": {"application/json": {"schema": schema}}}},
        schemas={"Base": base, "Dog": DOG},
    )
    said, _, rows = text.partition("Properties of [`Dog`](#pets/schemas/dog), in short:")
    assert f"`{code}` All." in said
    assert [row.split(" | ")[:3] for row in rows.split("\n") if row.startswith("| `")] == [
        [f"| `{prefix}name`", "string", "yes"],
        [f"| `{prefix}age`", "integer", "no"],
        [f"| `{prefix}size`", "number", "yes"],
        [f"| `{prefix}id`", "integer", "no"],
        [f"| `{prefix}by`", "[`Base`](#pets/schemas/base)", "no"],
    ]


def test_a_response_that_is_referred_to_shows_its_properties_in_short() -> None:
    response = {
        "description": "One.",
        "content": {"a/b": {"schema": {"properties": {"a": {"type": "integer"}, "dog": TO_DOG}}}},
    }
    text = make_answer(
        {"201": {"$ref": "#/components/responses/One"}}, schemas={"Base": BASE, "Dog": DOG}, responses={"One": response}
    )
    for expected in ("`201` One.", "| `a` | integer | no |", "| `dog.size` | number | yes |"):
        assert expected in text


def test_a_swagger_response_shows_the_properties_of_its_schema() -> None:
    responses = {"200": {"description": "One.", "schema": {"$ref": "#/definitions/Pet"}}}
    description = {"swagger": "2.0", "paths": {"/a": {"get": {"responses": responses}}},
                   "definitions": {"Pet": {"properties": {"a": {"type": "integer"}}}}}  # fmt: skip
    document = parse(RawDocument("api.json", json.dumps(description).encode()))
    assert "Properties of [`Pet`](#api/schemas/pet), in short:" in get_section(document, "GET /a")


def test_what_an_operation_answers_when_it_fails_is_a_link() -> None:
    content = {"content": {"application/json": {"schema": TO_DOG}}}
    text = make_answer({"204": {}, "404": content, "default": content}, schemas={"Base": BASE, "Dog": DOG})
    assert text.count("- `application/json`: [`Dog`](#pets/schemas/dog)") == 2
    assert "in short" not in text


def test_what_is_only_read_is_left_out_of_bodies_where_responses_show_it() -> None:
    content = {"content": {"application/json": {"schema": TO_DOG}}}
    operation = {"requestBody": content, "responses": {"200": content}}
    document = parse_description(paths={"/a": {"post": operation}}, components={"schemas": {"Base": BASE, "Dog": DOG}})
    body, _, response = get_section(document, "POST /a").partition("**Responses**")
    assert "| `id` |" not in body
    assert "| `id` |" in response


@pytest.mark.parametrize("kind", ["body", "response"])
def test_bodies_are_repeated_up_to_a_limit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_REPEATED_CHARACTERS", 100)
    body = {"content": {"a/b": {"schema": {"$ref": "#/components/schemas/Pet"}}}}
    operation = {"requestBody": body} if kind == "body" else {"responses": {"200": body}}
    paths = {f"/{number}": {"post": operation} for number in range(50)}
    document = parse_description(paths=paths, components={"schemas": {"Pet": PET}})
    assert 0 < document.content.count("in short:") < 5


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}, "array of `Pet`"),
        ({"items": [{"$ref": "#/x/Cat"}, {"type": "null"}]}, "| array of `Cat` or null |"),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, "| array of string or integer |"),
        ({"type": "array", "items": [{"enum": ["a"]}, {"enum": ["b"]}]}, "Each: One of `a`. One of `b`."),
        ({"oneOf": [{"type": "string"}, {"$ref": "#/x/Dog"}]}, "string or `Dog`"),
        ({"allOf": [{"$ref": "#/x/Cat"}, {"type": "object"}]}, "`Cat` and object"),
        ({"anyOf": [{"type": "object"}, {"type": "string"}, {"type": "object"}]}, "| object or string |"),
        ({"type": "string", "format": "date-time"}, "string (date-time)"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "string", "nullable": True}, "string or null"),
        ({"allOf": [{"$ref": "#/x/Cat"}, {"nullable": True}]}, "| `Cat` or null |"),
        ({"allOf": [{"$ref": "#/x/Cat"}, {"nullable": True}], "nullable": True}, "| `Cat` or null |"),
        ({"allOf": [{"nullable": True}]}, "| null |"),
        ({"oneOf": [{"type": "null"}, {"$ref": "#/x/Cat"}]}, "| `Cat` or null |"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map of integer"),
        ({"$ref": "other.yaml#/Pet"}, "`other.yaml#/Pet`"),
        ({"enum": ["a", True, None]}, "One of `a`, `true`, `null`"),
        ({"allOf": [{"$ref": "#/x/Cat"}], "nullable": True}, "`Cat` or null"),
        (
            {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "array of string | no | Each: One of `a`, `b`.",
        ),
        ({"type": "object", "additionalProperties": {"enum": ["a"]}}, "Each: One of `a`."),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "One of `a`, `b`."),
        (
            {"type": "array", "minItems": 1, "maxItems": 3, "uniqueItems": True},
            "minItems: `1`. maxItems: `3`. No value twice.",
        ),
        ({"exclusiveMinimum": 0, "multipleOf": 5}, "exclusiveMinimum: `0`. multipleOf: `5`."),
        ({"minimum": 0, "exclusiveMinimum": True}, "minimum: `0`. exclusiveMinimum: `true`."),
        ({"type": "array", "default": ["a"]}, 'default: `[ "a" ]`.'),
        ({"type": "string", "example": "Rex"}, "Example: `Rex`."),
        ({"type": "integer", "examples": [0, 7]}, "Example: `0`."),
        ({"type": "array", "items": {"example": "Rex"}}, "Example: `Rex`."),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}, "Other properties: integer."),
        ({"properties": {"a": {}}, "additionalProperties": {}}, "Other properties: any."),
        ({"properties": {"a": {}}, "additionalProperties": False}, "No other properties."),
        (
            {"oneOf": [{"$ref": "#/x/Cat"}], "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/x/Cat"}}},
            "`kind` says which: `cat` is `Cat`.",
        ),
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
    for expected in ("**One pet**", "`getPet`", "**Details**", "| `id` | path | integer | yes |", "(required: id)",
                     "`404` No such pet", "- `text/plain`: string", '"id": 3'):  # fmt: skip
        assert expected in text


def test_a_summary_that_is_the_description_is_said_once() -> None:
    document = parse_description(paths=make_get(summary="One pet ", description="One\npet"))
    (text,) = (section.text for section in document.sections if section.heading == "GET /pets/{id}")
    assert "**" not in text.partition("**Parameters**")[0]
    assert "One\npet" in text


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


def test_inline_objects_in_lists_and_maps_have_their_rows() -> None:
    inner = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    box = {"type": "object", "properties": {"list": {"items": inner}, "map": {"additionalProperties": inner}}}
    text = get_section(parse_description(components={"schemas": {"Box": box}}), "Box")
    assert "| `list[].a` | integer | yes |" in text
    assert "| `map.*.a` | integer | yes |" in text


def test_a_schema_for_each_place_of_a_list_is_an_alternative() -> None:
    person = {"type": "object", "properties": {"name": {"type": "string", "description": "In full"}}}
    robot = {"type": "object", "properties": {"serial": {"type": "integer"}}}
    crew = {"type": "array", "items": [person, robot]}
    text = get_section(parse_description(components={"schemas": {"Crew": crew}}), "Crew")
    assert "Type: array of object\n" in text
    assert "| `[].name` | string | no | In full. |" in text
    assert "| `[].serial` | integer | no |" in text


def test_a_parameter_says_what_it_may_hold_and_an_object_its_properties() -> None:
    parameters = [
        {"name": "by", "in": "query", "schema": {"type": "array", "items": {"enum": ["name", "age"]}}, "example": "age"},
        {"name": "made", "in": "query", "style": "deepObject", "deprecated": True,
         "schema": {"type": "object", "properties": {"after": {"type": "string"}}}},
        {"name": "where", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
    ]  # fmt: skip
    text = get_section(parse_description(paths=make_get(parameters=parameters)), "GET /pets/{id}")
    assert "| `by` | query | array of values | no | Each: One of `name`, `age`. Example: `age`. |" in text
    assert "| `made` | query | object | no | style: `deepObject`. Deprecated. |" in text
    assert "| `made.after` | query | string | no |" in text
    assert "| `where` | query | object |" in text


def test_a_body_and_a_response_say_what_they_hold() -> None:
    content = {"application/json": {"schema": {"type": "array", "minItems": 2, "items": {"enum": ["a"]}}}}
    headers = {
        "X-Left": {"description": "calls left", "schema": {"type": "integer"}},
        "X-Id": {"$ref": "#/components/headers/Id"},
    }
    operation = {
        "requestBody": {"description": "All of them.", "content": content},
        "responses": {"200": {"description": "ok", "headers": headers}},
    }
    components = {"headers": {"Id": {"schema": {"type": "string"}}}}
    text = get_section(parse_description(paths=make_get(**operation), components=components), "GET /pets/{id}")
    assert "**Request body**\n\nAll of them." in text
    assert "- `application/json`: array of values minItems: `2`. Each: One of `a`." in text
    assert "- header `X-Left` (integer): calls left.\n- header `X-Id` (string)" in text


def test_servers_stand_with_their_variables_where_they_count() -> None:
    variables = {"stage": {"default": "live", "enum": ["live", "test"], "description": "Which stage"}}
    paths = {
        "/a": {"description": "All of a.", "servers": [{"url": "https://a.example"}], "get": {"description": "One."}}
    }
    document = parse_description(servers=[{"url": "https://{stage}.example", "variables": variables}], paths=paths)
    expected = "- `https://{stage}.example`\n  - `stage`: Which stage. One of `live`, `test`. default: `live`."
    assert expected in get_section(document, "Pets")
    text = get_section(document, "GET /a")
    assert "One.\n\nAll of a." in text
    assert "- `https://a.example`" in text


@pytest.mark.parametrize(
    ("values", "urls"),
    [
        ({"basePath": "/v1"}, ["/v1"]),
        ({"host": "a.example", "basePath": "/v1"}, ["a.example/v1"]),
        ({"host": "a.example", "schemes": ["https", "http"]}, ["https://a.example", "http://a.example"]),
        ({"basePath": "/v1", "schemes": ["https"]}, ["/v1"]),
    ],
)
def test_a_swagger_description_says_where_it_is_called(values: dict[str, Any], urls: list[str]) -> None:
    document = parse(RawDocument("api.json", json.dumps({"swagger": "2.0", **values}).encode()))
    assert "Servers:\n\n" + "\n".join(f"- `{url}`" for url in urls) in document.content


def test_a_swagger_response_has_its_example_and_its_media_types() -> None:
    response = {"description": "ok", "examples": {"application/json": {"name": "Rex"}}}
    own = {"/a": {"get": {"responses": {"200": response}}}, "/b": {"get": {"produces": ["text/csv"]}}}
    description = {"swagger": "2.0", "produces": ["application/json"], "paths": own}
    document = parse(RawDocument("api.json", json.dumps(description).encode()))
    text = get_section(document, "GET /a")
    assert "Produces: `application/json`" in text
    assert '"name": "Rex"' in text
    assert "Produces: `text/csv`" in get_section(document, "GET /b")


@pytest.mark.parametrize(
    "scheme",
    [
        {
            "flows": {
                "authorizationCode": {"authorizationUrl": "/auth", "tokenUrl": "/token", "scopes": {"read": "Read all"}}
            }
        },
        {
            "flow": "authorizationCode",
            "authorizationUrl": "/auth",
            "tokenUrl": "/token",
            "scopes": {"read": "Read all"},
        },
    ],
)
def test_oauth_says_where_tokens_come_from_and_what_an_operation_needs(scheme: dict[str, Any]) -> None:
    key = "securityDefinitions" if "flow" in scheme else "components"
    schemes = {"oauth": {"type": "oauth2", **scheme}}
    document = parse_description(
        **{key: schemes if "flow" in scheme else {"securitySchemes": schemes}},
        security=[{"oauth": ["read", "write"], "key": []}, {}],
        paths={"/a": {"get": {}}, "/open": {"get": {"security": []}}, "/own": {"get": {"security": [{"key": []}]}}},
    )
    assert (
        "- `oauth`: oauth2\n  - authorizationCode: authorization `/auth`, token `/token`\n    - `read`: Read all"
        in get_section(document, "Authentication")
    )
    for path, needed in (("/a", "oauth (read, write) and key or none"), ("/open", "none"), ("/own", "key")):
        assert f"Security: `{needed}`" in get_section(document, f"GET {path}")


def test_callbacks_are_operations_below_theirs() -> None:
    item = {
        "post": {"summary": "A pet came", "requestBody": {"content": {"text/plain": {}}}, "callbacks": {"again": {}}}
    }
    callbacks = {"came": {"{$request.body#/url}": item}, "shared": {"$ref": "#/components/callbacks/Shared"}}
    components = {"callbacks": {"Shared": {"/there": {"$ref": "#/components/pathItems/There"}}},
                  "pathItems": {"There": {"put": {"summary": "Elsewhere"}}}}  # fmt: skip
    document = parse_description(paths=make_get(callbacks=callbacks), components=components)
    assert "**A pet came**" in get_section(document, "Callback came: POST {$request.body#/url}")
    assert "- `text/plain`" in get_section(document, "Callback came: POST {$request.body#/url}")
    assert "**Elsewhere**" in get_section(document, "Callback shared: PUT /there")


def test_callbacks_in_a_circle_end() -> None:
    item = {"post": {"callbacks": {"again": {"/x": {"$ref": "#/components/pathItems/There"}}}}}
    document = parse_description(paths={"/a": item}, components={"pathItems": {"There": item}})
    assert [section.heading for section in document.sections if "Callback" in section.heading] == [
        "Callback again: POST /x"
    ]


def test_code_samples_are_code_in_their_language() -> None:
    samples = [{"lang": "Shell", "source": "pets show 3"}, {"lang": "`x`\n# H", "source": "a"}, {"lang": "none"}]
    text = get_section(parse_description(paths=make_get(**{"x-codeSamples": samples})), "GET /pets/{id}")
    assert "```shell\npets show 3\n```\n\n```xh\na\n```" in text


def test_of_many_code_samples_it_is_said_how_many_are_left_out() -> None:
    samples = [{"lang": "sh", "source": f"pets {number}"} for number in range(13)]
    text = get_section(parse_description(paths=make_get(**{"x-codeSamples": samples})), "GET /pets/{id}")
    assert text.count("```sh") == 10
    assert "… 3 more code samples are left out." in text


def test_a_long_description_leaves_room_for_the_values() -> None:
    schema = {"type": "string", "description": "word " * 200, "enum": ["a", "b"]}
    parameters = [{"name": "x", "in": "query", "schema": schema}]
    assert "One of `a`, `b`." in parse_description(paths=make_get(parameters=parameters)).content


def test_headings_in_a_description_take_nothing_from_the_operation() -> None:
    description = "Gets it.\n\n## *Notes* on `a`\n\nSlowly.\n\n```\n# code\n```"
    responses = {"200": {"description": "The pet."}}
    document = parse_description(paths=make_get(description=description, responses=responses))
    text = get_section(document, "GET /pets/{id}")
    assert "**Notes on a**\n\nSlowly.\n\n```\n# code\n```" in text
    assert "The pet." in text
    assert "Notes" not in [section.heading for section in document.sections]


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


def test_what_a_schema_does_not_say_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    described = Mock(side_effect=details.describe_details)
    monkeypatch.setattr(details, "describe_details", described)
    schemas = {f"S{number}": {"type": "object", "properties": {"a": {"type": "string"}}} for number in range(10)}
    parse_description(components={"schemas": schemas})
    assert described.call_count <= 10 * 2 * 3


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [
        ("responses", "responses", {"headers": {f"h{number}": {"description": "a"} for number in range(100)}}),
        ("parameters", "parameters", {"name": "a", "in": "formData", "description": "b"}),
    ],
)
def test_what_is_referred_to_is_described_once(
    kind: str, place: str, value: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    described = Mock(side_effect=details.describe_row)
    monkeypatch.setattr(operations, "describe_row", described)
    reference = {"$ref": f"#/components/{kind}/x"}
    used: Any = [reference] if place == "parameters" else {"200": reference}
    paths = {f"/{number}": {"get": {place: used}} for number in range(50)}
    document = parse_description(paths=paths, components={kind: {"x": value}})
    assert described.call_count == len(value.get("headers", "x"))
    assert document.content.count("`h99`" if "headers" in value else "| `a` |") == 50
