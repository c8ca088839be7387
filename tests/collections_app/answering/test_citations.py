from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.answering.citations import MARK, check_answer
from collections_app.answering.results import CheckedText


def check(text: str, sent: int = 3) -> CheckedText:
    return check_answer(text, sent, "")


@pytest.mark.parametrize(
    "text",
    [
        "Use the flag [1].",
        "Use the flag. [1]",
        "Use the flag. [1][2]",
        "Use it, e.g. Linux has it [1].",
        "As of version 2.1 it is `--fast` [3].",
        "Do the following:\n\n1. Stop it [1].\n2. Start it [2].",
        "Stop it\nand start it [1].",
        "## Heading\n\nStop it [1].",
        "```sh\nstop. Start it.\n```",
        "- Stop it [1].\n\n  ```sh\n  start it\n  ```",
        "| a | b |\n|---|---|\n| one. | two. |",
        "先に止めます [1]。次に始めます [2]。",
        "`list[9]` is code [1].",
    ],
)
def test_what_is_cited_or_not_judged_stays_as_it_is(text: str) -> None:
    checked = check(text)
    assert checked.text == text
    assert (checked.unsupported, checked.invented) == (0, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop it. Start it [1].", f"Stop it.{MARK} Start it [1]."),
        ("Stop it [1]. Start it.", f"Stop it [1]. Start it.{MARK}"),
        ("Stop it [1]. [2] Start it.", f"Stop it [1]. [2] Start it.{MARK}"),
        ("- Stop it\n- Start it [1]", f"- Stop it{MARK}\n- Start it [1]"),
        ("Is it on? Yes [1].", f"Is it on?{MARK} Yes [1]."),
        ("`code`", f"`code`{MARK}"),
        ("止めます。始めます [1]。", f"止めます。{MARK}始めます [1]。"),
    ],
)
def test_a_sentence_that_cites_nothing_is_marked(text: str, expected: str) -> None:
    checked = check(text)
    assert checked.text == expected
    assert checked.unsupported == 1


@pytest.mark.parametrize(
    ("text", "expected", "cited", "invented"),
    [
        ("It is [4].", f"It is.{MARK}", (), (4,)),
        ("It is [0][2].", "It is [2].", (2,), (0,)),
        ("It is [1, 3].", "It is [1][3].", (1, 3), ()),
        ("It is [1-3].", "It is [1][2][3].", (1, 2, 3), ()),
        ("It is [2–9999].", "It is [2].", (2,), (9999,)),
        ("It is [3][1] and [3].", "It is [3][1] and [3].", (3, 1), ()),
        ("It is [1](http://a.example).", "It is [1].", (1,), ()),
    ],
)
def test_citations_are_of_passages_that_were_sent(
    text: str, expected: str, cited: tuple[int, ...], invented: tuple[int, ...]
) -> None:
    checked = check(text)
    assert (checked.text, checked.cited, checked.invented) == (expected, cited, invented)


@given(st.text(st.sampled_from("ab.[]()`~-#1 4\n!|\ue0000\ue001<>")))
def test_whatever_a_model_writes_no_other_citation_is_left_in_the_prose(text: str) -> None:
    checked = check(text)
    assert set(checked.cited) <= {1, 2, 3}
    assert checked.text.count(MARK) == checked.unsupported
    assert check(checked.text).invented == ()


def test_a_very_long_answer_is_checked_in_reasonable_time() -> None:
    for text in (
        "[" * 40_000,
        "![" * 20_000,
        "<a" * 20_000,
        "a. " * 13_000,
        "`" * 40_000,
        "[1" * 20_000,
        "\n- a" * 9_000,
    ):
        check(text)


@pytest.mark.parametrize(
    "text",
    ["[](" * 6_000, "![](" * 6_000, "a" + " " * 40_000 + "b", "a" + "." * 40_000 + "b", "a\n\n" + " " * 39_000 + "b"],
    ids=["links", "images", "spaces", "full stops", "indented"],
)
def test_no_pattern_looks_at_an_answer_again_and_again(text: str) -> None:
    began = process_time()
    checked = check(text)
    assert process_time() - began < 2
    assert len(checked.text) <= len(text) + 2 * len(MARK)
