"""URLs have one spelling, and pages have paths that nobody else has."""

from __future__ import annotations

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.sources.paths import check_path
from collections_app.sources.site.urls import MAX_HREF_LENGTH, MAX_PATH_BYTES, find_url, make_path

PREFIX = "https://x.org/docs/"

URL_TEXT = st.text(st.sampled_from("abAB09./%2F;=&?-_~:@é ü%20%C3%A9~index.html"), max_size=40)
WORDS = st.sampled_from(
    ["a", "b", "index.html", "index", "Index.HTM", "é", "e\u0301", "%2F", ";", "a b", ".", "..", "%", "c.html", ""]
)
QUERIES = st.sampled_from(["", "?", "?a=1", "?a=1&b=2", "?b=2&a=1", "?utm_source=x", "?a=/", "?a;b"])
PAGES = st.builds(lambda words, query: PREFIX + "/".join(words) + query, st.lists(WORDS, max_size=4), QUERIES)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("HTTPS://X.ORG:443/docs/a", "https://x.org/docs/a"),
        ("http://x.org:80/", "http://x.org/"),
        ("http://x.org:8080", "http://x.org:8080/"),
        ("a.html#part", "https://x.org/docs/a.html"),
        ("  a.html\n", "https://x.org/docs/a.html"),
        ("../b/./c/../d/", "https://x.org/b/d/"),
        ("//y.org/a", "https://y.org/a"),
        ("/a//b///c", "https://x.org/a/b/c"),
        ("/%7euser/%2e%2e/%e9", "https://x.org/%E9"),
        ("/ü/a b", "https://x.org/%C3%BC/a%20b"),
        ("/100%", "https://x.org/100%25"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("a?b=2&a=1&&utm_source=x&fbclid=y", "https://x.org/docs/a?a=1&b=2"),
        ("a;jsessionid=1F/b", "https://x.org/docs/a/b"),
        ("a?", "https://x.org/docs/a"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ],
)
def test_it_spells_a_url_in_one_way(href: str, url: str) -> None:
    assert find_url(href, PREFIX) == url


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@b.c",
        "javascript:void(0)",
        "ftp://x.org/",
        "http://user@x.org/",
        "http://x.org:99999/",
        "http://[::1/",
        "http://a b/",
        "data:,x",
        "a" * 2001,
    ],
)
def test_it_refuses_what_is_no_page_of_the_web(href: str) -> None:
    assert find_url(href, PREFIX) is None


@given(URL_TEXT)
def test_spelling_a_url_again_changes_nothing(text: str) -> None:
    url = find_url(text, PREFIX)
    assert url is None or find_url(url) == url


@pytest.mark.parametrize(
    ("rest", "path"),
    [
        ("a/b.html", "a/b.html"),
        ("a/b/", "a/b"),
        ("a/b", "a/b"),
        ("a/b/index.html", "a/b"),
        ("a/b/Index.php", "a/b"),
        ("", "index.html"),
        ("index.html", "index.html"),
        ("?page=2", "index.html;page=2"),
        ("a.php?id=5&x=/y", "a.php;id=5&x=%2Fy"),
        ("%C3%BCber/%E6%97%A5.html", "über/日.html"),
        ("a%20b", "a%20b"),
        ("a%2Fb", "a%2Fb"),
        ("%E9", "%E9"),
        ("%E2%80%AEx", "%E2%80%AEx"),
        ("e%CC%81", "e%CC%81"),
    ],
)
def test_a_page_is_called_by_the_rest_of_its_url(rest: str, path: str) -> None:
    assert make_path(PREFIX + rest, PREFIX) == path


def test_the_prefix_without_its_slash_is_the_same_page() -> None:
    assert make_path("https://x.org/docs", PREFIX) == "index.html"
    assert make_path("https://x.org/docs?a=1", PREFIX) == "index.html;a=1"


@given(PAGES, PAGES)
def test_pages_share_a_path_only_if_they_differ_in_a_slash_or_an_index_name(one: str, other: str) -> None:
    urls = [find_url(one), find_url(other)]
    paths = [make_path(url, PREFIX) for url in urls if url and url.startswith(PREFIX)]
    if len(paths) == 2:
        assert (paths[0] == paths[1]) is (fold(urls[0] or "") == fold(urls[1] or ""))


@given(st.lists(st.sampled_from(["日本語", "x" * 90, "a%2F"]), min_size=1, max_size=60).map("/".join))
def test_a_path_is_one_that_documents_may_have(rest: str) -> None:
    url = find_url(PREFIX + rest)
    if url:
        path = make_path(url, PREFIX)
        assert check_path(path) == path
        assert len(path.encode()) <= MAX_PATH_BYTES


def test_long_paths_are_cut_and_still_differ() -> None:
    long = PREFIX + "x" * 1500
    assert make_path(long + "1", PREFIX) != make_path(long + "2", PREFIX)


def fold(url: str) -> str:
    """The URL without what the same page is also called by."""
    address, mark, query = url.partition("?")
    folded = re.sub(r"(/(index\.html|index\.htm)?)+$", "", address, flags=re.IGNORECASE)
    return folded + mark + query


def test_links_of_any_length_do_not_fill_the_memory() -> None:
    tracemalloc.start()
    for number in range(200):
        assert find_url(f"{number}{'x' * 100_000}", PREFIX) is None
        assert find_url(f"a.html#{number}{'x' * (MAX_HREF_LENGTH - 100)}", PREFIX) == f"{PREFIX}a.html"
    kept_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept_bytes < 5_000_000
