"""Ids that authors give headings are the anchors of sections."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.heading_ids import find_heading_id


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
