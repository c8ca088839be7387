"""MyST: roles, links and directives become Markdown, with each line in its place, and get labels and titles of other pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from collections_app.parsing import parse
from collections_app.parsing.dialects.myst import write_myst
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.references import Configuration, ReferenceResolver, names_markdown
from collections_app.parsing.references.myst import read_names
from tests.growth import assert_linear

SAILS = "---\ntitle: All sails\n---\n(main-sail)=\n(mains)=\n## Hoisting *it*\n\nText.\n\n(a-rope)=\nText.\n\n## Reefing {#reef}\n"
PAGES = {
    "guide/sails.md": SAILS,
    "guide/knots.rst": ".. _bowline:\n\nThe bowline\n===========\n",
    "ropes.md": "# Ropes and lines\n",
}


FENCE_IN_TABLE = "```{list-table}\n* - ```yaml\n    a: b\n    ```\n  - b\n```\n## B"


def resolve(text: str, pages: Mapping[str, str] = PAGES, path: str = "guide/page.md") -> RawDocument:
    files = [RawDocument(name, content.encode()) for name, content in pages.items()]
    return ReferenceResolver(lambda: files).resolve(RawDocument(path, text.encode()))


def convert(text: str, pages: Mapping[str, str] = PAGES, path: str = "guide/page.md") -> str:
    return parse(resolve(text, pages, path)).content


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{py:func}`~os.path.join`, {meth}`a.b` and {class}`.C`", "`join()`, `a.b()` and `C`"),
        ("{kbd}`Ctrl` {file}`a.b` {envvar}`PATH` {option}`-x`", "`Ctrl` `a.b` `PATH` `-x`"),
        ("{guilabel}`&Turn` {menuselection}`File --> Open`", "**Turn** **File → Open**"),
        ("{math}`a^2` {abbr}`MyST (Markdown)` {pep}`8`", "$a^2$ MyST (Markdown) PEP 8"),
        ("10{sup}`6` H{sub}`2`O text{sup}`3`, a {superscript}`small remark`", "10^6 H_2O text[3], a small remark"),
        ("{cite:p}`someone` {octicon}`gear` {index}`a` {u}`so`", "[someone]  a so"),
        ("Click {icon}`gear` {raw}`x` {index}`a term <term>`", "Click gear  a term"),
        ("{code}``a`b`` and {download}`the plan <a.zip>`", "`` a`b `` and the plan"),
        ("See {ref}`over\ntwo lines <nowhere>` {term}`Rope`", "See \nover two lines Rope"),
        ("- {ref}`over\n  two <nowhere>`, {term}`Rope`", "- over two\n, Rope"),
        ("{ref}`what_it_is` {doc}`/a/how_to` {numref}`Figure %s <fig>`", "what it is how to Figure fig"),
    ],
)
def test_roles_are_their_words(text: str, written: str) -> None:
    assert write_myst(f"{text}\n", {}) == f"{written}\n"


@pytest.mark.parametrize(
    "text",
    [
        "`{ref}` and `` {ref}`a` `` here",
        "```\n{ref}`a`\n% no comment\n```",
        "50 % of {it} and {a: b}\n\n% of all\n+++",
        "::: {.column}\na\n:::\n\n```{r}\nx\n```\n\n```{python}\ny\n```",
        ":::note\na\n:::",
        "{unknown}`a`",
    ],
)
def test_what_shows_no_sign_of_myst_stays(text: str) -> None:
    assert write_myst(text, {}) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("```{note}\nSee {kbd}`x`.\n```", ":::{note}\nSee `x`.\n:::"),
        (
            "````{tab-set}\n```{tab-item} One\n:sync: a\n# Title\n```\n````",
            "::::{tab-set}\n:::{tab-item} One\n:sync: a\n**Title**\n:::\n::::",
        ),
        ("```{admonition} A\n---\nclass: tip\n---\nText\n```", ":::{admonition} A\n:class: tip\n\n\nText\n:::"),
        ("- a\n\n  ```{warning}\n  b\n  ```\n- c", "- a\n\n  :::{warning}\n  b\n  :::\n- c"),
        (":::{note}\n## Heading\n:::", ":::{note}\n## Heading\n:::"),
        ("```{code-block} python\n:caption: a.py\n:linenos:\n\nx = 1\n```", "\n\n```python title=\"a.py\"\n\nx = 1\n```"),
        (":::{code} sh\nls ```\n:::", "````sh\nls ```\n````"),
        ("```{code-cell} python\n# no heading\n```", "```python\n# no heading\n```"),
        ("```{mermaid}\na --> b\n```", "```mermaid\na --> b\n```"),
        ("```{figure} a.png\n:alt: A sail\n:name: fig\n\nThe {kbd}`x` caption.\n```", "![A sail](a.png)\n\n\n\nThe `x` caption.\n"),
        ("```{math}\n:label: eq\na^2\n```", "$$\na^2\n$$\n"),
        (
            "```{list-table} Sails\n:header-rows: 1\n* - Name\n  - {kbd}`x`\n* - Main\n  - a\n    b | c\n```",
            "**Sails**\n\n| Name | `x` |\n| --- | --- |\n| Main | a b \\| c |\n\n\n",
        ),
        ("```{csv-table}\n:header: a, b\n\n1, \"2, 3\"\n```", "| a | b |\n| --- | --- |\n| 1 | 2, 3 |\n\n"),
        ("```{csv-table}\n1,2\n```", "|  |  |\n| --- | --- |\n| 1 | 2 |"),
        (
            "```{versionadded} 2.1 It turns.\n```\n:::{deprecated} 3\nText\n:::",
            "**Added in version 2.1:** It turns.\n\n**Deprecated since version 3:**\nText\n",
        ),
        ("```{versionadded} 2.1\n```\n:::{deprecated} 3\n:class: a\n:::", "**Added in version 2.1**\n\n**Deprecated since version 3**\n\n"),
        ("::::{grid} 2\n:::{grid-item-card} Start\n:link: a/b\nText\n:::\n::::", "\n[**Start**](a/b)\n\nText\n\n"),
        ("```{index} a\n```\n```{contents}\n:depth: 2\n```\nb", "\n\n\n\n\nb"),
        ("```{currentmodule} sea.boats\n```\n```{highlight} yaml\n```\n```{spelling:word-list}\nHalyard\n```\nb", "\n" * 7 + "b"),
        ("```{module} sea\n:synopsis: Boats\n```\nb", "\n\n\nb"),
        ("```{module} sea\n{kbd}`x`\n```", "```{module} sea\n{kbd}`x`\n```"),
        ("% a comment\n+++\n{kbd}`x`", "\n\n`x`"),
        ("```{toctree}\n:maxdepth: 2\na\nWords <b>\n```", "- a\n- [Words](b)\n\n\n"),
        ("> ```{note}\n> a\n> ```", "> :::{note}\n> a\n> :::"),
        ("```{code-block} yaml\n:caption: Set `x` \"now\"\na: b\n```\n## B", "\n```yaml title=\"Set x 'now'\"\na: b\n```\n## B"),
        ("````{solution} a\n```{code} java\nx\n\ny\n````\n## B", "**a**\n\n    x\n\n    y\n\n## B"),
        (":::{note}\n```sh\nls\n:::\n\n## B", ":::{note}\n\n    ls\n:::\n\n## B"),
        ("- ```{note}\n  hi\n- two\n\n## B", "- :::{note}\n  hi\n- two\n\n## B"),
        ("> ```{note}\n> x\n\nout\n\n## B", "> :::{note}\n> x\n\nout\n\n## B"),
        ("- ```{code} sh\n  ls\n\nout {kbd}`x`", "-\n      ls\n\nout `x`"),
        ("```{code-block} python\na\n\nb", "```{code-block} python\na\n\nb"),
        ("```{math} E = mc^2\n```\n{kbd}`x`", "```{math} E = mc^2\n```\n`x`"),
        ("```{math} E = mc^2\n:label: e\n```", "$$\nE = mc^2\n$$"),
        (":::{aside} A title\na\n:::\n::::{card-group}\n:title: Start\n:intro: Here.\n::::", "**A title**\na\n\n**Start** Here.\n\n\n"),
        (":::{grid-item-card} {octicon}`x` Start `it`\n:link: a/b\nText\n:::", "[** Start `it`**](a/b)\n\nText\n"),
        ("```{list-table}\n* - Has:\n    - one\n  - b\n```", "```{list-table}\n* - Has:\n    - one\n  - b\n```"),
        (FENCE_IN_TABLE, FENCE_IN_TABLE),
        ("```{raw} html\n<p>a\n\n   b</p>\n```\nText", "\n<p>a\n   b</p>\n\n\nText"),
        ("- :::{raw} latex HTML\n  <pre>a\n\n  b</pre>\n  :::", "-\n  <pre>a\n\n  b</pre>\n"),
        ("```{raw} latex\n\\sail\n```\nText", "\n\n\nText"),
        ("```{raw} html\n:file: a.html\n```", "```{raw} html\n:file: a.html\n```"),
        ("```{eval-rst}\n.. meta::\n   :page_title: Sails\n\n.. meta::\n\n   :a: b\n```\nText", "\n" * 8 + "Text"),
        ("```{eval-rst}\n.. meta::\n   :a: b\n.. note:: c\n```", "```{eval-rst}\n.. meta::\n   :a: b\n.. note:: c\n```"),
        (":::{custom} a\n{kbd}`x`\n:::\n{kbd}`y`", ":::{custom} a\n`x`\n:::\n`y`"),
        ("```{list-table}\n* - a\n  continued\n```", "```{list-table}\n* - a\n  continued\n```"),
        ("```{note}\nnever closed\n\n# a", ":::{note}\nnever closed\n\n**a**"),
        (
            "````{tabs}\n```{group-tab} Linux\nSee {kbd}`x`.\n```\n```{tab} macOS\n    ls\n```\n````",
            "::::{tab-set}\n:::{tab-item} Linux\nSee `x`.\n:::\n:::{tab-item} macOS\n    ls\n:::\n::::",
        ),
        ("```{code-tab} py Python 3\nx = 1\n```", "```py title=\"Python 3\"\nx = 1\n```"),
        ("```{terminal}\n:user: ann\n:input: row --fast\n\nRowing.\n```", "\n```console\n$ row --fast\n\nRowing.\n```"),
        ("```{terminal}\nrow\n\nRowing.\n```", "```console\nrow\n\nRowing.\n```"),
        ("```{youtube} https://youtu.be/abc\n:title: Rowing\n```", "[Rowing](https://youtu.be/abc)\n\n"),
        ("```{youtube} abc_1\n```\n```{vimeo} 12\n```", "[Video on YouTube](https://www.youtube.com/watch?v=abc_1)\n\n[Video on Vimeo](https://vimeo.com/12)\n"),
        ("```{youtube} \"a b\"\n```", "```{youtube} \"a b\"\n```"),
        ("```{only} latex\nPrinted.\n```\n{kbd}`x`", "\n\n\n`x`"),
        ("```{only} html and draft\nSee {kbd}`x`.\n```", "\nSee `x`.\n"),
        ("{kbd}`x`\n{.wide lineno-start=3 style=\"a b\"}\n{attribution=\"Ann\"}\n{#own}", "`x`\n\n{attribution=\"Ann\"}\n{#own}"),
    ],
)  # fmt: skip
def test_directives_say_the_same_as_markdown_on_the_same_lines(text: str, written: str) -> None:
    assert write_myst(text, {}) == written


OPTION = """\
## Options

```{config:option} mast.height rig-conf
:defaultdesc: "`9`"
:shortdesc: "How high it is"
:type: "integer"
In *metres*, see {config:option}`rig-conf:mast.wood`.
```
"""


def test_an_object_has_a_section_with_what_its_options_say() -> None:
    document = parse(resolve(f"# Boats\n\n{OPTION}"))
    assert document.content.split("\n")[4:] == [
        "### `mast.height`",
        "How high it is. **Default:** `9`, **Type:** integer",
        *("", ""),
        "In *metres*, see `mast.wood`.",
        *("", ""),
    ]
    assert document.sections[-1].heading_path == ("Boats", "Options", "mast.height")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "# A\n````{py:class} Boat(name)\n:no-index:\n\nIts hull.\n\n```{py:method} row(to)\n:async:\n:final:\n```\n````",
            "# A\n## `Boat(name)`\n\n\nIts hull.\n\n### `row(to)`\n**Async**, **Final**\n\n\n",
        ),
        ("```{confval} oars\n:default: 2\n```", "## `oars`\n**Default:** 2\n"),
        ("- a\n\n  ```{py:data} OARS\n  Two.\n  ```", "- a\n\n  **`OARS`**\n  Two.\n"),
        ("````{note}\n```{c:macro} OARS\n```\n````", "::::{note}\n**`OARS`**\n\n::::"),
        ("```{http:get} /boats\n```\n{kbd}`x`", "```{http:get} /boats\n```\n`x`"),
        ("```{prf:property} Of oars\n```\n{kbd}`x`", "```{prf:property} Of oars\n```\n`x`"),
    ],
)
def test_objects_in_objects_stand_below_them_and_have_no_section_in_lists_and_boxes(text: str, written: str) -> None:
    assert write_myst(text, {}) == written


@pytest.mark.parametrize("text", ["```{data}\nx\n```", "```{option} a\n```\n```{tabular}\n```"])
def test_objects_without_a_domain_are_no_sign_of_myst(text: str) -> None:
    assert write_myst(text, {}) == text


@pytest.mark.parametrize("text", ["```{py:function} a()\n", "```{terminal}\n:a: b\n", "````{tabs}\n", '{a="'])
def test_objects_and_tabs_without_end_take_linear_time(text: str) -> None:
    assert_linear(lambda whole: write_myst(whole, {}), f"{{kbd}}`x`\n{text * 3_000}")


BOAT = ".. class:: Boat(name)\n\n   See :ref:`mains` and :doc:`sails`.\n\n   .. autoattribute:: draught\n"


def test_a_part_in_restructured_text_is_read_as_such_below_the_heading_above() -> None:
    page = f"# Boats\n\n## All\n\n```{{eval-rst}}\n{BOAT}```\n\n{{kbd}}`x`\n"
    document = parse(resolve(page))
    assert document.content.rstrip().split("\n") == [
        *("# Boats", "", "## All", "", "### `Boat`", "", "`Boat(name)`", ""),
        "See [Hoisting it](sails.md#mains) and [All sails](sails.md).",
        *("", "*Not in this text, from the code's docstrings:* `draught`", "", "`x`"),
    ]
    assert document.sections[-1].anchor == "Boat"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\n```{eval-rst}\n.. class:: Boat\n\n   A *hull*.\n\n```\nb", "a\n\n# `Boat` {#Boat}\n\nA *hull*.\n\n\nb"),
        (
            "y\n```{eval-rst}\n.. class:: A\n\n   .. attribute:: b\n\n      C\n   .. attribute:: d\n\n      E\n```\nz",
            "y\n\n# `A` {#A}\n## `A.b` {#A.b}\nC\n\n## `A.d` {#A.d}\nE\n\n\n\nz",
        ),
        ("- a\n\n  ```{eval-rst}\n  ``x``\n  ```\n", "- a\n\n  `x`\n\n\n"),
        ("# A\n\n```{eval-rst}\n:Author: Ann S.\n:Status: **Done**\n```", "# A\n\n- **Author**: Ann S.\n- **Status**: **Done**\n\n"),
        ("```{eval-rst}\n:hidetoc: 1\n:orphan:\n```\n{kbd}`x`", "\n\n\n\n`x`"),
        ("````{note}\n```{eval-rst}\n.. class:: Boat\n\n   A *hull*.\n```\n````", "::::{note}\n\n**`Boat`**\n\nA *hull*.\n\n::::"),
    ],
)  # fmt: skip
def test_parts_in_restructured_text_keep_lines_and_blocks(text: str, written: str) -> None:
    assert write_myst(text, {}) == written


@pytest.mark.parametrize(
    "part",
    [
        "a\n\n.. This is a comment of many words that nobody but the authors of a page sees.\n",
        ".. meta::\n   :a: b\n\n.. note:: c\n",
        ".. function:: a()\n.. function:: b()\n.. function:: c()\n.. function:: d()\n",
    ],
)
def test_parts_of_which_something_would_be_lost_or_that_would_be_longer_stay(part: str) -> None:
    text = f"```{{eval-rst}}\n{part}```\n{{kbd}}`x`"
    assert write_myst(text, {}) == text.replace("{kbd}", "")


def test_a_table_that_would_be_longer_stays_as_it_is() -> None:
    text = "```{csv-table}\n1,2\n```"
    assert write_myst(text, {}).count("\n") == text.count("\n")
    text = "```{csv-table} Title\n1\n```"
    assert write_myst(text, {}) == text


def test_raw_html_is_read_as_html() -> None:
    text = (
        '```{raw} html\n<style>p {color: red}</style>\n<div class="a">\n```\n\n*Sails*\n\n```{raw} html\n</div>\n```\n'
    )
    assert convert(text).strip() == "*Sails*"
    assert convert("```{raw} html\n<ul>\n\n    <li>Sails</li></ul>\n```\n").strip() == "- Sails"


@pytest.mark.parametrize("name", ["eval-rst", "autoclass", "include"])
def test_what_only_a_build_knows_stays(name: str) -> None:
    text = f"```{{{name}}} a\n{{kbd}}`x`\n# b\n```\n{{kbd}}`x`"
    assert write_myst(text, {}) == f"```{{{name}}} a\n{{kbd}}`x`\n# b\n```\n`x`"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("See {ref}`main-sail`.", "See [Hoisting it](sails.md#mains)."),
        ("See {ref}`the sail <Mains>`.", "See [the sail](sails.md#mains)."),
        ("See {ref}`bowline`.", "See [The bowline](knots.rst#bowline)."),
        (
            "See {doc}`sails`, {doc}`/ropes` and {doc}`these <../ropes>`.",
            "See [All sails](sails.md), [Ropes and lines](../ropes.md) and [these](../ropes.md).",
        ),
        (
            "{u}`See` [](sails.md), [](#reef) and [{name} here](#reef).",
            "See [All sails](sails.md), [Reefing](sails.md#reef) and [Reefing here](sails.md#reef).",
        ),
        ("{kbd}`x` [](sails.md#mains) [](../ropes.md#other_one)", "`x` [Hoisting it](sails.md#mains) [other one](../ropes.md#other_one)"),
        ("{kbd}`x` [](https://a/b) [a](b.md) ![](c.png)", "`x` [](https://a/b) [a](b.md) ![](c.png)"),
        (
            "```{toctree}\nsails\n/ropes\nknots\nnone\n```",
            "- [All sails](sails.md)\n- [Ropes and lines](../ropes.md)\n- [The bowline](knots.rst)\n- none\n",
        ),
    ],
)  # fmt: skip
def test_labels_and_pages_are_links_in_their_titles(text: str, written: str) -> None:
    assert convert(f"{text}\n").rstrip("\n") == written.rstrip("\n")


def test_pages_and_labels_come_before_headings_that_are_called_so() -> None:
    pages = {
        "spawners.md": "# All spawners\n",
        "x.md": "(auth)=\n## Who may\n",
        "b/other.md": "(guide)=\n## B\n",
        "guide.md": "# Guide\n",
    }
    text = "## Spawners\n\n{doc}`spawners` [](spawners) {ref}`auth` [](guide) [](#auth)\n\n## Auth\n"
    assert (
        "[All spawners](spawners.md) [All spawners](spawners.md) [Who may](x.md#auth) [Guide](guide.md) [Auth](#auth)"
        in convert(text, pages, "a.md")
    )


def test_what_is_no_myst_has_words_for_its_links_and_nothing_else() -> None:
    text = "[](ropes.md), [Use %s here](#page).\n\n% of total\n+++\nSet {foo}`bar`\n"
    assert convert(text, PAGES, "page.md") == text.replace("[](ropes.md)", "[Ropes and lines](ropes.md)")


@pytest.mark.parametrize("path", ["content/sails/care.md", "content/sails/care/index.md"])
def test_a_link_that_asks_for_its_pages_title_has_it_and_leads_there(path: str) -> None:
    pages = {path: "---\ntitle: Caring for sails\n---\n## Salt\n"}
    text = "See [AUTOTITLE](/sails/care), [AUTOTITLE](/sails/care#salt) and `[AUTOTITLE](/sails/care)`.\n"
    address = path.replace("content", "..")
    shown = f"See [Caring for sails]({address}), [Caring for sails]({address}#salt) and `[AUTOTITLE](/sails/care)`.\n"
    assert convert(text, pages, "content/guides/start.md") == shown


def test_what_gitbook_shows_of_a_page_is_its_title_whatever_the_link_is_called() -> None:
    pages = {"sails/care.md": "# Caring for sails\n", "ropes/README.md": "# Ropes\n"}
    text = '{{% content-ref url="x" %}}\n[{}]({})\n{{% endcontent-ref %}}\n'
    for words, target, shown in (
        ("care.md", "../sails/care.md", "[Caring for sails](../sails/care.md)"),
        ("ropes", "../ropes/", "[Ropes](../ropes/README.md)"),
        ("gone.md", "gone.md", "[gone.md](gone.md)"),
        ("Broken link", "/broken/pages/x7", "[Broken link](/broken/pages/x7)"),
        ("https://sea.example", "https://sea.example", "[https://sea.example](https://sea.example)"),
    ):
        written = text.format(words, target)
        assert shown in convert(written, pages, "start/page.md")
        code = f"```\n{written}```\n"
        assert convert(code, pages, "start/page.md") == code


def test_where_the_page_is_unknown_its_address_says_what_it_is_called() -> None:
    assert write_myst("[AUTOTITLE](/sails/how-to-dry/)", {}) == "[how to dry](/sails/how-to-dry/)"


def test_labels_of_the_page_itself_are_its_headings() -> None:
    text = "(here)=\n## Own *heading*\n\n{ref}`here`, [](#here), [](here), [](#another-one), {ref}`words <here>`.\n\n## Another one\n"
    own = "[Own heading](#here)"
    assert f"{own}, {own}, {own}, [Another one](#another-one), [words](#here)." in convert(text, {})


@pytest.mark.parametrize(
    ("link", "written"),
    [
        ("[Hoist](mains)", "[Hoist](sails.md#mains)"),
        ("[Hoist](<mains>)", "[Hoist](sails.md#mains)"),
        ("[Hoist](#mains)", "[Hoist](sails.md#mains)"),
        ("[Sails](sails)", "[Sails](sails.md)"),
        ("[Hoist](a.md#mains), [b](gone), [c](https://a/mains)", "[Hoist](a.md#mains), [b](gone), [c](https://a/mains)"),
    ],
)  # fmt: skip
def test_a_link_with_words_is_sign_enough_that_it_may_lead_to_a_label(link: str, written: str) -> None:
    assert convert(f"See {link}.\n") == f"See {written}.\n"


def test_a_link_to_an_id_of_the_page_itself_stays_on_it() -> None:
    assert convert("## Own {#mains}\n\n[Hoist](#mains)\n") == "## Own\n\n[Hoist](#mains)\n"


@pytest.mark.parametrize("text", ["[Hoist](#mains), [Hoist](mains)\n", "`{index}` and `a`, [Hoist](#mains)\n"])
def test_on_a_site_of_another_generator_links_with_words_lead_to_no_label(text: str) -> None:
    def fail() -> Iterator[RawDocument]:
        pytest.fail("pages were read")

    raw = RawDocument("guide/page.md", text.encode())
    assert ReferenceResolver(fail, find_configuration=lambda _: Configuration(is_in_myst=False)).resolve(raw) is raw


@pytest.mark.parametrize(
    ("link", "written"),
    [
        ("[Sails](sails)", "[Sails](sails.md)"),
        ("[Splices](splices), [hoist](mains)", "[Splices](splices.mdx), [hoist](mains)"),
        ("`[Sails](sails)`, [](sails)", "`[Sails](sails)`, [All sails](sails.md)"),
    ],
)
def test_on_a_site_of_another_generator_links_lead_to_pages_beside_without_their_endings(
    link: str, written: str
) -> None:
    raw = RawDocument("guide/page.md", f"{link}\n".encode())
    pages = {**PAGES, "guide/splices.mdx": "# Splices\n"}
    files = [RawDocument(name, content.encode()) for name, content in pages.items()]
    resolver = ReferenceResolver(lambda: files, lambda _: Configuration(is_in_myst=False), pages)
    assert parse(resolver.resolve(raw)).content == f"{written}\n"


def test_no_page_is_read_for_links_to_pages_beside_that_have_words() -> None:
    def fail() -> Iterator[RawDocument]:
        pytest.fail("pages were read")

    raw = RawDocument("guide/page.md", b"[Sails](sails), [hoist](mains)\n")
    resolver = ReferenceResolver(fail, lambda _: Configuration(is_in_myst=False), PAGES)
    assert parse(resolver.resolve(raw)).content == "[Sails](sails.md), [hoist](mains)\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[](#mains)", "[Hoisting it](sails.md#mains)"),
        ("[](sails.md)", "[All sails](sails.md)"),
        ("{ref}`mains`, [Hoist](mains)", "[Hoisting it](sails.md#mains), [Hoist](sails.md#mains)"),
    ],
)
def test_links_without_words_and_pages_with_roles_do_so_on_any_site(text: str, written: str) -> None:
    files = [RawDocument(name, content.encode()) for name, content in PAGES.items()]
    raw = RawDocument("guide/page.md", f"{text}\n".encode())
    assert (
        parse(
            ReferenceResolver(lambda: files, find_configuration=lambda _: Configuration(is_in_myst=False)).resolve(raw)
        ).content
        == f"{written}\n"
    )


def test_a_label_before_a_text_leads_to_the_section_around_it() -> None:
    rope = "[a rope](sails.md#mains)"
    assert (
        convert("{ref}`a-rope`, [a rope](a-rope), [](#a-rope)\n")
        == f"[a-rope](sails.md#mains), {rope}, [a-rope](sails.md#mains)\n"
    )
    text = "## Own\n\n(knot)=\n```{figure} a.png\n```\n\n[a knot](knot) {ref}`gone` [b](top)\n"
    assert "[a knot](#own) gone [b](top)" in convert(f"(top)=\nText.\n\n{text}", {})


def test_labels_in_parts_in_restructured_text_lead_to_the_heading_after_them_or_the_section_around_them() -> None:
    part = "```{eval-rst}\n.. _first:\n.. _`the second`:\n```\n"
    text = f"# Knots\n\n{part}\n## Bowline\n\n{part.replace('second', 'third').replace('first', 'fourth')}\nText.\n"
    assert [(label.name, label.title, label.fragment) for label in read_names(text).labels] == [
        ("first", "Bowline", "bowline"),
        ("the second", "Bowline", "bowline"),
        ("fourth", "", "bowline"),
        ("the third", "", "bowline"),
    ]
    assert_linear(read_names, "```{eval-rst}\n.. _a:\n" * 5_000)


def test_labels_in_code_are_none() -> None:
    text = "# A\n\n```\n(knot)=\n```\n\n    (bend)=\n\n(knot)=\n"
    assert [(label.name, label.fragment) for label in read_names(text).labels] == [("knot", "a")]


def test_restructured_text_names_pages_of_myst() -> None:
    text = "Title\n=====\n\n:ref:`mains`, :doc:`sails`\n"
    assert convert(text, PAGES, "guide/page.rst").endswith("[Hoisting it](sails.md#mains), [All sails](sails.md)\n")


def test_a_builder_of_myst_is_known_by_its_configuration() -> None:
    assert names_markdown(["a/docs/conf.py"])
    assert names_markdown(["data/variables/sea.yml"])
    assert not names_markdown(["a/docs/page.md", "a/config.py"])


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        (
            "{button-ref} quick-start\n:color: primary\n\n{material-regular}`arrow_forward;1.2em` **Start**\n",
            "[**Start**](start.md#quick-start)",
        ),
        ("{button-ref} start\n", "[Start](start.md)"),
        ("{button-ref} elsewhere\nRead on\n", "Read on"),
        ("{button-link} https://example.org/a\nRead on\n", "[Read on](https://example.org/a)"),
    ],
)
def test_a_button_is_a_link(button: str, expected: str) -> None:
    text = f"# Page\n\n```{button}```\n"
    files = {"start.md": "# Start\n\n(quick-start)=\n## Quickly\n"}
    pages = [RawDocument(path, content.encode()) for path, content in {"page.md": text, **files}.items()]
    raw = ReferenceResolver(lambda: pages, lambda _: Configuration()).resolve(pages[0])
    content = parse(raw).content
    assert [line for line in content.split("\n") if line.strip()] == ["# Page", expected]
    assert content.count("\n") == text.count("\n")


def test_a_label_in_a_tab_leads_to_the_section_around_it() -> None:
    text = "# Knots\n\n````{tabs}\n```{group-tab} Rope\n(loops)=\nText.\n```\n````\n"
    assert [(label.name, label.fragment) for label in read_names(text).labels] == [("loops", "knots")]
