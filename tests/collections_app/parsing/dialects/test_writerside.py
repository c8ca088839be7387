"""Writerside: topics in XML, its elements among Markdown, and what pages take from other files."""

from __future__ import annotations

import pytest

from collections_app.exceptions import UnsupportedFormat
from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.writerside import write_topic, write_writerside
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.wikilinks import FileNames
from tests.growth import assert_linear

TOPIC = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topic SYSTEM "https://boats.example/entities.dtd">
<topic title="Reefing &amp; more" id="reef">
    <link-summary>How to make sails smaller.</link-summary>
    <p>See <a href="mast.md" anchor="top">the mast</a>&nbsp;and <control>Reef</control>.</p>
    <chapter title="By hand" id="hand">
        <procedure title="Reef the main">
            <step><p>Ease the <path>main.sheet</path>:</p><code-block lang="Kotlin"><![CDATA[
                if (wind > 5) {
                    ease()
                }
            ]]></code-block></step>
            <step>Tie.</step>
        </procedure>
        <note><p>Stay calm.</p></note>
        <chapter title="Alone"><deflist><def title="Lazy jack">A line.</def></deflist></chapter>
    </chapter>
</topic>
"""


def get_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def test_a_topic_in_xml_is_a_page_with_a_section_for_each_chapter() -> None:
    document = parse(RawDocument("reef.topic", TOPIC.encode()))
    assert (document.title, document.description) == ("Reefing & more", "How to make sails smaller.")
    assert [(section.heading, section.anchor) for section in document.sections[-2:]] == [
        ("By hand", "hand"),
        ("Alone", ""),
    ]
    assert get_lines(document.content) == [
        "See [the mast](mast.md#top) and **Reef**.", "## By hand", "**Reef the main**", "1. Ease the `main.sheet`:", "   ```kotlin",
        "   if (wind > 5) {", "       ease()", "   }", "   ```", "2. Tie.", "> **Note:** Stay calm.", "### Alone",
        "- **Lazy jack**: A line.",
    ]  # fmt: skip


def test_a_topic_of_nothing_but_snippets_has_no_text_and_other_xml_is_refused() -> None:
    assert (
        parse(RawDocument("lib.topic", b'<topic title="Library"><snippet id="a"><p>A</p></snippet></topic>')).content
        == ""
    )
    with pytest.raises(UnsupportedFormat):
        parse(RawDocument("a.topic", b"words"))


def test_elements_among_markdown_become_markdown_and_what_is_for_menus_goes() -> None:
    written = write_writerside(
        '<show-structure for="chapter"/>\n<tldr>\n<p><b>Since</b>: 2.1</p>\n</tldr>\n\n# Sails\n\n<tabs group="os">\n'
        '<tab title="Linux">\n\n```sh\n<tabs>\n```\n\n</tab>\n</tabs>\n\n<chapter title="Jib" id="jib">\n\n'
        '- Press <shortcut>J</shortcut>.\n\n</chapter>\n> <tab title="Quoted">\n> x\n'
    )
    assert get_lines(written) == [
        "**Since**: 2.1", "# Sails", "**Linux**", "```sh", "<tabs>", "```", '## Jib {id="jib"}', "- Press `J`.", "> **Quoted**", "> x",
    ]  # fmt: skip
    plain = "Words with `<list>` and\n\n```\n<tabs>\n```\n"
    assert write_writerside(plain) == plain


def test_pages_have_elements_of_topics_code_of_files_and_the_titles_that_links_lead_to() -> None:
    files = {
        "writerside.cfg": b'<ihp><snippets src="code"/></ihp>',
        "topics/lib.topic": b'<topic title="L"><snippet id="add"><p>Add <code>%part%</code>.</p></snippet></topic>',
        "topics/a/page.md": b"",
        "topics/b/rig.md": b'[//]: # (title: The rig)\n\n## Shrouds {id="shrouds"}\n',
        "code/a/Main.kt": b"package a\n\nfun main() {\n    sail()\n}\n\nval x = 1\n",
    }
    text = (
        '<var name="part" value="oars"/>\n\n<include from="lib.topic" element-id="add"/>\n\n```kotlin\n```\n{src="a/Main.kt" '
        'include-lines="3-5"}\n\n<code-block lang="kotlin" src="a/Main.kt" include-symbol="main"/>\n\n'
        'See <a href="rig.md" anchor="shrouds"/>.\n\nOf %part%: [](rig.md), [words](rig.md#shrouds), `[](rig.md)`, %other%.\n'
    )
    resolver = IncludeResolver(files.get, FileNames(lambda: files))
    document = parse(resolver.resolve(RawDocument("topics/a/page.md", text.encode())))
    code = ["```kotlin", "fun main() {", "    sail()", "}", "```"]
    assert get_lines(document.content) == [
        "Add `oars`.", *code, *code,
        "See [Shrouds](../b/rig.md#shrouds).", "Of oars: [The rig](../b/rig.md), [words](../b/rig.md#shrouds), `[](rig.md)`, %other%.",
    ]  # fmt: skip


@pytest.mark.parametrize("file", [".env", ".git/config", "keys/winch.pem"])
@pytest.mark.parametrize(
    "written",
    [
        '<code-block src="{}"/>',
        '```\n```\n{{src="{}"}}',
        '<include from="{}" element-id="a"/>',
    ],
)
def test_what_no_page_may_include_is_not_taken(written: str, file: str) -> None:
    files = {"writerside.cfg": b"", file: b'<snippet id="a">A secret.</snippet>'}
    resolver = IncludeResolver(files.get, FileNames(lambda: files))
    page = RawDocument("page.md", f"# Page\n\n{written.format(file)}\n".encode())
    assert b"secret" not in resolver.resolve(page).content


@pytest.mark.parametrize(
    "part",
    [
        "<tabs>\n",
        "<code-block>\n<tabs>\n",
        '<chapter title="a">\n# b\n',
        "<tldr",
        "<var ",
        "<list>\n</list>\n",
        "<tab title\n<path>",
    ],
)
def test_elements_take_linear_time(part: str) -> None:
    assert_linear(write_writerside, part * 10_000)


@pytest.mark.parametrize(
    "part",
    [
        "[](#a)",
        '<a href="#a"/>',
        '<include from="a.topic" element-id="a"/>\n',
        '<a href="b.md"',
        '```\n```\n{src="a.topic"}\n',
    ],
)
def test_what_pages_take_takes_linear_time(part: str) -> None:
    files = {"writerside.cfg": b"", "a.topic": b"<topic>" + b'<p id="b">' * 3_000}
    resolver = IncludeResolver(files.get, FileNames(lambda: files))
    assert_linear(lambda text: resolver.resolve(RawDocument("a.md", text.encode())), part * 10_000)


def test_topics_take_linear_time() -> None:
    assert_linear(write_topic, "<topic>" + '<chapter title="a"><p>a</p></chapter>' * 5_000 + "</topic>")
