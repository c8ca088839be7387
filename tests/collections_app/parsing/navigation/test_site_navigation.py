"""Groups of pages as site generators are told them: MkDocs, Mintlify, Docusaurus. Pages of this file are our own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing.navigation import is_navigation, parse_navigation
from tests.growth import assert_linear

MKDOCS = """
site_name: The sea
theme: {name: !ENV [THEME, plain]}
markdown_extensions:
  - emoji: {generator: !!python/name:os.system }
nav:
  - Home: index.md
  - boats.md
  - Rigging **one**:
      - rigging/index.md
      - Sails: rigging/sails.md
      - Knots:
          - Bowline: rigging/knots/bowline.md
      - Ropes: rigging/ropes.md
  - Elsewhere: https://sea.example/
  - Again:
      - Sails: rigging/sails.md
      - Boats: boats.md
"""

MINTLIFY = {
    "name": "The sea",
    "navigation": {
        "languages": [
            {
                "language": "en",
                "tabs": [
                    {
                        "tab": "Guides",
                        "groups": [
                            {
                                "group": "Rigging",
                                "root": "rigging/index",
                                "pages": [
                                    "rigging/sails",
                                    {"group": "Knots", "pages": ["rigging/bowline", "GET /knots"]},
                                    "/rigging/ropes.md",
                                ],
                            }
                        ],
                    },
                    {"tab": "News", "pages": ["news"]},
                    {"tab": "More", "menu": [{"item": "Ports", "groups": [{"group": "Ports", "pages": ["ports"]}]}]},
                ],
            },
            {"language": "de", "anchors": [{"anchor": "A", "groups": [{"group": "Segel", "pages": ["de/sails"]}]}]},
            {
                "language": "fr",
                "versions": [{"version": "2", "dropdowns": [{"groups": [{"group": "Voiles", "pages": ["fr/sails"]}]}]}],
            },
        ],
        "global": {"anchors": [{"anchor": "Forum", "href": "https://sea.example"}]},
    },
}


def read(path: str, content: Any) -> dict[str, str]:
    return parse_navigation(path, content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("mkdocs.yml", True),
        ("site/mkdocs.yaml", True),
        ("properdocs.yml", True),
        ("docs.json", True),
        ("docs/mint.json", True),
        ("docs/rigging/_category_.json", True),
        ("docs/rigging/_category_.yml", True),
        ("docs/my_mkdocs.yml", False),
        ("mkdocs.yml/a.md", False),
        ("sidebars.js", False),
    ],
)
def test_these_files_are_told_by_their_names(path: str, expected: bool) -> None:
    assert is_navigation(path) is expected


def test_mkdocs_gives_each_page_the_nearest_list_with_a_name() -> None:
    assert read("site/mkdocs.yml", MKDOCS) == {
        "site/docs/rigging/index.md": "Rigging one",
        "site/docs/rigging/sails.md": "Rigging one",
        "site/docs/rigging/knots/bowline.md": "Knots",
        "site/docs/rigging/ropes.md": "Rigging one",
        "site/docs/boats.md": "Again",
    }


def test_pages_of_mkdocs_are_in_the_folder_that_it_tells() -> None:
    assert read("mkdocs.yml", "docs_dir: pages\nnav: [{Sails: [set.md]}]") == {"pages/set.md": "Sails"}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ("[rig-ging/index.md, a.md]", "Rig ging"),
        ("[sails.md, a.md]", "Sails"),
        ("[{Sails: sails.md}, a.md]", "Sea"),
        ("[[], a.md]", "Sea"),
    ],
)
def test_a_list_without_a_name_is_called_by_its_first_page_or_as_the_one_above(pages: str, expected: str) -> None:
    assert read("mkdocs.yml", f"nav: [{{Sea: [{{'': {pages}}}]}}]")["docs/a.md"] == expected
    assert read("mkdocs.yml", "nav: [{'': []}]") == {}


def test_mintlify_gives_each_page_the_nearest_group_whatever_that_stands_in() -> None:
    expected = {
        "rigging/index": "Rigging",
        "rigging/sails": "Rigging",
        "rigging/bowline": "Knots",
        "GET /knots": "Knots",
        "rigging/ropes": "Rigging",
        "ports": "Ports",
        "de/sails": "Segel",
        "fr/sails": "Voiles",
    }
    both = {f"docs/{page}{ending}": group for page, group in expected.items() for ending in (".mdx", ".md")}
    assert read("docs/docs.json", MINTLIFY) == both


def test_the_older_form_of_mintlify_is_a_list_of_groups() -> None:
    older = {"navigation": [{"group": "Rigging", "pages": ["sails", {"group": "Knots", "pages": ["bowline"]}]}]}
    found = read("mint.json", older)
    assert (found["sails.mdx"], found["bowline.mdx"]) == ("Rigging", "Knots")


@pytest.mark.parametrize(
    ("name", "text"),
    [("_category_.json", '{"label": "Rigging *one*", "position": 2}'), ("_category_.yml", "label: Rigging *one*\n")],
)
def test_docusaurus_names_folders(name: str, text: str) -> None:
    assert read(f"docs/rigging/{name}", text) == {"docs/rigging/": "Rigging one"}
    assert read(name, text) == {}  # of all


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mkdocs.yml", "nav: ["),
        ("mkdocs.yml", "nav: Sails"),
        ("mkdocs.yml", "nav: [{[a]: sails.md}]"),
        ("mkdocs.yml", "nav: &a [{Sails: *a}]"),
        ("mkdocs.yml", "a: &a [sails.md]\nnav: [{Sails: *a}]"),
        ("mkdocs.yml", "nav: [" + "{a: [" * 5_000),
        ("mkdocs.yml", "nav: [{Sails: [sails.md]}]\n#" + " " * 300_000),
        ("docs.json", "{"),
        ("docs.json", "[]"),
        ("docs.json", '{"navigation": "a"}'),
        ("docs.json", '{"navigation": [{"group": 1, "pages": ["a"]}, {"group": "", "pages": [null, 2]}]}'),
        ("docs.json", '{"navigation":' + "[" * 100_000),
        ("docs.json", '{"navigation":' + '{"group":"a","pages":[' * 200 + '"a"' + "]}" * 200 + "}"),
        ("docs.json", '{"navigation": ' + "9" * 10_000 + "}"),
        ("a/_category_.json", '{"label": ["a"]}'),
        ("a/_category_.json", '{"label": ""}'),
        ("a/_category_.yml", "label: [a]"),
        ("a/_category_.yml", "label: {a: b}"),
        ("a/_category_.yml", "- a"),
    ],
)
def test_what_is_broken_or_made_to_be_slow_gives_no_groups(path: str, text: str) -> None:
    assert read(path, text) == {}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mkdocs.yml", 'nav: [{"Sa\\0ils": [a.md]}]'),
        ("docs.json", '{"navigation": [{"group": "Sa\\u0000ils", "pages": ["a"]}]}'),
        ("a/_category_.json", '{"label": "Sa\\u0000ils"}'),
        ("a/_category_.yml", 'label: "Sa\\0ils"'),
    ],
)
def test_no_group_has_a_character_that_cannot_be_kept(path: str, text: str) -> None:
    assert set(read(path, text).values()) == {"Sails"}


def test_half_a_character_is_replaced() -> None:
    assert read("a/_category_.json", '{"label": "Sails\\ud800"}') == {"a/": "Sails?"}


def read_site(files: dict[str, Any], path: str) -> dict[str, str]:
    """The groups that the file at `path` gives, with the others at hand."""
    texts = {name: each if isinstance(each, str) else json.dumps(each) for name, each in files.items()}
    return parse_navigation(path, texts[path], lambda name: texts[name].encode() if name in texts else None)


def list_pages(groups: dict[str, str]) -> dict[str, str]:
    return {page.removesuffix(".mdx"): group for page, group in groups.items() if page.endswith(".mdx")}


def test_parts_of_the_navigation_of_mintlify_stand_in_other_files_beside_the_one_that_names_them() -> None:
    files = {
        "site/docs.json": {"navigation": {"$ref": "./nav/all.json"}},
        "site/nav/all.json": {
            "tabs": [{"tab": "Guides", "groups": {"$ref": "guides/groups.json"}}, {"$ref": "de.json"}]
        },
        "site/nav/guides/groups.json": [{"group": "Rigging", "pages": ["sails", {"$ref": "../knots.json"}]}],
        "site/nav/knots.json": {"group": "Knots", "pages": ["bowline"]},
        "site/nav/de.json": {"language": "de", "groups": [{"group": "Segel", "pages": ["de/sails"]}]},
    }
    assert list_pages(read_site(files, "site/docs.json")) == {
        "site/sails": "Rigging",
        "site/bowline": "Knots",
        "site/de/sails": "Segel",
    }


def test_what_stands_beside_the_name_of_a_file_comes_first() -> None:
    files = {
        "docs.json": {"navigation": [{"$ref": "a.json", "group": "Here"}, {"$ref": "b.json", "pages": ["y"]}]},
        "a.json": {"group": "There", "pages": ["x"]},
        "b.json": {"group": "Others", "pages": ["z"]},
    }
    assert list_pages(read_site(files, "docs.json")) == {"x": "Here", "y": "Others"}


@pytest.mark.parametrize(
    "name",
    ["../a.json", "/a.json", "x/../../a.json", "https://sea.example/a.json", ".hidden/a.json", "a.yml", "a\0.json", "", "..\\a.json"],
)  # fmt: skip
def test_no_name_leads_out_of_the_source_or_to_what_is_hidden(name: str) -> None:
    asked = list[str]()

    def find(path: str) -> bytes:
        asked.append(path)
        return b'{"group": "Out", "pages": ["x"]}'

    text = json.dumps({"navigation": [{"$ref": name}]})
    assert (parse_navigation("docs.json", text, find), asked) == ({}, [])
    text = f"INHERIT: {json.dumps(name)}\nnav:\n- Out: {json.dumps('!include ' + name)}\n"
    asked.clear()
    parse_navigation("mkdocs.yml", text, find)
    assert set(asked) == ({"a.yml"} if name == "a.yml" else set())


def test_files_that_name_each_other_or_nothing_end() -> None:
    files = {
        "docs.json": {"navigation": [{"group": "G", "pages": [{"$ref": "a.json"}, {"$ref": "none.json"}, "x"]}]},
        "a.json": [{"$ref": "a.json"}, {"$ref": "a.json"}, {"$ref": "b.json"}, "y"],
        "b.json": "{",
    }
    assert list_pages(read_site(files, "docs.json")) == {"y": "G", "x": "G"}
    files = {"mkdocs.yml": "INHERIT: mkdocs.yml\nnav: [{G: [a.md]}, {S: '!include mkdocs.yml'}]"}
    assert read_site(files, "mkdocs.yml")["docs/a.md"] == "G"


def test_mkdocs_inherits_a_navigation_whose_pages_are_its_own() -> None:
    files = {
        "de/mkdocs.yml": "INHERIT: ../en/mkdocs.yml\nsite_name: See\n",
        "en/mkdocs.yml": "INHERIT: ../base.yml\nnav: [{Rigging: [sails.md]}]\n",
        "base.yml": "docs_dir: pages\nnav: [{Other: [sails.md, ropes.md]}]\n",
    }
    assert read_site(files, "de/mkdocs.yml") == {"de/pages/sails.md": "Rigging"}


def test_pages_of_a_site_within_another_have_their_own_groups_else_its_name() -> None:
    files = {
        "mkdocs.yml": "nav:\n- Start: [index.md]\n- Boats: '!include ./boats/mkdocs.yml'\n- Ports: [{All: '!include none.yml'}]\n",
        "boats/mkdocs.yml": "docs_dir: pages\nnav: [index.md, {Rigging: [sails.md]}, {More: '!include x.yml'}]\n",
    }
    assert read_site(files, "mkdocs.yml") == {
        "docs/index.md": "Start",
        "boats/pages/index.md": "Boats",
        "boats/pages/sails.md": "Rigging",
    }


def test_of_a_variable_of_the_environment_the_default_counts() -> None:
    text = "docs_dir: !ENV [FOLDER, pages]\nnav: [{Rigging: [!ENV [PAGE, sails.md], !ENV PAGE]}, {Ropes: !ENV [PAGES, [a.md]]}]"
    assert read("mkdocs.yml", text) == {"pages/sails.md": "Rigging", "pages/a.md": "Ropes"}
    assert read("mkdocs.yml", "docs_dir: !ENV FOLDER\nnav: [{Rigging: [sails.md]}]") == {"docs/sails.md": "Rigging"}


KEYS = st.sampled_from(["group", "pages", "groups", "tabs", "root", "$ref"])


@given(st.recursive(st.none() | st.text() | st.integers(), lambda each: st.lists(each) | st.dictionaries(KEYS, each)))
def test_it_reads_any_navigation_of_mintlify(navigation: Any) -> None:
    text = json.dumps({"navigation": navigation})
    groups = parse_navigation("docs.json", text, lambda path: b'{"group": "a", "pages": ["b"]}')
    assert all(page and group for page, group in groups.items())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("mkdocs.yml", "nav:\n" + "".join(f"- G{n}: [a{n}.md]\n" for n in range(9_000))),
        ("mkdocs.yml", "nav:\n" + "- [[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]\n" * 5_000),
        ("docs.json", '{"navigation":' + '{"group":"a","pages":[' * 18 + '"x",' * 50_000 + '"x"' + "]}" * 18 + "}"),
    ],
)
def test_it_takes_linear_time(path: str, text: str) -> None:
    assert_linear(lambda given: parse_navigation(path, given), text)
