"""Headings are without icons, logos and empty links beside their words."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.heading_decorations import drop_heading_decorations
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# ![Boat icon](a b/boat.svg) Boats", "# Boats"),
        ("## Boats ![Logo](boat.svg)", "## Boats "),
        ('## ![boat-icon](boat.svg "Boat") `oar` and sail', "## `oar` and sail"),
        ("### [](https://boats.example/a#sails)Sails", "### Sails"),
    ],
)  # fmt: skip
def test_what_only_decorates_words_goes(text: str, written: str) -> None:
    assert drop_heading_decorations(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "# ![Boat logo](boat.svg)",
        "# [![Boat logo](boat.svg)](https://boats.example)",
        "# [](https://boats.example)",
        "# ![Boat](boat.svg) Boats",
        "# ![Lexicon](a.svg) Boats",
        "# `![icon](a.svg)` Boats",
        "![Boat icon](boat.svg) Boats",
        "```\n# ![Boat icon](boat.svg) Boats\n```",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert drop_heading_decorations(text) == text


def test_titles_are_without_them() -> None:
    document = parse(RawDocument("a.md", b"# ![Boat icon](boat.svg){: .big } Boats and sails\n\nText.\n"))
    assert document.title == "Boats and sails"


def test_a_picture_of_html_that_is_all_of_a_heading_gives_it_its_words() -> None:
    assert drop_heading_decorations('# <img src="a.svg" alt="Boats and sails" width="400">') == "# Boats and sails"
    assert drop_heading_decorations('# <img src="a.svg" alt="Boat logo">') == "# Boat logo"
    assert drop_heading_decorations('# <img src="a.svg" alt="Boat logo">&nbsp; Boats') == "# Boats"
    for kept in ('# `<img alt="icon">`', '# <img src="a.svg" alt="A mast"> Boats'):
        assert drop_heading_decorations(kept) == kept


@pytest.mark.parametrize("part", ["<img ", '<img alt="', "<img a alt='icon", "![icon](", "[](a)", "# [](a)b\n", "![a"])
def test_it_takes_linear_time(part: str) -> None:
    assert_linear(drop_heading_decorations, "# " + part * 10_000)
