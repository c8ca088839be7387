"""Where links lead is told from what they say, and from code."""

from __future__ import annotations

import pytest

from collections_app.text.markdown.link_targets import leave_out_targets


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see [the mast](https://example.org/en/us/mast)", "see [the mast]"),
        ("![a sail](../img/sail.png) and [a](/b), [c](#d)", "![a sail] and [a], [c]"),
        ('[x](guide.md "Guide to masts")', "[x]"),
        ("[x](guide.rst#part)", "[x]"),
        (
            "![a sail](images/x7Kq2.webp) and [its plan](plan.yaml), [drawn](sail.pdf)",
            "![a sail] and [its plan], [drawn]",
        ),
        ("handlers[name](event.data)", "handlers[name](event.data)"),
        ("the [`sleep(for:)`](<https://example.org/sleep(for:tolerance:)>) call", "the [`sleep(for:)`] call"),
        ("a [ship](https://example.org/B_(c)_d) sails (far)", "a [ship] sails (far)"),
        ("f[0](a < b, c > d)", "f[0](a < b, c > d)"),
        ("[mail](mailto:a@example.org)", "[mail]"),
        ("handlers[name](event)", "handlers[name](event)"),
        ("f(x)[0](y.z)", "f(x)[0](y.z)"),
        ("(https://example.org) <https://example.org>", "(https://example.org) <https://example.org>"),
        ("[open](https://example.org", "[open](https://example.org"),
        ("[open](/a\n\nWords of a list) b", "[open](/a\n\nWords of a list) b"),
    ],
)
def test_targets_are_left_out(text: str, left: str) -> None:
    assert leave_out_targets(text) == left
