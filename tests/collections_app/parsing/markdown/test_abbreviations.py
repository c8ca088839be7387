"""Abbreviations of HTML: what they stand for is said at their first place, in HTML and in Markdown."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.html.mending.abbreviations import write_abbreviations as write_abbreviations_in_html
from collections_app.parsing.html.tree import parse_tree
from collections_app.parsing.normalising.abbreviations import write_abbreviations
from tests.growth import assert_linear

AB = '<abbr title="Able Seaman">AB</abbr>'


def get_text(path: str, text: str) -> str:
    return parse(RawDocument(path, text.encode())).content.strip()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (f"An {AB} and an {AB}.", "An AB (Able Seaman) and an AB."),
        (f"An {AB}3, two {AB}s.", "An AB3 (Able Seaman), two ABs."),
        (f"An Able Seaman ({AB}).", "An Able Seaman (AB)."),
        ("<abbr title=\"Bo'sun\">bo'sun</abbr>", "bo'sun"),
        ('<abbr title="**x** [y](z)">AB</abbr>', "AB"),
        (
            '<acronym title="Line of position">LOP</acronym>, <abbr title="Local port">LOP</abbr>',
            "LOP (Line of position), LOP (Local port)",
        ),
    ],
)
def test_an_abbreviation_is_told_at_its_first_place(said: str, expected: str) -> None:
    assert get_text("crew.html", f"<main><h1>Crew {AB}</h1><p>{said}</p></main>") == f"# Crew AB\n\n{expected}"
    assert get_text("crew.md", f"# Crew\n\n{said}\n") == f"# Crew\n\n{expected}"


def test_a_table_with_abbreviations_is_one_of_markdown() -> None:
    table = f"<table>\n<tr><th>Rank</th><th>Pay</th></tr>\n<tr><td>{AB}1</td><td>3</td></tr>\n<tr><td>{AB}2</td><td>4</td></tr>\n</table>"
    expected = "| Rank | Pay |\n| --- | --- |\n| AB1 (Able Seaman) | 3 |\n| AB2 | 4 |"
    assert get_text("crew.md", f"# Crew\n\n{table}\n") == f"# Crew\n\n{expected}"
    assert get_text("crew.html", f"<main><h1>Crew</h1>{table}</main>") == f"# Crew\n\n{expected}"


@pytest.mark.parametrize(
    "text",
    [
        f"`{AB}`",
        f"```html\n{AB}\n```",
        f"## {AB}",
        f"<h2>{AB}</h2>",
        '<abbr style="display:none" title="a b">AB</abbr>',
    ],
)
def test_other_places_stay_as_they_are_written(text: str) -> None:
    assert write_abbreviations(text) == text


def test_no_line_moves() -> None:
    assert write_abbreviations('An <abbr\ntitle="Able\nSeaman">AB</abbr> b') == "An AB (Able Seaman)\n\n b"


@pytest.mark.parametrize("sign", [AB, "<abbr ", '<abbr title="a">', "<abbr class='a' ", '<abbr title="a b">c'])
def test_they_take_linear_time(sign: str) -> None:
    assert_linear(write_abbreviations, sign * 2_000)
    assert_linear(write_abbreviations, f"{sign}\n" * 2_000)


def test_those_deep_within_others_take_linear_time() -> None:
    def write(text: str) -> None:
        write_abbreviations_in_html([parse_tree(text.encode(), "text/html")[0]])

    assert_linear(write, "<div>" * 1_200 + AB * 1_200)
