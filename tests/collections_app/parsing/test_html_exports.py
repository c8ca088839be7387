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
