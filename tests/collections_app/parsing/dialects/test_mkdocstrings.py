"""What mkdocstrings fills in from code is named, because it is not in the text."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.mkdocs.mkdocstrings import write_docstring_notes
from collections_app.text.pages.absent_text import has_notes_alone
from tests.growth import assert_linear

NOTE = "*Not in this text, from the code's docstrings:* "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::: sea.Boat\n", f"{NOTE}`sea.Boat`\n"),
        ("::: sea_charts\n", f"{NOTE}`sea_charts`\n"),
        ("# Boat\n\n::: sea.Boat\n    options:\n      show: no\n\nText.\n", f"# Boat\n\n{NOTE}`sea.Boat`\n\n\n\nText.\n"),
        (
            "::: sea\n    options:\n        members:\n        - sail\n        # by hand\n        - 'row'\n        level: 3\n::: sea.b\n",
            f"{NOTE}`sea` (`sail`, `row`)\n\n\n\n\n\n\n{NOTE}`sea.b`\n",
        ),
        ("::: sea\n    selection:\n      members: [sail, row]\n", f"{NOTE}`sea` (`sail`, `row`)\n\n\n"),
        ("::: sea\n    options:\n      members: no\n", f"{NOTE}`sea`\n\n\n"),
    ],
)  # fmt: skip
def test_a_block_is_a_note_of_what_is_not_in_the_text(text: str, expected: str) -> None:
    assert write_docstring_notes(text) == expected
    assert parse(RawDocument("a.md", text.encode())).content == expected


def test_a_page_of_such_blocks_tells_nothing_else() -> None:
    assert has_notes_alone(write_docstring_notes("# Boat\n\n::: sea.Boat\n    options:\n      members:\n      - row\n"))


@pytest.mark.parametrize(
    "text",
    [
        "::: tip\nSet them.\n:::\n",
        "::: v2.1\nSet them.\n:::\n",
        "::: details\n\n    sea.sail()\n",
        "```md\n::: sea.Boat\n```\n",
        "::: sea Boat\n",
        "    ::: sea.Boat\n",
        "::: tip\n    options: none\n  :::\n",
    ],
)
def test_other_containers_stay(text: str) -> None:
    assert write_docstring_notes(text) == text


@pytest.mark.parametrize(
    "text", ["::: a." * 20_000, "::: a\n" * 20_000, "::: a.b\n    options:\n" + "      members:\n" * 20_000]
)
def test_it_takes_linear_time(text: str) -> None:
    assert_linear(write_docstring_notes, text)
