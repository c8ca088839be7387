"""Declarations on generated reference pages that do not mark them as code: which become sections, and how they are written."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html import parse_html


def parse(body: str) -> NormalisedText:
    return parse_html(RawDocument("x.html", f"<main><h2>Members</h2>{body}</main>".encode()))


@pytest.mark.parametrize(
    ("body", "language", "code"),
    [
        (
            (
                '<a name="m.pour"></a><a name="pour"></a><div class="functionHeader">def <span class="py-defname">pour</span>(cup):'
                '<a class="headerLink" href="#pour">\u00b6</a></div>'
            ),
            "python",
            "def pour(cup):",
        ),
        (
            (
                '<div class="entry-detail" id="pour"><div class="signature">def <strong>pour</strong>(cup) '
                '<a class="method-permalink" href="#pour">#</a></div></div>'
            ),
            "crystal",
            "def pour(cup)",
        ),
        (
            (
                '<div class="top"><p class="src"><a id="pour" class="def">pour</a> :: Cup <a href="src.html" class="link">Source</a> '
                '<a href="#pour" class="selflink">#</a></p></div>'
            ),
            "haskell",
            "pour :: Cup",
        ),
        (
            (
                '<a class="anchor" id="pour"></a><div class="memitem"><div class="memproto"><table class="memname"><tr>'
                '<td class="memname">Cup *pour </td><td>(int n)</td></tr></table></div></div>'
            ),
            "cpp",
            "Cup *pour (int n)",
        ),
    ],
)
def test_a_declaration_is_code_below_a_heading_of_its_name(body: str, language: str, code: str) -> None:
    text = parse(f"{body}<p>Tilts.</p>")
    assert text.content == f"## Members\n\n### `pour`\n\n```{language}\n{code}\n```\n\nTilts.\n"
    assert text.anchors[2] == "pour"


@pytest.mark.parametrize(
    "body",
    [
        '<div class="method-detail" id="pour">{}</div>',
        '<div id="pour"><div class="method-header">{}</div></div>',
    ],
)
def test_a_method_of_ruby_is_code_below_its_name(body: str) -> None:
    advice = '<span class="method-click-advice">click to toggle source</span>'
    method = f'<div class="method-heading"><span class="method-name">pour</span><span>(cup)</span> {advice}</div>'
    assert parse(body.format(method)).content == "## Members\n\n### `pour`\n\n```ruby\npour(cup)\n```\n"


def test_a_place_that_is_called_like_the_link_to_it_is_read() -> None:
    heading = '<div class="method-heading"><a href="#m" title="Link"><span class="method-name">pour</span><span>(cup)</span></a></div>'
    detail = (
        f'<div id="m" class="method-detail anchor-link"><div class="method-header">{heading}</div><p>Tilts.</p></div>'
    )
    members = f'<section class="documentation-section anchor-link"><header><h3>Methods</h3></header>{detail}</section>'
    page = f'<main><h1 id="class-Pot" class="anchor-link class">class Pot</h1>{members}</main>'
    text = parse_html(RawDocument("Pot.html", page.encode()))
    assert text.title == "class Pot"
    assert text.content == "# class Pot\n\n### Methods\n\n#### `pour`\n\n```ruby\npour(cup)\n```\n\nTilts.\n"


def test_a_signature_of_dart_has_a_parameter_a_line() -> None:
    notes = '<div>\n<ol class="annotation-list">\n<li>@<a href="o.html">override</a></li>\n</ol></div>'
    parameters = (
        '<ol class="parameter-list"> <li><span>Cup cup, {</span></li>\n<li><span>int?\n  heat,</span></li>\n</ol>'
    )
    features = '<div class="features"><span class="feature">late</span></div>'
    signature = (
        f'{notes}\n<span class="returntype">Tea</span>\n<span class="name">pour</span>(<wbr>{parameters}}})\n{features}'
    )
    page = f'<main><h1>pour method</h1><section class="multi-line-signature">\n {signature}\n</section><p>Tilts.</p></main>'
    code = "@override\nTea pour(\n  Cup cup, {\n  int? heat,\n})"
    assert parse(page).content.endswith(f"# pour method\n\n```dart\n{code}\n```\n\nlate\n\nTilts.\n")


def test_the_source_that_pdoc_shows_at_a_click_is_no_text() -> None:
    source = '<div class="pdoc-code codehilite"><pre>def pour(self): ...</pre></div>'
    box = '<input class="view-source-toggle-state" type="checkbox">'
    declared = (
        '<div class="attr function"><span class="def">def</span> <span class="name">pour</span>(self): '
        '<label class="view-source-button"><span>View Source</span></label></div>'
    )
    shown = '<div class="docstring"><p>Tilts.</p><div class="pdoc-code codehilite"><pre>pot.pour()</pre></div></div>'
    text = parse(
        f'<div id="Pot.pour" class="classattr">{box}{declared}<a class="headerlink" href="#Pot.pour"></a>{source}{shown}</div>'
    )
    assert text.content == (
        "## Members\n\n### `Pot.pour`\n\n```python\ndef pour(self):\n```\n\nTilts.\n\n```\npot.pour()\n```\n"
    )


@pytest.mark.parametrize("name", ["quote", "mkdocstrings-source"])
def test_the_source_of_a_class_is_shown_once_by_mkdocstrings(name: str) -> None:
    def show(source: str) -> str:
        summary = "<summary>Source code in <code>pot.py</code></summary>"
        return f'<details class="{name}">{summary}<pre><code>{source}</code></pre></details>'

    method = f'<h3 class="doc doc-heading">pour</h3><div class="doc doc-contents"><p>Tilts.</p>{show("def pour(): ...")}</div>'
    members = f'<div class="doc doc-children"><div class="doc doc-object">{method}</div></div>'
    whole = "class Pot:\n    def pour(): ..."
    page = '<main><h1>tea</h1><h2 class="doc">Pot</h2><div class="doc doc-contents first"><p>A pot.</p>{}</div></main>'
    text = parse(page.format(show(whole) + members)).content
    assert (text.count("def pour(): ..."), "class Pot:" in text) == (1, False)
    assert "class Pot:" in parse(page.format(show(whole) + members.replace("Source code in", "From"))).content


def test_headings_in_a_docstring_of_pdoc_are_not_above_what_is_declared_next() -> None:
    def declare(name: str, decorator: str, docstring: str) -> str:
        declared = f'{decorator}\n  <span class="def">def</span>\n  <span class="name">{name}</span>():'
        return f'<section id="{name}"><div class="attr function">{declared}</div><div class="docstring">{docstring}</div></section>'

    decorator = '<div class="decorator decorator-hot">@hot</div>'
    page = declare("pour", decorator, "<p>Tilts.</p><h6>Raises</h6><p>Heat.</p>") + declare("stir", "", "<p>Turns.</p>")
    assert parse(page).content == (
        "## Members\n\n### `pour`\n\n```python\n@hot\ndef pour():\n```\n\nTilts.\n\n###### Raises\n\nHeat.\n\n"
        "### `stir`\n\n```python\ndef stir():\n```\n\nTurns.\n"
    )


@pytest.mark.parametrize("tag", ["header", "summary"])
def test_what_a_docstring_of_julia_is_about_is_its_heading(tag: str) -> None:
    name = '<a class="docstring-binding" id="Tea.pour" href="#Tea.pour"><code>Tea.pour</code></a>'
    title = f'<{tag}>{name} — <span class="docstring-category">Function</span></{tag}>'
    text = parse(f'<div class="docstring">{title}<section><p>Tilts.</p></section></div>')
    assert text.content == "## Members\n\n### `Tea.pour`\n\nFunction\n\nTilts.\n"
    assert text.anchors[2] == "Tea.pour"


def test_what_has_a_heading_gets_no_second_one() -> None:
    declaration = '<div class="memproto"><table><tr><td class="memname">int pour</td></tr></table></div>'
    body = f'<h2 class="memtitle">pour()</h2><div>{declaration}</div>'
    assert parse(body).content == "## Members\n\n### pour()\n\n```cpp\nint pour\n```\n"


def test_in_a_list_a_declaration_is_code_alone() -> None:
    body = '<ul><li><div class="functionHeader">def <span class="py-defname">pour</span>()</div></li></ul>'
    assert parse(body).content == "## Members\n\n- ```python\n  def pour()\n  ```\n"


def test_a_specification_stays_as_it_is_below_its_name() -> None:
    body = '<div class="spec type anchored" id="type-cup"><code>type cup =</code><ol><li><code>| Full</code></li></ol></div>'
    text = parse(body)
    assert text.content == "## Members\n\n### `cup`\n\n`type cup =`\n\n1. `| Full`\n"
    assert text.anchors[2] == "type-cup"
    assert (
        "###" not in parse('<div class="spec parameter anchored" id="argument-1-_"><code>module _</code></div>').content
    )


@pytest.mark.parametrize(
    "body",
    ['<div class="signature">Yours</div>', '<p class="src">Yours</p>', '<div class="monospace">Yours</div>'],
)
def test_what_only_has_such_a_name_is_text(body: str) -> None:
    assert parse(body).content == "## Members\n\nYours\n"


def test_a_declaration_keeps_the_lines_that_breaks_and_blocks_make() -> None:
    broken = '<div class="tsd-signature">type Cup = {<br><span>\u00a0 </span>size: number;<br>}</div>'
    blocks = '<div class="symbol monospace"><div>@Hot</div>class <a href="cup.html">Cup</a></div>'
    assert parse(broken + blocks).content == (
        "## Members\n\n```typescript\ntype Cup = {\n  size: number;\n}\n```\n\n```kotlin\n@Hot\nclass Cup\n```\n"
    )


def test_many_declarations_beside_each_other_take_linear_time() -> None:
    one = '<div class="functionHeader">def <span class="py-defname">pour</span>()</div>'
    assert parse(one * 20_000).content.count("### `pour`") == 20_000


@pytest.mark.parametrize(
    "body",
    [
        '<p><a class="docstring-binding" href="#x"><span hidden>SECRET</span>Foo</a> is.</p>',
        '<section><div class="attr"><span class="name">foo<span hidden>SECRET</span></span>(a)</div></section>',
        '<section><div class="attr"><span hidden><span class="name">SECRET</span></span>f(a)</div></section>',
        '<div class="memproto"><table style="display:none"><tr><td class="memname">SECRET</td></tr></table>f</div>',
        '<div class="summary-table"><div class="table-header">A</div><div style="display:none">SECRET</div></div>',
        '<table><tr><td>a</td><td>b</td></tr><tr hidden><td>SECRET</td></tr><tr><td>c</td><td hidden>SECRET</td></tr></table>',
        '<p>x<span id="L1"></span><script>AddLanguageSpecificTextSet("L1?cs=SECRET");</script></p>',
    ],
)  # fmt: skip
def test_what_is_hidden_is_in_no_declaration_and_no_table(body: str) -> None:
    assert "SECRET" not in parse_html(RawDocument("x.html", f"<main><h1>T</h1>{body}</main>".encode())).content


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ('<p>The <strong class="selflink">Foo</strong> is <a class="mw-selflink selflink">old</a>.</p>', "The **Foo** is old."),
        ('<p>See <a class="src" href="/a">the document</a>.</p>', "See [the document](/a)."),
        ('<div class="search-results"><h2>Results</h2><p>Said.</p></div>', "## Results\n\nSaid."),
        ('<section><div class="attr"><p>Colour: <a class="link" href="r.html">red</a></p></div></section>', "Colour: [red](r.html)"),
        ('<div class="entry-detail"><div class="signature"><p>Regards</p></div></div>', "Regards"),
        ('<div id="titlearea"><h1>T</h1></div><p>a</p>', "# T\n\na"),
        ("<p><span class='math'>\\(a\\) and \\(b\\)</span></p>", "\\(a\\) and \\(b\\)"),
        ("<table><tr><th>Code</th><th>Body</th></tr><tr><td>\n\n 200\n </td><td><pre>{\n 1}</pre></td></tr></table>", "**Code:** 200"),
    ],
)  # fmt: skip
def test_names_of_generators_on_other_pages_lose_nothing(body: str, kept: str) -> None:
    assert kept in parse_html(RawDocument("x.html", f"<main>{body}</main>".encode())).content


def test_grids_within_grids_are_read_or_refused() -> None:
    grid = '<div class="summary-table"><div class="table-header">a</div><div>'
    assert parse_html(RawDocument("x.html", f"<h1>T</h1>{grid * 400}".encode())).content.startswith("# T")


def test_methods_of_one_name_have_the_types_of_their_parameters_in_their_headings() -> None:
    ids = (
        "pour(int)",
        "pour(java.lang.String,java.util.List,int[])",
        "fill(int)",
        "&lt;init&gt;()",
        "&lt;init&gt;(int)",
    )
    names = ("pour", "pour", "fill", "Cup", "Cup")
    new = "".join(f'<section id="{id}"><h3>{name}</h3><p>x</p></section>' for id, name in zip(ids, names, strict=True))
    written = [line for line in parse(new).content.split("\n") if line.startswith("### ")]
    assert written == ["### pour(int)", "### pour(String, List, int[])", "### fill", "### Cup()", "### Cup(int)"]
    old = '<a name="pour-int:A-java.lang.Long-"></a><h3>pour</h3><p>x</p><a name="pour--"></a><h3>pour</h3><p>x</p>'
    assert [line for line in parse(old).content.split("\n") if "###" in line] == ["### pour(int[], Long)", "### pour()"]
