"""What tags and layouts show of front matter: Grafana's cards and heads, Jekyll's includes and collections, start pages of VitePress."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.template_tags.front_matter_cards import write_front_matter_cards
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


def test_an_include_of_jekyll_shows_the_list_that_it_is_given() -> None:
    page = (
        "---\nboats:\n  - heading: Sails\n    link: /sails/\n    description: Set them.\n    list:\n      - Big\n      - 3\n"
        "  - name: Oars\n    url: /oars/\n  - text\n---\n\n## Boats\n\n"
        "{% include cards.html cards=page.boats more=true %}\n\n  {%- include list.html title=page.none items = page.boats%}  \n\nSea.\n"
    )
    expected = "\n## Boats\n\n- [**Sails**](/sails/) Set them.\n  - Big\n- [**Oars**](/oars/)\n\n\n\nSea.\n"
    assert parse(RawDocument("boats.md", page.encode())).content == expected


@pytest.mark.parametrize(
    "text",
    [
        "{% include cards.html cards=page.other %}\n",
        "{% include cards.html cards=page.words %}\n",
        "{% include cards.html cards=site.list %}\n",
        "{% include cards.html cards=page.list.first %}{% include cards.html cards=page.list %}\n",
        "{% include cards.md cards=page.list %}\n",
        "`{% include cards.html cards=page.list %}`\n",
        "See {% include cards.html cards=page.list %}\n",
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
    assert (
        write_front_matter_cards(
            text, {"cards": CARDS, "words": "two", "empty": {"items": 3}, "list": CARDS["items"]}, ""
        )
        == text
    )


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
    for part in (
        '{{< card-grid key="cards" >}}\n',
        "{{< card-grid ",
        "{% include a.html a=page.cards %}\n",
        "{% include a.html a=page.b ",
        '{{< hero-simple key="x" >}}\n',
    ):
        assert_linear(lambda text: write_front_matter_cards(text, {"cards": CARDS}, ""), part * 4000)


SAIL = """---
title: Sail
related: [mast, boom]
authors:
  - name: Ann
    bio: Has been at sea for years.
parameters:
  - tag: S
    optional: true
    since: 2.1
    requires: !JIB
    description: How big it is.
    values:
      - tag: size
        type: int
notes:
  - See [`mast`](/mast.html) before you start.
examples:
  - pre: "A big one:"
    code:
      - set S3 ; big
      - go
---

One sail.
"""


def test_a_page_of_a_collection_of_jekyll_ends_with_what_its_layout_shows() -> None:
    page = parse(RawDocument("_parts/sail.md", SAIL.encode()))
    assert page.content == (
        "\nOne sail.\n\n## Parameters\n\n- **S** How big it is. (since: 2.1, requires: !JIB)\n  - **size** (type: int)\n\n"
        "## Notes\n\n- See [`mast`](/mast.html) before you start.\n\n"
        "## Examples\n\n- A big one:\n\n  ```\n  set S3 ; big\n  go\n  ```\n\n"
    )


@pytest.mark.parametrize("path", ["parts/sail.md", "_posts/2026-01-01-sail.md", "_includes/sail.md"])
def test_elsewhere_lists_of_front_matter_are_no_text(path: str) -> None:
    assert parse(RawDocument(path, SAIL.encode())).content.strip() == "One sail."


def test_a_start_page_of_vitepress_says_what_its_head_and_features_say() -> None:
    page = parse(
        RawDocument(
            "index.md",
            b"---\nlayout: home\nhero:\n  text: Sail with ease\n  tagline: For boats\n  actions:\n    - text: Start\n      link: /go\n"
            b"features:\n  - icon: x\n    title: Fast\n    details: It goes.\n    link: /fast\n---\n",
        )
    )
    assert page.content.strip() == "Sail with ease\n\nFor boats\n\n- [**Fast**](/fast) It goes."


FAQ = """\
---
title: Sails
faqs:
  - q: Is it red?
    a: |
      No:

      ```sh
      ls
      ```
  - question: Why?
    answer: So.
---
Text.
"""


def test_questions_with_answers_in_front_matter_are_sections() -> None:
    document = parse(RawDocument("sails.md", FAQ.encode()))
    assert document.content.strip() == (
        "Text.\n\n## FAQs\n\n### Is it red?\n\nNo:\n\n```sh\nls\n```\n\n### Why?\n\nSo."
    )
    assert [section.heading for section in document.sections] == ["Sails", "FAQs", "Is it red?", "Why?"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("Text.", "Is it red?"), ("answer: So.", "answers: [So]"), ("faqs:", "authors:"), ("Text.", "{{ page.faqs }}")],
)
def test_other_lists_and_questions_that_the_text_has_are_not_added(old: str, new: str) -> None:
    text = FAQ.replace(old, new)
    assert "##" not in parse(RawDocument("sails.md", text.encode())).content
