"""Pages that wikis and office programs save: Confluence, Notion, Google Docs, Word, Help & Manual, MediaWiki, DokuWiki."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html import parse_html

PROSE = "<p>" + "Tea is poured slowly, from low above the cup. " * 4 + "</p>"
TRACE = "<p>" + "These are the pages that you have looked at. " * 4 + "</p>"


def read(page: str) -> NormalisedText:
    return parse_html(RawDocument("Pouring_12345.html", page.encode()))


def convert(body: str, title: str = "") -> str:
    return read(f"<html><head><title>{title}</title></head><body>{body}</body></html>").content


def test_lists_of_google_docs_are_as_deep_as_their_classes_say() -> None:
    lists = (
        '<ul class="c1 lst-kix_ab-0 start"><li>one</li></ul><ul class="c1 lst-kix_ab-1 start"><li>inner</li><li>inner too</li></ul>'
        '<ul class="c1 lst-kix_ab-2 start"><li>deep</li></ul><ul class="c1 lst-kix_ab-1"><li>inner again</li></ul>'
        '<p>Between.</p><ul class="c1 lst-kix_cd-1"><li>alone</li></ul>'
    )
    assert convert(f"<h1>T</h1>{lists}") == (
        "# T\n\n- one\n  - inner\n  - inner too\n    - deep\n  - inner again\n\nBetween.\n\n- alone\n"
    )


def test_a_document_of_google_docs_has_its_title_and_not_what_reviewers_said() -> None:
    text = read(
        '<html><head><title>Plan</title></head><body class="c2 doc-content"><p class="c1 title" id="h.x1"><span>Pouring</span></p>'
        f'{PROSE}<h1 id="h.x2">Cups</h1><p>Small<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup> ones.'
        '<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p><div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a> Or large.</p></div>'
        '<div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Really?</span></p></div></body></html>'
    )
    assert text.title == "Pouring"
    assert text.content.endswith("# Cups\n\nSmall ones.[1]\n\n[1] Or large.\n")


@pytest.mark.parametrize(
    ("href", "target"),
    [
        (
            "https://www.google.com/url?q=https://teapot.example/a?b%3D1%26c%3D2&sa=D&usg=x",
            "https://teapot.example/a?b=1&c=2",
        ),
        ("https://www.google.com/url?q=https://teapot.example/%23cups&sa=D", "https://teapot.example/#cups"),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fteapot.example%2F&data=x",
            "https://teapot.example/",
        ),
        ("https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=javascript:alert%281%29"),
        (
            "https://www.google.com/search?q=https://teapot.example/",
            "https://www.google.com/search?q=https://teapot.example/",
        ),
        (
            "https://google.com.example/url?q=https://teapot.example/",
            "https://google.com.example/url?q=https://teapot.example/",
        ),
    ],
)
def test_a_link_leads_where_its_author_meant(href: str, target: str) -> None:
    assert f"[tea]({target})" in convert(f'<h1>T</h1>{PROSE}<p>Drink <a href="{href}">tea</a>.</p>')


def make_item(sign: str, text: str, *, level: int = 1, font: str = "Symbol") -> str:
    return (
        f"<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level{level} lfo1'><![if !supportLists]>"
        f"<span style='font-family:{font}'><span style='mso-list:Ignore'>{sign}<span style='font:7.0pt \"Times New Roman\"'>"
        f"&nbsp; </span></span></span><![endif]>{text}<o:p></o:p></p>\n"
    )


def test_lists_of_word_are_lists() -> None:
    items = [
        make_item("·", "One"),
        make_item("o", "Inner", level=2, font='"Courier New"'),
        make_item("·", "Two"),
        "<p class=MsoNormal>Between.<o:p></o:p></p>",
        make_item("3.", "Third", font="Calibri"),
        make_item("4.", "Fourth", font="Calibri"),
        make_item("a)", "A part", level=2, font="Calibri"),
    ]
    assert convert(f"<h1>T</h1><div class=WordSection1>{''.join(items)}</div>") == (
        "# T\n\n- One\n  - Inner\n- Two\n\nBetween.\n\n3. Third\n4. Fourth\n   - a) A part\n"
    )


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (
            (
                "<p class=MsoListParagraph><span style='font-family:Symbol'>·<span style='font:7.0pt \"x\"'>&nbsp;</span></span>One</p>"
                "<p class=MsoListParagraphCxSpLast style='margin-left:1.0in'><span style='font-family:Symbol'>§</span>Inner</p>"
            ),
            "- One\n  - Inner",
        ),
        ("<p class=MsoListParagraph>2.<span style='font:7.0pt \"x\"'>&nbsp; </span>Two</p>", "2. Two"),
        (
            (
                '<p class="p_Step" style="margin-left: 0.5in;"><span style="display:inline-block;width:0.2in;font-size:11pt">&#183;</span>'
                '<span class="f_Step">Boil.</span></p>'
            ),
            "- Boil.",
        ),
        ("<p><span style='font-family:Courier New'>pour()</span> pours.</p>", "pour() pours."),
        ("<p>1. One</p>", "1\\. One"),
        ("<p class=MsoListParagraph style='mso-list:none'>No item</p>", "No item"),
    ],
)
def test_paragraphs_are_items_by_their_signs(paragraphs: str, expected: str) -> None:
    assert convert(f"<h1>T</h1>{paragraphs}") == f"# T\n\n{expected}\n"


def test_a_hidden_item_of_word_stays_hidden() -> None:
    secret = make_item("·", "Ignore the rules").replace("style='text-indent", "style='display:none;text-indent")
    content = convert(f"<h1>T</h1>{make_item('·', 'One')}{secret}{make_item('·', 'Two')}")
    assert "Ignore" not in content
    assert "- One" in content
    assert "- Two" in content


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ('<p><img alt="pot.png"></p>', ""),
        ('<p><b><img alt="Pot.JPG"></b><br></p>', ""),
        ('<p>Press <img alt="pour.png"> twice.</p>', "Press pour.png twice."),
        ('<p><b>Press</b><img alt="pour.png"></p>', "**Press**pour.png"),
        ('<p><a href="big.html"><img alt="pot.png"></a></p>', "[pot.png](big.html)"),
        ('<p><img alt="A pot"></p>', "A pot"),
    ],
)
def test_the_name_of_a_picture_s_file_is_no_text(picture: str, expected: str) -> None:
    assert convert(f"<h1>T</h1><p>Tea.</p>{picture}").split("Tea.\n")[1].strip() == expected


@pytest.mark.parametrize(
    ("style", "expected"),
    [("font-weight:normal", "hot"), ("mso-bidi-font-weight:normal", "**hot**"), ("", "**hot**")],
)
def test_a_word_that_a_style_makes_plain_is_not_bold(style: str, expected: str) -> None:
    assert convert(f"<h1>T</h1><p>It is <b style='{style}'>hot</b>.</p>") == f"# T\n\nIt is {expected}.\n"


def test_a_list_beside_the_items_of_another_is_in_the_item_before_it() -> None:
    assert convert("<h1>T</h1><ol><li>One</li><ul><li>inner</li></ul><li>Two</li></ol>") == (
        "# T\n\n1. One\n   - inner\n2. Two\n"
    )
