"""Ids that authors give headings are the anchors of sections."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.headings.ids import find_heading_id, take_heading_ids
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("## Sails {#own}", "own"),
        ("## Sails {#own} ##", "own"),
        ("## Sails { #own .big }", "own"),
        ('## Sails { id="1.0" }', "1.0"),
        ("## Sails {: .big #own}", "own"),
        ("## Sails\n{: #own .big}", "own"),
        ("## Sails\n{: .big}", ""),
        ('## <a name="own"></a>Sails', "own"),
        ("## Sails <span id='own'></span>", "own"),
        ('<a id="own"></a>\n\n## Sails', "own"),
        ('<a id="own" />\n\n## Sails', "own"),
        ("(own)=\n## Sails", "own"),
        ("see (own)=\n## Sails", ""),
        ('<a id="own">not empty</a>\n## Sails', ""),
        ("## Sails {own}", ""),
        ('## Sails { title="a#b" }', ""),
        ("## C#", ""),
        ("## Sails {.big #own key=val}", "own"),
        ("## Sails {class=big id=own}", "own"),
        ('## Sails <a href="#own" id="own"></a>', "own"),
        ('<a class="mark" name="own"></a>\n## Sails', "own"),
        ('## Each {data-id="a"}', ""),
        ("## Sails [#own]", "own"),
        ("## [Sails](sails.md) [#own.er-1]", "own.er-1"),
        ("## Sails %{#own}%", "own"),
        ("## Sails %{own}%", ""),
        ("## Sails [#12]", ""),
        ("## Sails[#own]", ""),
        ("## [#own]", ""),
    ],
)
def test_the_id_of_a_heading_is_its_anchor(text: str, anchor: str) -> None:
    section = next(
        section for section in parse(RawDocument("a.md", f"{text}\n\nWords.\n".encode())).sections if section.level
    )
    assert section.anchor == anchor


@pytest.mark.parametrize("text", ["# {" + "#" * 500_000, "# " + '<a id="' * 100_000, "# x\n" + "{: #" * 100_000])
def test_it_looks_at_the_beginning_of_an_endless_line(text: str) -> None:
    assert find_heading_id(text.split("\n"), 0) == ""


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("## Sails {#own}", "## Sails"),
        ("## Sails {#own} ##", "## Sails"),
        ("## `reef()` {.method #own key=val}", "## `reef()`"),
        ("## Sails\n{: #own .big}\nWords", "## Sails\n\nWords"),
        ("## Sails\n{: .big}", "## Sails\n"),
        ("## Sails [#own]", "## Sails"),
        ("## Sails %{#own}%", "## Sails"),
        ("## Sails %{own}%", "## Sails %{own}%"),
        ("## Sails [#12]", "## Sails [#12]"),
        ("```\n# ls [#own]\n```", "```\n# ls [#own]\n```"),
        ("Words\n(own)=\n## Sails", "Words\n\n## Sails"),
        ('Words\n\n<a name="own"></a>\n## Sails', "Words\n\n\n## Sails"),
        ('Words\n\n<a id="own"/>\n\n## Sails', "Words\n\n\n\n## Sails"),
        ('Words\n\n<a name="old"></a>\n<a name="own"></a> <span id="x"></span>\n\n## Sails', "Words\n\n\n\n\n## Sails"),
        ('## <a name="own"></a>Sails', "## Sails"),
        ('## Sails <a href="#own" id="own"></a>', "## Sails"),
    ],
)
def test_no_reader_sees_what_names_a_heading(source: str, left: str) -> None:
    assert take_heading_ids(source)[0] == left


@pytest.mark.parametrize(
    "source",
    [
        "## GET /knots/{id}",
        "## {#only}",
        "## `{#own}`",
        '## The tag `<a id="own"></a>`',
        '## <a id="own">Sails</a>',
        '<a name="own"></a>\n\nWords\n\n## Sails',
        '<a name="own">Words</a>\n## Sails',
        '<a name="own">\n\n## Sails\n\n</a>',
        "Words {#own}",
        "- # Sails {#own}",
        "```\n# Sails {#own}\n```",
        "Sails {#own}\n===",
        '<a href="/x"></a>\n## Sails',
    ],
)
def test_what_readers_see_or_what_names_no_heading_stays(source: str) -> None:
    assert take_heading_ids(source)[0] == source


@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_sections_are_found_by_what_they_no_longer_say(path: str) -> None:
    page = 'Rig.\n\n<a name="sails"></a>\n## Sails\n\nTwo.\n\n### Reef {#reef-knot .big}\n\nOne.\n'
    document = parse(RawDocument(path, page.encode()))
    assert [(section.anchor, section.start_line) for section in document.sections] == [
        ("", 1),
        ("sails", 4),
        ("reef-knot", 8),
    ]
    assert [section.text for section in document.sections] == [
        "Rig.\n\n\n",
        "## Sails\n\nTwo.\n\n",
        "### Reef\n\nOne.\n",
    ]


def test_an_anchor_before_the_first_heading_makes_no_section() -> None:
    document = parse(RawDocument("a.md", b'<a name="sails"></a>\n\n# Sails\n\nTwo.\n'))
    assert [(section.section_id, section.anchor) for section in document.sections] == [("sails", "sails")]


@pytest.mark.parametrize(
    "text",
    [
        "# a {" + ".a " * 100_000,
        '# <a id="x">' * 60_000,
        "# " + "<a id=" * 50_000,
        "#\n" * 50_000 + ")=",
        '<a id="x"></a>\n# a\n' * 15_000,
        "}" + " #" * 100_000 + "x",
        " style={" * 12_000 + ">",
    ],
)
def test_hostile_headings_take_linear_time(text: str) -> None:
    assert take_heading_ids(text)[0].count("\n") == text.count("\n")
    assert_linear(take_heading_ids, text)
