"""Code on a page: its text, its language, and what stands around it."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import parse_html


def convert(body: str) -> str:
    return parse_html(RawDocument("pour.html", f"<main>{body}</main>".encode())).content


def test_a_box_that_names_the_language_of_its_text_is_code() -> None:
    body = '<div class="code-block" data-lang="python">\ndef pour():\n    tilt()\n</div>'
    assert convert(body) == "```python\ndef pour():\n    tilt()\n```\n"


def test_a_box_around_code_is_a_box() -> None:
    body = '<div class="code-block" data-lang="python"><p>pour.py</p><pre>tilt()</pre></div><div class="code-block">Tilt.</div>'
    assert convert(body) == "pour.py\n\n```python\ntilt()\n```\n\nTilt.\n"


def test_where_a_line_may_break_nothing_is_said_or_told() -> None:
    page = "<main><p>pour [cup&#8230;&#8203;], a pot &#8212;&#8203; or two</p><pre>pour &lt;cup&gt;…\u200b</pre></main>"
    text = parse_html(RawDocument("pour.html", page.encode()))
    assert text.content == "pour [cup…], a pot — or two\n\n```\npour <cup>…\n```\n"
    assert convert("<p><code>pour</code>&#8203;(Cup cup,&#8203;int heat)</p>") == "`pour`(Cup cup,int heat)\n"
    assert convert("<p>po\u200bur</p>") == "po\u200bur\n"


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ('<pre><code class="language-py">x</code></pre>', "py"),
        ('<pre class="lang-js">x</pre>', "js"),
        ('<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', "python"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<pre data-lang="Go">x</pre>', "go"),
        ('<pre class="brush: java; toolbar: false">x</pre>', "java"),
        ('<pre class="sourceCode haskell">x</pre>', "haskell"),
        ('<pre class="highlightjs highlight"><code class="language-yaml hljs">x</code></pre>', "yaml"),
        ('<pre language="bash"><code language="bash">x</code></pre>', "bash"),
        ('<pre><code class="python">x</code></pre>', "python"),
        ('<pre class="highlight json tab-json"><code>x</code></pre>', "json"),
        ('<pre><code class="makeup elixir">x</code></pre>', "elixir"),
        ('<pre class="code Ruby">x</pre>', "ruby"),
        ('<pre class="example python">x</pre>', ""),
        ('<div class="go"><pre>x</pre></div>', ""),
        ('<div class="highlight-default"><pre>x</pre></div>', ""),
        ("<pre>x</pre>", ""),
        ("<pre data-lang='a b`c'>x</pre>", ""),
    ],
)
def test_a_code_block_names_its_language(body: str, language: str) -> None:
    assert convert(body) == f"```{language}\nx\n```\n"


def test_code_beside_line_numbers_names_the_language_of_what_is_around_its_table() -> None:
    cells = '<td class="linenos"><pre>1\n2</pre></td><td class="code"><div><pre><code>a\nb</code></pre></div></td>'
    table = f'<table class="highlighttable"><tr>{cells}</tr></table>'
    assert convert(f'<div class="language-sh highlight">{table}</div>') == "```sh\na\nb\n```\n"


@pytest.mark.parametrize(
    "code",
    [
        '<span class="lang">js</span><pre><code class="language-js">x</code></pre>',
        '<pre><code class="language-js">x</code></pre><div class="source-toolbox"><span>js</span><button>Copy</button></div>',
    ],
)
def test_the_sign_of_a_language_is_no_text(code: str) -> None:
    assert convert(f"<div>{code}</div>") == "```js\nx\n```\n"


def test_a_word_with_that_class_elsewhere_is_text() -> None:
    assert convert('<p>In <span class="lang">Welsh</span></p>') == "In Welsh\n"


@pytest.mark.parametrize(
    ("added", "removed"), [("line diff add", "line diff remove"), ("ec-line ins", "ec-line highlight del")]
)
def test_added_and_removed_lines_of_code_have_their_signs(added: str, removed: str) -> None:
    lines = f'<span>a</span>\n<span class="{removed}">  b: 1</span>\n<span class="{added}">  b: 2</span>'
    assert convert(f"<pre><code>{lines}</code></pre>") == "```\na\n-  b: 1\n+  b: 2\n```\n"


def test_the_sign_of_a_line_stands_before_its_first_word_whatever_the_line_is_made_of() -> None:
    number, blanks = '<div class="gutter"><div class="ln">1</div></div>', '<span class="indent">  </span>'
    lines = "".join(
        f'<div class="ec-line {kind}">{number}<div class="code">{blanks}<span>{word}</span></div></div>'
        for kind, word in [("del", "a"), ("ins", "b"), ("", "c")]
    )
    assert convert(f"<pre><code>{lines}</code></pre>") == "```\n-  a\n+  b\n  c\n```\n"


def test_lines_of_code_in_blocks_of_their_own_are_code() -> None:
    lines = (
        '<div class="line"><a name="l1"></a><span class="lineno"> 1</span>int x;</div><div class="line">  use(x);</div>'
    )
    assert convert(f'<div class="fragment">{lines}</div>') == "```\nint x;\n  use(x);\n```\n"
    assert convert('<div class="fragment"><p>Text</p></div>') == "Text\n"


def test_line_ends_between_lines_that_are_blocks_are_none() -> None:
    folded = '<div class="foldopen">\n<div class="line">void pour() {</div>\n<div class="line">}</div>\n</div>\n'
    lines = f'<div class="line">int x;</div>\n<div class="line"> </div>\n{folded}<div class="line">int y;</div>\n'
    assert convert(f'<div class="fragment">{lines}</div>') == "```\nint x;\n \nvoid pour() {\n}\nint y;\n```\n"


@pytest.mark.parametrize(("tab", "language"), [("C#", "csharp"), ("VB", "vb"), ("Copy", "")])
def test_the_tab_of_a_block_names_its_language(tab: str, language: str) -> None:
    tabs = f'<div class="codeSnippetContainerTabs"><div class="codeSnippetContainerTabSingle">{tab}</div></div>'
    bar = '<div class="codeSnippetToolBar"><a href="#">Copy</a></div>'
    block = '<div class="codeSnippetContainerCode" style="display: block"><pre>void Pour()</pre></div>'
    box = f'{tabs}<div class="codeSnippetContainerCodeContainer">{bar}{block}</div>'
    assert convert(f'<div class="codeSnippetContainer">{box}</div>') == f"```{language}\nvoid Pour()\n```\n"


def test_a_declaration_in_a_table_is_code() -> None:
    cells = "<td>int tie&#160;</td><td>(</td><td>rope *&#160;</td><td><em>r</em></td><td>)</td>"
    assert (
        convert(f'<div class="memproto"><table><tr>{cells}</tr></table></div>') == "```cpp\nint tie (rope * r)\n```\n"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("\n  a\n\n\tb  \n\n", "  a\n\n\tb  "),
        ("<span>a</span>\n<b># not bold</b>", "a\n# not bold"),
        ("a<br>b", "a\nb"),
        ("<div>a</div><div>b</div>c", "a\nb\nc"),
        ('<span class="lineno">1 </span>a\n<span class="lineno">2 </span>b', "a\nb"),
        ("a<button>Copy</button>", "a"),
        ('a<span style="display:none">evil</span>', "a"),
        ("a<!-- x -->b", "ab"),
        ("<code>import x</code><code>require x</code>", "import x\nrequire x"),
        ("<code>pour</code> [<code>-f</code>] [<code>-s</code> <code>cup</code>]", "pour [-f] [-s cup]"),
        ("a\r\nb", "a\nb"),
    ],
)
def test_code_is_exact(code: str, expected: str) -> None:
    assert convert(f"<pre>{code}</pre>") == f"```\n{expected}\n```\n"


def test_a_fence_is_longer_than_those_in_the_code() -> None:
    assert convert("<pre>````\nx\n````</pre>") == "`````\n````\nx\n````\n`````\n"


def test_code_is_no_sign_beside_code() -> None:
    assert convert('<p>Set <code class="copybutton">HEAT</code>.</p>') == "Set `HEAT`.\n"
