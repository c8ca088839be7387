"""Fences of Markdown that authors wrote into reStructuredText."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.rst import parse_restructured_text
from collections_app.parsing.rst.markdown_fences import write_code_blocks
from tests.growth import assert_linear


def read(text: str) -> NormalisedText:
    return parse_restructured_text(RawDocument("page.rst", text.encode()))


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (
            "It fails:\n\n```\n  File boat.py\n    sail()\n    ^^^^\n\nWindError: calm\n```\n\nWait.\n",
            "It fails:\n\n```\n  File boat.py\n    sail()\n    ^^^^\n\nWindError: calm\n```\n\nWait.\n",
        ),
        ("```sql\nSELECT *\n```\n", "```sql\nSELECT *\n```\n"),
        (
            "```sh\nrow\n\n* oar\n```\nThen\n\n```\n-- a\n-- b\n```\n",
            "```sh\nrow\n\n* oar\n```\n\nThen\n\n```\n-- a\n-- b\n```\n",
        ),
    ],
)
def test_they_are_code(text: str, markdown: str) -> None:
    document = read(text)
    assert document.content == markdown
    assert not document.warnings


@pytest.mark.parametrize(
    "text",
    [
        "```\nOar\n```\n\nOf ash.\n",
        "Oar\n```\n\nOf ash.\n\nSea\n```\n\nDeep.\n",
        "Use ```` ``` ```` here.\n",
        "```\nrow\n\nIt has no end.\n",
        "```sh\nrow\n\n```py\nsail()\n",
        ".. code-block:: md\n\n   ```sh\n   row\n   sail\n   ```\n",
    ],
)
def test_what_is_a_title_has_no_end_or_is_in_other_code_stays(text: str) -> None:
    assert write_code_blocks(text) == text


def test_lines_behind_them_keep_their_numbers() -> None:
    text = "```\nrow\nsail\n```\n\n.. figure::\n\n   Nothing.\n"
    assert read(text).warnings == read(text.replace("```", "row")).warnings != ()


@pytest.mark.parametrize("text", ["```\n\n" * 30_000, "```sh\n\n" * 30_000, "```\n\n\n" * 20_000])
def test_the_work_grows_with_the_text(text: str) -> None:
    assert_linear(write_code_blocks, text)
