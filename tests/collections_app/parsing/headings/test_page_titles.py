"""Titles that are not `#` headings are titles of the page, and make no sections."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.page_titles import find_main_heading
from tests.growth import assert_linear


def read_title(source: str) -> str:
    return parse(RawDocument("readme.md", source.encode())).title


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ('<h1 align="center">My <b>winch</b> &amp; rope</h1>\n\ntext', "My winch & rope"),
        ('<p align="center"><img src="a.png" alt="Logo"></p>\n\n<div>\n<h1>Winch</h1>\n</div>\n\ntext', "Winch"),
        ("Winch *design*\n====\n\ntext", "Winch design"),
        ("---\ncategory: a\n---\n\nWinch\n====\n\ntext", "Winch"),
        ("=====\nWinch\n=====\n\ntext", "Winch"),
        ("Winch\n====\n\n## Part\n\ntext", "Winch"),
        ("**Read this elsewhere.**\n\nWinch\n=====\n\ntext\n\nPart\n----\n\n### Rope\n", "Winch"),
        ("[![built](a.svg)](b)\n\n- old\n\nWinch\n=====\n\n```\n\nAxle\n====\n```\n", "Winch"),
    ],
)
def test_what_stands_at_the_top_as_a_title_is_one(source: str, title: str) -> None:
    assert read_title(source) == title


@pytest.mark.parametrize(
    "source",
    [
        "text\n\n<h1>Winch</h1>",
        "```\n<h1>Winch</h1>\n```",
        "<h1><img src='a.png' alt='Winch'></h1>\n\ntext",
        "<h1>{name}</h1>\n\ntext",
        "- item\n=\n",
        "two\nlines\n=====\n",
        "1. one\n=\n",
        "a | b\n=\n",
        "<h1 hidden>Winch</h1>\n\ntext",
        "<div style='display:none'>\n<h1>Winch</h1>\n</div>\n\ntext",
        "<!--\n<h1>Winch</h1>\n-->\n\ntext",
        "<pre>\n<h1>Winch</h1>\n</pre>\n\ntext",
        "text\n-----\n",
        "text\n\nWinch\n=====\n\ntext\n\nRope\n====\n",  # one of several
        "text\n\n## Part\n\nWinch\n=====\n",
        "text\n\ntwo\nlines\n=====\n",
        "text\n\n```\n\nWinch\n=====\n```\n",
        "text\n\n- item\n\n  Winch\n  =====\n",
    ],
)
def test_elsewhere_it_is_text(source: str) -> None:
    assert read_title(source) == "readme"


def test_a_heading_comes_first() -> None:
    assert read_title("<h1>Winch</h1>\n\n# Rope\n\ntext") == "Rope"
    assert read_title("---\ntitle: Axle\n---\nWinch\n====\n\n# Rope\n") == "Axle"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("Turns a winch.\n\n# Oil\n\ntext\n\n# Rope\n", "winch"),
        ("### For ships\n\n# Grand winch\n\n# Oil\n", "Grand winch"),
        ("# Install\n\ntext\n\n# Usage\n", "winch"),
        ("# 1.2.0 (2024-05-18)\n\n# 1.1.0\n", "winch"),
        ("# [Unreleased]\n\n# v1.1.0\n", "winch"),
        ("# Release 2024-05-18\n\n# Release 2024-05-01\n", "winch"),
        ("# oil (development version)\n\n# oil 1.2.1\n\n# oil 1.2.0\n", "winch"),
        ("oil 1.2.1\n=========\n\ntext\n\noil 1.2.0\n=========\n", "winch"),
        ("oil 1.2.1\n=========\n\ntext\n\nrope 1.2.0\n=========\n", "oil 1.2.1"),
        ("# oil 1.2.1 (2024-05-18)\n\n# oil 1.2.0\n", "winch"),
        ("# oil Unreleased\n\n# oil v1.2.0\n", "winch"),
        ("# oil\n\n# oil 1.2.1\n\n# oil 1.2.0\n", "oil"),
        ("# oil 1.2.1\n\n# rope 1.2.0\n", "oil 1.2.1"),
        ("Grand winch\n===\n\ntext\n\n# Oil\n\n# Rope\n", "Grand winch"),
        ("# Grand winch\n\n# Oil\n", "Grand winch"),
        ("# Winch 1.2.0\n\n# Oil\n", "Winch 1.2.0"),
        ("# 1.2.0\n\n# Oil\n", "1.2.0"),
        ("# Usage notes\n\n# Oil\n", "Usage notes"),
        ("[![built](a.svg)](b) [Site](c) | [![][d]][e]\n\n[d]: d.svg\n\n> **Note:** read on\n\n# Grand winch\n\n# Oil\n", "Grand winch"),
        ("!!! tip\n\n    Read on.\n\n# Grand winch\n\n# Oil\n", "Grand winch"),
        ("Turns a winch.\n\n# Grand winch\n", "Grand winch"),
        ("Turns a winch.\n\n# Grand winch\n\n## Oil\n", "Grand winch"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["sea/winch.md", "winch/README.md"])
def test_the_first_of_several_sections_is_no_title(source: str, title: str, path: str) -> None:
    assert parse(RawDocument(path, source.encode())).title == title


@pytest.mark.parametrize(
    ("path", "title"),
    [("README.md", "Usage"), ("index.de.md", "Usage"), ("usage.md", "Usage"), ("usage/index.md", "Usage")],
)
def test_the_first_section_names_a_page_that_its_path_names_no_better(path: str, title: str) -> None:
    assert parse(RawDocument(path, b"# Usage\n\ntext\n\n# Oil\n")).title == title


@pytest.mark.parametrize("before", ["[", "![", "[![a]", "](", "[a](b", "> "])
def test_what_stands_before_titles_is_read_in_time(before: str) -> None:
    lines = [before * 20_000, "# Oil", "# Rope"]
    headings = list(iter_headings(lines))
    assert_linear(lambda text: find_main_heading([text, *lines[1:]], headings), lines[0])


def test_it_makes_no_section_of_its_own() -> None:
    document = parse(RawDocument("a.md", b"Winch\n=====\n\ntext\n\n## Part\n\nmore\n"))
    assert [section.section_id for section in document.sections] == ["winch", "part"]
    assert document.content.startswith("Winch\n=====")


def test_the_heading_that_all_others_stand_below_is_the_title_whatever_its_level() -> None:
    assert read_title("## Winch\n\ntext\n\n### Rope\n\n#### Knots\n") == "Winch"
    assert read_title("\n### The `Winch`\n\ntext\n") == "The Winch"


@pytest.mark.parametrize(
    "source", ["## Winch\n\ntext\n\n## Rope\n", "text\n\n## Winch\n", "### Winch\n\n## Rope\n", "##\n\ntext\n"]
)
def test_one_of_several_headings_is_no_title(source: str) -> None:
    assert read_title(source) == "readme"
