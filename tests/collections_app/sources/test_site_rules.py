"""The small rules of a crawl: languages, robots, links in Markdown, media types."""

from __future__ import annotations

import pytest

from collections_app.models.library import LANGUAGES
from collections_app.sources.site.languages import choose_language, find_language, find_tag, is_other_language
from collections_app.sources.site.llms_txt import iter_links, iter_page_urls
from collections_app.sources.site.media_types import is_worth_asking, may_be_document
from collections_app.sources.site.options import SiteOptions
from collections_app.sources.site.robots import Robots, read_directives
from collections_app.sources.site.scope import make_scope
from collections_app.sources.site.sitemap import read_sitemap


@pytest.mark.parametrize(
    ("start", "prefix"),
    [
        ("https://x.org/docs/a.html", "https://x.org/docs/"),
        ("https://x.org/docs/", "https://x.org/docs/"),
        ("https://x.org/docs", "https://x.org/docs/"),
        ("https://x.org", "https://x.org/"),
        ("https://x.org/index.html?a=1", "https://x.org/"),
        ("https://x.org/3.12", "https://x.org/3.12/"),
        ("https://x.org/en/v2.x", "https://x.org/en/v2.x/"),
        ("https://x.org/en/release-5.2rc1", "https://x.org/en/release-5.2rc1/"),
        ("https://x.org/en/404.html", "https://x.org/en/"),
        ("https://x.org/en/manual-1.2.pdf", "https://x.org/en/"),
    ],
)
def test_a_site_is_what_lies_in_the_folder_of_its_start_page(start: str, prefix: str) -> None:
    assert make_scope(SiteOptions(url=start)).prefix == prefix


@pytest.mark.parametrize("rest", ["//x.org/docs", "//x.org/docs/a", "//x.org/docs?a=1"])
def test_a_page_below_the_prefix_is_the_sites_whatever_the_scheme(rest: str) -> None:
    scope = make_scope(SiteOptions(url="https://x.org/docs/"))
    assert scope.find_page(f"http:{rest}") == scope.find_page(f"https:{rest}") == f"https:{rest}"


@pytest.mark.parametrize(
    "url",
    [
        "https://x.org/docs2/a",
        "https://x.org/",
        "https://y.org/docs/a",
        "https://x.org:8443/docs/a",
        "https://x.org/docs/../a",
    ],
)
def test_any_other_page_is_not(url: str) -> None:
    assert make_scope(SiteOptions(url="https://x.org/docs/")).find_page(url) is None


def test_a_site_is_asked_by_the_scheme_to_which_it_redirects() -> None:
    scope = make_scope(SiteOptions(url="http://x.org/docs/"))
    scope.adopt_scheme("https://x.org/docs/")
    assert scope.find_page("http://x.org/docs/a") == "https://x.org/docs/a"


@pytest.mark.parametrize(
    ("tag", "kept"), [("en-US", "en"), ("EN", "en"), ("pt_BR", "pt"), ("zh-CN", "zh-cn"), ("", "")]
)
def test_the_start_page_decides_the_language_and_not_the_country(tag: str, kept: str) -> None:
    assert choose_language(tag) == kept


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_of_a_collection_has_a_tag_but_the_one_that_nobody_chose(language: str) -> None:
    tag = find_tag(language)
    assert (len(tag) == 2 and choose_language(tag) == tag) or (
        language in ("english", "norwegian", "simple") and tag == ""
    )


@pytest.mark.parametrize(
    ("tag", "wanted", "is_other"),
    [
        ("en-GB", "en", False),
        ("en", "en-US", False),
        ("EN_us", "en-US", False),
        ("de", "en", True),
        ("eng", "en", True),
        ("zh-TW", "zh-cn", True),
        ("zh", "zh-cn", False),
        ("", "en", False),
        ("de", "", False),
        ("de", "*", False),
    ],
)
def test_a_language_is_told_from_another(tag: str, wanted: str, *, is_other: bool) -> None:
    assert is_other_language(tag, wanted) is is_other


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("de/guide/a.html", "de"),
        ("pt-br/a", "pt-br"),
        ("zh_Hans/a", "zh_Hans"),
        ("v2/fr/a.html", "fr"),
        ("de", "de"),
        ("id-ID/a", "id-ID"),
        ("id/a", ""),
        ("is/a", ""),
        ("go/a", ""),
        ("guide/de", ""),
        ("a/b/de/c", ""),
        ("api-docs/a", ""),
        ("ci-cd/a", ""),
        ("de.html", ""),
    ],
)
def test_a_language_is_seen_in_the_first_folders(path: str, tag: str) -> None:
    assert find_language(path) == tag


@pytest.mark.parametrize(
    ("header", "no_index", "no_follow"),
    [
        ("noindex", True, False),
        ("NoIndex, NoFollow", True, True),
        ("none", True, True),
        ("all", False, False),
        ("googlebot: noindex, nofollow", False, False),
        ("docsmcp: noindex", True, False),
        ("googlebot: noindex, docsmcp: nofollow", False, True),
        ("max-snippet: 20, noindex", True, False),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", True, False),
        ("", False, False),
    ],
)
def test_robots_headers_are_read(header: str, *, no_index: bool, no_follow: bool) -> None:
    directives = read_directives(header)
    assert (directives.no_index, directives.no_follow) == (no_index, no_follow)


def test_the_rules_for_this_crawler_win_over_those_for_all() -> None:
    robots = Robots(
        "User-agent: *\nDisallow: /\n\nUser-agent: DocsMCP\nAllow: /docs\nDisallow: /docs/x\nCrawl-delay: 3\n"
    )
    assert robots.allows("https://x.org/docs/a")
    assert not robots.allows("https://x.org/docs/x/a")
    assert robots.crawl_delay_seconds == 3


def test_links_are_found_in_markdown_and_not_in_its_code() -> None:
    text = """# T
- [A](a.md): about
* [B](<b c.md> "title")  ![I](i.png) <https://x.org/auto>
[C]: c.md "title"
[D](d(1).md)
```
[no](no.md)
```
~~~~ text
[no](no2.md)
~~~~
"""
    assert list(iter_links(text)) == ["a.md", "b c.md", "i.png", "https://x.org/auto", "c.md", "d(1).md"]


@pytest.mark.parametrize(
    "hostile", ["[" * 100_000, "](" * 50_000, "```\n" * 50_000, "<http://" * 20_000, "](" + "(" * 100_000]
)
def test_hostile_markdown_takes_no_time(hostile: str) -> None:
    assert len(list(iter_links(hostile))) <= len(hostile)


def test_the_markdown_of_a_page_is_known_by_its_name() -> None:
    assert list(iter_page_urls("https://x.org/a.html.md")) == ["https://x.org/a.html", "https://x.org/a.html.html"]
    assert list(iter_page_urls("https://x.org/a.md")) == ["https://x.org/a", "https://x.org/a.html"]
    assert list(iter_page_urls("https://x.org/a.html")) == []


@pytest.mark.parametrize(
    ("path", "is_worth"),
    [
        ("a.html", True),
        ("a", True),
        ("whatsnew/3.11", True),
        ("a.php;id=5", True),
        ("a.pdf", True),
        ("a.md", True),
        ("a.txt", True),
        ("a.png", False),
        ("a.svg", False),
        ("a.css", False),
        ("a.zip", False),
        ("a.tar.gz", False),
        ("a.mp4", False),
        ("a.png;v=1", False),
    ],
)
def test_names_tell_what_is_not_worth_asking_for(path: str, *, is_worth: bool) -> None:
    assert is_worth_asking(path) is is_worth


@pytest.mark.parametrize(
    ("media_type", "path", "may_be"),
    [
        ("text/html", "a", True),
        ("text/plain", "a.txt", True),
        ("text/plain", "README", True),
        ("text/plain", "code.c", False),
        ("application/octet-stream", "a.md", True),
        ("application/octet-stream", "setup.exe", False),
        ("", "a", True),
        ("image/png", "a", False),
        ("text/css", "a", False),
        ("application/pdf", "download;id=1", True),
        ("application/vnd.ms-word.document.macroenabled.12", "download;id=1", True),
        ("application/vnd.openxmlformats-officedocument.presentationml.template", "download;id=1", True),
        ("text/mdx", "a", True),
        ("text/csv", "a.csv", False),
    ],
)
def test_media_types_tell_what_is_worth_reading(media_type: str, path: str, *, may_be: bool) -> None:
    assert may_be_document(media_type, path) is may_be


def test_a_sitemap_is_read_under_any_prefix_and_without_its_images() -> None:
    xml = """<?xml version="1.0"?>
    <sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
    <sm:url><sm:loc> https://x.org/a?b=1&amp;c=2 </sm:loc><image:image><image:loc>https://x.org/i.png</image:loc></image:image></sm:url>
    </sm:urlset>"""
    assert list(read_sitemap(xml.encode())) == [("https://x.org/a?b=1&c=2", False)]
