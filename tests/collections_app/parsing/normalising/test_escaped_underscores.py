"""Escapes of underscores within words go; those that mean something, and what is no Markdown, stay."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.escaped_underscores import write_escaped_underscores
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"Set payment\_link\_config.", "Set payment_link_config."),
        (r"| pk\_live\_1 | *a\_b* |", "| pk_live_1 | *a_b* |"),
        (r"See [the a\_b](codes/error\_codes.md).", "See [the a_b](codes/error_codes.md)."),
        (r"`a\_b` and c\_d", r"`a\_b` and c_d"),
        ("Open `a\nb\\_c` or d\\_e\n\nf\\_g", "Open `a\nb\\_c` or d\\_e\n\nf_g"),
        (r'See <a href="a\_b">c\_d</a>', r'See <a href="a\_b">c_d</a>'),
    ],
)  # fmt: skip
def test_names_are_as_they_are_called(text: str, written: str) -> None:
    assert write_escaped_underscores(text) == written


@pytest.mark.parametrize(
    "text",
    [
        r"\_a\_",
        r"a\\_b",
        r"a\__b",
        r"a\_ b",
        r"$a\_b$",
        r"\text{a\_b}",
        "```\na\\_b\n```",
        r"    a\_b",
        "<pre>\na\\_b\n</pre>",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert write_escaped_underscores(text) == text


def test_headings_are_so_too() -> None:
    document = parse(RawDocument("a.md", b"# The payment\\_id\n\n## In client\\_secret\n\nText.\n"))
    assert document.title == "The payment_id"
    assert document.content == "# The payment_id\n\n## In client_secret\n\nText.\n"


@pytest.mark.parametrize("part", ["a\\_", "`a\\_b", "<a", "$a\\_b"])
def test_it_takes_linear_time(part: str) -> None:
    assert_linear(write_escaped_underscores, part * 20_000)
