"""The facts that a crawler learns from a page."""

from __future__ import annotations

from html import escape
from urllib.parse import urljoin

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import Alternate, PageFacts, read_page
from collections_app.parsing.html.site_descriptions import SiteDescription

URL = "https://teapot.example/docs/pour.html"


def read(page: str) -> PageFacts:
    return read_page(page.encode(), "text/html; charset=utf-8", URL)


def test_a_description_that_most_pages_have_is_that_of_the_site() -> None:
    """Only the start page keeps it."""

    def make(described: str) -> bytes:
        content = f'<meta content="{described}" property="og:description">'
        return f'<html><head><meta name="description" content="{described}">{content}<title>T</title></head></html>'.encode()

    pages = {f"a/{number}/index.html": make("Teapots for everyone") for number in range(5)}
    pages |= {"index.html": make("Teapots for everyone"), "b.html": make("How to pour"), "c.md": b"# C\n"}

    def find(path: str, pages: dict[str, bytes]) -> bytes:
        return SiteDescription(pages, pages.get).leave_out(RawDocument(path, pages[path])).content

    assert find("a/1/index.html", pages) == b"<html><head><title>T</title></head></html>"
    assert find("index.html", pages) == pages["index.html"]
    assert find("b.html", pages) == pages["b.html"]
    few = {path: content for path, content in pages.items() if path < "a/3"}
    assert find("a/1/index.html", few) == pages["a/1/index.html"], "too few to tell"


def test_links_are_absolute_in_order_once_and_without_fragments() -> None:
    page = (
        '<a href="b#x">b</a><a href="/a?q=1">a</a><a href="b">b</a><map><area href="//other.example/"></map>'
        '<a href="mailto:x@y">m</a><a href="javascript:x">j</a><a href="http://[broken">k</a><a href="#top">t</a><a>n</a>'
    )
    assert read(page).links == (
        "https://teapot.example/docs/b",
        "https://teapot.example/a?q=1",
        "https://other.example/",
        URL,
    )


def test_links_respect_the_base() -> None:
    assert read('<base href="/tea/"><a href="cup">x</a>').links == ("https://teapot.example/tea/cup",)


@pytest.mark.parametrize(
    ("robots", "is_noindex", "is_nofollow"),
    [
        ("", False, False),
        ("index, follow", False, False),
        ("NOINDEX", True, False),
        ("noarchive, nofollow", False, True),
        ("none", True, True),
    ],
)
def test_it_tells_what_robots_may_do(robots: str, is_noindex: bool, is_nofollow: bool) -> None:
    facts = read(f'<meta name="Robots" content="{robots}">')
    assert (facts.is_noindex, facts.is_nofollow) == (is_noindex, is_nofollow)


def test_it_tells_the_page_s_address_language_title_and_alternates() -> None:
    facts = read(
        '<html lang="de-AT"><title> Gießen  | Tee </title><link rel="Canonical" href="/docs/pour">'
        '<link rel="alternate" hreflang="en" href="/en/pour"><link rel="alternate" type="text/markdown" href="pour.md">'
        '<link rel="stylesheet" href="x.css">'
    )
    assert (facts.title, facts.language, facts.canonical_url) == (
        "Gießen | Tee",
        "de-AT",
        "https://teapot.example/docs/pour",
    )
    assert facts.alternates == (
        Alternate("https://teapot.example/en/pour", "en", ""),
        Alternate("https://teapot.example/docs/pour.md", "", "text/markdown"),
    )


@pytest.mark.parametrize("href", ["", "javascript:x", "file:///etc/passwd"])
def test_a_canonical_address_that_is_none_is_empty(href: str) -> None:
    assert read(f'<link rel="canonical" href="{href}">').canonical_url == ""


@pytest.mark.parametrize(
    ("content", "leads_to"),
    [
        ("0; url=latest/index.html", "https://x.org/docs/latest/index.html"),
        ("0;URL='b.html#top'", "https://x.org/docs/b.html"),
        ('5, url="/c.html"', "https://x.org/c.html"),
        ("0.5;d.html", "https://x.org/docs/d.html"),
        ("6; url=b.html", ""),
        ("0; url=a.html#top", ""),
        ("0; url=javascript:alert(1)", ""),
        ("0 b.html", "https://x.org/docs/b.html"),
        ("0", ""),
        ("\n" * 5_000, ""),
        ("", ""),
    ],
    ids=range(11),
)
def test_a_page_that_leads_on_by_itself_says_where_to(content: str, leads_to: str) -> None:
    page = f"<html><head><meta http-equiv=Refresh content='{escape(content)}'></head></html>"
    assert read_page(page.encode(), "text/html", "https://x.org/docs/a.html").refresh_url == leads_to
    hidden = page.replace("<meta", "<noscript><meta").replace("</head>", "</noscript></head>")
    assert read_page(hidden.encode(), "text/html", "https://x.org/docs/a.html").refresh_url == ""


@pytest.mark.parametrize("refresh", ["", "<meta http-equiv=refresh content='60; url=b.html'>"])
def test_a_page_whose_links_start_elsewhere_stays(refresh: str) -> None:
    page = f"<html><head><base href='../'>{refresh}</head><body><a href='b.html'>b</a></body></html>"
    facts = read_page(page.encode(), "text/html", "https://x.org/docs/api/a.html")
    assert (facts.refresh_url, facts.links) == ("", ("https://x.org/docs/b.html",))


def test_frames_are_links() -> None:
    page = b"<html><frameset cols='1,2'><frame src='toc.html'><frame src='start.html'></frameset></html>"
    facts = read_page(page, "text/html", "https://x.org/docs/")
    assert (facts.links, facts.is_frameset) == (("https://x.org/docs/toc.html", "https://x.org/docs/start.html"), True)
    inline = read_page(b"<p>Text <iframe src='part.html'></iframe></p>", "text/html", "https://x.org/docs/")
    assert (inline.links, inline.is_frameset) == (("https://x.org/docs/part.html",), False)


@pytest.mark.parametrize("key", ["property", "name"])
def test_pages_that_scripts_put_beside_others_are_links(key: str) -> None:
    page = (
        f'<html><head><meta {key}="docfx:navrel" content="../toc.html"><meta name="x" content="y.html"></head></html>'
    )
    assert read_page(page.encode(), "text/html", "https://x.org/docs/api/").links == ("https://x.org/docs/toc.html",)


@pytest.mark.parametrize(
    "source", ["menudata.js", "../menudata.js", "/menudata.js", "menudata.js?v=2", "/js/menudata.js?a=/b"]
)
def test_a_menu_that_a_script_writes_leads_to_what_it_may_have(source: str) -> None:
    page = f'<html><head><script src="{source}"></script><script src="menu.js"></script></head></html>'
    links = read_page(page.encode(), "text/html", "https://x.org/docs/api/").links
    folder = urljoin("https://x.org/docs/api/", source).partition("?")[0].rpartition("/")[0]
    assert {f"{folder}/annotated.html", f"{folder}/files.html", f"{folder}/pages.html"} <= set(links)


@pytest.mark.parametrize(
    ("page", "is_menu"),
    [
        ('<ul><li><a href="a.html">Pots</a></li></ul><form><input></form>', True),
        ('<title>Tea</title><a href="a.html"></a><a href="b.html"></a>', True),
        ('<title>Tea</title><ul><li><a href="a.html">Pots</a></li></ul>', False),
        ('<ul><li><a href="a.html">Pots</a> of clay</li></ul>', False),
        ('<a href="a.html"></a><!-- x --> of clay', False),
        ('<title>Tea</title><div id="root"></div><a href="#top"></a><script>draw()</script>', False),
        ('<title>Tea</title><div id="root"></div><script>draw()</script>', False),
        ('<title>Tea</title><a href="a.html"></a>', False),
        ('<title>Tea</title><a href="a.html"><img src="a.png"></a><a href="b.html"></a>', False),
        ('<title>Tea</title><a href="a.html"><svg></svg></a><a href="b.html"><svg></svg></a>', False),
        ('<a href="a.html"><img src="a.png" alt="Pots of clay"></a>', False),
        ('<a href="a.html">Pots</a><img src="a.png" alt="Pots of clay">', False),
        ('<a href="a.html"><h1>Pots</h1></a>', False),
        ('<a href="a.html"><p>Pots of clay.</p></a>', False),
        ('<a href="a.html">Pots</a><div id="root"></div><script>draw()</script>', False),
    ],
    ids=range(15),
)
def test_a_page_that_only_names_others_is_a_menu(page: str, is_menu: bool) -> None:
    assert read_page(page.encode(), "text/html", URL).is_menu is is_menu


def test_a_list_of_everything_in_a_crate_is_a_menu() -> None:
    page = b'<meta name="generator" content="rustdoc"><h1>List of all items</h1><ul><li><a href="fn.pour.html">pour</a></ul>'
    addresses = ["https://x.org/tea/all.html", "https://x.org/tea/fn.pour.html", "https://x.org/tea/small.html"]
    assert [read_page(page, "text/html", url).is_menu for url in addresses] == [True, False, False]
    assert not read_page(b"<title>Tea</title><h1>All tea</h1>", "text/html", addresses[0]).is_menu


@pytest.mark.parametrize("page", [b"", b"\0\xff", b"<a href=x", b"<<<<", b"plain"])
def test_it_takes_any_page(page: bytes) -> None:
    assert read_page(page, "", URL).title == ""
