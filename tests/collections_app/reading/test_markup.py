"""Documents are not trusted: whatever they hold, what is shown is text."""

import re
from html import unescape

import pytest

from collections_app.reading.links import Linker
from collections_app.reading.markdown_blocks import MAX_LIST_DEPTH, MAX_QUOTE_DEPTH
from collections_app.reading.markup import Renderer, clean_html
from tests.collections_app.reading.allowances import make_endless
from tests.collections_app.reading.inert import assert_inert
from tests.ends import ends

LINKER = Linker("guide.md", "https://docs.example/guide", "/docs/acme/docs/")


def render(text: str) -> str:
    return clean_html(Renderer(make_allowance=make_endless).render(text), LINKER.resolve)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "before <script src=https://evil.example/x.js></script> after",
        "<SCRIPT>\nalert(1)\n</SCRIPT>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<img src=x onerror=alert(1)>",
        "![x](javascript:alert(1))",
        "![x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java&#115;cript:alert(1))",
        "[x](&#x6A;avascript:alert(1))",
        "[x](<java\tscript:alert(1)>)",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:msgbox(1))",
        "[x][r]\n\n[r]: javascript:alert(1)",
        "<javascript:alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        '<a href=" javascript:alert(1)">x</a>',
        "<a href='jav\nascript:alert(1)'>x</a>",
        "<svg onload=alert(1)><script>alert(1)</script><text>words</text></svg>",
        "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
        "<iframe src=https://evil.example></iframe>",
        "<object data=x></object><embed src=x><applet></applet>",
        "<form action=https://evil.example><input name=password><button>Send</button></form>",
        "<style>body{display:none}</style><link rel=stylesheet href=https://evil.example>",
        "<p style='position:fixed;inset:0'>x</p>",
        "<div id=_main class='top skip'>x</div>",
        "<meta http-equiv=refresh content='0;url=https://evil.example'><base href=https://evil.example>",
        "<details ontoggle=alert(1) open>x</details>",
        "`<script>alert(1)</script>`",
        "```html\n<script>alert(1)</script>\n```",
        "    <script>alert(1)</script>",
        '```"><script>alert(1)</script>\ncode\n```',
        "``` <img/src=x/onerror=alert(1)>\ncode\n```",
        "<!-- <script>alert(1)</script> --> <!--><script>alert(1)</script>",
        "<template><script>alert(1)</script></template><noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
        "> [!NOTE]<script>alert(1)</script>\n> <b onclick=alert(1)>x</b>",
        "\x02wzxhzdk:0\x03 \x02klzzwxh:0001\x03 <b>x</b>",
        "<textarea><img title='</textarea><script>alert(1)</script>'></textarea>",
    ],
)
def test_hostile_text_renders_inert(text: str) -> None:
    assert_inert(render(text))


def test_code_shows_the_tags_that_it_is_about() -> None:
    assert "&lt;script&gt;" in render("`<script>alert(1)</script>`")
    assert "script" in render("```html\n<script>alert(1)</script>\n```")


def test_what_svg_and_scripts_hold_is_no_text() -> None:
    assert render("a <script>alert(1)</script> b").split() == ["<p>a", "b</p>"]
    assert "words" not in render("<svg><text>words</text></svg>")


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("  " * level + "- x" for level in range(10_000)),
        "- " * 10_000 + "x",
        "1. " * 10_000 + "x",
    ],
)
def test_lists_nest_to_a_depth_and_no_further(text: str) -> None:
    found = assert_inert(render(text))
    assert MAX_LIST_DEPTH <= found.deepest <= 2 * (MAX_LIST_DEPTH + 2)


@pytest.mark.parametrize("text", [">" * 10_000 + " x", "\n".join(">" * level + " x" for level in range(1, 2_000))])
def test_quotes_nest_to_a_depth_and_no_further(text: str) -> None:
    found = assert_inert(render(text))
    assert found.deepest <= MAX_QUOTE_DEPTH + 5


@pytest.mark.parametrize(
    "sign", ["[", "![", "[a](", "*", "**a ", "_a ", "`", "<", "<a ", "&#", "~~a", "https://a", "\\", "[a][b"]
)
def test_a_paragraph_of_signs_is_shown_as_it_stands(sign: str) -> None:
    text = sign * 20_000
    html = render(text)
    assert_inert(html)
    assert len(html) >= len(text) or sign in {"*", "`"}


def test_a_table_of_twenty_thousand_rows_is_a_table() -> None:
    html = render("| a | b |\n|---|---|\n" + "| x | `y` |\n" * 20_000)
    assert_inert(html)
    assert html.count("<tr>") == 20_001


def test_ten_thousand_open_elements_do_not_break_the_page() -> None:
    assert_inert(render("<div>" * 10_000 + "text"))


def test_what_breaks_the_renderer_is_shown_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer(make_allowance=make_endless)

    def fail(text: str) -> str:
        raise RecursionError

    monkeypatch.setattr(renderer.markdown, "convert", fail)
    assert renderer.render("a < b") == "<pre>a &lt; b</pre>"
    assert renderer.render("*a*") == "<p><em>a</em></p>"


def test_code_is_highlighted_by_classes() -> None:
    html = render("```python\ndef f(): ...\n```")
    assert '<div class="code" data-language="python">' in html
    assert '<span class="k">def</span>' in html
    assert "style=" not in html


def test_the_title_of_code_is_no_language() -> None:
    assert '<div class="code"><pre>' in render('```` title="rig"\nsails = 2\n````')
    assert 'data-language="sh"' in render('```sh title="rig"\nreef\n```')
    assert 'data-language="python"' in render("```{code-block} python\nreef()\n```")


@pytest.mark.parametrize(
    "info", ['sh title="a <b>.sh"', "sh {1,2} filename='a <b>.sh'", "sh [a <b>.sh]", "sh:line [a <b>.sh] x"]
)
def test_the_title_of_code_stands_above_it(info: str) -> None:
    shown = render(f"- ```{info}\n  reef\n  ```")
    assert '<p class="code-title">a &lt;b&gt;.sh</p><div class="code"' in shown


@pytest.mark.parametrize("info", ["", "sh", "sh subtitle='a'", "sh title=''", "rust[a]", "[a]"])
def test_code_without_a_title_has_none(info: str) -> None:
    assert "code-title" not in render(f"```{info}\nreef\n```")


def test_code_in_a_group_has_its_labels_above_it() -> None:
    shown = render("::: code-group\n\n```sh [npm]\nnpm i\n```\n\n```sh [yarn]\nyarn\n```\n\n:::\n")
    assert re.sub("<[^>]*>", " ", shown).split() == ["npm", "npm", "i", "yarn", "yarn"]


@pytest.mark.parametrize(
    "language", ["console", "shell-session", "pycon", "python", "toml", "html", "http", "diff", "nobody-knows"]
)
@pytest.mark.parametrize("code", ["$ uv add httpx", ">>> 1\n1", "\n  x\n\n", "\x7f \\ é 日 <b>&amp;", ""])
def test_no_word_of_code_is_lost(language: str, code: str) -> None:
    shown = re.sub(r"<[^>]*>", "", render(f"```{language}\n{code}\n```"))
    assert unescape(shown).strip("\n") == code.strip("\n")


def test_long_code_stays_plain() -> None:
    html = render("```python\n" + "x = 1\n" * 10_000 + "```")
    assert "<span" not in html
    assert html.count("x = 1") == 10_000


def test_what_only_looks_like_a_tag_is_text() -> None:
    html = render("Give <name> and List<String>.\n\n<Your_Product>\n\n<b>bold</b>")
    assert "&lt;name&gt;" in html
    assert "List&lt;String&gt;" in html
    assert "&lt;Your_Product&gt;" in html
    assert "<b>bold</b>" in html


def test_callouts_are_marked_and_named() -> None:
    html = render("> [!WARNING]\n> Mind the *gap*.")
    assert '<blockquote class="callout warning">' in html
    assert '<p class="callout-title">Warning</p>' in html
    assert "[!WARNING]" not in html


def test_an_unknown_callout_is_a_quote() -> None:
    assert "[!PARTY]" in render("> [!PARTY]\n> x")


def test_bare_addresses_are_links() -> None:
    html = render("See https://example.com/a_b_c(d), and `https://not.example`.")
    assert '<a href="https://example.com/a_b_c(d)" rel="nofollow noopener noreferrer">' in html
    assert 'href="https://not.example' not in html


def test_link_definitions_of_other_sections_count() -> None:
    html = clean_html(
        Renderer({"spec": ("https://example.com/spec", "")}, make_endless).render("[the spec][Spec]"), LINKER.resolve
    )
    assert 'href="https://example.com/spec"' in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# A  b ##", "<h2>A  b</h2>"),
        (r"# A \# ##  ", "<h2>A #</h2>"),
        ("# A#", "<h2>A#</h2>"),
        (f"# A{' ' * 60_000}b", f"<h2>A{' ' * 60_000}b</h2>"),
        (f"# A{' #' * 30_000}b", f"<h2>A{' #' * 30_000}b</h2>"),
        (f"# A{' ' * 60_000}#", "<h2>A</h2>"),
    ],
)
def test_the_closing_signs_of_a_heading_are_not_its_text(text: str, shown: str) -> None:
    with ends():
        assert Renderer(make_allowance=make_endless).render(text) == shown


def test_no_heading_of_a_document_stands_above_the_page() -> None:
    assert "<h1" not in render("- # In a list\n\nTitle\n=====\n\n<h1>raw</h1>")
