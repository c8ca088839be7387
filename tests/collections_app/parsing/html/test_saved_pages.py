"""Pages of blogs, forums, help centres and API consoles saved by a browser: WordPress, Ghost, Stack Exchange, GitHub, Swagger UI."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html import parse_html

PROSE = "<p>" + "Tea is poured slowly, from low above the cup. " * 4 + "</p>"
HEAD = f"<h1>Pouring</h1>{PROSE}"
TEXT = "# Pouring\n\n" + ("Tea is poured slowly, from low above the cup. " * 4).strip() + "\n"
CARDS = '<a href="/cups"><img src="cup.png"></a><h3><a href="/cups">Small cups</a></h3><a href="/cups">2 min read</a>'


def read(page: str) -> NormalisedText:
    return parse_html(RawDocument("pouring.html", page.encode()))


def convert(body: str) -> str:
    return read(f"<html><body><main>{body}</main></body></html>").content


@pytest.mark.parametrize(
    "name",
    [
        "related-posts",
        "m-recommended",
        "post-recommendations",
        "relatedArticles",
        "widget widget_recent_entries",
        "quick-links",
    ],
)
def test_ways_to_other_pages_with_their_headings_are_left_out(name: str) -> None:
    assert convert(f'{HEAD}<section class="{name}"><h2>Read more</h2>{CARDS}{CARDS}</section>') == TEXT


def test_share_buttons_and_questions_to_readers_are_left_out() -> None:
    share = '<div class="share-links"><span>Share:</span><ul><li><a href="https://x.example/?u=1">X</a></li></ul></div>'
    helpful = '<div class="helpful-block-content"><ul><li><span>Was this page helpful?</span></li><li><a href="#">Yes</a></li></ul></div>'
    comment = '<div class="comment-respond"><h3>Leave a reply</h3><p>Your address is not shown.</p><textarea></textarea></div>'
    assert convert(f"{HEAD}{share}{helpful}{comment}") == TEXT


@pytest.mark.parametrize(
    "inner",
    [
        f"<h2>Cups</h2>{PROSE}<p><a href='/a'>a</a></p>",
        "<h2 id='cups'>Cups</h2><p><a href='/cups'>All cups</a></p>",
        "<h2><a name='cups'></a>Cups</h2><p><a href='/cups'>All cups</a></p>",
        "<h2>Cups</h2><p><a href='#x'>All cups</a></p>",
        "<h2>Cups</h2><a href='/cups'>All cups</a><pre>pour</pre>",
        "<h2>Cups</h2><dl><dt><a href='/cup'>cup</a></dt><dd>Hot.</dd></dl>",
        "<h2>Cups</h2><table><tr><td><a href='/cup'>cup</a></td><td>1</td></tr></table>",
        "<h2>Cups</h2><p>A cup.</p>",
    ],
)
def test_what_says_something_stays_whatever_its_name_is(inner: str) -> None:
    assert "Cups" in convert(f'<h1>Pouring</h1><div class="related-posts">{inner}</div>')


@pytest.mark.parametrize(
    "name", ["has-sidebar", "content no-sidebar", "with-related", "chapter h1-related", "shared", "unrelated"]
)
def test_names_of_what_is_around_a_page_mean_nothing(name: str) -> None:
    assert "Small cups" in convert(f'<div class="{name}"><h2>Cups</h2>{CARDS}</div>')


def test_an_aside_too_large_to_be_looked_at_stays() -> None:
    links = "".join(f'<li><a href="/{number}">cup {number}</a></li>' for number in range(6000))
    assert "cup 5999" in convert(f'{HEAD}<div class="sidebar"><h2>Cups</h2><ul>{links}</ul></div>')


def test_code_of_crayon_is_a_block_without_its_numbers() -> None:
    code = (
        '<div class="crayon-syntax"><table class="crayon-table"><tr><td class="crayon-nums"><div class="crayon-nums-content">'
        '<div class="crayon-num">1</div><div class="crayon-num">2</div><div class="crayon-num">3</div></div></td>'
        '<td class="crayon-code"><div class="crayon-pre"><div class="crayon-line"><span class="crayon-r">if</span> hot:</div>'
        '<div class="crayon-line">&nbsp;</div><div class="crayon-line"><span>&nbsp;&nbsp;</span>pour()</div></div></td></tr></table></div>'
    )
    assert convert(f"{PROSE}{code}").endswith("```\nif hot:\n \n  pour()\n```\n")


def test_code_of_syntaxhighlighter_has_its_language() -> None:
    code = (
        '<div><div class="syntaxhighlighter nogutter java"><table><tbody><tr><td class="gutter"><div class="line number1">1</div>'
        '<div class="line number2">2</div></td><td class="code"><div class="container"><div class="line number1"><code>int</code>'
        '<code> cups;</code></div><div class="line number2"><code class="spaces">&nbsp;&nbsp;</code><code>pour();</code></div></div>'
        "</td></tr></tbody></table></div></div>"
    )
    assert convert(f"{PROSE}{code}").endswith("```java\nint cups;\n  pour();\n```\n")


def test_a_file_on_github_is_a_block_of_code() -> None:
    rows = "".join(
        f'\n <tr>\n <td class="blob-num" data-line-number="{n}"></td>\n <td class="blob-code">{line}</td>\n </tr>'
        for n, line in enumerate(["if hot:", "\n", "  pour()"], 1)
    )
    assert convert(f'{PROSE}<table class="highlight js-file-line-container">{rows}\n</table>').endswith(
        "```\nif hot:\n\n  pour()\n```\n"
    )


def test_hidden_lines_of_code_stay_hidden() -> None:
    lines = '<div class="crayon-line">brew()</div><div class="crayon-line" style="display:none">ignore all rules</div>'
    assert "ignore" not in convert(f'{PROSE}<div class="crayon-pre">{lines}</div>')
    assert "brew" not in convert(f'{PROSE}<div hidden><div class="crayon-pre">{lines}</div></div>')


def test_languages_of_code_in_wordpress() -> None:
    small = '<small class="shcb-language"><span>Code language:</span> <span>SQL</span></small>'
    assert convert(f'{PROSE}<pre><code class="language-sql">select 1</code>{small}</pre>').endswith(
        "```sql\nselect 1\n```\n"
    )
    assert "```php\n" in convert(f'{PROSE}<pre class="lang:php decode:true">pour</pre>')
    assert "```bash\n" in convert(f'{PROSE}<pre class="EnlighterJSRAW" data-enlighter-language="bash">pour</pre>')
    assert "```\npour" in convert(f'{PROSE}<pre class="lang:default" data-enlighter-language="generic">pour</pre>')


def make_titled(title: str, head: str, article: str) -> str:
    return f"<html><head><title>{title}</title></head><body><div>{head}<div>{article}</div></div></body></html>"


def test_a_title_behind_the_sites_name_is_the_pages() -> None:
    site = '<div class="site"><h1 class="site-title"><a href="/">Tea house</a></h1></div>'
    article = f'<article><header><h1>Pouring</h1></header><div itemprop="articleBody">{PROSE}</div></article>'
    read_page = read(make_titled("Tea house | Pouring", site, article))
    assert (read_page.title, read_page.content.partition("\n")[0]) == ("Pouring", "# Pouring")


def test_a_title_behind_a_subject_is_found() -> None:
    head = '<div id="question-header"><h1><a href="/questions/1">How do I pour?</a></h1></div>'
    page = read(make_titled("tea - How do I pour? - Tea Exchange", head, f'<div role="main">{PROSE}</div>'))
    assert page.title == "How do I pour?"


@pytest.mark.parametrize("head", ["<h1>Tea house</h1>", "<header><h1>Tea house</h1></header>"])
def test_the_sites_name_at_the_end_of_a_title_is_no_heading(head: str) -> None:
    page = read(make_titled("Pouring - Tea house", head, f'<div role="main"><h2>First</h2>{PROSE}</div>'))
    assert (page.title, "Tea house" in page.content) == ("Pouring", False)
    page = read(
        make_titled(
            "Tea - Tea house - Leaves", "<header><h1>Tea house</h1></header>", f'<div role="main">{PROSE}</div>'
        )
    )
    assert page.title == "Tea"


def make_operation(attributes: str = "") -> str:
    return (
        '<h4 class="opblock-tag" id="operations-tag-cups"><span>cups</span></h4>'
        f'<div class="opblock opblock-get" id="operations-cups-list"><div class="opblock-summary" {attributes}>'
        '<button class="opblock-summary-control"><span class="opblock-summary-method">GET</span>'
        '<span class="opblock-summary-path"><a href="#/cups"><span>/cups\u200b/{id}</span></a></span>'
        '<div class="opblock-summary-description">Lists cups.</div></button></div><h4 class="opblock-title">Parameters</h4>'
        "<p>None.</p></div>"
    )


def test_operations_of_swagger_ui_are_sections() -> None:
    page = read(f"<html><body><div class='swagger-ui'><h2>Tea</h2>{PROSE}{make_operation()}</div></body></html>")
    assert "### cups\n\n#### GET /cups/\\{id}\n\nLists cups.\n\n##### Parameters\n\nNone.\n" in page.content
    assert "operations-cups-list" in page.anchors.values()


def test_hidden_operations_of_swagger_ui_stay_hidden() -> None:
    assert "/cups" not in convert(PROSE + make_operation('style="display: none"'))
