"""Pages made to slow down the parser end quickly: they are read, or refused with the reason."""

from __future__ import annotations

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import main_content, parse_html
from collections_app.parsing.html.bombs import MAX_ATTRIBUTES, MAX_TAGS
from collections_app.parsing.html.tree import Element, empty_element, find_holders, parse_tree
from tests.growth import assert_linear

ATTRIBUTES = " ".join(f"a{number}" for number in range(30_000))


def convert(page: str) -> str:
    return parse_html(RawDocument("x.html", page.encode())).content


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<div>" * 100_000, "2,048 levels"),
        ("<b><i>" * 50_000, "2,048 levels"),
        ("<br>" * (MAX_TAGS + 1), f"{MAX_TAGS:,} tags"),
        (f"<p {ATTRIBUTES}>x", f"{MAX_ATTRIBUTES:,} attributes"),
        (f"<!--<a b='--><p {ATTRIBUTES} c='>'>", "attributes"),
        (f"<script>\"<a b='</script><p {ATTRIBUTES} c='>'>", "attributes"),
        (f'<p x=b"c {ATTRIBUTES}>', "attributes"),
        (f"<p {ATTRIBUTES.replace(' ', '=1 ')}>", "attributes"),
        ("<p " + "".join(f'a{number}=">"' for number in range(20_000)), "attributes"),
    ],
    ids=range(9),
)
def test_it_refuses_what_would_cost_too_much(page: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        convert(page)


@pytest.mark.parametrize(
    "opening",
    [
        "<div>",
        "<blockquote>",
        "<ul><li>",
        "<b>",
        "<sup>",
        "<span class=katex>",
        "<div class=related>",
        "<details><summary>",
        "<table><tr><td>",
    ],
)
def test_deep_nesting_below_the_limit_is_read(opening: str) -> None:
    depth = 1900 // opening.count("<")
    content = convert(f"<main>{opening * depth}deep<p>{'text ' * 5_000}")
    assert "deep" in content
    assert len(content) < 150_000


def test_readings_are_told_once_however_many_rubies_are_around_them() -> None:
    assert len(convert("<ruby>x" * 1900 + "<rt>abcdefgh</rt>" * 5000)) < 50_000


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr>" + "<th>a" * 5_000 + "<tr><td>b" * 5_000,
        "<table><tr><th>a<th>b<tr>" + "<td colspan=9999 rowspan=9999>a" * 1_000,
        "<dl>" + "<dt>term" * 1_000,
        "<pre>" + "<span class=lineno>1</span>a<br>" * 20_000,
        "<p>" + "<a href=x>y</a>" * 20_000,
        "<p>" + "`" * 100_000,
        "<style>" * 10_000,
        "<!--" * 100_000,
        "<p style='" + "color:white;" * 100_000 + "'>x",
        f"<div role=tablist><a role=tab id=t>{'word ' * 2_000}</a></div>"
        + "<div role=tabpanel aria-labelledby=t>a</div>" * 500,
        f"<table><tr><th>{'word ' * 2_000}<th>a" + "<tr><td><pre>a\nb</pre><td>c" * 500,
        f"<base href='http://a/{'b/' * 10_000}'>" + "<a href=c>d</a>" * 1_000,
        "".join(
            f"<p style='mso-list:l0 level{n % 9 + 1}'><span style='mso-list:Ignore'>1.</span>a" for n in range(5_000)
        ),
        "".join(f"<p style='margin-left:{n}pt'><span style='font-family:Symbol'>·</span>a" for n in range(5_000)),
        "".join(f"<ul class='lst-kix_a-{n % 10}'><li>a</ul>" for n in range(5_000)),
        "<ul><li>a</li>" * 900,
        "<div>" * 1_800 + "<p class=heading2>a" * 5_000,
        "<article class=page><div class=page-body>"
        + "<figure class=callout><div>" * 900
        + "<span class=icon>a</span>" * 9_000,
        "<div id=main-content class=wiki-content>" + "<div class=expand-container><div class=expand-control>" * 900,
        "<p>" + "<img alt=a.png>" * 20_000,
        "<div>" * 1_800 + "<h1>a</h1>" * 20_000,
        "<title>a</title>" + "<div><h1>" * 900 + "a" + "<b></b>" * 20_000,
        "<div hidden style='display:none'>" * 1_800
        + "<article class=markdown-body>a</article>" * 20_000
        + "</div>" * 1_800
        + "<p>"
        + "word " * 40,
    ],
    ids=range(23),
)
def test_what_is_much_of_one_thing_grows_no_faster_than_the_page(page: str) -> None:
    assert len(convert(f"<p>text</p>{page}")) <= 20 * len(page)


_ROW = "<tr><td><div class='checkbox checkbox-on'></div></td></tr>"
_NOTION = "<article class=page><div class=page-body></div>"


@pytest.mark.parametrize(
    "page",
    [
        "<div id=main-content class=wiki-content><div class=panelMacro><table class=infoMacro>"
        + "<tr><td>a</td></tr>" * 8_000
        + "<tbody>"
        + "<tr><td>a</td></tr>" * 8_000
        + "</table></div></div>",
        "<div><p><a id=cmnt1 href='#cmnt_ref1'>a</a></p></div><sup><a id=cmnt_ref1 href='#cmnt1'>a</a></sup>" * 10_000,
        f"{_NOTION}{'<table class=properties><tr><td>' * 400}<table>{_ROW * 6_000}",
        _NOTION
        + (
            "<div class=page-header-icon>a</div><a class=bookmark><div><div><div class=bookmark-title>a</div></div>"
            "<div class=bookmark-href>b</div></div></a>"
        )
        * 6_000,
        "<title>x</title>"
        + (
            "<div class=headertitle><div class=title>a</div></div><h2 class=phpdocumentor-content__title>b</h2>"
            "<div class=header><h2 class=title title=x>c</h2></div>"
        )
        * 4_000,
    ],
    ids=["cells", "comments", "boxes", "icons", "titles"],
)
def test_a_page_of_many_marks_of_a_generator_is_read_in_linear_time(page: str) -> None:
    assert_linear(lambda page: convert(f"<p>text</p>{page}"), page)


def test_markup_and_text_that_broke_off_is_read() -> None:
    assert convert("<main><p>one<p>two <b>bold <a href='x'>link</main><p>three").startswith(
        "one\n\ntwo **bold [link](x)**"
    )


def test_an_attribute_whose_name_no_xml_can_have_does_no_harm() -> None:
    assert convert('<p a\x01b="x">lamps</p>').strip() == "lamps"


@pytest.mark.parametrize("control", ["\x01", "\x1f", "\ufffe", "\ud800"])
def test_text_beside_what_is_left_out_may_hold_characters_that_no_xml_can_have(control: str) -> None:
    page = f"<h1>T</h1><p>a{control}b<footer>x</footer>c{control}d</p>"
    note = f"<div class=admonition>a{control}<p class=admonition-title>T</p>{control}b</div>"
    item = f"<h1>T</h1><p class=MsoListParagraph style='mso-list:l0'><span style='mso-list:Ignore'>1.</span>a{control}<!--x--></p>"
    task = f"<ul class=inline-task-list><li data-inline-task-id=1>a{control}</ul>"
    wiki = f"<ol id=breadcrumbs><li>S</ol><h1 id=title-heading>S : T{control}</h1><div id=main-content class=wiki-content>{task}</div>"
    title = f"<title>y</title><p class=MsoTitle>T{control}</p><p>a</p>"
    for text in (page, note, item + item + control, wiki, title):
        content = parse_html(RawDocument("x.html", text.encode("utf-8", "surrogatepass"))).content
        assert "T" in content
        assert "x" not in content


def test_a_page_of_footers_is_read() -> None:
    assert convert("<h1>T</h1>" + "<footer>x</footer>lamps " * 100_000).count("lamps") == 100_000


def test_frames_within_frames_are_emptied_from_the_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    emptied = []

    def empty(element: Element) -> None:
        emptied.append(sum(1 for _ in element.iter()))
        empty_element(element)

    monkeypatch.setattr(main_content, "empty_element", empty)
    convert("<h1>T</h1><p>text</p>" + "<div class=header>" * 500 + "<b>a</b>" * 1_000)
    assert len(emptied) == 500
    assert sum(emptied) <= 1_000 + 2 * 500


def test_what_holds_a_heading_is_told_by_its_headings() -> None:
    root, _ = parse_tree(b"<body><div><ul><li><h2>a</h2></ul><ol><li>b</ol></div><p>c", "text/html")
    assert {each.tag for each in find_holders(root, "h1", "h2")} == {"html", "body", "div", "ul", "li", "h2"}


def test_templates_within_templates_are_opened_once() -> None:
    def read(page: str) -> None:
        with pytest.raises(ParseError, match="no text"):
            convert(page)

    assert_linear(read, "<script type=text/html>" * 4_000 + "</script>")
