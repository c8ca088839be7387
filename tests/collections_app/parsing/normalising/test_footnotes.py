"""Footnotes in Markdown are moved into the sections that refer to them."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.footnotes import move_footnotes


def test_a_note_stands_at_the_end_of_the_section_that_refers_to_it() -> None:
    notes = "[^1]: In front,\nsmall.\n\n    Often furled.\n[^s]: For wind from behind.\n"
    text = f"# Sails\n\nA jib[^1] and a spinnaker[^s].\n\n\n## Masts\n\nOne[^m].\n\n{notes}[^m]: Of wood.\n"
    assert move_footnotes(text) == (
        f"# Sails\n\nA jib[^1] and a spinnaker[^s].\n\n{notes}\n\n## Masts\n\nOne[^m].\n\n[^m]: Of wood.\n"
    )
    document = parse(RawDocument("a.md", text.encode()))
    first = document.content.split("\n")[: document.sections[0].end_line]
    assert "[^s]: For wind from behind." in first
    assert document.sections[1].heading == "Masts"


def test_each_of_several_sections_has_a_short_note() -> None:
    text = f"# A\n\n{'Rope. ' * 9}[^1]\n\n## B\n\nRope[^1].\n\n## C\n\n[^1]: Hemp.\n"
    written = move_footnotes(text)
    assert written == f"# A\n\n{'Rope. ' * 9}[^1]\n\n[^1]: Hemp.\n\n## B\n\nRope[^1].\n\n[^1]: Hemp.\n\n## C\n\n"
    long = text.replace("Hemp", "Hemp " * 50)
    assert move_footnotes(long).count("[^1]: Hemp") == 1


def test_a_section_directly_above_another_one_has_a_blank_line_around_its_note() -> None:
    assert move_footnotes("# A[^1]\n## B\n[^1]: x\n") == "# A[^1]\n\n[^1]: x\n\n## B\n"


def test_a_note_goes_on_to_the_block_behind_it() -> None:
    note = "[^1]: Hemp,\n**tarred**,\n*twisted*\n#1 of ropes\n+3 others"
    for block in ("- x", "> x", "***", "| x |", "# x", "1. x", "```", ":::"):
        assert move_footnotes(f"# A\n\nx[^1]\n\n## B\n\n{note}\n{block}\n") == (
            f"# A\n\nx[^1]\n\n{note}\n\n## B\n\n{block}\n"
        )


def test_notes_that_stood_apart_still_do() -> None:
    notes = "[^1]: y\n\n    - z\n\n[^2]: y\n[^3]: z"
    assert move_footnotes(f"# A\n\nx[^1] [^2] [^3]\n\n## B\n\n{notes}\n") == (
        f"# A\n\nx[^1] [^2] [^3]\n\n{notes}\n\n## B\n\n\n"
    )


def test_a_colon_behind_a_reference_makes_no_note_of_it() -> None:
    assert move_footnotes("# A\n\nKinds[^1]:\n\n- x\n\n## B\n\n[^1]: y\n") == (
        "# A\n\nKinds[^1]:\n\n- x\n\n[^1]: y\n\n## B\n\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\nx[^1]\n\n[^1]: y\n\n## B\n",
        "# A\n\nx\n\n## B\n\n[^1]: y\n",
        "# A\n\n`x[^1]`\n\n## B\n\n[^1]: y\n",
        "# A\n\n    x[^1]\n\n## B\n\n[^1]: y\n",
        "# A\n\nx[^1]\n\n## B\n\n```\n[^1]: y\n```\n",
        "# A\n\nx[^1]\n\n## B\n\n> [^1]: y\n",
        "# A\n\nx[^1]\n\n## B\n\nThe form\n[^1]: y\n",
        "# A\n\nx[^2] \\[^1]\n\n## B\n\n[^1]: y\n",
        "x[^1]\n\n[^1]: y\n",
        "# A\n\nx[^1]\n\n[^1]: y\n\n## B\n\nx[^1]\n\n[^1]: z\n",
        "# A\n\n> [^1]: x\n\n## B\n\n[^1]: y\n",
    ],
)
def test_what_is_no_note_or_stands_well_stays(text: str) -> None:
    assert move_footnotes(text) == text


def test_many_notes_take_linear_time() -> None:
    for piece in ("[^1]: a\n\n", "[^a", "[^1]", "# A\n\nx[^1]\n\n", "[^1]:\n    \n"):
        move_footnotes("[^1]: a\n\n" + piece * 20_000)
    text = "".join(f"# A{number}\n\nx[^{number}]\n\n" for number in range(5_000))
    notes = "".join(f"[^{number}]: a\n" for number in range(5_000))
    assert move_footnotes(f"{text}# B\n\n{notes}").count("]: a") == 5_000
