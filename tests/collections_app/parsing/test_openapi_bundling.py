"""API descriptions that are spread over files: what is put in and where, and what stays a reference."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.openapi import bundling

ROOT = "api/openapi.yaml"
HEAD = 'openapi: "3.0.3"\ninfo:\n  title: Harbour\n  version: "1"\n'
GET = "summary: List boats\ndescription: Of the whole harbour.\nresponses:\n  '200':\n    description: They are here.\n"


def resolve(text: str, files: dict[str, str]) -> RawDocument:
    encoded = {path: content.encode() for path, content in files.items()}
    return IncludeResolver(encoded.get).resolve(RawDocument(ROOT, text.encode()))


def read(text: str, files: dict[str, str]) -> dict[str, str]:
    """The sections' texts by heading."""
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
    assert schemas["Other-2"] == {"$ref": "#/components/schemas/Boat"}


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


def test_what_doubles_with_each_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "MAX_CHARACTERS", 100_000)
    files = {f"api/{n}.yaml": f"a:\n  $ref: {n + 1}.yaml\nb:\n  $ref: {n + 1}.yaml\n" for n in range(40)}
    whole = resolve(f"{HEAD}paths:\n  /boats:\n    get:\n      $ref: 0.yaml\n", files)
    assert len(whole.content) < 1_000_000
    assert parse(whole).warnings


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
