"""Pages that include files: each syntax, the lines that it selects, what is never read, and what is reported about the rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from collections_app.parsing import RawDocument, includes, navigation, parse
from collections_app.parsing.includes import IncludeResolver, eleventy, hugo, moved_links, restructured_text
from collections_app.parsing.includes import page as included_page
from collections_app.parsing.includes.markdown import iter_markdown
from collections_app.parsing.includes.page import MAX_DEPTH, MAX_FILE_BYTES
from collections_app.parsing.navigation import mkdocs
from collections_app.parsing.pipeline import HIDDEN as HIDDEN_BY_SITE
from collections_app.parsing.safety.places import replace_outside_code
from tests.growth import assert_linear

CODE = "import sea\n\n\ndef sail():\n    return sea\n"
REGIONS = "a\n# --8<-- [start:part]\nb\n# --8<-- [end:part]\n// #region mid\nc\n// #endregion mid\n# ANCHOR: low\nd\n# ANCHOR_END: low\n"


def resolve(text: str, files: Mapping[str, str | bytes], path: str = "docs/page.md") -> str:
    encoded = {name: content.encode() if isinstance(content, str) else content for name, content in files.items()}
    return IncludeResolver(encoded.get).resolve(RawDocument(path, text.encode())).content.decode()


def get_warnings(text: str, path: str = "page.md") -> tuple[str, ...]:
    return parse(RawDocument(path, text.encode())).warnings


@pytest.mark.parametrize(
    "line",
    [
        '--8<-- "src/sail.py"',
        "--8<-- 'src/sail.py'",
        "{* ../src/sail.py hl[4] *}",
        "{!> ../src/sail.py!}",
        "{!../src/sail.py!}",
        "[!code-python[Sails](../src/sail.py)]",
        "[!INCLUDE [Sails](../src/sail.py)]",
        "<<< @/src/sail.py{4}",
        "<<< ../src/sail.py{1,3:line-numbers}",
        "{{#include ../src/sail.py}}",
        "<!-- @include: ../src/sail.py -->",
        "@@snip [sail](/src/sail.py)",
        "```{literalinclude} ../src/sail.py\n:linenos:\n```",
        ':::code language="python" source="~/src/sail.py" highlight="1":::',
    ],
)
def test_code_that_a_page_includes_is_fenced_code_in_its_language(line: str) -> None:
    text = resolve(f"# Sails\n\n{line}\n\nMore.\n", {"src/sail.py": CODE})
    assert text == f"# Sails\n\n```python\n{CODE.rstrip()}\n```\n\nMore.\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('--8<-- "sail.py:4:5"', "def sail():\n    return sea"),
        ('--8<-- "sail.py:4"', "def sail():\n    return sea"),
        ('--8<-- "sail.py::1"', "import sea"),
        ('--8<-- "sail.py:1:1,5:5"', "import sea\n    return sea"),
        ('--8<-- "regions.py:part"', "b"),
        ("{{#include sail.py:1}}", "import sea"),
        ("{{#rustdoc_include regions.py:low}}", "d"),
        ("{* sail.py ln[4:5] hl[4] *}", "def sail():\n    return sea"),
        ("{* sail.py ln[1,4:5] *}", "import sea\ndef sail():\n    return sea"),
        ("{!> sail.py[ln:4-5]!}", "def sail():\n    return sea"),
        ("[!code-python[x](sail.py#L4-L5)]", "def sail():\n    return sea"),
        ("[!code-python[x](sail.py?range=1,4-5&highlight=1)]", "import sea\ndef sail():\n    return sea"),
        ("[!code-python[x](regions.py?name=mid)]", "c"),
        ("<<< @/regions.py#mid", "c"),
        (':::code language="python" source="sail.py" range="1,4-5":::', "import sea\ndef sail():\n    return sea"),
        (':::code language="python" source="regions.py" id="mid" :::', "c"),
        ("<!-- @include: ./sail.py{4,5} -->", "def sail():\n    return sea"),
        ("```{literalinclude} sail.py\n:start-after: sea\n:end-before: return\n```", "def sail():"),
        ("```{literalinclude} sail.py\n:start-at: def\n:end-at: return\n```", "def sail():\n    return sea"),
        ("```{literalinclude} sail.py\n:pyobject: sail\n```", "def sail():\n    return sea"),
        ("```{literalinclude} regions.py\n:start-after: ANCHOR\n:lines: 8-\n```", "d"),
    ],
)
def test_only_the_lines_that_are_asked_for_are_included(line: str, expected: str) -> None:
    text = resolve(f"{line}\n", {"docs/sail.py": CODE, "docs/regions.py": REGIONS})
    assert text == f"```python\n{expected}\n```\n"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        # What closes the box closes what is in it, too.
        (
            "```{Important}\n```{include} sea.md\n```\n\n```{tip}\nRow.\n```\n\n```{include} sea.md\n```\n",
            "```{Important}\nWet *sea*.\n\n~~~sh\nsail\n~~~\n```\n\n```{tip}\nRow.\n```\n\nWet *sea*.\n\n```sh\nsail\n```\n",
        ),
        ("````{note}\n```{include} sea.md\n```\n````\n", "````{note}\nWet *sea*.\n\n~~~sh\nsail\n~~~\n````\n"),
        (
            "````{note}\n:::{tip}\n```{literalinclude} a.py\n```\n:::\n```md\n{{#include b.py}}\n```\n````\n{{#include a.py}}\n",
            "````{note}\n:::{tip}\n~~~python\nsail()\n~~~\n:::\n```md\n```\n```\n````\n```python\nsail()\n```\n",
        ),
        ("~~~{note}\n```{include} sea.md\n```\n~~~\n", "~~~{note}\nWet *sea*.\n\n```sh\nsail\n```\n~~~\n"),
        ("```{code-block} md\n:::{include} sea.md\n:::\n```\n", "```{code-block} md\n:::{include} sea.md\n:::\n```\n"),
    ],
)
def test_a_box_holds_text_that_may_include_files(text: str, whole: str) -> None:
    files = {"sea.md": "Wet *sea*.\n\n```sh\nsail\n```\n", "a.py": "sail()\n", "b.py": "```"}
    assert resolve(text, {f"docs/{name}": content for name, content in files.items()}) == whole


@pytest.mark.parametrize(
    "text", ["```{note}\n", "````{note}\n```{include} a\n", "~~~{note}\n```{tip}\n", "> ```{note}\n:::{include} a\n"]
)
def test_boxes_that_nothing_closes_take_no_longer_the_more_there_are(text: str) -> None:
    assert_linear(lambda lines: list(iter_markdown(lines)), (text * 20_000).split("\n"))


@pytest.mark.parametrize(
    "line",
    [
        "[!INCLUDE [x](../parts/deep/sea.md)]",
        '{% include-markdown "../parts/deep/sea.md" %}',
    ],
)
def test_links_of_a_file_that_count_from_its_folder_lead_there_from_the_page(line: str) -> None:
    part = '[A](../a.md#b "T") ![](./c.png) [d](e/)\n\n[f]: <g.md>\n\n<img src="h.png"> `[i](j.md)` [k](/l.md) [m](n:o) [p](#q)'
    moved = (
        '[A](../parts/a.md#b "T") ![](../parts/deep/c.png) [d](../parts/deep/e/)\n\n[f]: <../parts/deep/g.md>\n\n'
        '<img src="../parts/deep/h.png"> `[i](j.md)` [k](/l.md) [m](n:o) [p](#q)'
    )
    files = {"parts/deep/sea.md": part}
    assert resolve(f"{line}\n", files) == f"{moved}\n"
    for other in ('--8<-- "../parts/deep/sea.md"', "<!-- @include: ../parts/deep/sea.md -->"):
        assert resolve(f"{other}\n", files) == f"{part}\n"


def test_links_are_moved_in_linear_time() -> None:
    for sign in ("](", "[a](b", "src='", "]: <"):
        assert_linear(lambda text: moved_links.move_links(text, "a", "b"), sign * 5_000)


VUE = (
    "<!-- #region a -->\n<b/>\n<!-- #endregion a -->\n<script>\n  // #region a\n  one()\n  // #region b\n  two()\n  // #endregion\n"
    "  three()\n  // #endregion a\n  four()\n"
)
PARTS = "# Sea\n\n## My Sea {#own}\n\nWet.\n\n### Deep\n\nIn it.\n\n## Other\n\nNo.\n"


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("<<< ./a.vue#a", "```vue\n<b/>\n  one()\n  two()\n  three()\n```"),
        ("<<< @/docs/a.vue#b{1,3-4 c#:line-numbers} [The b]", "```c# [The b]\ntwo()\n```"),
        ("<<< ./a [b].js{ts twoslash}", "```ts\nx\n```"),
        ("<<< ./a [b].js{1, 2}", "```javascript\nx\n```"),
        ("<!--@include: ./part.md#own-->", "Wet.\n\n### Deep\n\nIn it."),
        ("<!-- @include: ./part.md#deep{2,} -->", "In it."),
        ("<!-- @include: ./part.md{3,5} -->", "## My Sea {#own}\n\nWet."),
        ("```js\n<!--@include: ./a.vue#b-->\n```", "```js\n  two()\n```"),
        ("```md\n<!--@include: ./part.md-->\n```", "```md\n<!--@include: ./part.md-->\n```"),
    ],
)
def test_what_vitepress_imports_and_includes(line: str, written: str) -> None:
    files = {"docs/a.vue": VUE, "docs/a [b].js": "x\n", "docs/part.md": PARTS}
    assert resolve(f"{line}\n", files) == f"{written}\n"


def test_markers_of_regions_are_no_part_of_the_text() -> None:
    assert (
        resolve('--8<-- "r.py"\n', {"r.py": REGIONS})
        == "```python\na\nb\n// #region mid\nc\n// #endregion mid\nd\n```\n"
    )


def test_included_markdown_is_text_without_its_front_matter_and_with_what_it_includes() -> None:
    files = {"notes/a.md": '---\ntitle: A\n---\n\n## Tides\n\n--8<-- "b.md"\n', "notes/b.md": "High at *six*.\n"}
    assert resolve("[!INCLUDE [a](../notes/a.md)]\n", files) == "## Tides\n\nHigh at *six*.\n"


PART = "# Knots\n\n<!--first-->\n\n## Bowline\n\nA loop.\n\n<!--last-->\n\nMore.\n"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ('{% include-markdown "../knots.md" %}', PART.rstrip()),
        ('{%\n  include-markdown "../knots.md"\n  start="<!--first-->"\n  end=\'<!--last-->\'\n%}', "## Bowline\n\nA loop."),
        ('{%- include-markdown "knots.md" start="<!--first-->" end="<!--last-->" heading-offset=2 -%}', "#### Bowline\n\nA loop."),
    ],
)  # fmt: skip
def test_what_mkdocs_includes_by_a_tag_is_text_of_the_page(tag: str, expected: str) -> None:
    assert resolve(f"Tie.\n\n{tag}\n\nGo.\n", {"knots.md": PART}) == f"Tie.\n\n{expected}\n\nGo.\n"


@pytest.mark.parametrize(
    "tag",
    ['{% include-markdown "other.md" %}', '{% include-markdown "knots.md" start="<!--none-->" %}', '{%\ninclude-markdown "knots.md"\n',
     '```\n{% include-markdown "knots.md" %}\n```'],
)  # fmt: skip
def test_a_tag_that_includes_nothing_stays(tag: str) -> None:
    assert resolve(f"{tag}\n", {"knots.md": PART}) == f"{tag}\n"


def test_of_a_tag_of_several_lines_the_one_that_says_something_is_told() -> None:
    assert 'not in its text: include-markdown "a.md". Dir' in get_warnings('{%\n  include-markdown "a.md"\n%}\n')[-1]


def test_in_a_fence_a_file_is_put_in_as_it_is() -> None:
    page = '```py title="sail.py"\n--8<-- "sail.py"\n```\n\n```\n{* sail.py *}\n<<< sail.py\n```\n'
    assert resolve(page, {"sail.py": "a = 1\n"}) == page.replace('--8<-- "sail.py"', "a = 1")


def test_what_follows_a_fence_in_a_list_is_no_code() -> None:
    assert resolve("- ```\n  x\n  ```\n\n{* a.py *}\n", {"a.py": "a\n"}).endswith("```python\na\n```\n")


def test_lists_and_quotes_go_on_around_what_is_included() -> None:
    assert (
        resolve('1. Do:\n\n    --8<-- "a.py"\n', {"a.py": "a\n\nb\n"})
        == "1. Do:\n\n    ```python\n    a\n\n    b\n    ```\n"
    )
    assert resolve("> {* a.py *}\n", {"a.py": "a\n\nb\n"}) == "> ```python\n> a\n> \n> b\n> ```\n"


def test_code_with_fences_gets_a_longer_one() -> None:
    assert resolve("{* a.py *}\n", {"a.py": "```\n"}) == "````python\n```\n````\n"


def test_a_file_is_looked_for_beside_the_page_and_in_every_folder_above() -> None:
    files = {"src/a.py": "root", "docs/src/a.py": "docs"}
    assert "docs" in resolve("{* src/a.py *}\n", files, "docs/en/deep/page.md")
    assert "root" in resolve("{* ../../src/a.py *}\n", {"src/a.py": "root"}, "docs/en/page.md")
    assert "root" in resolve("{* /src/a.py *}\n", {"src/a.py": "root"}, "docs/en/page.md")


@pytest.mark.parametrize(
    "target",
    ["../outside.py", "../../outside.py", "/etc/../../outside.py", "C:/outside.py", "https://example.org/a.py",
     ".git/config", ".env", "a/.ssh/key.py", "id_rsa", "logo.png", "page.md/../../outside.py", "missing.py", "", "..", "."],
)  # fmt: skip
def test_what_is_outside_hidden_no_text_or_not_there_is_never_read(target: str) -> None:
    asked = []
    resolver = IncludeResolver(lambda path: asked.append(path))
    page = RawDocument("page.md", f'--8<-- "{target}"\n'.encode())
    assert resolver.resolve(page) is page
    assert set(asked).difference(mkdocs.CONFIGURATIONS, navigation.NAMES) <= {
        "missing.py",
        "outside.py",
    }  # within the root: where the dots lead in the source itself
    assert not any(path.startswith(("/", "..")) for path in asked)


@pytest.mark.parametrize("content", [b"\0\1\2\3" * 9, b"\xff\xfe\xfd", b"x" * (MAX_FILE_BYTES + 1)])
def test_a_file_that_is_no_text_or_too_large_is_left(content: bytes) -> None:
    assert resolve("{* a.py *}\n", {"a.py": content}) == "{* a.py *}\n"


def test_files_that_include_each_other_end() -> None:
    text = resolve('--8<-- "a.md"\n', {"a.md": 'a\n--8<-- "b.md"\n', "b.md": 'b\n--8<-- "a.md"\n'})
    assert text.count("a\n") + text.count("b\n") == MAX_DEPTH
    assert text.count("--8<--") == 1


def test_long_lines_of_a_file_cost_no_more_than_they_are_long() -> None:
    files = {"a.py": "-" * 500_000, "b.py": "region " * 70_000}
    assert resolve("{* a.py *}\n--8<-- 'b.py:part'\n", files).count("-" * 500_000) == 1


def test_an_object_of_python_is_found_by_its_indentation() -> None:
    code = "def sail(): ...\n\nclass Boat:\n    x = 1\n    async def sail(self):\n        pass\n\n    y = 2\n"
    text = resolve("```{literalinclude} a.py\n:pyobject: Boat.sail\n```\n", {"a.py": code})
    assert text == "```python\n    async def sail(self):\n        pass\n```\n"


def test_all_that_a_page_and_a_source_include_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(included_page, "MAX_PAGE_INCLUDES", 10)
    doubling = {f"{number}.md": f'--8<-- "{number + 1}.md"\n' * 9 for number in range(9)}
    assert resolve('--8<-- "0.md"\n', doubling).count("--8<--") < 100
    monkeypatch.setattr(included_page, "MAX_PAGE_BYTES", 25)
    assert resolve("{* a.py *}\n" * 3, {"a.py": "x" * 10}).count("x" * 10) == 2
    assert resolve(f"{'> ' * 20}{{* a.py *}}\n", {"a.py": "x\n" * 10}).count("x") == 0
    assert resolve("{* a.py ln[1:,1:,1:,2:] *}\n", {"a.py": "x" * 10}).count("x" * 10) == 1
    parts = resolve("{* a.py ln[1] *}\n" * 9, {"a.py": "xxxxx\nyyyyyyyyyyyyyyyy"})
    assert (parts.count("xxxxx"), parts.count("{*")) == (1, 8)
    monkeypatch.setattr(included_page, "MAX_PAGE_BYTES", 32)
    assert resolve("{* a.py ln[1] *}\n" * 5, {"a.py": "xxx\nyyyyyyyyyyyyyyyy"}).count("xxx") == 5
    monkeypatch.setattr(includes, "MAX_SOURCE_BYTES", 35)
    resolver = IncludeResolver({"a.py": b"x" * 10}.get)
    texts = [resolver.resolve(RawDocument(f"{name}.md", b"{* a.py *}\n" * 2)).content for name in "abc"]
    assert [text.count(b"x" * 10) for text in texts] == [2, 1, 0]


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        (".. literalinclude:: sail.py\n   :lines: 4-\n   :caption: Sails", "**Sails**\n\n```python\ndef sail():\n    return sea\n```"),
        (".. literalinclude:: sail.py\n   :language: pycon\n   :end-before: def", "```pycon\nimport sea\n```"),
        (".. include:: part.rst", "Low *water*."),
        (".. include:: /part.rst\n   :start-line: 0\n   :end-line: 1", "Low *water*."),
        ("..  include::  part.rst\n    :end-line: 1", "Low *water*."),
        (".. include:: names.defs\n\nLow |what|.", "Low *water*."),
        (".. include:: part.rst\n   :literal:", "```rst\nLow *water*.\n```"),
        (".. io-code-block::\n\n   .. input:: /sail.py\n      :language: python\n      :end-before: def", "```python\nimport sea\n```"),
        (".. csv-table:: Tides\n   :file: tides.csv\n   :header-rows: 1", "| Port | Hour |\n| --- | --- |\n| Oban | six |"),
    ],
)  # fmt: skip
def test_directives_of_restructured_text_include_files(directive: str, expected: str) -> None:
    files = {"docs/sail.py": CODE, "docs/part.rst": "Low *water*.\n", "docs/tides.csv": "Port,Hour\nOban,six\n"}
    files["docs/names.defs"] = ".. |what| replace:: *water*\n"
    text = resolve(f"Title\n=====\n\n{directive}\n\nMore.\n", files, "docs/page.rst")
    document = parse(RawDocument("page.rst", text.encode()))
    assert expected in document.content
    assert "More." in document.content
    assert document.warnings == ()


def test_a_script_of_cmake_is_the_documentation_in_its_first_comment() -> None:
    script = "# Licence\n\n#[==[.rst:\nFindSail\n--------\n\nFinds *sails*.\n#]==]\n\nset(Sail_FOUND 1)\n"
    text = resolve(".. cmake-module:: ../Modules/FindSail.cmake\n", {"Modules/FindSail.cmake": script}, "Help/page.rst")
    assert parse(RawDocument("page.rst", text.encode())).content == "# FindSail\n\nFinds *sails*.\n"


def test_included_restructured_text_keeps_its_place_in_what_is_around_it() -> None:
    text = resolve(".. note::\n\n   .. include:: part.rst\n", {"part.rst": "a\n\nb\n"}, "page.rst")
    assert text == ".. note::\n\n   a\n\n   b\n"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{* ../a.py hl[1] *}\n", "page.md"),
        ('--8<-- "a.py"\n', "page.mdx"),
        (".. literalinclude:: a.py\n", "page.rst"),
        (".. csv-table:: x\n   :file: a.csv\n", "page.rst"),
        ("include::a.adoc[]\n", "page.adoc"),
        ("include::{unset}/a.adoc[]\n", "page.adoc"),
    ],
)
def test_what_stays_as_it_is_written_is_told(text: str, path: str) -> None:
    warnings = get_warnings(text, path)
    assert f"Files that it includes are not in its text: {text.splitlines()[0]}. Directories, Git" in warnings[-1]


def test_of_many_a_few_are_named() -> None:
    (warning,) = get_warnings("{* a.py *}\n\n" * 7)
    assert warning.count("{* a.py *}") == 5
    assert ", 2 more." in warning


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("```\n{* a.py *}\n<<< a.py\n```\n\n    {! | -not} <statement>\n\n;--8<-- \"a.py\"\n", "page.md"),
        ("cat <<< word\n\n<<<<<<< HEAD\n\n{!}\n\n{* emphasis *}\n", "page.md"),
        ("{* a.py *}\n", "page.txt"),
        (".. include:: <isonum.txt>\n\nText.\n", "page.rst"),
        ("\\\\include::a.adoc[]\n\n include::b.adoc[]\n\nifdef::env-github[]\ninclude::c.adoc[]\nendif::[]\n", "page.adoc"),
    ],
)  # fmt: skip
def test_what_only_looks_like_an_include_is_not_told(text: str, path: str) -> None:
    assert not any("includes" in warning for warning in get_warnings(text, path))


def test_a_page_that_includes_nothing_stays_the_same_bytes() -> None:
    page = RawDocument("page.md", "\ufeff# T\r\n\r\n{* a.py *}\r\n".encode())
    assert IncludeResolver(lambda path: None).resolve(page) is page


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("import Rig from './_rig.mdx';", "docs/_rig.mdx"),
        ('import Rig from "@site/docs/_rig.md"', "docs/_rig.md"),
        ("import Rig from '/parts/rig.mdx'", "parts/rig.mdx"),
        ("import $Rig from './rig.mdx'", "docs/rig.mdx"),
    ],
)
def test_a_component_that_is_a_text_is_that_text(statement: str, target: str) -> None:
    files = {target: "---\ntitle: Rig\n---\n\n## Ropes\n"}
    name = statement.split()[1]
    page = f"{statement}\n\n<Tabs>\n  <{name} of='x' />\n</Tabs>\n"
    assert resolve(page, files, "docs/page.mdx") == f"{statement}\n\n<Tabs>\n  ## Ropes\n</Tabs>\n"
    assert f"<{name} of='x' />" in get_warnings(page, "page.mdx")[-1]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ('<Include src="_parts/rig" />', "_parts/rig.mdx"),
        ('<Include\n  src="./_parts/rig"\n/>', "docs/_parts/rig.mdx"),
        ('<Markdown src="/parts/rig.mdx" />', "parts/rig.mdx"),
        ("<include>./rig.mdx</include>", "docs/rig.mdx"),
        ("<include cwd>parts/rig.md</include>", "parts/rig.md"),
    ],
)
def test_an_element_that_names_a_text_is_that_text(line: str, target: str) -> None:
    files = {target: "---\ntitle: Rig\n---\n\n## Ropes\n\nOf hemp.\n"}
    assert (
        resolve(f"# Ships\n\n{line}\n\nMore.\n", files, "docs/page.mdx") == "# Ships\n\n## Ropes\n\nOf hemp.\n\nMore.\n"
    )
    assert line.split("\n")[0] in get_warnings(f"# Ships\n\n{line}\n", "page.mdx")[-1]


@pytest.mark.parametrize("target", ["_partials/rig.md", "docs/rig.md", "docs/_partials/rig.md"])
def test_a_component_of_nuxt_content_that_names_a_part_is_that_text(target: str) -> None:
    files = {target: "## Ropes\n\nOf hemp.\n"}
    for line in (':partial{content="rig"}', ":include{file='rig.md'}"):
        assert resolve(f"{line}\n\nMore.\n", files) == "## Ropes\n\nOf hemp.\n\nMore.\n"
        assert line in get_warnings(f"# Ships\n\n{line}\n")[-1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('<include lang="py" meta=\'title="Sail"\'>../sail.py</include>', f"```py\n{CODE.rstrip()}\n```"),
        ("<include>../sail.py</include>", f"```python\n{CODE.rstrip()}\n```"),
        ("<include>../regions.py#mid</include>", "```python\nc\n```"),
    ],
)
def test_an_element_that_names_code_is_fenced_code(line: str, code: str) -> None:
    assert resolve(f"{line}\n", {"sail.py": CODE, "regions.py": REGIONS}, "docs/page.mdx") == f"{code}\n"


def test_what_only_looks_like_such_an_element_stays() -> None:
    page = "<includes>a.mdx</includes>\n\n<include>a.mdx\n\n<Include of={a} />\n\n`<include>a.mdx</include>`\n"
    assert resolve(page, {"docs/a.mdx": "A."}, "docs/page.mdx") == page


GIVING = "import Rig from './_rig.mdx'\n\n{}\n"


@pytest.mark.parametrize(
    ("tag", "text", "expected"),
    [
        ('<Rig of="hemp" />', "Ropes of {props.of}.", "Ropes of hemp."),
        ("<Rig of='hemp' old={true} />", "Ropes of {of}, {old}.", "Ropes of hemp, {old}."),
        ('<Rig\n  of={"hemp"}\n/>', "Ropes of **{ props.of }**.", "Ropes of **hemp**."),
        ('<Rig of="hemp" />', "`{of}`\n\n```\n{props.of}\n```", "`{of}`\n\n```\n{props.of}\n```"),
        ("<Rig of={hemp} />", "Ropes of {props.of}.", "Ropes of {props.of}."),
        ("<Rig of='{hemp}' />", "Ropes of {props.of}.", "Ropes of {props.of}."),
    ],
)
def test_a_text_has_the_values_that_it_is_given(tag: str, text: str, expected: str) -> None:
    assert resolve(GIVING.format(tag), {"docs/_rig.mdx": text}, "docs/page.mdx") == GIVING.format(expected)


def test_a_text_gives_its_values_to_those_that_it_includes() -> None:
    files = {
        "docs/_rig.mdx": "import Rope from './_rope.mdx'\n\n<Rope kind={props.of} />",
        "docs/_rope.mdx": "Of {props.kind}.",
    }
    assert "Of hemp." in resolve(GIVING.format('<Rig of="hemp" />'), files, "docs/page.mdx")


def test_values_are_part_of_what_a_page_may_include() -> None:
    text, rigs = "{of}" * 1_000, '<Rig of="' + "hemp" * 50 + '" />\n'
    page = resolve(GIVING.format(rigs * 100), {"docs/_rig.mdx": text}, "docs/page.mdx")
    assert len(page) < 5 * 1024 * 1024
    assert page.count("{of}") >= 40_000


def test_a_snippet_is_looked_for_among_snippets() -> None:
    assert resolve('<Snippet file="rig.mdx" />', {"snippets/rig.mdx": "Ropes."}, "docs/page.mdx") == "Ropes."


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("import sail from '!!raw-loader!../src/sail.py'", '<CodeBlock language="py">{sail}</CodeBlock>'),
        ("import sail from '../src/sail.py?raw'", '<Code code={sail} lang="py" />'),
    ],
)
def test_code_that_a_component_shows_is_fenced_code(statement: str, line: str) -> None:
    text = resolve(f"{statement}\n\n{line}\n", {"src/sail.py": CODE}, "docs/page.mdx")
    assert text == f"{statement}\n\n```python\n{CODE.rstrip()}\n```\n"


def test_templates_and_diagrams_are_code_too() -> None:
    text = resolve("<<< ./sail.hbs\n<<< ./sail.mermaid\n", {"sail.hbs": "{{a}}", "sail.mermaid": "A --> B"})
    assert text == "```handlebars\n{{a}}\n```\n```mermaid\nA --> B\n```\n"


def test_what_is_imported_in_a_fence_that_docusaurus_takes_off_is_in_the_page() -> None:
    text = "```mdx-code-block\nimport Knot from './_knot.mdx'\n\n<Knot />\n```\n"
    assert "\nTie it.\n" in resolve(text, {"docs/_knot.mdx": "Tie it."}, "docs/page.md")


IMPORTS = "import knot from './knot.md';\nimport splice from './splice.mdx'\nimport sail from '../sail.py?raw'\n\n"
IMPORTED = {
    "docs/knot.md": "---\ntitle: Knot\n---\nTie it.",
    "docs/splice.mdx": "## Splice\n\nWeave.",
    "sail.py": "sea",
}
NESTED = "<Ways\n  of={{\n    'Old rope': knot,\n    new: { rope: splice },\n  }}\n/>"


@pytest.mark.parametrize(
    ("component", "expected"),
    [
        ("<Ways of={{ knot, splice }} />", ["**knot**", "Tie it.", "## Splice", "**splice**", "Weave."]),
        (NESTED, ["**Old rope**", "Tie it.", "## Splice", "**rope**", "Weave."]),
        ("<Ways of={{ sea: knot, lake: knot }} />", ["**sea, lake**", "Tie it."]),
        ("<Ways of={{ all: knot }} />", ["Tie it."]),
        ("<Way text={knot} />", ["Tie it."]),
        ("<Ways of={{ py: sail }} />", ["**py**", "```python", "sea", "```"]),
        ("<Ways of={{ other: rope.knot, more: knots }} />", []),
    ],
)
def test_imports_that_a_component_is_given_stand_below_their_keys(component: str, expected: list[str]) -> None:
    text = resolve(f"{IMPORTS}# Ropes\n\n{component}\n\nEnd.\n", IMPORTED, "docs/page.mdx")
    lines = map(str.strip, parse(RawDocument("page.mdx", text.encode())).content.split("\n"))
    assert list(filter(None, lines)) == ["# Ropes", *expected, "End."]


def test_imports_that_a_component_is_given_are_missed_where_they_are_not_at_hand() -> None:
    page = f"{IMPORTS}# Ropes\n\n{NESTED}\n"
    assert resolve(page, {}, "docs/page.mdx").startswith(page.rstrip())
    assert ": <Ways. " in get_warnings(page, "page.mdx")[0]


@pytest.mark.parametrize(
    ("here", "said", "missed"), [("knot.md", "Tie it.", "splice"), ("splice.mdx", "Weave.", "<Ways")]
)
def test_imports_of_which_some_are_not_at_hand_are_missed_by_their_names(here: str, said: str, missed: str) -> None:
    text = resolve(f"{IMPORTS}# Ropes\n\n{NESTED}\n", {f"docs/{here}": IMPORTED[f"docs/{here}"]}, "docs/page.mdx")
    page = parse(RawDocument("page.mdx", text.encode()))
    assert said in page.content
    assert "Ways" not in page.content
    assert missed in get_warnings(text, "page.mdx")[0]


MARKED = """\
import ropes
class Boat:
    # BEGIN hoist
    ropes.hoist()
    # END hoist
    # BEGIN reef
    ropes.reef()
    if wind:
        ropes.reef()
    # END reef
    # BEGIN hoist
    ropes.belay()
"""
MARKING = """\
import Sail from '!!raw-loader!../src/sail.py';

<CodeTabs
  text={{Sail}}
  {}
  language="python"
/>
"""


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ('startMarker="# BEGIN reef"\n  endMarker="# END reef"', "ropes.reef()\nif wind:\n    ropes.reef()"),
        ("startMarker={'# BEGIN hoist'} endMarker={'# END hoist'}", "ropes.hoist()\nropes.belay()"),
        ('startAfter="BEGIN reef" endBefore="if wind"', "ropes.reef()"),
        ('startMarker="# BEGIN reef"', MARKED.strip()),
        ('notStartMarker="# BEGIN reef" endMarker="# END reef"', MARKED.strip()),
    ],
)
def test_code_that_a_component_is_given_is_shown_between_its_marks(attributes: str, code: str) -> None:
    text = resolve(MARKING.format(attributes), {"src/sail.py": MARKED}, "docs/page.mdx")
    assert f"```python\n{code}\n```" in text
    assert "CodeTabs" not in text


def test_marks_that_the_code_does_not_have_are_told() -> None:
    page = "# Sails\n\nSet them.\n\n" + MARKING.format('startMarker="# BEGIN tack" endMarker="# END tack"')
    text = resolve(page, {"src/sail.py": MARKED}, "docs/page.mdx")
    assert "ropes" not in text
    assert "<CodeTabs" in get_warnings(text, "page.mdx")[0]


@pytest.mark.parametrize(
    "page",
    [
        "import Rig from './Rig.tsx'\n\n<Rig />\n",
        "```\nimport Rig from './_rig.mdx'\n```\n\n<Rig />\n",
        "import Rig from './_rig.mdx'\n\n```\n<Rig />\n```\n",
    ],
)
def test_components_and_examples_are_no_texts(page: str) -> None:
    assert resolve(page, {"docs/Rig.tsx": "x", "docs/_rig.mdx": "y"}, "docs/page.mdx") == page


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ('{{% include "/parts/rig.md" %}}', "content/parts/rig.md"),
        ("{{< include rig.md >}}", "content/docs/rig.md"),
        ('{{% readfile file="rig.md" %}}', "content/docs/rig.md"),
        ('{{< docs/shared source="sails" lookup="rig.md" version="1.0" >}}', "content/shared/rig.md"),
        ('{{< embed-md "rig.md" >}}', "content/embeds/rig.md"),
        ('{{<embed-md "/embeds/rig.md">}}', "content/embeds/rig.md"),
        ("{% include rig.md %}", "_includes/rig.md"),
        ("{% include_cached /sea/rig.md %}", "_includes/sea/rig.md"),
        ("{%- include_relative parts/rig.md -%}", "content/docs/parts/rig.md"),
        ("{% render 'sea/rig.md' %}", "content/_includes/sea/rig.md"),
        ("{% data reusables.sea.rig %}", "data/reusables/sea/rig.md"),
    ],
)
def test_templates_that_a_page_names_are_text_of_it(line: str, target: str) -> None:
    assert (
        resolve(f"a\n\n{line}\n", {target: "---\ntitle: Rig\n---\n## Ropes\n"}, "content/docs/page.md")
        == "a\n\n## Ropes\n"
    )


@pytest.mark.parametrize(
    ("line", "text", "written"),
    [
        ("{% render 'rig.md', site: site %}", "Haul {{site.rope}}.", "Haul {{site.rope}}."),
        ("{% render 'rig.md', mast:'main', feet: 12 %}", "The {{ mast }} of {{feet}}.", "The main of 12."),
        ('{% include rig.md mast="main" feet=12 %}', "The {{ include.mast }} of {{include.feet}}.", "The main of 12."),
        ('{%- include rig.md mast="" -%}', "A{{ include.mast }}{{ include.sail }}.", "A."),
    ],
)
def test_what_a_template_is_given_stands_in_its_text(line: str, text: str, written: str) -> None:
    assert resolve(f"a\n\n{line}\n", {"_includes/rig.md": f"{text}\n"}) == f"a\n\n{written}\n"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("{% render 'rig.md', masts: 'a, b' %}", "{% for mast in masts %}{{ mast }}{% endfor %}"),
        ("{% render 'rig.md', mast: page.mast %}", "The {{ mast }}."),
        ("{% render 'rig.md', mast: 'main' %}", "The {{ mast | upcase }}."),
        ('{% include rig.md mast="main" %}', "{{ include.sail | default: 'jib' }}"),
    ],
)
def test_a_template_whose_text_only_a_build_knows_stays_a_tag(line: str, text: str) -> None:
    assert resolve(f"a\n\n{line}\n", {"_includes/rig.md": f"{text}\n"}) == f"a\n\n{line}\n"


@pytest.mark.parametrize(
    ("line", "said", "path"),
    [
        ("{%% include rig.md mast='%s' %%}", "{{ include.mast }}", "a.md"),
        ("import Rig from './_includes/rig.md'\n\n<Rig mast='%s' />", "{mast}", "a.mdx"),
    ],
)
def test_what_a_page_gives_a_text_counts_to_what_it_may_include(
    monkeypatch: pytest.MonkeyPatch, line: str, said: str, path: str
) -> None:
    page = line % ("x" * 100)
    monkeypatch.setattr(included_page, "MAX_PAGE_BYTES", 2_000)
    assert resolve(page, {"_includes/rig.md": said * 9}, path).count("x") == 900
    assert resolve(page, {"_includes/rig.md": said * 30}, path).count("x") <= 100


def test_a_template_that_names_what_it_is_given_thousands_of_times_stays_a_tag() -> None:
    assert (
        resolve("{% include rig.md mast='main' %}", {"_includes/rig.md": "{{ include.mast }}" * 9}).count("main") == 9
    )
    page = f"{{% include rig.md mast='{'x' * 900}' %}}"
    assert resolve(page, {"_includes/rig.md": "{{ include.mast }}" * 50_000}) == page


@pytest.mark.parametrize(
    "target", ["content/includes/sea/rig.md", "content/docs/includes/sea/rig.md", "content/docs/sea/rig.md"]
)
@pytest.mark.parametrize("line", ['{{< include "sea/rig.md" >}}', '{{%include "/sea/rig"%}}'])
def test_what_a_site_includes_is_in_its_folder_of_includes_if_nowhere_else(line: str, target: str) -> None:
    assert resolve(f"a\n\n{line}\n", {target: "## Ropes\n"}, "content/docs/page.md") == "a\n\n## Ropes\n"


def test_the_file_with_the_very_name_is_before_the_one_in_the_folder_of_includes() -> None:
    files = {"docs/includes/rig.md": "Theirs.\n", "rig.md": "Ours.\n"}
    assert resolve("{{< include rig.md >}}\n", files) == "Ours.\n"


@pytest.mark.parametrize("line", ['{{% readfile file="rig.md" %}}', "{% include rig.md %}", '--8<-- "rig.md"'])
def test_only_hugos_include_has_a_folder_of_includes(line: str) -> None:
    assert resolve(f"{line}\n", {"docs/includes/rig.md": "Ropes.\n"}) == f"{line}\n"


@pytest.mark.parametrize(
    ("marker", "indentation"), [("1. ", "   "), ("- ", "  "), ("   10) ", "       "), ("> * ", ">   ")]
)
def test_what_an_item_of_a_list_includes_stays_in_the_item(marker: str, indentation: str) -> None:
    page = f"{marker}Sails\n{marker}{{{{< include rig.md >}}}}\n"
    text = resolve(page, {"docs/rig.md": "Ropes:\n```sh\nhaul\n```\n"})
    assert text == f"{marker}Sails\n{marker}Ropes:\n" + "".join(
        f"{indentation}{line}\n" for line in ("```sh", "haul", "```")
    )


@pytest.mark.parametrize(
    ("line", "text", "written"),
    [
        ("Since {{< readfile file=rig.md >}} of `v{{< readfile file=rig.md >}}`.", "1.2\n", "Since 1.2 of `v1.2`."),
        ("{{< include rig.md >}} Haul.", "---\nx: y\n---\nRopes\nand [masts](m.md).", "Ropes and [masts](m.md). Haul."),
        (
            "1. {{< box >}}{{<include rig.md>}}{{< /box >}}",
            "A\n\n- b",
            "1. {{< box >}}\n\n   A\n\n   - b\n\n   {{< /box >}}",
        ),
        ("| a | {{< include rig.md >}} |", "A | b:\n\n```sh\nhaul\n```\n", "| a | A \\| b:<br>`haul` |"),
        ("<td>{{< readfile file=rig.md >}}</td>", "A [b](c).", "<td>\n\nA [b](c).\n\n</td>"),
        ("```\nsail {{< readfile file=rig.md >}} now\n```", "1.2\n", "```\nsail 1.2 now\n```"),
        ("```\n  {{< readfile file=rig.md >}}\n```", "a:\n  b\n", "```\n  a:\n    b\n```"),
        (": {{< readfile file=rig.md >}}", "A\n\nb", ": A\n\n  b"),
    ],
)
def test_what_hugo_includes_within_a_line_stays_there_if_it_fits(line: str, text: str, written: str) -> None:
    assert resolve(f"a\n\n{line}\n", {"docs/rig.md": text}) == f"a\n\n{written}\n"


def test_tags_of_hugo_that_pages_show_stay_and_what_is_missing_is_told() -> None:
    shown = "a `{{< include rig.md >}}` {{{< include rig.md >}}}\n\n```\n{{< include rig.md >}} a\n```\n"
    assert resolve(shown, {"docs/rig.md": "Ropes"}) == shown
    assert get_warnings(shown) == ()
    assert "not in its text: {{< include sea.md >}}. Dir" in get_warnings("a {{< include sea.md >}}\n")[-1]


@pytest.mark.parametrize("text", ["{{< include ", "{{< include a.md >}} ", "{{< readfile a.md >}}\n", "`{{< include a"])
def test_tags_of_hugo_within_lines_take_linear_time(text: str) -> None:
    assert_linear(lambda content: hugo.write_within_lines(content, lambda include: None), text * 2_000)


def test_html_that_hugo_includes_is_html_of_the_page() -> None:
    files = {"content/includes/rig.html": "<table><tr><td>Ropes</td></tr></table>\n"}
    text = resolve('a\n\n{{< include "rig.html" >}}\n', files, "content/docs/page.md")
    assert text == "a\n\n<table><tr><td>Ropes</td></tr></table>\n"


@pytest.mark.parametrize(
    ("name", "language"),
    [("Dockerfile.alpine", "dockerfile"), ("sail.t", "text"), ("license.pem", None), ("id_rsa", None)],
)
def test_files_of_programs_are_known_by_what_stands_before_the_dot(name: str, language: str | None) -> None:
    text = resolve(f'--8<-- "{name}"\n', {f"docs/{name}": "haul\n"})
    assert text == (f"```{language}\nhaul\n```\n" if language else f'--8<-- "{name}"\n')


def test_an_example_that_a_page_names_is_code() -> None:
    text = resolve(
        '{{% code_sample file="sea/a.yaml" %}}', {"content/examples/sea/a.yaml": "a: 1\n"}, "content/docs/page.md"
    )
    assert text == "```yaml\na: 1\n```"


@pytest.mark.parametrize(
    "line",
    [
        "{% include rig.html %}",
        "{% include {{ page.rig }} %}",
        "{{< include >}}",
        "{{< param rig.md >}}",
    ],
)
def test_other_templates_stay_as_they_are(line: str) -> None:
    assert resolve(line, {"_includes/rig.html": "a", "rig.md": "a", "_includes/rig.md": "a"}, "page.md") == line


def test_a_file_may_be_empty_but_not_what_is_asked_for_of_it() -> None:
    assert resolve("a\n\n{{< include _rig.qmd >}}\n\nb\n", {"docs/_rig.qmd": "\n"}) == "a\n\n\n\nb\n"
    assert resolve('--8<-- "rig.py:part"\n', {"rig.py": ""}) == '--8<-- "rig.py:part"\n'


def test_what_makes_a_page_too_large_for_its_parser_is_not_put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restructured_text, "MAX_CHARACTERS", 100)
    page = ".. include:: small.rst\n\n.. include:: large.rst\n"
    resolver = IncludeResolver({"large.rst": b"x" * 60, "small.rst": b"Small."}.get)
    content = resolver.resolve(RawDocument("page.rst", page.encode())).content
    assert content == b"Small.\n\n.. include:: large.rst\n"


TAGS = (
    "a\n# tag::one[]\nb\n# tag::two[]\nc\n# end::two[]\n# end::one[]\n# tag::three[]\nd\n# end::three[]\n"
    "# tag::none[]\n\n# end::none[]\n"
)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("", "a\nb\nc\nd"),
        ("tag=one", "b\nc"),
        ("tags=two;three", "c\nd"),
        ('tags="one,!two"', "b"),
        ("tags=*", "b\nc\nd"),
        ("tags=**;!one", "a\nd"),
        ("tags=!two", "a\nb\nd"),
        ("lines=1..3;9", "a\nb\nd"),
        ("tag=none", ""),
        ("tag=other", None),
    ],
)
def test_asciidoc_includes_the_lines_that_tags_and_numbers_name(attributes: str, expected: str | None) -> None:
    line = f"include::sail.py[{attributes}]"
    text = resolve(f"[source,python]\n----\n{line}\n----\n", {"docs/sail.py": TAGS}, "docs/page.adoc")
    assert text == f"[source,python]\n----\n{line if expected is None else expected}\n----\n"


def test_included_asciidoc_is_text_of_the_page_with_its_attributes_and_levels() -> None:
    files = {
        "docs/settings.adoc": ":parts: parts\n:name: Oban\n",
        "docs/parts/tide.adoc": "= Tide\n\nAt {name}.\n\ninclude::moon.adoc[leveloffset=+1]\n",
        "docs/parts/moon.adoc": "= Moon\n\nFull.\n",
        "docs/parts/moon.py": "    moon()\n      full()\n",
    }
    page = "= Page\ninclude::settings.adoc[]\n\ninclude::{parts}/tide.adoc[leveloffset=+1]\n\n"
    page += "== After\n\n----\ninclude::parts/moon.py[indent=0]\n----\n"
    document = parse(RawDocument("page.adoc", resolve(page, files, "docs/page.adoc").encode()))
    assert document.content == (
        "# Page\n\n## Tide\n\nAt Oban.\n\n### Moon\n\nFull.\n\n## After\n\n```\nmoon()\n  full()\n```\n"
    )
    assert document.warnings == ()


@pytest.mark.parametrize(
    "target",
    ["partial$tide.adoc", "guide:partial$tide.adoc", "{partialsdir}/tide.adoc", "../../partials/tide.adoc"],
)
def test_files_are_found_by_the_names_that_antora_gives_them(target: str) -> None:
    files = {"docs/modules/guide/partials/tide.adoc": "Low *water*.\n"}
    text = resolve(f"include::{target}[]\n", files, "docs/modules/guide/pages/sub/page.adoc")
    assert text.strip() == "Low *water*."


COMPONENT = """
name: tides
title: Tides
version: 1.10
asciidoc:
  attributes:
    harbour: Oban
    full-harbour: '{harbour}, {page-component-title} {page-version}'
    boat: dinghy
    crew: two@
    motor: true
    sails: false
    radio: ~
    folder: parts
    buoys: [red, green]
    'no name': x
    lines: "a\n:boat: raft"
"""


def read_in_component(text: str, **files: str) -> str:
    path = "docs/modules/guide/pages/page.adoc"
    at = {"component": "docs/antora.yml", "playbook": "antora-playbook.yml", "part": "docs/modules/guide/parts/a.adoc"}
    resolved = resolve(text, {at[name]: content for name, content in files.items()}, path)
    return parse(RawDocument(path, resolved.encode())).content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("= At {harbour}\n\n{full-harbour}\n", "# At Oban\n\nOban, Tides 1.10\n"),
        ("By {boat} with {crew}.\n", "By dinghy with two.\n"),
        ("{page-component-name} {page-component-version} {page-component-display-version}\n", "tides 1.10 1.10\n"),
        ("ifdef::motor[loud]\nifndef::motor[quiet]\n", "loud\n"),
        ("ifdef::sails[white]\nifdef::radio[talk]\nifdef::other[kept]\n", "kept\n"),
        ('ifeval::["{page-version}" == "2.0"]\nnew\nendif::[]\nold\n', "old\n"),
        (":boat: kayak\n\nBy {boat}.\n", "By kayak.\n"),
        ("{sails} {radio} {buoys} {other}\n", "{sails} {radio} {buoys} {other}\n"),
        ("include::../{folder}/a.adoc[]\n", "At Oban.\n"),
    ],
)
def test_pages_of_antora_have_the_attributes_of_their_component(text: str, expected: str) -> None:
    assert read_in_component(text, component=COMPONENT, part="At {harbour}.\n") == expected


def test_what_antoras_playbook_sets_counts_before_the_component_unless_it_is_weak() -> None:
    playbook = "asciidoc:\n  attributes:\n    boat: ferry\n    harbour: Mallaig@\n    tide: low@\n"
    text = read_in_component("{boat} {harbour} {tide}\n", component=COMPONENT, playbook=playbook)
    assert text == "ferry Oban low\n"
    assert read_in_component("{boat}\n", playbook=playbook) == "ferry\n"


@pytest.mark.parametrize(
    "name", ["local-antora-playbook.yml", "playbook.yml", "site.yml", "publish.yml", "preview.yml"]
)
def test_a_playbook_may_have_another_name_unless_one_has_antoras_own(name: str) -> None:
    def read(**files: str) -> str:
        path = "docs/modules/guide/pages/page.adoc"
        given = {"docs/antora.yml": COMPONENT, **files}
        return parse(RawDocument(path, resolve("By {boat}.\n", given, path).encode())).content

    playbook = "asciidoc:\n  attributes:\n    boat: BOAT\n"
    assert read(**{name: playbook.replace("BOAT", "ferry")}) == "By ferry.\n"
    own = playbook.replace("BOAT", "tug")
    assert read(**{name: playbook.replace("BOAT", "ferry"), "antora-playbook.yml": own}) == "By tug.\n"
    assert read(**{name: "- hosts: boats\n"}) == "By dinghy.\n"


@pytest.mark.parametrize(
    "component",
    [
        "",
        "- a",
        "asciidoc: a",
        "asciidoc:\n  attributes: [a]",
        "a: [",
        "a: &a [*a]",
        "name: [a]\nversion: true",
        "[" * 9000,
        "\0",
    ],
)
def test_a_component_without_attributes_or_that_is_no_yaml_changes_nothing(component: str) -> None:
    text = "{harbour} {page-version} {page-component-title}\n"
    assert resolve(text, {"antora.yml": component}, "modules/guide/pages/page.adoc") == text


def test_only_asciidoc_in_a_module_gets_attributes_of_a_component() -> None:
    files = {"antora.yml": COMPONENT}
    for path in ("modules/guide/pages/a.md", "modules/guide/a.adoc", "a.adoc"):
        assert resolve("{harbour}\n", files, path) == "{harbour}\n"


EXAMPLES = {
    "docs/antora.yml": "asciidoc:\n  attributes:\n    include-java: 'example$java/org/sea'\n    include-kotlin: example$kt\n",
    "docs/modules/ROOT/examples/java/org/sea/boats/atsea/Sail.java": "class Sail {\n// tag::up[]\n\tint up;\n// end::up[]\n}\n",
    "docs/modules/ROOT/examples/kt/boats/atsea/Sail.kt": "class Sail\n",
    "docs/modules/ROOT/examples/java/org/sea/sails/new/boats/atsea/Jib.java": "class Jib {}\n/*\n-----\n*/\n",
}
BOATS = "[[boats.at-sea]]\n== At sea\n\n[.small]\nThey sail.\n\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            ".Sails\ninclude-code::Sail[]",
            "**Sails**\n\nExample code: `boats/atsea/Sail`\n\n```java\nclass Sail {\n\tint up;\n}\n```\n\n```kotlin\nclass Sail\n```\n",
        ),
        (
            "include-code::Sail[tag=up,indent=0]",
            "Example code: `boats/atsea/Sail`\n\n```java\nint up;\n```\n",
        ),
        (
            "include-code::./Jib[]",
            "Example code: `boats/atsea/Jib`\n\n```java\nclass Jib {}\n/*\n-----\n*/\n```\n",
        ),
        ("include-code::../Keel[]", "Example code: `boats/Keel`\n"),
        ("====\ninclude-code::Keel[]\n====", "Example code: `boats/atsea/Keel`\n"),
    ],
    ids=["languages", "tag", "folder of the page", "above", "in a box"],
)
def test_springs_examples_are_those_that_their_section_names(line: str, expected: str) -> None:
    path = "docs/modules/ROOT/pages/sails/ne-w/page.adoc"
    text = resolve(f"= Sea\n\n{BOATS}{line}\n\nMore.\n", EXAMPLES, path)
    document = parse(RawDocument(path, text.encode()))
    assert document.sections[-1].text == f"## At sea\n\nThey sail.\n\n{expected}\nMore.\n"
    assert not document.warnings


def test_asciidoc_that_need_not_be_there_is_not_missed() -> None:
    assert resolve("a\n\ninclude::b.adoc[opts=optional]\n", {}, "docs/page.adoc") == "a\n\n"
    assert (
        resolve("ifdef::env-github[]\ninclude::b.adoc[]\nendif::[]\n", {"docs/b.adoc": "b"}, "docs/page.adoc").count(
            "b.adoc"
        )
        == 1
    )
    assert "b\n" not in resolve(
        "include::other:ROOT:partial$b.adoc[]\n", {"docs/b.adoc": "b\n"}, "docs/modules/a/pages/p.adoc"
    )


SNIPPETS = """site_name: Ships
theme:
  name: material
  custom: !ENV [THEME, x]
markdown_extensions:
  - toc
  - pymdownx.snippets:
      base_path: PATHS
plugins:
  - search
  - macros:
      include_dir: docs/shared_parts
"""


@pytest.mark.parametrize(
    "paths", ["docs/snippets", "[other, docs/snippets]", "\n        - docs/snippets", "!relative $docs_dir"]
)
def test_files_are_looked_for_in_the_folders_that_mkdocs_names(paths: str) -> None:
    folder = "docs" if "relative" in paths else "docs/snippets"
    files = {
        "mkdocs.yml": SNIPPETS.replace("PATHS", paths),
        f"{folder}/sails.md": "Set *sails*.\n",
        "docs/a/sails.md": "No.\n",
    }
    assert resolve('# Sails\n\n--8<-- "sails.md"\n', files, "docs/a/b/page.md") == "# Sails\n\nSet *sails*.\n"


def test_a_hidden_folder_among_them_is_passed_over() -> None:
    files = {
        "mkdocs.yml": SNIPPETS.replace("PATHS", "[.snippets, parts]"),
        "docs/sails.md": "Set.\n",
        "parts/knots.md": "Tie.\n",
    }
    assert resolve('--8<-- "docs/sails.md"\n\n--8<-- "knots.md"\n', files) == "Set.\n\nTie.\n"


def test_folders_are_told_from_where_the_configuration_is() -> None:
    settings = SNIPPETS.replace("PATHS", "!relative $docs_dir") + "docs_dir: pages\n"
    files = {"site/mkdocs.yml": settings, "site/pages/sails.md": "Set.\n", "pages/sails.md": "No.\n"}
    assert resolve('--8<-- "sails.md"\n', files, "site/pages/a/page.md") == "Set.\n"


def test_a_macro_includes_from_the_folder_of_macros() -> None:
    files = {"mkdocs.yml": SNIPPETS, "docs/shared_parts/dns.md": "Names.\n"}
    assert resolve('# A\n\n{% include "dns.md" %}\n', files) == "# A\n\nNames.\n"


def test_what_pages_of_gitbook_share_is_put_in() -> None:
    files = {".gitbook/includes/reef.md": "---\ntitle: Reef\n---\n\nReef early.\n", ".gitbook/secret.md": "No.\n"}
    page = '# A\n\n{% include "../.gitbook/includes/reef.md" %}\n'
    assert resolve(page, files) == "# A\n\nReef early.\n"
    other = page.replace("includes/reef", "secret")
    assert resolve(other, files) == other


def test_what_the_build_of_svelte_gives_its_pages_is_put_in() -> None:
    files = {
        "docs/.generated/warnings.md": "<!-- generated -->\n### slack_rope\n\nHaul it.\n",
        "docs/.secret/a.md": "No.\n",
    }
    assert (
        resolve("# A\n\n@include .generated/warnings.md\n", files) == f"# A\n\n{files['docs/.generated/warnings.md']}"
    )
    for page in (
        "# A\n\n@include .secret/a.md\n",
        "```scss\n@include .generated/warnings.md\n```\n",
        "See @include .generated/warnings.md\n",
    ):
        assert resolve(page, files) == page


@pytest.mark.parametrize("line", ['@include "boats/dinghy.mdx"', "@include 'boats/dinghy.mdx' "])
def test_partials_of_hashicorps_documentation_are_put_in(line: str) -> None:
    files = {
        "site/partials/boats/dinghy.mdx": "Row *gently*.\n\n@include 'rope.mdx'\n",
        "site/partials/rope.mdx": "---\ntitle: Rope\n---\n\nHaul it.\n",
        "site/docs/sea/boats/dinghy.mdx": "No.\n",
    }
    page = "site/docs/sea/page.mdx"
    assert resolve(f"# A\n\n{line}\n", files, page) == "# A\n\nRow *gently*.\n\nHaul it.\n"
    assert resolve(f"- Row:\n\n  {line}\n", files, page) == "- Row:\n\n  Row *gently*.\n\n  Haul it.\n"
    for other in (f"```\n{line}\n```\n", f"See {line}\n", '@include "boats/raft.mdx"\n'):
        assert resolve(other, files, page) == other
    assert "boats/dinghy.mdx" in " ".join(get_warnings(f"# A\n\n{line}\n", page))


@pytest.mark.parametrize("paths", ["../secret", "/secret", "{a: b}", "[[secret]]", "'"])
def test_no_configuration_leads_out_of_the_source(paths: str) -> None:
    asked = set[str]()

    def read(path: str) -> bytes | None:
        asked.add(path)
        return SNIPPETS.replace("PATHS", paths).encode() if path == "mkdocs.yml" else None

    text = b'# A\n\n--8<-- "x.md"\n'
    assert IncludeResolver(read).resolve(RawDocument("docs/page.md", text)).content == text
    assert not any("secret" in path or ".." in path for path in asked)


NAVIGATION = """
site_name: The sea
nav:
  - Home: index.md
  - plain.md
  - The boat:
      - "Sails & `sheets`": boat/sails.md
      - Knots again: knots.md
      - Elsewhere: https://sea.example/
  - Knots: knots.md
markdown_extensions:
  - pymdownx.emoji: {emoji_index: !!python/name:sea.emoji ''}
"""


def read_title(text: str, path: str, files: Mapping[str, str]) -> str:
    return parse(RawDocument(path, resolve(text, files, path).encode())).title


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("Set them.\n", "docs/boat/sails.md", "Sails & sheets"),
        ("Tie.\n", "docs/knots.md", "Knots again"),
        ("Sail.\n", "docs/index.md", "The sea"),
        ("Sail.\n", "docs/boat/index.md", "boat"),
        ("Tie.\n", "docs/plain.md", "plain"),
        ("Tie.\n", "knots.md", "knots"),
        ("# Ropes\n\nTie.\n", "docs/knots.md", "Ropes"),
        ("---\ntitle: Ropes\n---\nTie.\n", "docs/knots.md", "Ropes"),
        ("<h1>Ropes</h1>\n\nTie.\n", "docs/knots.md", "Ropes"),
    ],
)
def test_a_page_without_a_title_is_called_as_the_navigation_of_mkdocs_has_it(
    text: str, path: str, expected: str
) -> None:
    assert read_title(text, path, {"mkdocs.yml": NAVIGATION}) == expected


def test_the_navigation_names_pages_of_the_folder_that_its_configuration_tells() -> None:
    files = {"site/mkdocs.yaml": "docs_dir: pages\nnav: [{Knots: tie.md}]\n", "mkdocs.yml": "nav: [{Ropes: tie.md}]\n"}
    assert read_title("Tie.\n", "site/pages/tie.md", files) == "Knots"
    assert read_title("Tie.\n", "docs/tie.md", files) == "Ropes"


def test_a_title_may_be_inherited_or_the_default_of_a_variable() -> None:
    files = {
        "de/mkdocs.yml": "INHERIT: ../en/mkdocs.yml\nsite_name: !ENV [SITE, See]\n",
        "en/mkdocs.yml": "site_name: Sea\nnav: [{Knots: tie.md}]\n",
        "mkdocs.yml": "site_name: !ENV SITE\n",
    }
    assert read_title("Tie.\n", "de/docs/tie.md", files) == "Knots"
    assert read_title("Tie.\n", "de/docs/index.md", files) == "See"
    assert read_title("Tie.\n", "docs/index.md", files) == "docs"


def test_what_many_configurations_inherit_counts_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    base, own = b"nav: [{Knots: tie.md}]", b"INHERIT: ../base.yml"
    monkeypatch.setattr(includes, "MAX_NAVIGATIONS_BYTES", 2 * len(base))
    files = {"base.yml": base, **{f"{site}/mkdocs.yml": own for site in "abcd"}}
    resolver = IncludeResolver(files.get)

    def titles() -> list[str]:
        pages = [RawDocument(f"{site}/docs/tie.md", b"Tie.\n") for site in "abcd"]
        return [parse(resolver.resolve(page)).title for page in pages]

    assert titles() == ["Knots", "Knots", "tie", "tie"]
    resolver.forget_missing()
    assert titles() == ["Knots", "Knots", "tie", "tie"]


@pytest.mark.parametrize(
    "navigation", ["nav: [", "nav: Tie", "nav: [{[a]: tie.md}]", "nav: [{Tie: [[tie.md]]}]", "nav: &a [*a]"]
)
def test_a_navigation_that_says_nothing_gives_no_title(navigation: str) -> None:
    assert read_title("Tie.\n", "docs/tie.md", {"mkdocs.yml": navigation}) == "tie"


def test_the_title_of_the_navigation_is_no_text_of_the_page() -> None:
    page = RawDocument("docs/knots.md", resolve("Tie.\n", {"mkdocs.yml": NAVIGATION}, "docs/knots.md").encode())
    document = parse(page)
    assert (document.content, document.warnings) == ("Tie.\n", ())
    html = "<!doctype html>\n<p>Tie.</p>\n"
    assert resolve(html, {"mkdocs.yml": NAVIGATION}, "docs/knots.md") == html


@pytest.mark.parametrize("name", ["SUMMARY.md", "_sidebar.md", "sidebar.md"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Hitch\n\nTie.\n\n## Bend\n\nTie.\n", "All `knots`"),
        ("## Hitches\n\nTie.\n", "All `knots`"),
        ("# Hitches\n\nTie.\n", "Hitches"),
        ("---\ntitle: Hitches\n---\nTie.\n", "Hitches"),
    ],
)
def test_a_page_without_a_title_is_called_as_a_table_of_contents_has_it(name: str, text: str, expected: str) -> None:
    files = {f"docs/{name}": "# Summary\n\n- [Boat](boat.md)\n  - [All `knots`](rope/knots.md)\n"}
    assert read_title(text, "docs/rope/knots.md", files) == expected.replace("`", "")


def test_of_several_tables_of_contents_the_nearest_names_a_page_and_that_of_mkdocs_comes_first() -> None:
    tables = {
        "SUMMARY.md": "- [Far](docs/knots.md)\n- [Sails](docs/sails.md)\n",
        "docs/_sidebar.md": "- [Near](knots.md)\n- [Ropes](../ropes.md)\n",
    }
    paths = ["docs/knots.md", "docs/sails.md", "ropes.md", "docs/oars.md"]
    assert [read_title("Tie.\n", path, tables) for path in paths] == ["Near", "Sails", "ropes", "oars"]
    assert read_title("Tie.\n", "docs/knots.md", {**tables, "mkdocs.yml": NAVIGATION}) == "Knots again"


def test_a_table_of_contents_that_is_large_names_nothing() -> None:
    large = "- [Ropes](knots.md)\n" + " " * navigation.MAX_NAVIGATION_BYTES
    assert read_title("Tie.\n", "knots.md", {"SUMMARY.md": large}) == "knots"
    many = {
        f"{number}/SUMMARY.md": f"- [Ropes](knots.md)\n{' ' * (navigation.MAX_NAVIGATION_BYTES - 30)}"
        for number in range(9)
    }
    resolver = IncludeResolver({path: text.encode() for path, text in many.items()}.get)
    titles = [parse(resolver.resolve(RawDocument(f"{number}/knots.md", b"Tie.\n"))).title for number in range(9)]
    assert titles == ["Ropes"] * 8 + ["knots"]


def test_a_configuration_that_was_not_there_before_counts_when_it_is_said_to_be() -> None:
    files: dict[str, bytes] = {}
    resolver = IncludeResolver(files.get)
    page = RawDocument("docs/knots.md", b"Tie.\n")
    assert resolver.resolve(page) is page
    files["mkdocs.yml"] = NAVIGATION.encode()
    resolver.forget_missing()
    assert parse(resolver.resolve(page)).title == "Knots again"
    table = {"SUMMARY.md": b"- [Ropes](knots.md)\n"}
    resolver = IncludeResolver(files.get)
    ropes = RawDocument("knots.md", b"Tie.\n")
    assert resolver.resolve(ropes) is ropes
    files |= table
    resolver.forget_missing()
    assert parse(resolver.resolve(ropes)).title == "Ropes"
    page = RawDocument("modules/ROOT/pages/sea.adoc", b"{component-word} sea.\n")
    assert resolver.resolve(page) is page
    files["antora.yml"] = b"asciidoc:\n  attributes:\n    component-word: open\n"
    resolver.forget_missing()
    assert "open sea." in parse(resolver.resolve(page)).content


def test_the_configuration_of_a_component_is_looked_for_once() -> None:
    read: list[str] = []
    resolver = IncludeResolver(lambda path: read.append(path))
    for name in ("sea", "wind"):
        resolver.resolve(RawDocument(f"docs/modules/ROOT/pages/{name}.adoc", b"Calm.\n"))
    assert read.count("docs/antora.yml") == read.count("antora-playbook.yml") == 1


HIDDEN = "---\nhidden: true\n---\n# Knots\n\nTie.\n"
NOT_INDEXED = HIDDEN.replace("hidden", "noIndex")


@pytest.mark.parametrize(
    ("text", "files", "path"),
    [
        (NOT_INDEXED, {"SUMMARY.md": "* [Knots](docs/knots.md)"}, "docs/knots.md"),
        (NOT_INDEXED, {"docs/SUMMARY.md": ""}, "docs/knots.md"),
        (HIDDEN, {"docs.json": '{"navigation": {}}'}, "docs/knots.mdx"),
        (HIDDEN, {"mint.json": '{"navigation": []}'}, "docs/knots.mdx"),
    ],
)
def test_a_page_that_its_site_does_not_find_is_left_out_of_searches(
    text: str, files: Mapping[str, str], path: str
) -> None:
    document = parse(RawDocument(path, resolve(text, files, path).encode()))
    assert document.metadata["left_out_of_search"] is True
    assert (document.content, document.warnings[-1]) == ("# Knots\n\nTie.\n", HIDDEN_BY_SITE)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (HIDDEN, {}),
        (HIDDEN, {"SUMMARY.md": ""}),
        (HIDDEN, {"docs.json": "{}", "mint.json": "{", "_sidebar.md": ""}),
        (NOT_INDEXED, {"docs.json": '{"navigation": {}}', "src/SUMMARY.md": ""}),
        (HIDDEN, {"docs.json": '{"navigation": {}, "seo": {"indexing": "all"}}'}),
        (HIDDEN, {"mint.json": '{"navigation": [], "seo": {"indexHiddenPages": true}}'}),
        (NOT_INDEXED.replace("true", "false"), {"SUMMARY.md": ""}),
        ("# Knots\n\nnoIndex: true\n", {"SUMMARY.md": ""}),
    ],
)
def test_other_pages_are_not(text: str, files: Mapping[str, str]) -> None:
    assert parse(RawDocument("docs/knots.md", resolve(text, files, "docs/knots.md").encode())).metadata.keys() <= {
        "hidden",
        "noIndex",
    }


BUILT = (
    "{%- assign port = 'Rotterdam' -%}\n{% # Data is elsewhere %}\n{% comment %}\nold\n{% endcomment %}"
    "{% include 'a.html' steps: a.b\n step: 1 %}\n"
)
BUILT_PAGE = (
    "<!doctype html><title>Ports {{ version }}</title><h1>Ports {{ version }}</h1>"
    f"{BUILT}<p>In {{{{ port }}}}, {{{{ day }}}}: <code>{{{{ port }}}}</code>.</p>"
)


@pytest.mark.parametrize("name", [".eleventy.js", "eleventy.config.ts"])
@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("docs/port.html", BUILT_PAGE, "# Ports\n\nIn Rotterdam, {{ day }}: `{{ port }}`.\n"),
        (
            "docs/port.md",
            f"# Ports {{{{ version }}}}\n\n{BUILT}\nIn {{{{ port }}}}: `{{{{ port }}}}`.\n",
            "# Ports\n\nIn Rotterdam: `{{ port }}`.\n",
        ),
    ],
)
def test_what_a_build_of_eleventy_knows_is_left_out(path: str, text: str, expected: str, name: str) -> None:
    document = parse(RawDocument(path, resolve(text, {name: ""}, path).encode()))
    assert (document.title, "\n\n".join(filter(str.strip, document.content.split("\n"))) + "\n") == ("Ports", expected)
    assert resolve(text, {name: ""}, path).count("\n") == text.count("\n")
    assert "{% include" in resolve(text, {f"other/{name}": ""}, path)


@pytest.mark.parametrize(
    "text",
    [
        "# {{ title }}\n\n{{ a.b }}\n",
        "```liquid\n{% include 'a.html' %}\n# {{ a }} b\n```\n",
        "{{ a }} or {{ a }}\n",
        "## The `{{ content }}` of `{{ a | safe }}`\n",
        "# Raw {% raw %}{{ a }}{% endraw %}\n\n{% raw %}\n{% include 'a.html' %} {# a #} {{ a }}\n{% endraw %}\n",
    ],
)
def test_other_tags_of_eleventy_stay(text: str) -> None:
    assert resolve(text, {".eleventy.js": ""}, "docs/port.md") == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{% Aside 'caution' %}\nWet.\n{% endAside %}\n", "**Caution:** \nWet.\n\n"),
        ("{% Compare 'worse', 'Before' %}\nWet.\n{% endCompare %}\n", "**Before** \nWet.\n\n"),
        (
            "{% function 'sail.hoist($mast)', 'returns:boat' %}\n  Hoists.\n{% endfunction %}\n",
            "**`sail.hoist($mast)`, returns:boat** \n  Hoists.\n\n",
        ),
        ('a {% Img src="b/c.png", alt="A boat",\n width="8" %} d', "a ![A boat](b/c.png)\n d"),
        ('- {% weblink "On boats", "https://boats.example" %}', "- [On boats](https://boats.example)"),
        ("- {% addedin '1.2.0' %} Sails.\n\n{% contents %}\n{% Video id='f0YY-2' %}\n", "- 1.2.0 Sails.\n\n\n\n"),
        (
            "a {% age 3 %} {% if b %}{% c %}{% endif %} `{% Aside %}`",
            "a {% age 3 %} {% c %} `{% Aside %}`",
        ),
        (
            "  {% codeExample 'a' %}\n    $a: 1;\n    ===\n    $a: 1\n  {% endcodeExample %}\n",
            "  ```\n  $a: 1;\n  ===\n  $a: 1\n  ```\n",
        ),
        ("{% codeExample %}\nOf a boat and its sails.\n{% endcodeExample %}\n", "\nOf a boat and its sails.\n\n"),
        (
            '{%- set b %}\nsail a\n{%- endset %}\n{{ b | highlight("sh") | safe }}\n{% set c = 3 %}',
            "```sh\nsail a\n```\n",
        ),
        ("{% raw %}{% Aside %}{% endraw %}", "{% raw %}{% Aside %}{% endraw %}"),
    ],
)
def test_tags_that_a_site_of_eleventy_defines_are_what_they_say(text: str, written: str) -> None:
    assert resolve(text, {".eleventy.js": ""}, "docs/port.md") == written
    assert resolve(text, {}, "docs/port.md") == text


@pytest.mark.parametrize(
    "sign",
    [
        "{% if a %}",
        "{% for a in b %}{{ a }}",
        "{% if a %}{% else %}{% endif %}\n",
        "{% a '",
        "{% a %}\n",
        "{% code %}\n",
        "{% set a %}\n",
        "{% a 'b', ",
        "{% a b",
    ],
)
def test_own_tags_of_eleventy_take_linear_time(sign: str) -> None:
    write = partial(eleventy.write_markdown, path="a.md", replace_outside_code=replace_outside_code)
    assert_linear(write, sign * 2_000)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{% if a %}\nWet.\n{% elif b %}\nDry.\n{% endif %}\n", "\nWet.\n\nDry.\n\n"),
        ("It is {% if a %}wet{% else %}dry{% endif %}.", "It is wet / dry."),
        ('{% if page.url == "/docs/port/" %}Here{% else %}[Port](/docs/port/){% endif %}', "Here"),
        ("{% if page.url != '/docs/sea/' %}[Sea](/docs/sea/){% else %}Sea{% endif %}", "[Sea](/docs/sea/)"),
        ("{% for a, b in boats %}\n- {{ b.name }}{% if b.old %} (old){% endif %}\n{% endfor %}\nEnd.", "\n\n\nEnd."),
        ("{% for a in boats %}\nOars.\n{%- endfor -%}\n", "\nOars.\n\n"),
        ("{% call box() %}\nWet.\n{% endcall %}\n", "\nWet.\n\n"),
        ("{% if a %}`{% if a %}` {% raw %}{% if a %}{% endraw %}", "`{% if a %}` {% raw %}{% if a %}{% endraw %}"),
        ("{% endif %}{% else %}{% endfor %}{% if a %}b", "b"),
        ("{% set codeBlock %}{% raw %}\nsail()\n{% endraw %}\n{% endset %}\n{% include 'a.njk' %}\n", "```\nsail()\n```\n\n"),
    ],
)  # fmt: skip
def test_conditions_and_loops_of_eleventy_leave_what_readers_may_see(text: str, written: str) -> None:
    assert resolve(text, {".eleventy.js": ""}, "docs/port.md") == written
    assert resolve(text, {}, "docs/port.md") == text


def test_a_value_of_eleventy_that_is_named_twice_stays() -> None:
    text = "{% assign a = 'b' %}{% capture a %}c{% endcapture %}{{ a }}\n"
    assert resolve(text, {".eleventy.js": ""}, "docs/port.md") == "{{ a }}\n"


@pytest.mark.parametrize(
    "sign",
    [
        "{% comment %}",
        "{% raw %}",
        "# {% raw %}{{ a }}",
        "{# a",
        "{% include a",
        "<pre>",
        "<h1>",
        "{% capture a %}",
        "{{ a ",
        "{% assign a = 'b' %}",
        "<pre><code>",
    ],
)
def test_tags_of_eleventy_take_linear_time(sign: str) -> None:
    assert_linear(eleventy.write_html, sign * 2_000)


def test_paradox_takes_what_is_between_two_equal_labels_into_a_definition() -> None:
    code = "# #sea\nsea = 1\n# #sea\n\ndef sail():\n    # #row #\n    # #row\n    row()\n    #//#wave\n    # #row\n"
    text = resolve("Python\n:  @@snip [boat](boat.py) { #sea #row }\n", {"docs/boat.py": code})
    assert text == "Python\n:  ```python\n   sea = 1\n       row()\n   ```\n"
    missing = "@@snip [boat](boat.py) { #keel }\n"
    assert resolve(missing, {"docs/boat.py": code}) == missing
    assert "@@snip" in get_warnings(missing)[0]


def test_files_of_builds_and_interfaces_are_included_by_their_names() -> None:
    files = {"oars/dune": "(row)", "oars/Rakefile": "row", "sail.mli": "val set : int", "build.sbt": "x"}
    text = "".join(f":::{{literalinclude}} {name}\n:::\n" for name in files)
    fenced = [("lisp", "(row)"), ("ruby", "row"), ("ocaml", "val set : int"), ("scala", "x")]
    assert resolve(text, files) == "".join(f"```{language}\n{code}\n```\n" for language, code in fenced)


def test_the_caption_of_included_code_stands_above_it() -> None:
    text = "```{literalinclude} a.py\n:caption: sea/a.py (whole)\n```\n"
    assert resolve(text, {"a.py": "go()\n"}) == "**sea/a.py (whole)**\n\n```python\ngo()\n```\n"


def test_links_to_code_between_comments_are_the_blocks_that_they_name() -> None:
    code = "import rowing;\n\nclass Boat {\n    void row() {\n        if (wet) { dry(); }\n        go();\n    }\n}\n"
    text = "<!--codeinclude-->\n[Rowing](a.java) inside_block:row\n[All](a.java) block:row\n<!--/codeinclude-->\n[Boat](a.java)\n"
    assert resolve(text, {"docs/a.java": code}) == (
        "<!--codeinclude-->\n**Rowing**\n\n```java\nif (wet) { dry(); }\ngo();\n```\n"
        "**All**\n\n```java\nvoid row() {\n    if (wet) { dry(); }\n    go();\n}\n```\n"
        "<!--/codeinclude-->\n[Boat](a.java)\n"
    )
    assert "Rowing" in get_warnings(text)[0]
