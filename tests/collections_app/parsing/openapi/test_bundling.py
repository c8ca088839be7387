"""API descriptions spread over several files: what is inserted and where, and what stays a reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collections_app.parsing import RawDocument, includes, parse
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.openapi import bundling
from collections_app.sources.directory import DirectoryReading

ROOT = "api/openapi.yaml"
HEAD = 'openapi: "3.0.3"\ninfo:\n  title: Harbour\n  version: "1"\n'
GET = "summary: List boats\ndescription: Of the whole harbour.\nresponses:\n  '200':\n    description: They are here.\n"


def resolve(text: str, files: dict[str, str]) -> RawDocument:
    encoded = {path: content.encode() for path, content in files.items()}
    return IncludeResolver(encoded.get).resolve(RawDocument(ROOT, text.encode()))


def read(text: str, files: dict[str, str]) -> dict[str, str]:
    """The texts of the sections by heading."""
    return {section.heading: section.text for section in parse(resolve(text, files)).sections}


def get_bundled(text: str, files: dict[str, str]) -> dict[str, Any]:
    bundled: dict[str, Any] = json.loads(resolve(text, files).content)
    return bundled


def test_an_operation_of_another_file_stands_where_it_is_asked_for() -> None:
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: 'resources/boats/list.yml'\n"
    section = read(text, {"api/resources/boats/list.yml": GET})["GET /boats"]
    assert "**List boats**" in section
    assert "They are here." in section


def test_a_place_of_another_file_has_its_operations_and_a_text_is_a_text() -> None:
    text = f"{HEAD}  description:\n    $ref: intro.md\npaths:\n  /boats:\n    $ref: './paths.yaml#/~1boats'\n"
    files = {
        "api/paths.yaml": f"/boats:\n  get:\n    {GET.replace(chr(10), chr(10) + '    ')}\n",
        "api/intro.md": "All of it.\n",
    }
    sections = read(text, files)
    assert "**List boats**" in sections["GET /boats"]
    assert "All of it." in sections["Harbour"]


def test_schemas_responses_and_parameters_are_named_and_described_once() -> None:
    operation = (
        "parameters:\n  - $ref: ../parts.yaml#/parameters/Limit\nresponses:\n  '200':\n    description: ok\n    content:\n"
        "      application/json:\n        schema:\n          $ref: ../models/boat.yaml\n  '404':\n    $ref: ../parts.yaml#/responses/Gone\n"
    )
    files = {
        "api/paths/boats.yaml": operation,
        "api/parts.yaml": "parameters:\n  Limit:\n    name: limit\n    in: query\n    schema: {type: integer}\n"
        "responses:\n  Gone:\n    description: It has left.\n",
        "api/models/boat.yaml": "type: object\nproperties:\n  name: {type: string}\n  berth:\n    $ref: berth.yaml\n",
        "api/models/berth.yaml": "type: object\nproperties:\n  number: {type: integer}\n  boat:\n    $ref: boat.yaml\n",
    }  # fmt: skip
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: paths/boats.yaml\n    post:\n      $ref: paths/boats.yaml\n"
    components = get_bundled(text, files)["components"]
    assert {kind: list(each) for kind, each in components.items()} == {
        "parameters": ["Limit"], "schemas": ["boat", "berth"], "responses": ["Gone"]
    }  # fmt: skip
    sections = read(text, files)
    assert "[`boat`](#harbour/schemas/boat)" in sections["GET /boats"]
    assert "`limit`" in sections["POST /boats"]
    assert "It has left." in sections["POST /boats"]
    assert "[`boat`](#harbour/schemas/boat)" in sections["berth"]


def test_names_of_the_description_stay_its_own() -> None:
    text = (
        f"{HEAD}paths: {{}}\ncomponents:\n  schemas:\n    Boat: {{type: string}}\n    Fleet:\n      type: array\n      items:\n"
        "        $ref: models/Boat.yaml\n    Other:\n      $ref: models/Other.yaml\n"
    )
    files = {
        "api/models/Boat.yaml": "type: object\ntitle: Theirs\n",
        "api/models/Other.yaml": "$ref: ../openapi.yaml#/components/schemas/Boat\n",
    }
    schemas = get_bundled(text, files)["components"]["schemas"]
    assert schemas["Boat"] == {"type": "string"}
    assert schemas["Fleet"]["items"] == {"$ref": "#/components/schemas/Boat-2"}
    assert schemas["Boat-2"] == {"type": "object", "title": "Theirs"}
    assert schemas["Other"] == {"$ref": "#/components/schemas/Boat"}
    assert list(schemas) == ["Boat", "Fleet", "Other", "Boat-2"]


def test_a_component_that_is_a_file_is_the_one_that_others_mean() -> None:
    text = (
        f"{HEAD}components:\n  schemas:\n    Ship:\n      $ref: models/boat.yaml\n    Kind:\n      type: string\n"
        "paths:\n  /boats:\n    post:\n      requestBody: {content: {a/b: {schema: {$ref: models/boat.yaml}}}}\n"
    )
    bundled = get_bundled(text, {"api/models/boat.yaml": "type: object\n"})
    assert list(bundled["components"]["schemas"].items()) == [
        ("Ship", {"type": "object"}),
        ("Kind", {"type": "string"}),
    ]
    schema = bundled["paths"]["/boats"]["post"]["requestBody"]["content"]["a/b"]["schema"]
    assert schema == {"$ref": "#/components/schemas/Ship"}


def test_names_differ_within_their_kind() -> None:
    responses = "{'200': {$ref: 'r.yaml#/Error'}, '400': {$ref: 'q.yaml#/Error'}}"
    text = f"{HEAD}paths:\n  /a:\n    get:\n      responses: {responses}\n"
    files = {
        "api/r.yaml": "Error:\n  content: {a/b: {schema: {$ref: 's.yaml#/Error'}}}\n",
        "api/q.yaml": "Error:\n  description: Gone.\n",
        "api/s.yaml": "Error: {type: object}\n",
    }
    components = get_bundled(text, files)["components"]
    assert {kind: list(each) for kind, each in components.items()} == {
        "responses": ["Error", "Error-2"],
        "schemas": ["Error"],
    }


def test_what_stands_beside_a_reference_stays() -> None:
    text = (
        f"{HEAD}paths:\n  /boats:\n    $ref: p.yaml\n    post: {{summary: Own words}}\n    parameters:\n      - $ref: q.yaml\n"
        "        description: Here\n"
    )
    bundled = get_bundled(
        text, {"api/p.yaml": f"get:\n  {GET.replace(chr(10), chr(10) + '  ')}\n", "api/q.yaml": "name: limit\n"}
    )
    place = bundled["paths"]["/boats"]
    assert place["get"]["summary"] == "List boats"
    assert place["post"] == {"summary": "Own words"}
    assert place["parameters"] == [{"$ref": "#/components/parameters/q", "description": "Here"}]


@pytest.mark.parametrize(
    ("pointer", "content"),
    [
        ("~1boats~1%7Bid%7D", "/boats/{id}: {summary: Found}\n"),
        ("list/1", "list: [{}, {summary: Found}]\n"),
        ("by/200", "by:\n  200: {summary: Found}\n"),
        ("a~01b", "a~1b: {summary: Found}\n"),
    ],
)
def test_pointers_lead_to_keys_as_they_are_written_and_to_items(pointer: str, content: str) -> None:
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: p.yaml#/{pointer}\n"
    assert get_bundled(text, {"api/p.yaml": content})["paths"]["/boats"]["get"] == {"summary": "Found"}


def test_what_a_schema_may_be_by_its_discriminator_is_a_component() -> None:
    text = (
        f"{HEAD}paths: {{}}\ncomponents:\n  schemas:\n    Vessel:\n      oneOf: [{{$ref: boat.yaml}}]\n      discriminator:\n"
        "        propertyName: kind\n        mapping: {boat: boat.yaml, other: '#/components/schemas/Vessel'}\n"
    )
    vessel = get_bundled(text, {"api/boat.yaml": "type: object\n"})["components"]["schemas"]["Vessel"]
    assert vessel["discriminator"]["mapping"] == {
        "boat": "#/components/schemas/boat",
        "other": "#/components/schemas/Vessel",
    }


@pytest.mark.parametrize("kind", ["text.md", "list.yaml#/all", "absent.yaml"])
def test_what_is_no_schema_stays_in_the_mapping_of_a_discriminator(kind: str) -> None:
    text = (
        f"{HEAD}paths: {{/a: {{get: {{$ref: get.yaml}}}}}}\ncomponents:\n  schemas:\n    Vessel:\n      discriminator:\n"
        f"        propertyName: kind\n        mapping: {{boat: {kind}}}\n"
    )
    files = {"api/get.yaml": GET, "api/text.md": "A boat.\n", "api/list.yaml": "all:\n- boat\n"}
    bundled = get_bundled(text, files)
    assert bundled["components"]["schemas"]["Vessel"]["discriminator"]["mapping"] == {"boat": kind}


@pytest.mark.parametrize(
    "odd", ["x: !!binary aGVsbG8=", "x: !!set {a, b}", "x: !!timestamp 2026-01-01", "!!binary aGk=: 1", "1: 2", f"x: !!int 0x{'f' * 5000}",
    "x: .inf"]
)  # fmt: skip
def test_values_that_json_has_not_are_no_harm(odd: str) -> None:
    text = f"{HEAD}x-odd:\n  {odd}\npaths:\n  /boats:\n    get:\n      $ref: p.yaml\n"
    assert "**List boats**" in read(text, {"api/p.yaml": f"{GET}x-odd:\n  {odd}\n"})["GET /boats"]


@pytest.mark.parametrize("reference", ["%00p.yaml", "a\\uD800p.yaml"])
def test_names_that_no_file_has_are_asked_of_a_directory(reference: str, tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(f'{{"openapi": "3.0.3", "paths": {{"/a": {{"$ref": "{reference}"}}}}}}')
    (tmp_path / "other.md").write_text("# Other\n")
    with DirectoryReading(tmp_path) as reading:
        assert [type(each) for each in reading] == [RawDocument, RawDocument]


def test_of_another_file_its_own_places_are_meant() -> None:
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: all.yaml#/list\n"
    files = {"api/all.yaml": "list:\n  requestBody:\n    $ref: '#/body'\nbody:\n  description: A boat.\n"}
    assert "A boat." in read(text, files)["GET /boats"]


def test_swagger_has_its_own_places() -> None:
    text = (
        "swagger: '2.0'\ninfo: {title: Old, version: '1'}\npaths:\n  /boats:\n    get:\n      responses:\n        '200':\n"
        "          $ref: parts.yaml#/ok\n"
    )
    files = {
        "api/parts.yaml": "ok:\n  description: Here.\n  schema:\n    $ref: boat.yaml\n",
        "api/boat.yaml": "type: object\n",
    }
    bundled = get_bundled(text, files)
    assert bundled["definitions"] == {"boat": {"type": "object"}}
    assert bundled["responses"]["ok"]["schema"] == {"$ref": "#/definitions/boat"}
    assert "components" not in bundled


@pytest.mark.parametrize(
    "reference",
    [
        "missing.yaml", "../../outside.yaml", "/etc/passwd.yaml", ".hidden/a.yaml", "../.git/config.yaml", "https://example.org/a.yaml",
        "list.py", "broken.yaml", "list.yaml#/nothing", "text.yaml",
    ],
)  # fmt: skip
def test_what_cannot_be_read_stays_a_reference_and_is_told(reference: str) -> None:
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: '{reference}'\n"
    asked = list[str]()
    files = {
        "api/list.yaml": GET,
        "api/list.py": GET,
        "api/broken.yaml": "a: [",
        "api/text.yaml": "a\n",
        "api/.hidden/a.yaml": GET,
    }

    def find(path: str) -> bytes | None:
        asked.append(path)
        return files[path].encode() if path in files else None

    whole = IncludeResolver(find).resolve(RawDocument(ROOT, text.encode()))
    assert whole.content == text.encode()
    assert not any(path.startswith(("/", "..")) or "/." in path for path in asked)
    parsed = parse(whole)
    [warning] = parsed.warnings
    assert f"`{reference}`" in warning
    assert f"Described in another place: `{reference}`." in parsed.content


def test_files_that_refer_to_each_other_where_they_stand_end() -> None:
    text = f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: a.yaml\n"
    files = {"api/a.yaml": "x-more:\n  $ref: b.yaml\n", "api/b.yaml": "x-more:\n  $ref: a.yaml\n"}
    get = get_bundled(text, files)["paths"]["/boats"]["get"]
    assert get == {"x-more": {"x-more": {"$ref": "a.yaml"}}}


TOO_LARGE = {
    "what doubles with each file": ({f"api/{n}.yaml": f"a:\n  $ref: {n + 1}.yaml\nb:\n  $ref: {n + 1}.yaml\n" for n in range(40)}, 1),
    "keys": ({"api/0.yaml": f"{'k' * 2000}: 1\n"}, 100),
    "what stands beside references": ({"api/0.yaml": f"a:\n  $ref: nothing.yaml\n  b: {'k' * 2000}\n"}, 100),
    "components": (
        {"api/0.yaml": "".join(f"p{n}:\n  schema:\n    $ref: 'c.yaml{'#' + '/a' * n}'\n" for n in range(30)),
         "api/c.yaml": "".join(f"{' ' * n}a:\n" for n in range(40)) + f"{' ' * 40}{'k' * 9000}\n"}, 1
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TOO_LARGE)
def test_a_description_that_would_become_too_large_stays_as_it_is(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "MAX_CHARACTERS", 100_000)
    files, places = TOO_LARGE[what]
    text = f"{HEAD}paths:\n" + "".join(f"  /{n}:\n    get:\n      $ref: 0.yaml\n" for n in range(places))
    whole = resolve(text, files)
    assert whole.content == text.encode()
    assert parse(whole).warnings


def test_what_is_put_together_can_be_written() -> None:
    """The Markdown of an expanded description is bounded too."""
    text = f"{HEAD}paths:\n" + "".join(f"  /{n}:\n    get:\n      $ref: p.yaml\n" for n in range(400))
    whole = resolve(text, {"api/p.yaml": f"summary: Long\ndescription: {'word ' * 15_000}\n"})
    assert parse(whole).warnings


def test_files_that_many_descriptions_share_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(includes, "MAX_SOURCE_BYTES", 400_000)
    files = {"parts.yaml": f"get:\n  summary: {'x' * 300_000}\n".encode()}
    resolver = IncludeResolver(files.get)
    text = f"{HEAD}paths:\n  /a:\n    $ref: parts.yaml\n".encode()
    for number in range(5):
        assert resolver.resolve(RawDocument(f"openapi-{number}.yaml", text)).content != text


def test_a_chain_of_files_is_followed_so_far() -> None:
    files = {f"api/{n}.yaml": f"properties:\n  next:\n    $ref: {n + 1}.yaml\n" for n in range(100)}
    text = f"{HEAD}paths: {{}}\ncomponents:\n  schemas:\n    Boat:\n      $ref: 0.yaml\n"
    asked = set[str]()

    def find(path: str) -> bytes | None:
        asked.add(path)
        return files[path].encode() if path in files else None

    whole = IncludeResolver(find).resolve(RawDocument(ROOT, text.encode()))
    assert asked & set(files) == {f"api/{n}.yaml" for n in range(bundling.MAX_DEPTH)}
    assert f"`{bundling.MAX_DEPTH}.yaml`" in parse(whole).warnings[0]


def test_it_reads_no_more_files_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "MAX_FILES", 3)
    places = "".join(f"  /{n}:\n    get:\n      $ref: {n}.yaml\n" for n in range(9))
    bundled = get_bundled(f"{HEAD}paths:\n{places}", {f"api/{n}.yaml": GET for n in range(9)})
    assert ["$ref" in each["get"] for each in bundled["paths"].values()] == [False] * 3 + [True] * 6


def test_it_reads_no_larger_file_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "MAX_BYTES", 2 * len(GET))
    places = "".join(f"  /{n}:\n    get:\n      $ref: {n}.yaml\n" for n in range(3))
    files = {"api/0.yaml": GET, "api/1.yaml": GET + GET.replace("summary", "x-more"), "api/2.yaml": GET}
    bundled = get_bundled(f"{HEAD}paths:\n{places}", files)
    assert ["$ref" in each["get"] for each in bundled["paths"].values()] == [False, True, False]


def test_escaped_names_lead_to_the_files_that_are_called_so() -> None:
    text = f"{HEAD}paths:\n  /a:\n    get:\n      $ref: 'list%20boats.yaml#/all%7E1of%20them'\n"
    section = read(text, {"api/list boats.yaml": f"all/of them:\n  {GET.replace(chr(10), chr(10) + '  ')}\n"})["GET /a"]
    assert "They are here." in section


def test_files_that_nest_too_deep_leave_the_description_as_it_is() -> None:
    """Files that do not become components are inserted in each other, though each could be read by itself."""
    depth = 90
    nested = "{a: " * depth + "{$ref: NEXT.yaml}" + "}" * depth
    files = {f"api/{n}.yaml": nested.replace("NEXT", str(n + 1)) for n in range(30)}
    text = f"{HEAD}paths:\n  /a:\n    x-nested:\n      $ref: 0.yaml\n"
    assert resolve(text, files).content == text.encode()
    assert read(text, files)


def test_a_description_of_one_file_stays_as_it_is_written() -> None:
    text = f"{HEAD}paths: {{}}\ncomponents:\n  schemas:\n    Boat:\n      $ref: '#/components/schemas/Ship'\n"
    assert resolve(text, {}).content == text.encode()


@pytest.mark.parametrize("broken", ["components: []", "components: {schemas: [a]}", "components: null"])
def test_components_that_are_none_are_no_harm(broken: str) -> None:
    body = "requestBody: {content: {a/b: {schema: {$ref: boat.yaml}}}}"
    text = f"{HEAD}{broken}\npaths:\n  /boats:\n    post:\n      {body}\n"
    assert get_bundled(text, {"api/boat.yaml": "type: object\n"})["components"]["schemas"] == {
        "boat": {"type": "object"}
    }
