"""Filler lines are not served; code keeps its blank lines."""

from __future__ import annotations

import pytest

from collections_app.text.markdown.blank_lines import drop_filler_lines
from tests.growth import assert_linear

FILLED = "\n" * 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"| a |{FILLED}b\n", "| a |\n\nb\n"),
        (f"a{FILLED}", "a\n\n"),
        ("a\n\n  \n\t\n \n\nb", "a\n\nb"),
        (f"a{FILLED}- b{FILLED}  c", "a\n\n- b\n\n  c"),
        (f"a{FILLED}```\nb{FILLED}c\n```{FILLED}d", f"a\n\n```\nb{FILLED}c\n```\n\nd"),
        (f"```\nb\n```\n{FILLED}# A\n{FILLED}~~~\nc{FILLED}", f"```\nb\n```\n\n# A\n\n~~~\nc{FILLED}"),
    ],
)
def test_filler_lines_are_left_out(text: str, expected: str) -> None:
    assert drop_filler_lines(text) == expected


@pytest.mark.parametrize(
    "text", ["a\n\n\n\nb", "", f"a{FILLED}    code", f"<pre>{FILLED}</pre>", f"```\na{FILLED}b\n```\n"]
)
def test_other_text_stays(text: str) -> None:
    assert drop_filler_lines(text) == text


@pytest.mark.parametrize("sign", ["\n", "\n    ", " ", "\n\n\n\n\na", "```\n\n\n\n\n", "a\n\n\n\n\n    "])
def test_it_takes_linear_time(sign: str) -> None:
    assert_linear(drop_filler_lines, sign * 3_000)
