"""Links that name the version of a site as Laravel's documentation writes it lead to the files of their source."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.wikilinks import FileNames
from tests.growth import assert_linear

FILES = ("docs/sails.md", "docs/rig/knots.md", "docs/page.md")


def resolve(text: str, path: str = "docs/page.md", *files: str) -> str:
    raw = RawDocument(path, text.encode())
    return IncludeResolver(lambda path: None, FileNames(lambda: files or FILES)).resolve(raw).content.decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set [sails](/docs/{{version}}/sails).\n", "Set [sails](sails.md).\n"),
        ("[knots](/docs/{{ version }}/rig/knots#bowline)\n", "[knots](rig/knots.md#bowline)\n"),
        ("[sails](https://laravel.com/docs/{{version}}/sails#a-b)\n", "[sails](sails.md#a-b)\n"),
        ("[sails]: /docs/{{version}}/sails\n", "[sails]: sails.md\n"),
    ],
)
def test_they_lead_to_files(text: str, expected: str) -> None:
    assert resolve(text) == expected


def test_they_lead_there_from_another_folder() -> None:
    assert resolve("[sails](/docs/{{version}}/sails)\n", "docs/rig/knots.md") == "[sails](../sails.md)\n"


@pytest.mark.parametrize(
    "text",
    [
        "[oars](/docs/{{version}}/oars)\n",
        "[sails](https://api.laravel.com/docs/{{version}}/sails)\n",
        "[sails](https://sea.example/docs/{{version}}/sails)\n",
        "[sails](/docs/{{version}}/sails.zip?x)\n",
        "`[sails](/docs/{{version}}/sails)`\n",
        "    [sails](/docs/{{version}}/sails)\n",
        "Write /docs/{{version}}/sails yourself.\n",
    ],
)
def test_others_stay_as_they_are_written(text: str) -> None:
    assert resolve(text) == text


def test_a_version_that_the_site_says_comes_first() -> None:
    raw = RawDocument("page.md", b"[sails](/docs/{{version}}/sails)\n")
    read = {"docs.json": b'{"variables": {"version": "2.1"}}'}.get
    resolved = IncludeResolver(read, FileNames(lambda: ["sails.md"])).resolve(raw)
    assert resolved.content == b"[sails](/docs/2.1/sails)\n"


def test_many_links_take_no_longer_than_their_number() -> None:
    for part in ("[a](/docs/{{version}}/sails) ", "](/docs/{{version}}/a.", "/docs/{{version}}/"):
        assert_linear(resolve, part * 4000)
