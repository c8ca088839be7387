"""Grafana's shortcodes that show cards and heads show what front matter says of them."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.front_matter_cards import write_front_matter_cards
from tests.growth import assert_linear

CARDS = {
    "items": [
        {"title": "Sails", "href": "./sails/", "description": "How to\n  set them.", "height": 24},
        {"title": "Oars", "description": "How to row."},
        {"href": "/nothing/"},
        "text",
    ]
}
LIST = "- [**Sails**](./sails/) How to set them.\n- **Oars** How to row."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{{< card-grid key="cards" type="simple" >}}\n\nText.\n', f"{LIST}\n\nText.\n"),
        ('{{% docs/card-grid key="cards" %}}\n', f"{LIST}\n"),
        ('{{< docs/hero-simple key="hero" >}}\n', "**Harbour** 1\\. All about boats.\n"),
        ('{{< card-grid key="cards" >}}\n\n{{< card-grid key="cards" >}}\n', f"{LIST}\n\n\n"),
    ],
)  # fmt: skip
def test_they_show_what_front_matter_says(text: str, expected: str) -> None:
    metadata = {"cards": CARDS, "hero": {"title": "Harbour", "level": 1, "description": "1. All about boats."}}
    assert write_front_matter_cards(text, metadata, "Boats") == expected


@pytest.mark.parametrize(
    "text",
    [
        '{{< card-grid key="other" >}}\n',
        '{{< card-grid key="words" >}}\n',
        '{{< card-grid key="empty" >}}\n',
        "{{< card-grid >}}\n",
        '`{{< card-grid key="cards" >}}`\n',
        '```md\n{{< card-grid key="cards" >}}\n```\n',
        'Write {{< card-grid key="cards" >}}\n',
    ],
)
def test_all_else_stays(text: str) -> None:
    assert write_front_matter_cards(text, {"cards": CARDS, "words": "two", "empty": {"items": 3}}, "") == text


def test_a_start_page_is_found_by_its_cards() -> None:
    page = (
        "---\ntitle: Boats\nhero:\n  title: Boats\n  description: All about boats.\n"
        "cards:\n  items:\n    - title: Sails\n      href: ./sails/\n      description: Set them.\n---\n\n"
        '{{< docs/hero-simple key="hero" >}}\n\n## Explore\n\n{{< card-grid key="cards" type="simple" >}}\n'
    )
    expected = "\nAll about boats.\n\n## Explore\n\n- [**Sails**](./sails/) Set them.\n"
    assert parse(RawDocument("_index.md", page.encode())).content == expected


def test_the_policy_judges_the_cards() -> None:
    page = (
        "---\ncards:\n  items:\n    - title: Sails\n      description: Set <!-- hidden words --> them.\n---\n"
        '{{< card-grid key="cards" >}}\n'
    )
    assert "hidden" not in parse(RawDocument("_index.md", page.encode())).content


def test_many_tags_take_no_longer_than_their_number() -> None:
    for part in ('{{< card-grid key="cards" >}}\n', "{{< card-grid ", '{{< hero-simple key="x" >}}\n'):
        assert_linear(lambda text: write_front_matter_cards(text, {"cards": CARDS}, ""), part * 4000)
