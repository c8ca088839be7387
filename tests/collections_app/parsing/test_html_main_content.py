"""Which part of a page is read: its content, by the marks of its generator or by where its prose is."""

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


def test_a_page_of_links_is_kept() -> None:
    assert convert(f"<ul>{LINKS}</ul>").count("\n- ") == 3


def test_a_heading_beside_the_content_comes_first_if_the_title_says_the_same() -> None:
    page = f"<header><h1>Pouring</h1><p>by hand</p></header><main>{PROSE}</main>"
    assert convert(page, "Pouring - Teapot").startswith("# Pouring\n\nTea")
    assert convert(page, "Cups - Teapot").startswith("Tea")
