"""Markup of DocFX and VuePress, and component tags in Markdown: what becomes Markdown, and what stays."""

from __future__ import annotations

import pytest

from collections_app.exceptions import UnsupportedFormat
from collections_app.parsing import parse
from collections_app.parsing.dialects import docfx
from collections_app.parsing.dialects.components.writer import drop_lone_components
from collections_app.parsing.dialects.docfx import write_docfx_signs
from collections_app.parsing.dialects.paradox import write_paradox_signs
from collections_app.parsing.dialects.vuepress import drop_values, write_vuepress_signs
from collections_app.parsing.documents import RawDocument
from tests.growth import assert_linear

TABS = "# Sails\n\n# [Windows](#tab/win)\n\nOne.\n\n## [macOS](#tab/mac/a)\n\nTwo.\n\n***\n\nThree.\n\n---\n"


def test_tabs_of_docfx_are_below_their_names_and_no_sections() -> None:
    assert write_docfx_signs(TABS) == "# Sails\n\n**Windows**\n\nOne.\n\n**macOS**\n\nTwo.\n\n\n\nThree.\n\n---\n"
    assert len(parse(RawDocument("a.md", TABS.encode())).sections) == 1


FAQ = """### YamlMime:FAQ
metadata:
  description: On sails.
  keywords: sails, rope
title: Questions
  about sails
summary: |
  Asked often.
sections:
  - name: At sea
    questions:
      - question: |
          Is it dry?
        answer: |
          No, see [tides](tides.md).

          > [!NOTE]
          > Never.
  - questions:
      - question: Who sails?
        answer: All.
additionalContent: |
  ## More
"""


def test_questions_of_microsoft_learn_are_a_page_with_a_section_for_each() -> None:
    page = parse(RawDocument("a/sails-faq.yml", FAQ.encode()))
    assert (page.title, page.description, page.keywords) == ("Questions about sails", "On sails.", ("sails", "rope"))
    assert [(each.level, each.heading) for each in page.sections[1:]] == [
        (2, "At sea"), (3, "Is it dry?"), (2, "Who sails?"), (2, "More"),
    ]  # fmt: skip
    assert "Asked often." in page.content
    assert "### Is it dry?\n\nNo, see [tides](tides.md).\n\n> [!NOTE]\n> Never.\n" in page.content


def test_what_vue_says_for_one_style_of_its_api_is_labelled() -> None:
    text = (
        '# A\n\n<div class="options-api">\n\n## Sails\n\nOne `a`.\n\n</div>\n\n<div class="composition-api">\n\n```js\n2\n```\n\n</div>\n\n'
        'Of <span class="options-api">`a`</span><span class="composition-api">`b`</span>.\n\n`<div class="options-api">`\n'
    )
    written = parse(RawDocument("a.md", text.encode())).content
    assert "## Sails\n**Options API**  \nOne `a`.\n" in written
    assert "**Composition API**\n\n```js\n2\n```\n" in written
    assert written.count("</span> / <span") == 1
    assert written.rstrip().endswith('`<div class="options-api">`')
    assert_linear(write_vuepress_signs, '<div class="options-api">\n' * 5_000)


HUB = """### YamlMime:Hub
title: Boats
summary: All of them.
metadata: {description: On boats.}
tools:
  title: Tools
  items:
    - {title: Winch (old), url: /winch, summary: Pulls.}
    - title: Sails
      links:
        - {text: Hoist, url: sails/hoist.md, itemType: how-to-guide}
      footerLink: {text: See more, url: a b.md}
additionalContent:
  sections:
    - {title: Help, items: [{title: Ask, url: ask.md}]}
  footer: "[News](news.md)"
"""
LANDING = """### YamlMime:Landing
title: Boats
landingContent:
  - title: Start
    linkLists:
      - linkListType: tutorial
        links: [{text: Sail, url: sail.md}]
"""


def test_pages_of_microsoft_learn_that_lead_to_others_are_lists_of_links() -> None:
    page = parse(RawDocument("a/index.yml", HUB.encode()))
    assert (page.title, page.description) == ("Boats", "On boats.")
    assert page.content.strip() == (
        "All of them.\n\n- Help\n  - [Ask](ask.md)\n\n[News](news.md)\n\n"
        "## Tools\n\n- [Winch (old)](/winch): Pulls.\n- Sails\n  - [Hoist](sails/hoist.md) (how-to-guide)\n  - [See more](<a b.md>)"
    )
    landing = parse(RawDocument("a/index.yml", LANDING.encode()))
    assert landing.content.strip() == "- Start\n  - [Sail](sail.md) (tutorial)"


def test_other_yaml_of_microsoft_learn_is_no_page() -> None:
    with pytest.raises(UnsupportedFormat):
        parse(RawDocument("a/sails-faq.yml", FAQ.replace(":FAQ", ":Course").encode()))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (':::row:::\n:::column span="2":::\na\n:::column-end:::\n:::row-end:::', "\n\na\n\n"),
        ('::: zone pivot="csharp"\na\n::: zone-end', "**csharp**\na\n"),
        (':::zone target="chromeless"\na\n:::zone-end', "\na\n"),
        (':::moniker range=">= a-8.0 < a-9.0"\na\n:::moniker-end', "**Version >= a-8.0 < a-9.0**\na\n"),
        (':::image type="content" source="https://a/b.png" alt-text="A plan":::', "![A plan](https://a/b.png)"),
        ('- b :::image type="icon" source="a.png" border="false"::: c', "- b  c"),
        ('> [!div class="nextstepaction"]\n> [Next](a.md)', ">\n> [Next](a.md)"),
        ("> [!VIDEO https://a/b]", "> [Video](https://a/b)"),
        ("Of [`String`](xref:System.String).", "Of `String`."),
        ("Of <xref:A.List%601.Add%2A?displayProperty=nameWithType>.", "Of `A.List.Add`."),
    ],
)
def test_signs_of_docfx_say_the_same_as_markdown(text: str, written: str) -> None:
    assert write_docfx_signs(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "`:::row:::` `<xref:a>` `[!VIDEO a]` `:::image source=\"a\" alt-text=\"b\":::`",
        "```\n:::row:::\n# [a](#tab/b)\n---\n```",
        ":::note\na\n:::",
        "::: {.column}\na\n:::",
        "a\n\n---\n\nb",
        "# [a](#tabs)\n\n---",
        "[!NOTE] <a:b>",
        "<xref:python#library/abc>",
    ],
)  # fmt: skip
def test_what_is_none_of_docfx_stays(text: str) -> None:
    assert write_docfx_signs(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            '<Listing number="1-1" file-name="src/a.rs" caption="The sail">\n\n```rust\nsail();\n```\n\n</Listing>',
            "**Listing 1-1** src/a.rs The sail \n\n```rust\nsail();\n```\n\n",
        ),
        ("- a\n\n  <Card>\n  b\n  </Card>", "- a\n\n  \n  b\n  "),
        ('<Listing number="1-1" caption="The sail">\na\n</Listing>', "**Listing 1-1** The sail \na\n"),
        ('<Plan\n  src="a.png"\n  title="A plan"\n/>', "**A plan** \n\n\n"),
        ("<Aa>\n<Bb>\na\n</Aa>", "\n<Bb>\na\n"),
        (
            '<Fleet>\n    <Boat title="Sail" href="/sail">\n\t\tOn wind\n    </Boat>\n</Fleet>',
            "\n[**Sail**](/sail) \nOn wind\n\n",
        ),
    ],
)
def test_tags_of_components_on_lines_of_their_own_go(text: str, written: str) -> None:
    assert drop_lone_components(text) == written


def test_the_label_of_a_tab_stands_below_the_heading_that_it_begins_with() -> None:
    text = '<Tabs>\n  <Tab name="Sea">\n\n  ### Sail\n\n  Set.\n\n  </Tab>\n  <Tab name="Quay">\n\n  Moor.\n\n  </Tab>\n</Tabs>\n'
    assert drop_lone_components(text).split() == ["###", "Sail", "**Sea**", "Set.", "**Quay**", "Moor."]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<docs-info>Mind\nthe gap.</docs-info>", "**Info:** Mind\nthe gap."),
        (
            '<x-tabs group="a">\n<x-tab value="mac" label="macOS" default>\n\nOne.\n\n</x-tab>\n</x-tabs>',
            "\n**macOS** \n\nOne.\n\n\n",
        ),
        ('<docs-callout type="warning">\nHot.\n</docs-callout>', "**Warning:** \nHot.\n"),
        ('See <docs-pill href="/a">all sails</docs-pill>.', "See [all sails](/a)."),
        ("- a\n  <b-alert><b>c</b></b-alert>", "- a\n  <b>c</b>"),
    ],
)
def test_custom_elements_in_pairs_go(text: str, written: str) -> None:
    assert drop_lone_components(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "<Tabs>\n  <template v-slot:Linux>\n\n```sh\na\n```\n\n  </template>\n  <template #macOS>\n\nb\n\n  </template>\n</Tabs>",
            "\n**Linux** \n\n```sh\na\n```\n\n  \n**macOS** \n\nb\n\n  \n",
        ),
        ("- a\n\n  <template #b>\n\n  c\n\n  </template>", "- a\n\n  **b** \n\n  c\n\n  "),
        ("<Box>\n<template v-slot:default>\n\na\n\n</template>\n</Box>", "\n\n\na\n\n\n"),
        ("  </template>\n    <template v-slot:a>\n\nb\n\n</template>", "  </template>\n**a** \n\nb\n\n"),
    ],
)
def test_slots_of_vue_are_below_their_names(text: str, written: str) -> None:
    assert drop_lone_components(text) == written


def test_slots_of_html_are_one_block_with_it() -> None:
    slot = '  <template v-slot:{}>\n    <div class="code">\n      <pre><code># {}</code></pre>\n    </div>\n  </template>\n'
    text = f"<Tabs>\n{slot.format('Linux', 'one')}{slot.format('macOS', 'two')}</Tabs>\n"
    lines = [line for line in parse(RawDocument("a.md", text.encode())).content.split("\n") if line.strip()]
    assert lines == ["**Linux**", "```", "# one", "```", "**macOS**", "```", "# two", "```"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('See <RouterLink to="/sails/">the <b>sails</b></RouterLink>.', "See [the sails](/sails/)."),
        ("See <RouterLink :to=\"'/sails/'\">sails</RouterLink>.", "See [sails](/sails/)."),
        ('See <router-link class="x" :to="`/sails/#a`">sails</router-link>.', "See [sails](/sails/#a)."),
        ('| <RouterLink :to="`/${$site.themeConfig.latest}/sails`">sails</RouterLink> |', "| sails |"),
        ('<RouterLink :to="page.path">sails</RouterLink>', "sails"),
        ('<RouterLink to="javascript:a">sails</RouterLink>', "sails"),
        ('`<RouterLink to="/a">b</RouterLink>`', '`<RouterLink to="/a">b</RouterLink>`'),
        ('<RouterLink to="/a">b', '<RouterLink to="/a">b'),
        ('- area <Badge type="tip" text="Required" vertical="top"/>', "- area **Required**"),
        ("## Sails <Badge text='New'/>", "## Sails"),
        ("# Sails v{{ $page.version }}", "# Sails"),
        ("## What is new for v{{$page.version}}", "## What is new"),
        ("## {{ $site.title }}: sails ({{ $themeConfig.a.b }})", "## sails"),
        ("## `{{ $page.version }}` and {{ name }}", "## `{{ $page.version }}` and {{ name }}"),
        ("# {{ $page.title }}\n\nOf {{ $page.title }}", "# {{ $page.title }}\n\nOf {{ $page.title }}"),
    ],
)
def test_signs_of_vuepress_say_the_same_as_markdown(text: str, written: str) -> None:
    assert write_vuepress_signs(text) == written


def test_a_title_has_no_values_that_only_a_build_knows() -> None:
    document = parse(RawDocument("a.md", b"---\ntitle: All of Sails v{{ $page.version }}\n---\nText.\n"))
    assert document.title == "All of Sails" == drop_values("All of Sails v{{ $page.version }}")
    assert [section.section_id for section in document.sections] == ["all-of-sails"]


@pytest.mark.parametrize(
    "text",
    [
        "<template v-slot:a hidden>\n\nsecret\n\n</template>",
        "<template>\n\nsecret\n\n</template>",
        "Give <your-name> and <your.other-name/>, then <end-of-it>.\n</b-alert>",
        "<b-alert hidden>secret</b-alert>",
        '<b-alert style="display:none">secret</b-alert>',
        "`<b-alert>a</b-alert>`",
        '<b-alert HIDDEN>secret</b-alert> <b-alert STYLE="display:none">secret</b-alert>',
        "<pre>\n<b-alert>a</b-alert>\n</pre> <code><b-alert>a</b-alert></code>",
        "Set <my-name> here.\n\nThe end </my-name> there.",
        "<b-card>\n    <p hidden>secret</p>\n</b-card>",
        "    <b-alert>a</b-alert>",
        "<YourName>\nand <Card>b</Card>",
        "<SupportedVersions />",
        '```html\n<Card title="a">\n</Card>\n```',
        'Text:\n\n    <Card title="a">\n    </Card>',
        "</Card>\n<Card>",
        '<div title="a">\n</div>',
        'a <Card title="b">\n</Card>',
        '<DIV style="display:none">\nhidden\n</DIV>',
        "<Foo hidden>\nhidden\n</Foo>",
        "<TABLE>\n<TR>\na\n</TR>\n</TABLE>",
        "<TEMPLATE>\nhidden\n</TEMPLATE>",
        "<Fleet>\n    <Boat>\n    <pre>\n    a\n    </pre>\n    </Boat>\n</Fleet>",
    ],
)
def test_other_tags_stay(text: str) -> None:
    assert drop_lone_components(text) == text


def test_components_below_components_take_linear_time() -> None:
    assert_linear(drop_lone_components, '<A>\n    <B c="d e">\n    f\n    </B>\n</A>\n\n' * 500)
    assert_linear(drop_lone_components, "<A>\n    <B>\n" * 2_000)


def test_a_component_within_a_line_that_leads_somewhere_is_a_link() -> None:
    text = (
        'Set <DocLink href="/sail#set">the `sail`</DocLink> of <Boat>, <Name a="b">c</Name> and `<A href="/b">c</A>`.'
    )
    written = 'Set [the `sail`](/sail#set) of <Boat>, <Name a="b">c</Name> and `<A href="/b">c</A>`.'
    assert drop_lone_components(f"Now.\n\n{text}\n\n<Box>\n\nA\n\n</Box>") == f"Now.\n\n{written}\n\n\n\nA\n\n"
    assert drop_lone_components(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("See @ref:[sails](sails.md#set) and @link[ropes](https://example.org) { open=new }.",
         "See [sails](sails.md#set) and [ropes](https://example.org)."),
        ("A @scala[@apidoc[deck.*.Option]]@java[`Optional<T>`] of @javadoc[Boat](deck.Boat).",
         "A `Option` (Scala) / `Optional<T>` (Java) of `Boat`."),
        ("@ref[@scala[apply]](a.md)\n@java[Row\nnow.]", "[apply (Scala)](a.md)\nJava: Row\nnow."),
        ('@@@ note { title="Mind" }\n\nIt is @ref:[wet](a.md).\n\n@@@', "::: note Mind\n\nIt is [wet](a.md).\n\n:::"),
        ("@@@ div { .group-java }\nA `@ref[b](c)`.\n@@@\n@@toc { depth=2 }", "**Java**\nA `@ref[b](c)`.\n\n"),
        ("@ref[a](b)\n\nScala\n:   ```scala\n    sail()\n    ```\n\nJava\n:  @@@ vars\n```java\nrow();\n```\n@@@",
         "[a](b)\n\n**Scala**\n```scala\nsail()\n```\n\n**Java**\n\n```java\nrow();\n```\n"),
        ('@@dependency[sbt] {\n  symbol1=Tide\n  value1="$tide$"\n  group="boats"\n  artifact=sail\n  version=Tide\n}',
         "```text\nboats:sail:$tide$\n```\n\n\n\n"),
        ('@apidoc[sea.Boat](Boat) { java="#row(\nsea.Oar)" }\n\n@ref[x](y.md)\n', "`sea.Boat`\n\n\n[x](y.md)\n"),
        ("```\n@ref[a](b)\n```", "```\n@ref[a](b)\n```"),
    ],
)  # fmt: skip
def test_directives_of_paradox_are_what_readers_see(text: str, written: str) -> None:
    assert write_paradox_signs(text) == written


@pytest.mark.parametrize("part", ["@ref[a](", "@scala[@java[a]]\n", "A\n: @@@ note\n"])
def test_directives_of_paradox_take_linear_time(part: str) -> None:
    assert_linear(write_paradox_signs, part * 2_000)


def test_boxes_of_other_generators_are_not_taken_for_signs_of_docfx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(docfx, "iter_line_kinds")
    text = ":::note\nReef early.\n:::\n"
    assert write_docfx_signs(text) == text
