"""What is closed and opened again where a text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.markdown.code_blocks import find_open_fence
from collections_app.text.tokens import estimate_tokens
from mcp_app.pieces import Seam, cut_markdown, cut_text, find_seam

TABLE = "| a | b |\n| - | - |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("before", "after", "seam"),
    [
        ("words\n", "more", Seam()),
        ("```py title=x\na = 1\n", "b = 2\n```\n", Seam("\n```", "```py\n")),
        ("  ~~~~\na\n", "b\n", Seam("\n  ~~~~", "  ~~~~\n")),
        ("> ```\n> a\n", "> b\n", Seam("\n> ```", "> ```\n")),
        ("1. ```sh\n   a\n", "   b\n", Seam("\n   ```", "   ```sh\n")),
        ("```\na\n```\n", "more", Seam()),
        ("```\na\n", "", Seam()),
        (f"words\n\n{TABLE}", "| 3 | 4 |\n", Seam(opening="| a | b |\n| - | - |\n")),
        (TABLE, "no row", Seam()),
        ("| a | b |\n", "| - | - |\n", Seam()),
        ("| 1 | 2 |\n| 3 | 4 |\n", "| 5 | 6 |\n", Seam()),
        (f"{TABLE}| 3 ", "| 4 |\n", Seam()),
        ("`" * 99 + "\na\n", "b\n", Seam()),
        (f"| {'long ' * 99}| b |\n| - | - |\n| 1 | 2 |\n", "| 3 | 4 |\n", Seam()),
    ],
)
def test_what_a_cut_goes_through(before: str, after: str, seam: Seam) -> None:
    assert find_seam(before, after, 200) == seam


blocks = st.sampled_from(["words of it\n\n", "```py\na = 1\n# note\n", "```\n", TABLE, "## Heading\n\n", "~~~\n", "\n"])


@given(text=st.lists(blocks, min_size=1, max_size=40).map("".join), max_tokens=st.integers(8, 60))
def test_a_piece_and_what_closes_it_keep_to_the_budget(text: str, max_tokens: int) -> None:
    piece, closing = cut_markdown(text, max_tokens)
    assert text.startswith(piece)
    assert piece
    assert estimate_tokens(piece + closing) <= max_tokens
    if closing:
        assert find_open_fence(piece + closing) == ""


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("words and words\n\n## One\n\nmore words of it", "words and words\n\n"),
        ("words and words\n\n## One\n\n### Two\n\nmore words of it", "words and words\n\n"),
        ("## One\n\n### Two\n\n" + "words" * 40, "## One\n\n### Two\n\n"),
    ],
)
def test_no_piece_ends_in_a_heading_unless_it_has_nothing_else(text: str, piece: str) -> None:
    assert cut_text(text, 8) == piece
