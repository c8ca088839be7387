"""Blocks between slashes become colon containers."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.mkdocs.slash_blocks import write_slash_blocks
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/// tip\nSet them.\n///\n", "::: tip\nSet them.\n:::\n"),
        ("/// note | The *sails*\n\nSet them.\n\n///\n", "::: note The *sails*\n\nSet them.\n\n:::\n"),
        (
            "/// admonition | Mind\n    type: warning\n    open: True\nReef.\n///\n",
            "::: warning Mind\n\n\nReef.\n:::\n",
        ),
        ("/// admonition\nReef.\n///\n", "::: note\nReef.\n:::\n"),
        ("/// details | More\n    attrs: {class: a}\n\nReef.\n///\n", "::: details More\n\n\nReef.\n:::\n"),
        ("//// tab | Sea\n/// tip\nSet.\n///\n////\n", ":::: tab Sea\n::: tip\nSet.\n:::\n::::\n"),
        ("- Sail:\n\n    /// tip\n    Set.\n    ///\n", "- Sail:\n\n    ::: tip\n    Set.\n    :::\n"),
        ("/// html | div.big\nSet.\n///\n", "\nSet.\n\n"),
        ("/// version-added | v2.1\nReefs.\n///\n", "**Added in version 2.1:**\nReefs.\n\n"),
        (
            "- Sail\n\n    /// version-changed | 3\n    Set.\n    ///\n",
            "- Sail\n\n    **Changed in version 3:**\n    Set.\n\n",
        ),
        ("/// version-added | v2.1\n\n///\n\nText.\n", "**Added in version 2.1**\n\n\n\nText.\n"),
        (
            "/// deprecated-removed | v2 v3\nSet.\n///\n",
            "**Deprecated since version 2, will be removed in version 3:**\nSet.\n\n",
        ),
        ("/// deprecated-removed | v2\nSet.\n///\n", "::: deprecated-removed v2\nSet.\n:::\n"),
        ("/// version-added | the sails\nSet.\n///\n", "::: version-added the sails\nSet.\n:::\n"),
    ],
)
def test_a_block_is_a_container(text: str, expected: str) -> None:
    assert write_slash_blocks(text) == expected
    assert parse(RawDocument("a.md", text.encode())).content == expected


@pytest.mark.parametrize(
    "text",
    [
        "/// tip\nSet them.\n",
        "/// tip\nSet them.\n////\n",
        "```rust\n/// tip\n///\n```\n",
        "/// Sets the sails\n///\n",
        "// tip\n//\n",
    ],
)
def test_what_is_no_block_stays(text: str) -> None:
    assert write_slash_blocks(text) == text


@pytest.mark.parametrize(
    "text", ["/// a\n" * 30_000 + "///", "///\n" * 30_000, "/" * 100_000 + "\n///", "/// a" + " " * 100_000 + "\n///"]
)
def test_it_takes_linear_time(text: str) -> None:
    assert_linear(write_slash_blocks, text)
