from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.answering.citations import MARK, check_answer, drop_citations
from collections_app.answering.results import CheckedText
from tests.growth import assert_linear


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
        "The second is a[9], the path sys.argv[9], its value get(x)[9] or item_list[9] [1].",
        "It is argv[9] of all [1].",
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
        ("The second is a[1].", f"The second is a[1].{MARK}"),
        ("The first is args[0][1] there.", f"The first is args[0][1] there.{MARK}"),
        ("It is sys.argv[1].", f"It is sys.argv[1].{MARK}"),
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
        ("It is here[1].", "It is here [1].", (1,), ()),
        ("It is the API[1][2]: yes.", "It is the API [1][2]: yes.", (1, 2), ()),
        ("It is in 3.2[1].", "It is in 3.2 [1].", (1,), ()),
        ("It is `here`[1].", "It is `here`[1].", (1,), ()),
        ("止めます[1]。", "止めます[1]。", (1,), ()),
        ("It is here【1】.", "It is here [1].", (1,), ()),
        ("It is 【1†source】.", "It is [1].", (1,), ()),
        ("It is ［2］.", "It is [2].", (2,), ()),
        ("It is [Source 1].", "It is [1].", (1,), ()),
        ("It is here[Source: 1; source 2].", "It is here [1][2].", (1, 2), ()),
        ("It is [passages 1 and 3].", "It is [1][3].", (1, 3), ()),
        ("It is (Passage 2).", "It is [2].", (2,), ()),
        ("It is (see passages 1-3).", "It is [1][2][3].", (1, 2, 3), ()),
        ("It is [^1].", "It is [1].", (1,), ()),
        ("It is \\[1\\].", "It is [1].", (1,), ()),
        ("It is <passage-0123456789abcdef 1>.", "It is [1].", (1,), ()),
        ("It is [Source 1](http://a.example).", "It is [1].", (1,), ()),
        ("It is 【9】.", f"It is.{MARK}", (), (9,)),
    ],
)
def test_citations_are_of_passages_that_were_sent(
    text: str, expected: str, cited: tuple[int, ...], invented: tuple[int, ...]
) -> None:
    checked = check(text)
    assert (checked.text, checked.cited, checked.invented) == (expected, cited, invented)


def test_what_a_passage_has_in_brackets_is_no_citation() -> None:
    checked = check_answer("It is argv[1].", 3, "Take argv[1] of them.")
    assert (checked.text, checked.cited) == (f"It is argv[1].{MARK}", ())


def test_without_its_citations_a_text_keeps_its_subscripts() -> None:
    text = check("Take a[1] and argv[1] here[1], then `b[1]`【2】.").text
    assert drop_citations(text) == "Take a[1] and argv[1] here, then `b[1]`."


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
        "[passage 1" + ", passage 2" * 4_000,
    ):
        check(text)


@pytest.mark.parametrize(
    "text",
    ["[](" * 6_000, "![](" * 6_000, "a" + " " * 40_000 + "b", "a" + "." * 40_000 + "b", "a\n\n" + " " * 39_000 + "b"],
    ids=["links", "images", "spaces", "full stops", "indented"],
)
def test_no_pattern_looks_at_an_answer_again_and_again(text: str) -> None:
    checked = check(text)
    assert len(checked.text) <= len(text) + 2 * len(MARK)
    assert_linear(check, text)
