"""Names of code on pages of ExDoc are as they are called, and links to code that only a build can find are words."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.exdoc import write_exdoc_names
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Use [`put/4`](`Boat.Sail.put/4`).", "Use `put/4`."),
        ("[`Sail.set!`](`c:Boat.Sail.set!/2`) or [row](`Boat.Oar.row/1`)", "`Sail.set!` or row"),
        ("[the wind](`m:Boat.Wind`), [a tree](`Boat`)", "the wind (`Boat.Wind`), a tree (`Boat`)"),
        ("[`%Boat{}`](`t:Boat.t/0`), [tables](`:ets.new/2`)", "`%Boat{}`, tables (`:ets.new/2`)"),
        ("## Set with `c:Boat.Sail.set/2`", "## Set with `Boat.Sail.set/2`"),
        ("`t:Boat.t/0`, `c:init/1` and `c:Boat.put/4`", "`Boat.t/0`, `init/1` and `Boat.put/4`"),
    ],
)
def test_links_to_code_are_words_and_names_have_no_kind(text: str, written: str) -> None:
    assert write_exdoc_names(text) == written
    assert parse(RawDocument("a.md", text.encode())).content == written


@pytest.mark.parametrize(
    "text",
    [
        "`c:init/1`",
        "`c:Boat/1`",
        "[files](`.boats`)",
        "`` [`put/4`](`Boat.put/4`) ``",
        "```\n`c:Boat.put/4`\n```",
        "![boat](`Boat`)",
        "[boat](`Boat's sails`)",
        "[boat](boat.md)",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert write_exdoc_names(text) == text


@pytest.mark.parametrize("part", ["[a](`", "`c:Boat.", "[a](`Boat)", "A.", "[a](`Boat`)"])
def test_it_takes_linear_time(part: str) -> None:
    assert_linear(write_exdoc_names, part * 10_000)
