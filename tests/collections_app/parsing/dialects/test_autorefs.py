"""References of mkdocs-autorefs are read as their words: where they lead, only a build knows."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.mkdocs.autorefs import write_autorefs
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call [`Boat.sail()`][sea.Boat.sail] first.\n", "Call `Boat.sail()` first.\n"),
        ("The [hull of a boat][sea.hull], and [sea.Mast][].\n", "The hull of a boat, and sea.Mast.\n"),
        ("A [`list[Boat]`][sea.boats] of [`Boat`][sea.Boat]s:\n", "A `list[Boat]` of `Boat`s:\n"),
        ("See [the\nsails][sea.sails]: all.\n", "See the\nsails: all.\n"),
        ("| [`sea.Boat`][] | wood |\n", "| `sea.Boat` | wood |\n"),
        ("## The [`Boat`][sea.Boat]\n", "## The `Boat`\n"),
        ("海[船][sea.Boat]。\n", "海船。\n"),
    ],
)
def test_a_reference_to_a_name_with_dots_is_its_words(text: str, expected: str) -> None:
    assert write_autorefs(text) == expected
    assert parse(RawDocument("a.md", text.encode())).content == expected


def test_beside_one_other_undefined_names_are_references_too() -> None:
    text = "[`Boat`][sea.Boat] takes a [number][int], [`str`][], [sails][] or a [buoy][]; [x][two words], [a.md][].\n\n> [buoy]: b.md\n"
    written = "`Boat` takes a number, `str`, sails or a [buoy][]; [x][two words], [a.md][].\n\n> [buoy]: b.md\n"
    assert write_autorefs(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "A [number][int] or a [`str`][].\n",
        "Take list[0][a.b] or list[i][0][a.b] and f(x)[0][a.b] or `x`[y][a.b].\n",
        "`[words][sea.Boat]`\n",
        "```md\n[words][sea.Boat]\n```\n",
        "    [words][sea.Boat]\n",
        "\\[words][sea.Boat] and ![words][sea.Boat] and [[words][sea.Boat]]\n",
        "[words][sea.Boat](sea.md) or [words][sea.Boat][x] or [words][sea.Boat]{ .big }\n",
        "[some `code][sea.Boat]`\n",
        "[ ][sea.Boat]\n",
        "[CONTRIBUTING.md][] or [the site][example.com]\n",
        "[^1][sea.Boat]\n",
        "[1.2.0][] - first, [other][1.2]\n",
        "## [`Boat`][sea.Boat]\n\n[sea.Boat]:\n  boat.md\n",
    ],
)
def test_other_brackets_stay(text: str) -> None:
    assert write_autorefs(text) == text


def test_what_the_page_defines_is_a_link() -> None:
    text = "The [`Boat`][sea.Boat].\n\n[sea.Boat]: boat.md\n"
    assert parse(RawDocument("a.md", text.encode())).content == "The [`Boat`](boat.md).\n"


def test_many_brackets_take_no_longer_than_their_number() -> None:
    for part in ("[a ", "[`a` ", "[`[` ", "[a][sea.b", "][sea.b]", "[a][sea.Boat] "):
        assert_linear(write_autorefs, f"[a][sea.b] {part * 4000}")
