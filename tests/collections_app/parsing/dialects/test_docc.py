"""Markup of Apple's DocC: directives, links to other pages and placeholders in code."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.dialects.docc import write_docc_signs
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.wikilinks import FileNames
from tests.growth import assert_linear

TABS = """\
@TabNavigator {
    @Tab("Calm") {
        ## Rowing

        Take the oars.

        ```
        }
        @Row {
        ```
    }
    @Tab("Wind") {
        @Row(numberOfColumns: 2) {
            @Column(size: 2) {
                Set the *sail*.
            }

            @Column {
                - Reef
                  - Tie
            }
        }
    }
}
End.
"""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("@Metadata {\n  @PageImage(a: b) { }\n}\nText.", "\n\n\nText."),
        ("# A\n\n  @Comment { none }\nText.", "# A\n\n\nText."),
        ("@Options(scope: global) {\n  @A(b)\n}", "\n\n"),
        ("@Metadata {\n}\n@Options {\n}\nText.", "\n\n\n\nText."),
        ("@Small {\n  @Comment {\n    none\n  }\n  a\n}", "\n\n\n\na\n"),
        ('@Redirected(from: "old/path")\nText.', "\nText."),
    ],
)
def test_what_docc_does_not_show_goes(text: str, written: str) -> None:
    assert write_docc_signs(text) == written


def test_blocks_of_docc_are_their_content_and_tabs_stand_below_their_labels() -> None:
    assert write_docc_signs(TABS) == (
        "\n\n## Rowing\n**Calm**  \nTake the oars.\n\n```\n}\n@Row {\n```\n\n"
        "**Wind**\n\n\nSet the *sail*.\n\n\n\n- Reef\n  - Tie\n\n\n\n\nEnd.\n"
    )
    assert [section.heading for section in parse(RawDocument("a.md", f"# A\n\nB.\n\n{TABS}".encode())).sections] == [
        "A",
        "Rowing",
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("@Small { Rights reserved. }", "Rights reserved."),
        ('@Tab("Oar") { Row. }', "**Oar** Row."),
        ("@Links(visualStyle: list) {\n   - ``Boat``\n}", "\n- ``Boat``\n"),
        ("@DeprecationSummary {\n  Use ``row()``.\n}\nb", "**Deprecated**\nUse ``row()``.\n\nb"),
        ('@Image(source: "oar.png", alt: "An oar.")\n@Video(source: oar, poster: a)', "An oar.\n"),
        ('@Image(source: oar, alt: "An oar.") {\n    It is **long**.\n}', "An oar.\nIt is **long**.\n"),
        (
            '@Snippet(path: "Boats/Snippets/row", slice: "a")',
            "*Not in this text, from another file:* `Boats/Snippets/row`",
        ),
        ("- a\n\n  @Row {\n    @Column {\n      b\n    }\n  }\n", "- a\n\n\n\n  b\n\n\n"),
        ("@Row {\n  @Other(a) {\n    a\n  }\n}", "\n@Other(a) {\n  a\n}\n"),
    ],
)
def test_a_directive_of_docc_is_what_it_shows(text: str, written: str) -> None:
    assert write_docc_signs(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "```\n@Comment {\n}\n```",
        "@Comment {\nnever closed",
        "@Row {\n    never closed",
        "@available(macOS 12, *) {\n}",
        "a @Comment { b }",
        "    @Row {\n    }",
        '@Column(name = "a")\n@Image\n@Small is a tag.',
    ],
)
def test_other_directives_and_code_stay(text: str) -> None:
    assert write_docc_signs(text) == text


def _resolve(text: str, files: dict[str, bytes], path: str = "a.docc/Guide/TheBasics.md") -> str:
    resolver = IncludeResolver(files.get, FileNames(lambda: files))
    return resolver.resolve(RawDocument(path, text.encode())).content.decode()


def test_links_of_docc_lead_to_the_source_s_articles_by_their_titles() -> None:
    files = {
        "a.docc/Guide/ControlFlow.md": b"# Flow of [Control]\n\n## Nil-Coalescing Operator\n",
        "a.docc/Guide/TheBasics.md": b"# Basics\n\n## Constants\n",
        "a.docc/Guide/OldGuide.md": b"\xff\xfe\x00",
    }
    text = (
        "<doc:ControlFlow>, <doc:ControlFlow#Nil-Coalescing-Operator>, <doc:ControlFlow#Early-Exit>, <doc:OldGuide>,\n"
        "[flow](doc:ControlFlow#Early-Exit), <doc:TheBasics#Constants>, <doc:#Constants>, <doc:Other>, [it](doc:Other),\n"
        "`<doc:ControlFlow>` and <doc:>.\n\n## Constants\n"
    )
    assert _resolve(text, files) == (
        "[Flow of \\[Control\\]](ControlFlow.md), [Nil-Coalescing Operator](ControlFlow.md#nil-coalescing-operator),"
        " [Early Exit](ControlFlow.md#early-exit), [Old Guide](OldGuide.md),\n"
        "[flow](ControlFlow.md#early-exit), [Constants](#constants), [Constants](#constants), <doc:Other>, [it](doc:Other),\n"
        "`<doc:ControlFlow>` and <doc:>.\n\n## Constants\n"
    )


def test_a_page_without_its_source_has_the_words_of_links_of_docc() -> None:
    text = (
        "See <doc:ControlFlow>, <doc:ControlFlow#Early-Exit>, <doc:tying-a-knot>, <doc:Boat/row()-4k2>, <doc:Boat/oar>,"
        " [the `flow`](doc:ControlFlow), `<doc:ControlFlow>` and <doc:>."
    )
    assert write_docc_signs(text) == (
        "See Control Flow, Early Exit, tying a knot, `row()-4k2`, `oar`, the `flow`, `<doc:ControlFlow>` and <doc:>."
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("```swift\nfor <#item#> in <#some list#> { <#...#> }\n```", "```swift\nfor item in some list { ... }\n```"),
        ("```swift\nrow(<#T##oar: Oar##Oar#>)\n```\n`row(<#oar#>)`", "```swift\nrow(oar: Oar)\n```\n`row(oar)`"),
    ],
)
def test_placeholders_in_swift_are_their_names(text: str, written: str) -> None:
    assert write_docc_signs(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "```powershell\n<#comment#>\n```\n```swift\na\n```",
        "In swift, `<#a#>`.",
        "```swift\n<# a #>\n```",
        "```swift\n<#a>\n```",
    ],
)
def test_what_only_looks_like_placeholders_stays(text: str) -> None:
    assert write_docc_signs(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "@Row {\n" * 20_000,
        "@Row {\n" * 4_000 + "a\n" + "}\n" * 4_000,
        "@Comment {\n" * 5_000,
        f"@Row({'){(' * 50_000}\n",
        "@Row(){){" * 100 + "\n@Row {\n" * 5_000,
        "<doc:a(" * 20_000,
        "[`a](doc:" * 20_000,
        "```swift\n" + "<#a##" * 20_000,
    ],
)
def test_signs_of_docc_take_linear_time(text: str) -> None:
    assert_linear(write_docc_signs, text)
