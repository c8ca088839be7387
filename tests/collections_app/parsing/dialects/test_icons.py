"""Icons of MkDocs Material that only decorate words go."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.mkdocs.icons import drop_icons
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## :material-anchor: Anchor", "## Anchor"),
        ("## :material-anchor:{ .big } :octicons-book-16: `anchor`", "## `anchor`"),
        ("## Anchor :material-anchor:", "## Anchor"),
        ("[:octicons-arrow-right-24: Set sail](sail.md)", "[Set sail](sail.md)"),
        ("Then [set sail :octicons-arrow-right-24:](sail.md).", "Then [set sail](sail.md)."),
        ('=== ":fontawesome-brands-linux: Linux"\n\n    Row.', '=== "Linux"\n\n    Row.'),
        ('=== ":octicons-file-code-16: `sail.yml`"\n\n    Row.', '=== "`sail.yml`"\n\n    Row.'),
        ('??? note ":material-anchor: Mind"\n\n    Row.', '??? note "Mind"\n\n    Row.'),
        ("-   :material-anchor:{ .lg .middle } __Anchor__", "-   __Anchor__"),
        ("-   :simple-anchor: &nbsp; __[Anchor](a.md)__", "-   __[Anchor](a.md)__"),
        (":fontawesome-solid-anchor: **Anchor**", "**Anchor**"),
    ],
)
def test_an_icon_beside_words_goes(text: str, expected: str) -> None:
    assert drop_icons(text) == expected
    assert parse(RawDocument("a.md", f"# A\n\n{text}\n".encode())).content == f"# A\n\n{expected}\n"


@pytest.mark.parametrize(
    "text",
    [
        "| :material-check: | :material-close: at sea |",
        "Press :material-anchor: **twice**.",
        ":material-check: means yes.",
        "## :material-anchor:",
        "## Press :material-anchor: twice",
        "[:material-anchor:](anchor.md)",
        "`## :material-anchor: Anchor`",
        "`[:material-anchor: Anchor](a.md)`",
        "```\n## :material-anchor: Anchor\n```",
        "## :anchor: Anchor",
        "## :simple: Anchor",
        "## a:simple-anchor:b",
    ],
)
def test_other_icons_stay(text: str) -> None:
    assert drop_icons(text) == text


@pytest.mark.parametrize("heading", [":simple-anchor: Anchor", "Anchor :simple-anchor:{ .big } { #iron }"])
def test_a_heading_is_called_by_its_words(heading: str) -> None:
    sections = parse(RawDocument("a.md", f"# A\n\n## {heading}\n\nDrop it.\n".encode())).sections
    assert [section.heading for section in sections] == ["A", "Anchor"]


@pytest.mark.parametrize(
    "line",
    [
        "[:simple-a: " * 80,
        "## " + ":simple-a: " * 85,
        ":simple" + "-a" * 450,
        "- " + ":simple-a:{" * 80,
        "## " + "a :simple-a: " * 75,
    ],
)
def test_a_hostile_text_takes_no_longer_than_its_length(line: str) -> None:
    assert_linear(drop_icons, f"{line}\n" * 300)
