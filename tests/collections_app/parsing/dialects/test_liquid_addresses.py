"""Addresses made by Jekyll's filters, as targets of links."""

from __future__ import annotations

import pytest

from collections_app.parsing.dialects.template_tags.liquid_addresses import write_liquid_addresses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]({{ '/sails/' | relative_url }})", "[a](/sails/)"),
        ('[a]: {{ "/sails/#jib" | absolute_url }}', "[a]: /sails/#jib"),
        ("""<a href="{{ '/sails/' | relative_url }}">a</a>""", '<a href="/sails/">a</a>'),
        ("<img src='{{- \"/a.png\" | prepend: site.baseurl -}}'>", "<img src='/a.png'>"),
    ],
)
def test_it_is_the_path(text: str, expected: str) -> None:
    assert write_liquid_addresses(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Write {{ '/sails/' | relative_url }} there.",
        "`[a]({{ '/sails/' | relative_url }})`",
        "[a]({{ page.url | relative_url }})",
        "[a]({{ '/sails/' | upcase }})",
        "[a]({{ '/a b/' | relative_url }})",
    ],
)
def test_other_signs_stay(text: str) -> None:
    assert write_liquid_addresses(text) == text
