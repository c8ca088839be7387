"""What a question compares."""

from __future__ import annotations

import pytest

from collections_app.search.query.comparison import find_sides


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("what is the difference between sails and oars?", ("sails", "oars")),
        ("differences between `hoist_all()` and lower_all", ("`hoist_all()`", "lower_all")),
        ("when should I use Hoist-Sail vs. Set-Sail", ("Hoist-Sail", "Set-Sail")),
        ("compare the anchor with a mooring line", ("anchor", "mooring line")),
        ("how does the jib compare to the genoa in strong wind", ("jib", "genoa")),
        ("should I use a chart or a compass?", ("chart", "compass")),
        ("Which is better: oars or paddles", ("oars", "paddles")),
        ("is a ketch different from a yawl", ("ketch", "yawl")),
        ("Unterschied zwischen Bug und Heck", ("Bug", "Heck")),
        ("différence entre le foc et le génois", ("le foc", "le génois")),
        ("a/b sails versus plain ones", ("a/b sails", "plain ones")),
        ("VS Code vs Vim", ("VS Code", "Vim")),
        ("difference between using vs code and Vim", ("vs code", "Vim")),
        ("Rigging 2.1 vs v3", ("Rigging 2.1", "Rigging v3")),
    ],
)
def test_the_two_sides_are_told(question: str, sides: tuple[str, ...]) -> None:
    assert find_sides(question) == sides


def test_a_lone_word_is_one_with_the_last_of_the_other_side() -> None:
    assert find_sides("difference between running and standing rigging") == ("running rigging", "standing rigging")
    assert find_sides("Set-Sail vs hoist method") == ("Set-Sail", "hoist method")
    assert find_sides("difference between a stay and the standing rigging") == ("stay", "standing rigging")


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("difference between jibs, genoas and spinnakers", ("jibs", "genoas", "spinnakers")),
        ("what's the difference between a jib, a genoa, and a spinnaker?", ("jib", "genoa", "spinnaker")),
        (
            "differences between running, standing and dynamic rigging",
            ("running rigging", "standing rigging", "dynamic rigging"),
        ),
        ("compare Set-Sail, Hoist-Sail and `lower_all`", ("Set-Sail", "Hoist-Sail", "`lower_all`")),
        ("should I use oars, paddles, poles or a motor?", ("oars", "paddles", "poles", "motor")),
        ("jib vs genoa vs. spinnaker", ("jib", "genoa", "spinnaker")),
        ("differences between Rigging 2.1, 2.2 and v3", ("Rigging 2.1", "Rigging 2.2", "Rigging v3")),
        ("Unterschiede zwischen Bug, Heck und Mast", ("Bug", "Heck", "Mast")),
    ],
)
def test_the_things_of_a_list_are_told(question: str, sides: tuple[str, ...]) -> None:
    assert find_sides(question) == sides


def test_what_follows_a_comma_may_be_no_thing() -> None:
    assert find_sides("compare the jib, which I have, to the genoa") == ("jib", "genoa")
    assert find_sides("difference between oars, poles, jibs, masts and keels") == ("oars", "keels")
    assert find_sides("I have a jib, a vs b vs c") == ()


@pytest.mark.parametrize(
    "question",
    [
        "comparison operators",
        "what differs in version 5",
        "difference between the time that one single hand needs and an hour",
        "sails vs sails",
        "sails vs oars vs sails",
        "hoist or lower the sails",
        "how do I use paddles instead of oars",
        "the vs",
        "hoisting time of sails vs oars",
        "draught of jibs in wind vs genoas",
        "pros and cons of sails vs oars",
        "hoist sails in VS Code",
        "use sheet 2 or later",
        "use two or more sails",
        "should I use oars or not",
        "compare and swap sails to turn",
    ],
)
def test_other_questions_have_none(question: str) -> None:
    assert find_sides(question) == ()
