"""Which part of a page is read: its content, found by the marks of its generator or by its prose."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import parse_html

PROSE = "<p>" + "Tea is poured slowly, from low above the cup. " * 4 + "</p>"
LINKS = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("Home", "Shop", "Login", "Imprint"))


def convert(body: str, title: str = "") -> str:
    page = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    return parse_html(RawDocument("x.html", page.encode())).content


@pytest.mark.parametrize(
    "page",
    [
        "<div>{links}</div><main>{content}</main><div>{links}</div>",
        '<ul>{links}</ul><div role="main">{content}</div>',
        "<ul>{links}</ul><article>{content}</article><p>Related</p>",
        "<main><div>{links}</div><article>{content}</article></main>",
        '<main>{links}<div class="x markdown-body">{content}</div></main>',
        '<div>{links}</div><div itemprop="articleBody">{content}</div>',
        '<div id="header"><ul>{links}</ul></div><div id="content">{content}</div><div class="footer">Imprint</div>',
        "<div><div><ul>{links}</ul></div><div>{content}</div></div>",
        "<table><tr><td><ul>{links}</ul></td><td>{content}</td></tr></table>",
        '<div class="sidebar"><p>Imprint, in more words than a link has</p></div><div>{content}</div>',
    ],
)
def test_it_reads_the_content_and_not_the_frame(page: str) -> None:
    content = convert(page.format(links=LINKS, content=f"<h1>Pouring</h1>{PROSE}<h2>Cups</h2>{PROSE}"))
    assert content.startswith("# Pouring\n\nTea is poured")
    assert "## Cups" in content
    assert "Imprint" not in content
    assert "Related" not in content


@pytest.mark.parametrize(
    "page",
    [
        f"<main></main><div><h1>Pouring</h1>{PROSE}</div>",
        f"<article>{PROSE}</article><article><h1>Pouring</h1></article>",
        f"<h1>Pouring</h1><div>{PROSE}{PROSE}{PROSE}</div>",
        f"<div><h1>Pouring</h1>{PROSE}<dl><dt>a<dd>{PROSE * 9}</dl></div>",
        f"<header><h1>Pouring</h1></header><div>{PROSE}</div>",
        f"<form><h1>Pouring</h1>{PROSE}</form>",
    ],
)
def test_when_in_doubt_it_keeps_more(page: str) -> None:
    content = convert(page)
    assert "# Pouring\n" in content
    assert "Tea is poured" in content


def test_a_short_article_of_sphinx_s_book_theme_is_read_without_the_contents_that_are_printed_beside_it() -> None:
    printed = f'<div class="onlyprint"><h1>Pouring</h1><h2>Contents</h2><ul>{LINKS * 9}</ul></div>'
    article = '<article class="bd-article"><h1>Pouring</h1><p>Tilt.</p></article>'
    assert convert(f'<main class="bd-main">{printed}{article}</main>') == "# Pouring\n\nTilt.\n"


def test_a_page_of_links_is_kept() -> None:
    assert convert(f"<ul>{LINKS}</ul>").count("\n- ") == 3


@pytest.mark.parametrize("content", ['id="content"', 'id="content" class="main-content"', 'class="main-content wide"'])
def test_a_page_s_own_heading_is_in_what_is_called_its_content(content: str) -> None:
    site = f'<div class="side"><h1>Teapot</h1><ul>{LINKS}</ul><p>Version 2, of a house that has made tea for long.</p></div>'
    page = f"{site}<div {content}><h1>Pouring</h1>{PROSE}<h2>Cups</h2>{PROSE}</div>"
    assert convert(page, "Pouring - Teapot").startswith("# Pouring\n\nTea is poured")


def test_headings_of_a_page_s_content_are_sections_where_its_title_stands_before_it() -> None:
    page = f'<div><h1>Pouring tea</h1><p>From above.</p></div><div id="content"><h1>Pouring</h1>{PROSE}<h1>Cups</h1>{PROSE}</div>'
    assert convert(page, "Pouring tea - Teapot").startswith("# Pouring tea\n\nFrom above.\n\n# Pouring\n")


def test_what_is_called_content_and_is_little_of_the_page_is_not_all_of_it() -> None:
    page = f'<div id="content"><h1>Pouring</h1>{PROSE}</div><div>{PROSE}{PROSE}<h2>Cups</h2>{PROSE}</div>'
    assert "## Cups" in convert(page)


def test_a_heading_beside_the_content_comes_first_if_the_title_says_the_same() -> None:
    page = f"<header><h1>Pouring</h1><p>by hand</p></header><main>{PROSE}</main>"
    assert convert(page, "Pouring - Teapot").startswith("# Pouring\n\nTea")
    assert convert(page, "Cups - Teapot").startswith("Tea")


FUNCTION = "<article><h4>pour(Cup)</h4><p>Fills it.</p></article>"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (f"<div><h1>Pouring</h1>{PROSE * 3}{FUNCTION}</div>", "Tea is poured"),
        (
            f"<h1>Pouring</h1><div><article>{PROSE * 3}</article></div><div><p>Was this of use to anybody?</p></div>",
            "Tea is poured",
        ),
        (f"<ul>{LINKS}</ul><article><h1>Pouring</h1><p>Slowly.</p></article><div>{PROSE}</div>", "Slowly."),
    ],
)
def test_an_only_article_is_the_page_where_it_has_its_heading_or_most_of_its_text(page: str, words: str) -> None:
    assert words in convert(page, "Pouring")


def test_of_a_page_without_higher_headings_its_own_stays() -> None:
    page = f"<div><div><h3>Pouring</h3></div><blockquote>{PROSE}</blockquote><div><h4>Notes</h4><p>One.</p></div></div>"
    assert convert(page).startswith("### Pouring\n\n> Tea is poured")


def test_an_address_below_the_page_is_its_frame() -> None:
    assert "Generated" not in convert(
        f"<h1>Pouring</h1>{PROSE}<address class='footer'>Generated by a machine</address>"
    )


@pytest.mark.parametrize(
    ("headings", "title", "expected"),
    [
        ("<h1>1. Overview</h1><h1>2. Cups</h1>", "Pouring - Tea", "Pouring"),
        ("<h1>Pouring of tea</h1><h1>2. Cups</h1>", "Pouring", "Pouring of tea"),
        ("<h1>Overview</h1><h2>Cups</h2>", "Pouring", "Overview"),
        ("<h1>Overview</h1><h1>Cups</h1>", "", "Overview"),
        ("<h1>Overview</h1><h1>Cups</h1>", "Tea - Overview", "Overview"),
        ("<h2>Overview</h2>", "Pouring", "Pouring"),
    ],
)
def test_the_title_is_no_section_of_the_page(headings: str, title: str, expected: str) -> None:
    page = f"<html><head><title>{title}</title></head><body>{headings}{PROSE}</body></html>"
    assert parse_html(RawDocument("x.html", page.encode())).title == expected


def test_what_stands_below_the_heading_of_a_function_is_below_it() -> None:
    article = "<article class='func'><h4>pour(Cup)</h4><h3>Types</h3><p>Cup.</p><h5>Example</h5></article>"
    content = convert(f"<main><h1>Tea</h1><h3>Exports</h3>{article}<h3>Notes</h3></main>")
    assert [line for line in content.splitlines() if line.startswith("#")] == [
        "# Tea", "### Exports", "#### pour(Cup)", "##### Types", "##### Example", "### Notes",
    ]  # fmt: skip


@pytest.mark.parametrize("before", ["<nav><h3>Contents</h3></nav>", "<h2 hidden>Menu</h2>", "<h4>Blog</h4>"])
def test_headings_before_a_pages_own_change_none(before: str) -> None:
    content = convert(f"<article>{before}<h1>Pouring</h1>{PROSE}<h2>Cups</h2>{PROSE}</article>")
    assert [line for line in content.splitlines() if line.startswith("#")][-2:] == ["# Pouring", "## Cups"]


def test_text_behind_comments_counts_where_links_are_weighed() -> None:
    text = "<!-- --> tells that tea is hot, and that it is poured slowly from above" * 8
    assert "poured slowly" in convert(f"<main><h1>Tea</h1><div class='related'><a href='/a'>One</a>{text}</div></main>")


def test_signs_that_a_style_sheet_draws_are_written() -> None:
    assert convert(f"<h1>Tea<span class='sep'></span>Pot<span class='sep'></span>pour</h1>{PROSE}").startswith(
        "# Tea.Pot.pour\n"
    )


@pytest.mark.parametrize(
    "title",
    [
        '<div><div class="summary">A | B</div><div class="headertitle"><div class="title">Pot Class</div></div></div>',
        '<div class="header"><h2 title="Class Pot" class="title">Pot Class</h2></div>',
        '<div id="module-header"><p class="caption">Pot Class</p></div>',
    ],
)
def test_a_title_that_is_no_heading_is_one_where_its_generator_marks_it(title: str) -> None:
    page = f'<div id="titlearea">Teapot</div>{title}<div class="contents">{PROSE}<h3>Cups</h3>{PROSE}</div>'
    text = parse_html(RawDocument("x.html", f"<title>Teapot: Pot Class</title>{page}".encode()))
    assert (text.title, text.content.startswith("# Pot Class\n\nTea is poured")) == ("Pot Class", True)


def test_a_title_comes_before_what_stands_in_its_box() -> None:
    boxes = (
        f'<div class="header"><div>Package tea</div><h2 title="Class Pot" class="title">Class Pot</h2></div>{PROSE}',
        '<div class="headertitle"><div class="title">Class Pot<div class="ingroups"><a href="t.html">tea</a></div></div></div>',
    )
    contents = [convert(f"{box}{PROSE}").split("\n\n")[:2] for box in boxes]
    assert contents == [["# Class Pot", "Package tea"], ["# Class Pot", "[tea](t.html)"]]


def test_a_site_s_name_is_no_title_where_the_page_has_its_own() -> None:
    page = f'<header><h1>Teapot</h1></header><main><h2 class="phpdocumentor-content__title">Pot</h2>{PROSE}</main>'
    text = parse_html(RawDocument("x.html", f"<title>Teapot</title><body>{page}".encode()))
    assert (text.title, text.content.startswith("# Pot\n\nTea")) == ("Pot", True)


def test_headings_are_below_those_that_they_belong_to() -> None:
    function = '<section class="detail"><h1 class="signature">pour(cup)</h1><p>Tilts.</p><h2>Examples</h2><p>Tea.</p></section>'
    page = (
        f'<main><h1>Pot</h1><section class="details-list"><h1>Functions</h1>{function}</section><h2>After</h2></main>'
    )
    assert [line for line in convert(page).split("\n") if line.startswith("#")] == [
        "# Pot",
        "## Functions",
        "### pour(cup)",
        "#### Examples",
        "## After",
    ]
    assert convert('<main><h2>Details</h2><section class="detail"><h3>pour</h3></section></main>').endswith(
        "\n### pour\n"
    )
    assert convert('<main><h2>Functions</h2><h2 class="memtitle">pour()</h2></main>') == "## Functions\n\n### pour()\n"


def test_names_in_the_items_of_jazzy_are_headings() -> None:
    name = '<div><code><a name="/s:4pour"></a><a class="token" href="#/s:4pour">pour(_:)</a></code></div>'
    item = f'<li class="item">{name}<h4>Declaration</h4></li>'
    text = parse_html(
        RawDocument("x.html", f'<main><h1>Pot</h1><h3 class="section-name">Uses</h3><ul>{item}</ul></main>'.encode())
    )
    assert text.content == "# Pot\n\n## Uses\n\n### `pour(_:)`\n\n#### Declaration\n"
    assert text.anchors[4] == "/s:4pour"


def test_signs_that_differ_by_the_language_of_a_reader_are_written() -> None:
    signs = '<span id="LST1_0"></span><script>AddLanguageSpecificTextSet("LST1_0?cs=.|cpp=::|nu=_");</script>'
    any_language = '<span id="LST1_1"></span><script>AddLanguageSpecificTextSet("LST1_1?cpp=::|nu=.");</script>'
    title = '<div><span class="collapsibleRegionTitle"><img src="x.png">Syntax</span></div>'
    tabs = '<div class="codeSnippetContainerTabs"><div>C#</div></div><div class="codeSnippetToolBar"><a href="#">Copy</a></div>'
    page = f"<main><h1>Pot{signs}Pour{any_language}Now</h1>{title}{tabs}<pre>void Pour()</pre></main>"
    assert convert(page) == "# Pot.Pour.Now\n\n## Syntax\n\n```\nvoid Pour()\n```\n"


def test_signs_that_stand_in_an_attribute_are_written() -> None:
    sign = '<span id="LST1_{}" data-languageSpecificText="{}"></span>'
    title = f"Pot{sign.format(0, 'cpp=::|nu=.')}Pour{sign.format(1, 'cs=SECRET')}"
    assert convert(f"<main><h1>{title}</h1></main>") == "# Pot.Pour\n"


def test_what_sort_of_member_it_is_stands_apart_from_its_name() -> None:
    tag = '<code class="tsd-tag">{}</code>'
    heading = f"<h3>{tag.format('Optional')} {tag.format('Readonly')}<span>lid</span></h3>"
    assert convert(f"<main>{heading}</main>") == "### `Optional` `Readonly` lid\n"


@pytest.mark.parametrize(
    ("title", "levels"), [("<h1>Tea</h1>", ["# Tea", "## 1 Pots", "### 1.1 Lids"]), ("", ["# 1 Pots", "## 1.1 Lids"])]
)
def test_the_clauses_of_a_specification_have_the_levels_in_which_they_nest(title: str, levels: list[str]) -> None:
    inner = "<emu-clause><h1>1.1 Lids</h1><p>Lift.</p></emu-clause>"
    page = convert(f"<main>{title}<emu-clause><h1>1 Pots</h1><p>Tilt.</p>{inner}</emu-clause></main>")
    assert [line for line in page.split("\n") if line.startswith("#")] == levels


def test_a_class_of_jsdoc_has_its_title_and_its_summary() -> None:
    header = '<header><h2>Pot</h2><div class="class-description">Holds tea.</div></header>'
    page = f'<div id="main"><h1 class="page-title">Class: Pot</h1><section>{header}<article>{PROSE}</article></section></div>'
    text = parse_html(
        RawDocument("x.html", f"<html><head><title>JSDoc: Class: Pot</title></head><body>{page}</body></html>".encode())
    )
    assert text.title == "Class: Pot"
    assert text.content.startswith("# Class: Pot\n\n## Pot\n\nHolds tea.\n\nTea is poured")


def test_a_text_of_jsdoc_is_called_by_its_own_title() -> None:
    page = f'<div id="main"><h1 class="page-title">Home</h1><section><article><h1>Teaware</h1>{PROSE}</article></section></div>'
    assert convert(page, "JSDoc: Home").startswith("# Teaware\n")


def test_what_else_is_said_of_a_subject_stands_apart_from_its_name() -> None:
    labels = '<span class="mlabels"><span class="mlabel">final</span></span>'
    title = f'<div class="headertitle"><div class="title">Pot Class Reference{labels}</div></div>'
    assert convert(f"{title}<div>{PROSE}</div>").startswith("# Pot Class Reference final\n")


MENU = f'<div id="navigation"><h1>Teaware</h1><ul>{LINKS}</ul><h2>Modules</h2><ul>{LINKS}</ul></div>'


@pytest.mark.parametrize("heading", ["<h1>Module Pot</h1>", "<h2>Pots</h2>"])
def test_a_menu_with_the_projects_name_is_no_part_of_a_page(heading: str) -> None:
    content = convert(f'<div id="main">{MENU}<div id="content">{heading}{PROSE}</div></div>', "Teaware Documentation")
    assert content.startswith(f"{heading[2]} ".replace("1", "#").replace("2", "##"))
    assert "Imprint" not in content
    assert "Teaware" not in content


def test_a_page_that_is_a_menu_is_kept() -> None:
    assert "# Teaware" in convert(MENU)
    assert "# Teaware" in convert(f'<div id="navigation"><h1>Teaware</h1>{PROSE}</div><div id="content">{PROSE}</div>')


def test_a_menu_that_tells_what_pages_are_about_is_kept() -> None:
    row = '<tr><td><a href="{0}.html">{0}</a>:</td><td>{1}</td></tr>'
    told = row.format("Cups", "of which size they are, and how hot they may become")
    page = f'<div><h3>Tea</h3><p>How it is poured.</p><table class="menu">{told}</table></div>'
    assert "[Cups](Cups.html)" in convert(page)
    links = row.format("Cups", "") + row.format("Pots", "")
    assert "Cups" not in convert(f'<div><h3>Tea</h3>{PROSE}<table class="menu">{links}</table></div>')


def test_the_header_of_a_box_is_its_title() -> None:
    box = '<div class="admonition is-warning"><header class="admonition-header">Heat</header><div><p>Burns.</p></div></div>'
    assert "> **Heat:** Burns." in convert(f"<header>Teapot</header><div><h1>Pouring</h1>{PROSE}{box}</div>")


@pytest.mark.parametrize(
    "beside",
    [
        f'<div id="specs"><h2>Specifications</h2>{PROSE}</div>',
        f'<div id="faq"><h1>FAQ</h1>{PROSE}</div>',
    ],
)
def test_what_tells_something_beside_what_is_called_the_content_is_kept(beside: str) -> None:
    content = f'<div id="content"><h1>Pot</h1>{PROSE}</div>'
    assert convert(f"{content}{beside}").count("Tea is poured") == 2 * convert(content).count("Tea is poured")


_SEEN = "<p>A keeper writes down the weather each hour and the ships that pass, and the log goes to the harbour office each month.</p>"
_UNSEEN = f"<p>Told to nobody. {'So it is. ' * 40}</p>"


@pytest.mark.parametrize("way", ["hidden", 'style="display: none"', 'style="visibility:hidden"'])
@pytest.mark.parametrize(
    "content",
    [
        f'<div class="markdown-body">{_UNSEEN}</div>',
        f"<main>{_UNSEEN}</main>",
        f"<article><h1>Tea</h1>{_UNSEEN}</article>",
        f'<div id="content"><h1>Tea</h1>{_UNSEEN}</div>',
        _UNSEEN,
    ],
)
def test_what_is_hidden_is_no_main_content_where_readers_see_a_text(content: str, way: str) -> None:
    text = convert(f"<div {way}><div>{content}</div></div><div><h2>Log</h2>{_SEEN}</div>", title="Tea")
    assert "nobody" not in text
    assert "A keeper writes" in text


def test_what_only_hides_itself_is_no_main_content_either() -> None:
    assert "nobody" not in convert(f'<div class="markdown-body" hidden>{_UNSEEN}</div><div>{_SEEN}</div>')


def test_a_hidden_heading_is_not_the_pages() -> None:
    assert convert(f"<div hidden><h1>Tea</h1></div><main><h2>Log</h2>{_SEEN}</main>", title="Tea").startswith("## Log")


@pytest.mark.parametrize(
    "page",
    [
        f'<div style="opacity: 0"><main><h1>Tea</h1>{_SEEN}</main></div><div>{_SEEN.replace("A keeper", "Somebody")}</div>',
        f'<div style="display: none"><main><h1>Tea</h1>{_SEEN}</main></div><div>Loading …</div>',
        f'<div hidden="until-found"><main><h1>Tea</h1>{_SEEN}</main></div><div>{_SEEN.replace("A keeper", "Somebody")}</div>',
    ],
)
def test_a_page_that_is_shown_by_a_script_keeps_its_text(page: str) -> None:
    assert "A keeper writes" in convert(page, title="Tea")


_NOTICE = "<p>This tea house keeps small files in your browser, so that it knows you again and counts how many guests drink which tea.</p>"


@pytest.mark.parametrize(
    "notice",
    [
        f'<div class="cookie-banner">{_NOTICE}</div>',
        f'<div role="dialog">{_NOTICE}</div>',
        f'<div aria-hidden="true">{_NOTICE}</div>',
        f"<div>{_NOTICE}</div>",
    ],
)
@pytest.mark.parametrize("length", [1, 10])
def test_a_notice_beside_a_page_that_waits_for_its_script_is_not_the_page(notice: str, length: int) -> None:
    is_told = notice.startswith("<div>")
    content = f"<h1>Tea</h1>{_SEEN * (length + 9 * is_told)}"
    page = f'{notice}<div id="app" style="visibility:hidden"><main>{content}</main></div>'
    assert convert(page, title="Tea").startswith("# Tea\n\nA keeper writes")


def test_a_page_that_shows_much_is_read_however_much_it_hides() -> None:
    text = convert(f"<div hidden><main>{_UNSEEN * 50}</main></div><div><h2>Log</h2>{_SEEN * 10}</div>")
    assert "nobody" not in text
    assert "A keeper writes" in text


def test_a_content_within_a_link_is_read() -> None:
    assert "See it." in convert('<a href="x"><div id="content"><h1>Tea</h1><p>See it.</p></div></a>')
