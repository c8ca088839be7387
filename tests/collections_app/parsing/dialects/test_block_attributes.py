"""Attributes of blocks, links and pictures are removed; the kind of a box becomes a word."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.dialects.block_attributes import drop_block_attributes
from collections_app.parsing.dialects.comment_facts import split_title_block
from collections_app.parsing.documents import RawDocument
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('```kotlin\nval a = 1\n```\n{run="true" id="one"}\n\nNext.', "```kotlin\nval a = 1\n```\n\n\nNext."),
        ("![Plan](plan.png){ width=300 }", "![Plan](plan.png)"),
        ('[Buy](b.md){: .button } or ![Plan](p.svg){width=25}{type="joined"} it', "[Buy](b.md) or ![Plan](p.svg) it"),
        ("- One\n- Two\n{: .compact}", "- One\n- Two\n"),
        ('- One\n\n  ```sh\n  run\n  ```\n  {collapsible="true"}\n- Two', "- One\n\n  ```sh\n  run\n  ```\n\n- Two"),
        ("{: .lead}\nThe first paragraph.", "\nThe first paragraph."),
        ("Before.\n\n{#here}\n\n## After", "Before.\n\n\n\n## After"),
        (
            '![](a.png){fig-alt="A sail" width=3} ![Ours](b.png){alt="A sail"}',
            '![A sail](a.png) ![Ours](b.png "A sail")',
        ),
        ("A [word]{.smallcaps} here.", "A [word] here."),
        (
            "<span>New</span>{: .label .green } **it**{:.x} `run`{: .sh} _so_{: #id}",
            "<span>New</span> **it** `run` _so_",
        ),
        ("**it**{.x} `run`{.sh} a>{.b} `{}`{:.2f}", "**it**{.x} `run`{.sh} a>{.b} `{}`{:.2f}"),
        ("Before.\n\n1. TOC\n{:toc}\n\nAfter.", "Before.\n\n\n\n\nAfter."),
        ("* Contents\n{: toc .small}\n# Sails", "\n\n# Sails"),
        ("Before.\n\n* A\n  * B\n    more\n* C\n{:toc}\n\n* D", "Before.\n\n\n\n\n\n\n\n* D"),
        ("# Before\n- A\n- B\n{:toc}\nAfter.", "# Before\n\n\n\nAfter."),
        ("- A\n\nBefore.\n{:toc}", "- A\n\nBefore.\n"),
        ("{:toc}\n", "\n"),
        (
            "## Table of contents\n{: .no_toc .text-delta }\n\n1. TOC\n{:toc}\n\n---\n\nAfter.",
            "\n\n\n\n\n\n---\n\nAfter.",
        ),
        ("#### Contents {: .no_toc}\n- A\n{:toc}\n## B", "\n\n\n## B"),
        ("# Contents\n\n* TOC\n{:toc}\n\n## Contents of boats\n{:toc}", "# Contents\n\n\n\n\n## Contents of boats\n"),
        ("## Contents\n\nOf boats.\n\n{:toc}", "## Contents\n\nOf boats.\n\n"),
        ("Before.\n\n{: .lead}\n\nAfter.", "Before.\n\n\n\nAfter."),
        ("Before.\n\n{: .note}\n\nAfter.", "Before.\n\n\n\nAfter."),
        (
            "<details>\n  <summary>All</summary>\n  {: .text-delta }\n- TOC\n{:toc}\n</details>",
            "<details>\n  <summary>All</summary>\n\n\n\n</details>",
        ),
        ('Press {::nomarkdown}<img src="a.png" alt="save"/>{:/} now.', 'Press <img src="a.png" alt="save"/> now.'),
        ("{::nomarkdown}\n<b>A</b>\n{:/nomarkdown}", "\n<b>A</b>\n"),
        ("> #### Mind it {: .warning}\n>\n> So.", "> #### Mind it\n>\n> So."),
    ],
)
def test_attributes_go_and_lines_stay_on_their_places(text: str, written: str) -> None:
    assert drop_block_attributes(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('> Mind the\n> gap.\n>\n{style="warning"}', "> **Warning:** Mind the\n> gap.\n>\n"),
        ('- Item\n\n  > Mind it.\n  {style="note"}', "- Item\n\n  > **Note:** Mind it.\n"),
        ("Mind it.\n{: .tip }", "**Tip:** Mind it.\n"),
        ("Before.\n\n{: .warning }\n> Mind it.", "Before.\n\n**Warning:**\n> Mind it."),
        ("## Part\nMind it.\n{: .note }", "## Part\n**Note:** Mind it.\n"),
        ("- One\n- Two\n{: .note }", "- One\n- Two\n"),
        ("```\ncode\n```\n{: .note }", "```\ncode\n```\n"),
    ],
)
def test_the_kind_of_a_box_stands_before_its_text(text: str, written: str) -> None:
    assert drop_block_attributes(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "Read `![a](b){: .c}` here.",
        "```\n![a](b){: .c}\n{: .note }\n```",
        '    {style="note"}',
        'The selector\n{job="logs"}\nfinds them.',
        "# Title\n{: #id}",
        "## Title {#id}",
        "[a](b){}, [c](d){ x } and f(x){y}",
        "GET /users/(id){id}",
        "> #### GET /users/{id}",
        r"$\sqrt[3]{x=2}$ and $$\sqrt[3]{x=2}$$",
        "function f(a){b=c} and arr[0]{.x}",
        'The selector is:\n{app="mysql"}\n',
        "and\n{.Name}\nhere",
        "Text\n{name}",
        "Text\n{{ .Title }}",
        "{#if it}\nText\n{/if}",
        "{#if it}\n\nText",
        "{name}\n\nText",
        "<details>\n{: .note}\n</details>",
        "<p>\n{:else}\n</p>\n{:else}",
        "`{::nomarkdown}` and `{:/}`",
        "a {:/} b",
    ],
)
def test_what_is_no_list_of_attributes_stays(text: str) -> None:
    assert drop_block_attributes(text) == text


def test_ids_of_headings_are_still_taken() -> None:
    raw = RawDocument(path="a.md", content=b"# Title\n{: #top}\n\nText.\n{: .lead}\n\n## Part {#own}\n\nMore.\n")
    assert [section.anchor for section in parse(raw).sections] == ["top", "own"]


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        ("[//]: # (title: Winches (and ropes))\n\nText.\n", "Winches (and ropes)", ""),
        ("\n[//]: # (title: `run` it)\n[//]: # (description: How to run.)\n\nText.\n", "run it", "How to run."),
        ('[//]: # "title: Winches"\n# Other\n', "Winches", ""),
        ("[//]: # (Written by hand)\n[//]: # (title: Winches)\n", "Winches", ""),
        ("---\ntitle: Ropes\n---\n[//]: # (title: Winches)\n", "Ropes", ""),
        ("# Other\n\n[//]: # (title: Winches)\n", "Other", ""),
        ("Text.\n\n[//]: # (title: Winches)\n", "a", ""),
        ("[//]: # (title: )\nText.\n", "a", ""),
    ],
)
def test_comments_at_the_start_tell_title_and_description(text: str, title: str, description: str) -> None:
    document = parse(RawDocument(path="a.md", content=text.encode()))
    assert (document.title, document.description) == (title, description)


@pytest.mark.parametrize(
    ("text", "title", "content"),
    [
        ("% Winches\n% Ann; Bo\n% May 2026\n\nText.\n", "Winches", "Text."),
        ("% Winches\n  and ropes\n\n# Other\n", "Winches and ropes", "# Other"),
        ("% boat-row 1\n\n## NAME\n", "boat-row(1)", "## NAME"),
        ("% BOAT\\-ROW(1) Boats 2.1 | Manual\n%\n\nText.\n", "BOAT-ROW(1)", "Text."),
        ("% row the boat\nIt moves.\n", "a", "% row the boat\nIt moves."),
        ("Text.\n\n% Winches\n", "a", "Text.\n\n% Winches"),
        ("%Winches\n\nText.\n", "a", "%Winches\n\nText."),
    ],
)
def test_the_title_block_of_pandoc_is_the_title(text: str, title: str, content: str) -> None:
    document = parse(RawDocument(path="a.md", content=text.encode()))
    assert (document.title, document.content.strip()) == (title, content)
    assert document.content.count("\n") == text.count("\n")


def test_title_blocks_take_linear_time() -> None:
    for text in ("% a" + "\n  b" * 20_000 + "\nc", "% " * 20_000, "%" + " " * 20_000 + "\n", "% a\n%" + "\n " * 20_000):
        assert_linear(split_title_block, text)


def test_the_title_in_a_comment_is_the_heading_of_what_stands_below_it() -> None:
    raw = RawDocument(
        path="control-flow.md", content=b"[//]: # (title: Conditions and loops)\n\nText.\n\n## If\n\nMore.\n"
    )
    assert [section.heading_path for section in parse(raw).sections] == [("Conditions and loops",), ("If",)]


def test_an_empty_link_with_an_id_is_a_place_for_links_to_lead_to() -> None:
    text = "# Sails\n\n[](){#old-name}\n### Set them\n\nBy hand.\n\n[](){ #loops }\nText in `[](){#code}`.\n"
    document = parse(RawDocument(path="a.md", content=text.encode()))
    assert [section.anchor for section in document.sections] == ["", "old-name"]
    assert document.sections[1].text == '### Set them\n\nBy hand.\n\n<a id="loops"></a>\nText in `[](){#code}`.\n'
