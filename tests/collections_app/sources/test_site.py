"""A site on loopback, crawled: what is taken, under which name, and what of it is not."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pytest

from collections_app.clients.http import HttpClient
from collections_app.exceptions import FetchError, FileTooLarge, InvalidParameter
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile, SourceFile, UnchangedFile
from collections_app.sources.site import ListedPage, SiteOptions, SiteReading, list_site
from tests.collections_app.clients.loopback import (
    HOST,
    Answer,
    Asked,
    LoopbackSite,
    Route,
    links,
    page,
    redirect,
    serve_site,
    text,
)

Read = Callable[..., "Files"]


class Files:
    """What a reading gave, by path."""

    def __init__(self, files: list[SourceFile], reading: SiteReading) -> None:
        self.documents = {file.path: file for file in files if isinstance(file, RawDocument)}
        self.refused = {file.path: file.error for file in files if isinstance(file, RefusedFile)}
        self.unchanged = {file.path for file in files if isinstance(file, UnchangedFile)}
        self.listed = set(reading.listed)
        self.is_complete = reading.is_complete
        self.left_out = reading.left_out

    @property
    def paths(self) -> set[str]:
        return set(self.documents)

    @property
    def known(self) -> Mapping[str, Mapping[str, Any]]:
        """What the next reading is given."""
        return {document.source_url: document.fetch_state for document in self.documents.values()}


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site() as site:
        yield site


@pytest.fixture
def client() -> Iterator[HttpClient]:
    with HttpClient([HOST], timeout_seconds=5) as client:
        yield client


@pytest.fixture
def read(site: LoopbackSite, client: HttpClient) -> Read:
    """Read the site below /docs/, with these options; waits are noted in `delays` and not waited."""

    def read_site(
        *,
        start: str = "/docs/",
        known: Mapping[str, Any] | None = None,
        read_already: Collection[str] = (),
        only: list[str] | None = None,
        delays: list[float] | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        **options: Any,
    ) -> Files:
        noted: list[float] = [] if delays is None else delays
        reading = SiteReading(
            SiteOptions(url=site.url(start), **options),
            client,
            known=known,
            read_already=read_already,
            only=only,
            should_stop=should_stop,
            sleep=noted.append,
        )
        with reading:
            return Files(list(reading), reading)

    return read_site


@pytest.fixture
def list_pages(site: LoopbackSite, client: HttpClient) -> Callable[..., dict[str, ListedPage]]:
    def list_pages(**options: Any) -> dict[str, ListedPage]:
        return {each.path: each for each in list_site(SiteOptions(url=site.url("/docs/"), **options), client)}

    return list_pages


def lead_to(*targets: str) -> dict[str, Route]:
    """A start page with these links, and a plain page for each."""
    pages: dict[str, Route] = {f"/docs/{target}": page(f"Page {target}.") for target in targets}
    return pages | {"/docs/": page(links(*targets))}


def sitemap(*urls: str, kind: str = "url") -> Answer:
    entries = "".join(f"<{kind}><loc>{url}</loc></{kind}>" for url in urls)
    root = "urlset" if kind == "url" else "sitemapindex"
    xml = f'<?xml version="1.0"?><{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{root}>'
    return text(xml, "application/xml")


# Links


def test_it_follows_links_within_the_prefix(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "guide/")
    site.routes["/docs/a.html"] = page(
        links("b.html", "/blog/", "https://elsewhere.example/", "../docs/c.html#x", "mailto:x@y")
    )
    site.routes |= {"/docs/b.html": page(), "/docs/c.html": page()}
    files = read()
    assert files.paths == {"index.html", "a.html", "b.html", "c.html", "guide"}
    assert files.listed == files.paths
    assert files.is_complete
    assert site.count("/blog/") == 0


def test_a_document_is_its_page(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html?y=2&utm_source=mail&x=1#part")
    site.routes["/docs/a.html?x=1&y=2"] = page("body", ETag='"7"')
    document = read().documents["a.html;x=1&y=2"]
    assert document.source_url == site.url("/docs/a.html?x=1&y=2")
    assert document.media_type == "text/html; charset=utf-8"
    assert b"body" in document.content
    assert document.fetch_state["etag"] == '"7"'


def test_it_reads_each_page_once(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "a.html#b", "./a.html", "index.html", "", "a.html?utm_medium=x")
    assert read().paths == {"index.html", "a.html"}
    assert [site.count("/docs/a.html"), site.count("/docs/"), site.count("/docs/index.html")] == [1, 1, 0]


def test_it_stays_within_the_prefix_it_is_given(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/v2/start.html": page(links("a.html", "../v1/b.html", "../c.html"))}
    site.routes |= {"/docs/v2/a.html": page(), "/docs/v1/b.html": page(), "/docs/c.html": page()}
    assert read(start="/docs/v2/start.html").paths == {"start.html", "a.html"}
    assert read(start="/docs/v2/start.html", prefix="/docs").paths == {
        "v2/start.html",
        "v2/a.html",
        "v1/b.html",
        "c.html",
    }


def test_patterns_choose_pages_and_the_start_page_still_leads_to_them(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("guide/a.html", "guide/draft.html", "api/b.html")
    assert read(include=("guide/",), exclude=("draft*",)).paths == {"guide/a.html"}


def test_it_takes_other_formats_and_leaves_what_is_no_document(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("notes.txt", "logo.png", "app.js", "data", "archive.tar.gz")
    site.routes["/docs/notes.txt"] = text("Notes.")
    site.routes["/docs/data"] = text("x", "image/webp")
    assert read().paths == {"index.html", "notes.txt"}
    assert [site.count(f"/docs/{name}") for name in ("logo.png", "app.js", "archive.tar.gz")] == [0, 0, 0]


def test_it_passes_over_what_tools_make_for_browsing(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("_sources/a.rst.txt", "genindex.html", "genindex-A.html", "search.html", "_modules/x.html")
    assert read().paths == {"index.html"}
    assert read(include=("_modules/",)).paths == {"_modules/x.html"}


def test_it_passes_over_the_lists_of_all_there_is(site: LoopbackSite, read: Read) -> None:
    javadoc = (
        "index-all.html",
        "org/x/package-tree.html",
        "org/x/class-use/Pot.html",
        "index-files/index-1.html",
        "index-files/index-12.html",
        "allclasses-frame.html",
    )
    others = ("class_list.html?1", "method_list.html", "doc-index-A.html", "src-html/org/x/Pot.html", "doc-index.html")
    site.routes |= lead_to("org/x/Pot.html", *javadoc, *others)
    assert read().paths == {"index.html", "org/x/Pot.html"}


def test_it_takes_pages_whose_names_are_like_those_of_lists(site: LoopbackSite, read: Read) -> None:
    pages = {
        "doc-index-tuning.html",
        "allclasses-2024.html",
        "guides/class_list.html",
        "help-doc.html",
        "index-files/setup.md",
        "index-files/index-keys.html",
        "src-html/notes.md",
        "guide/class-use/pitfalls.html",
    }
    site.routes |= lead_to(*pages, "guide/class-use/index.html")
    assert read().paths == {"index.html", "guide/class-use", *pages}


def test_the_start_page_is_taken_whatever_it_is_called(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/doc-index.html": page(links("genindex.html")), "/docs/genindex.html": page()}
    assert read(start="/docs/doc-index.html").paths == {"doc-index.html"}
    assert read(start="/docs/doc-index.html", only=[site.url("/docs/doc-index.html")]).paths == {"doc-index.html"}


def test_a_menu_leads_to_pages_and_is_none(site: LoopbackSite, read: Read) -> None:
    site.routes["/docs/"] = page(head='<meta name="docfx:tocrel" content="toc.html">')
    site.routes["/docs/toc.html"] = text('<ul><li><a href="a.html">Pots</a></li></ul>', "text/html")
    site.routes["/docs/a.html"] = page()
    files = read()
    assert (files.paths, files.is_complete) == ({"index.html", "a.html"}, True)
    assert files.left_out.paths == {"made for browsing, not for reading": ["toc.html"]}


def test_the_start_page_is_no_menu(site: LoopbackSite, read: Read) -> None:
    site.routes["/docs/"] = text('<ul><li><a href="a.html">Pots</a></li></ul>', "text/html")
    site.routes["/docs/a.html"] = page()
    assert read().paths == {"index.html", "a.html"}


def test_without_following_links_only_what_the_site_names_is_taken(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html")
    site.routes["/sitemap.xml"] = sitemap(site.url("/docs/b.html"))
    assert read(follow_links=False).paths == {"index.html", "b.html"}


# Failures


def test_a_link_that_leads_nowhere_is_no_failure(site: LoopbackSite, read: Read) -> None:
    site.routes["/docs/"] = page(links("gone.html"))
    files = read()
    assert (files.paths, files.refused, files.listed) == ({"index.html"}, {}, {"index.html"})


def test_a_page_that_the_sitemap_names_and_is_not_there_is_one(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": page(), "/sitemap.xml": sitemap(site.url("/docs/gone.html"))}
    files = read()
    assert "sitemap names it" in files.refused["gone.html"].message
    assert "gone.html" not in files.listed


def test_a_page_that_fails_is_refused_with_the_reason_and_still_listed(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "broken.html", "secret.html", "large.html")
    site.routes["/docs/broken.html"] = page(status=500)
    site.routes["/docs/secret.html"] = page(status=403)
    site.routes["/docs/large.html"] = Answer(b"x", headers={"Content-Length": str(10 * 2**30)})
    delays: list[float] = []
    files = read(delays=delays)
    assert files.paths == {"index.html", "a.html"}
    assert "own error (500)" in files.refused["broken.html"].message
    assert "login" in files.refused["secret.html"].message
    assert isinstance(files.refused["large.html"], FileTooLarge)
    assert files.listed == {"index.html", "a.html", "broken.html", "secret.html", "large.html"}
    assert [int(delay) for delay in delays] == [1, 2, 4, 8, 16]


def test_it_is_complete_only_below_the_limit_of_pages(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html", "c.html")
    assert read(max_pages=3).is_complete
    files = read(max_pages=2)
    assert (len(files.paths), files.is_complete) == (3, False)


def test_a_start_page_that_is_not_there_fails_the_reading(site: LoopbackSite, read: Read) -> None:
    with pytest.raises(FetchError, match=r"The start page cannot be read\. The site has no such page \(404\)\.$"):
        read()


def test_a_start_page_that_is_not_there_fails_alone_where_a_sitemap_names_others(
    site: LoopbackSite, read: Read
) -> None:
    site.routes |= {"/docs/a.html": page(), "/sitemap.xml": sitemap(site.url("/docs/a.html"))}
    files = read()
    assert (files.paths, set(files.refused)) == ({"a.html"}, {"index.html"})


@pytest.mark.parametrize("url", ["ftp://x.org/", "x.org/docs", "https://u:secret@x.org/", ""])
def test_it_refuses_what_is_no_site(client: HttpClient, url: str) -> None:
    with pytest.raises(InvalidParameter):
        SiteReading(SiteOptions(url=url), client)


def test_it_refuses_a_start_page_outside_of_the_prefix(client: HttpClient) -> None:
    with pytest.raises(InvalidParameter, match="not below the prefix"):
        SiteReading(SiteOptions(url="https://x.org/a/", prefix="https://x.org/b/"), client)


# Redirects


def test_redirects_within_the_site_lead_on(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("old.html", "folder", "new.html")
    site.routes |= {"/docs/old.html": redirect("/docs/new.html"), "/docs/folder": redirect("/docs/folder/")}
    site.routes["/docs/folder/"] = page()
    files = read()
    assert files.paths == {"index.html", "new.html", "folder"}
    assert files.documents["folder"].source_url == site.url("/docs/folder/")
    assert site.count("/docs/new.html") == 1


@pytest.mark.parametrize("target", ["/blog/", "https://elsewhere.example/docs/", "http://169.254.169.254/latest/"])
def test_redirects_out_of_the_site_are_not_followed(site: LoopbackSite, read: Read, target: str) -> None:
    site.routes |= lead_to("away.html")
    site.routes["/docs/away.html"] = redirect(target)
    files = read()
    assert (files.paths, files.refused, files.listed) == ({"index.html"}, {}, {"index.html"})
    assert site.count("/blog/") == 0


@pytest.mark.parametrize("target", ["http://localhost:port/", "http:////[example", "http://xn--a/", "/a\x01"])
def test_a_redirect_to_what_is_no_address_fails_that_page_alone(site: LoopbackSite, read: Read, target: str) -> None:
    site.routes |= lead_to("a.html", "b.html")
    site.routes["/docs/a.html"] = redirect(target)
    files = read()
    assert (files.paths, set(files.refused)) == ({"index.html", "b.html"}, {"a.html"})


def test_a_start_page_that_has_moved_away_says_where_to(site: LoopbackSite, read: Read) -> None:
    site.routes["/docs/"] = redirect("https://new.example/docs/")
    with pytest.raises(FetchError, match=r"redirects to https://new\.example/docs/"):
        read()


def test_pages_that_redirect_in_a_circle_end(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a", "b.html")
    site.routes |= {
        "/docs/a": redirect("/docs/a/"),
        "/docs/a/": redirect("/docs/a"),
        "/docs/b.html": redirect("/docs/c.html"),
    }
    site.routes["/docs/c.html"] = redirect("/docs/b.html")
    assert read().paths == {"index.html"}


def refresh(target: str) -> Answer:
    return page(head=f'<meta http-equiv="refresh" content="0; url={target}">')


def test_a_page_that_leads_on_by_itself_is_a_redirect(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": refresh("latest/index.html"), "/docs/latest/index.html": page(links("b.html", "c"))}
    site.routes |= {"/docs/latest/b.html": refresh("https://elsewhere.example/"), "/docs/latest/c": refresh("c/")}
    site.routes |= {"/docs/latest/c/": page(links("d.html")), "/docs/latest/c/d.html": refresh("d.html")}
    files = read()
    assert (files.paths, files.refused) == ({"latest", "latest/c", "latest/c/d.html"}, {})


@pytest.mark.parametrize("target", ["/blog/", "http://169.254.169.254/latest/"])
def test_a_start_page_that_leads_away_by_itself_says_where_to(site: LoopbackSite, read: Read, target: str) -> None:
    site.routes["/docs/"] = refresh(target)
    with pytest.raises(FetchError, match="The start page redirects to"):
        read()
    assert site.count("/blog/") == 0


def test_pages_that_lead_to_each_other_by_themselves_end(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/docs/a.html": refresh("b.html"), "/docs/b.html": refresh("a.html")}
    assert read().paths == {"index.html"}


def test_the_pages_in_a_frameset_are_taken_and_the_frame_is_not(site: LoopbackSite, read: Read) -> None:
    site.routes["/docs/"] = text("<html><frameset><frame src='toc.html'></frameset></html>", "text/html")
    site.routes |= {"/docs/toc.html": page(links("a.html")), "/docs/a.html": page()}
    files = read()
    assert (files.paths, files.is_complete) == ({"toc.html", "a.html"}, True)


# One page, several URLs


def test_a_page_steps_back_for_the_one_it_calls_canonical(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("print.html", "a.html")
    site.routes["/docs/print.html"] = page(head='<link rel="canonical" href="/docs/a.html">')
    assert read().paths == {"index.html", "a.html"}


def test_a_canonical_page_is_found_by_the_one_that_names_it(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("print.html")
    site.routes |= {"/docs/print.html": page(head='<link rel="canonical" href="/docs/a.html">'), "/docs/a.html": page()}
    assert read().paths == {"index.html", "a.html"}


@pytest.mark.parametrize(
    "canonical", ["/docs/missing.html", "https://elsewhere.example/a", "/blog/a", "/docs/", "/docs/a.html"]
)
def test_a_page_is_taken_when_its_canonical_page_is_not(site: LoopbackSite, read: Read, canonical: str) -> None:
    site.routes |= lead_to("a.html")
    site.routes["/docs/a.html"] = page(head=f'<link rel="canonical" href="{canonical}">')
    assert read().paths == {"index.html", "a.html"}


def test_a_page_is_taken_when_its_canonical_page_fails(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("first.html", "broken.html", "hub.html")
    canonical = page(head='<link rel="canonical" href="broken.html">')
    site.routes |= {"/docs/first.html": canonical, "/docs/later.html": canonical, "/docs/broken.html": page(status=400)}
    site.routes["/docs/hub.html"] = page(links("later.html"))
    assert read().paths == {"index.html", "hub.html", "first.html", "later.html"}


def test_of_pages_that_call_each_other_canonical_one_is_taken(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html")
    site.routes["/docs/a.html"] = page(head='<link rel="canonical" href="b.html">')
    site.routes["/docs/b.html"] = page(head='<link rel="canonical" href="a.html">')
    assert len(read().paths - {"index.html"}) == 1


# Languages


def test_it_takes_the_language_of_the_start_page(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "de/a.html", "b.html", "c.html", "d.html")
    alternate = '<link rel="alternate" hreflang="fr" href="c.html">'
    site.routes["/docs/"] = page(links("a.html", "de/a.html", "b.html", "c.html", "d.html"), alternate, lang="en-US")
    site.routes["/docs/a.html"] = page(lang="en-GB")
    site.routes["/docs/b.html"] = page(lang="de")
    files = read()
    assert files.paths == {"index.html", "a.html", "d.html"}
    assert site.count("/docs/de/a.html") == site.count("/docs/c.html") == 0


def test_it_takes_the_language_it_is_told(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("en/a.html", "de/a.html")
    site.routes["/docs/"] = page(links("en/a.html", "de/a.html"), lang="en")
    assert read(language="de").paths == {"de/a.html"}
    assert read(language="*").paths == {"index.html", "en/a.html", "de/a.html"}


NAMED = ("cs/quickstart", "cs/more", "ca/renew", "files/package.json", "guides/node.js")


def test_what_the_site_names_is_judged_by_what_it_is_and_not_by_its_name(site: LoopbackSite, read: Read) -> None:
    site.routes |= {f"/docs/{name}": page("text", lang="en") for name in (*NAMED, "cs/linked", "ca/linked")}
    site.routes |= {"/docs/": page(links("cs/linked", "da/linked"), lang="en"), "/docs/da/linked": page(lang="en")}
    site.routes["/docs/ca/renew"] = page(links("linked"), lang="en-GB")
    site.routes["/sitemap.xml"] = sitemap(*(site.url(f"/docs/{name}") for name in (*NAMED, "app.js", "logo.png")))
    site.routes |= {"/docs/app.js": text("x", "text/javascript"), "/docs/logo.png": text("x", "image/png")}
    files = read()
    assert files.paths == {"index.html", *NAMED, "cs/linked", "ca/linked"}
    assert files.left_out == {"not a document": 2, "in another language": 1}
    assert site.count("/docs/da/linked") == 0


@pytest.mark.parametrize("lang", ["de", ""])
def test_of_a_folder_in_another_language_one_page_is_asked_for(site: LoopbackSite, read: Read, lang: str) -> None:
    names = [f"de/{number}.html" for number in range(5)]
    site.routes |= {f"/docs/{name}": page(lang=lang) for name in names} | {"/docs/": page(lang="en")}
    site.routes["/docs/de/0.html"] = page(status=404)
    site.routes["/sitemap.xml"] = sitemap(*(site.url(f"/docs/{name}") for name in names))
    files = read(max_pages=3)
    assert (files.paths, files.is_complete, set(files.refused)) == ({"index.html"}, True, {"de/0.html"})
    assert files.left_out == {"in another language": 4}
    assert {reason: sorted(paths) for reason, paths in files.left_out.paths.items()} == {
        "in another language": names[1:]
    }
    assert [site.count(f"/docs/{name}") for name in names] == [1, 1, 0, 0, 0]


def test_a_page_in_a_doubtful_folder_stays_when_the_sitemap_fails(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": page(lang="en"), "/docs/ca/a": page(lang="en"), "/docs/ca/b": page(lang="en")}
    site.routes["/sitemap.xml"] = sitemap(site.url("/docs/ca/a"), site.url("/docs/ca/b"))
    first = read()
    site.routes["/sitemap.xml"] = page(status=403)
    site.routes["/docs/ca/a"] = page(status=403)
    assert read(known=first.known).listed == first.listed == {"index.html", "ca/a", "ca/b"}


def test_a_dry_run_looks_at_what_the_name_does_not_tell(
    site: LoopbackSite, list_pages: Callable[..., dict[str, ListedPage]]
) -> None:
    site.routes |= {
        "/docs/": page(lang="en"),
        "/docs/ca/a": page(lang="en"),
        "/docs/x.js": text("x", "text/javascript"),
    }
    site.routes["/sitemap.xml"] = sitemap(*(site.url(f"/docs/{name}") for name in ("ca/a", "ca/b", "x.js")))
    taken = {path for path, each in list_pages(follow_links=False).items() if not each.reason}
    assert taken == {"index.html", "ca/a", "ca/b"}


# What the site asks for


def test_it_obeys_robots_txt(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "private/b.html")
    site.routes["/robots.txt"] = text("User-agent: *\nDisallow: /docs/private/\n\nUser-agent: other\nDisallow: /\n")
    assert read().paths == {"index.html", "a.html"}
    assert site.count("/docs/private/b.html") == 0
    assert site.count("/robots.txt") == 1


def test_it_obeys_a_robots_txt_that_begins_with_a_byte_order_mark(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "private/b.html")
    site.routes["/robots.txt"] = text("\ufeffUser-agent: *\nDisallow: /docs/private/\n")
    assert read().paths == {"index.html", "a.html"}


def test_it_reads_nothing_where_robots_txt_forbids_the_start(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": text("User-agent: docsmcp\nDisallow: /")}
    with pytest.raises(FetchError, match=r"robots\.txt does not allow docsmcp"):
        read()


@pytest.mark.parametrize("status", [500, 503, 429])
def test_it_reads_nothing_where_robots_txt_cannot_be_had(site: LoopbackSite, read: Read, status: int) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": page(status=status)}
    with pytest.raises(FetchError, match=r"robots\.txt"):
        read()
    assert site.count("/docs/") == 0


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_site_without_robots_txt_allows_everything(site: LoopbackSite, read: Read, status: int) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": page(status=status)}
    assert read().paths == {"index.html", "a.html"}


def test_it_waits_as_the_crawl_delay_asks_and_fetches_one_page_at_a_time(site: LoopbackSite, read: Read) -> None:
    underway: list[int] = []
    most = [0]

    def count(asked: Asked) -> Answer:
        underway.append(1)
        most[0] = max(most[0], len(underway))
        underway.pop()
        return page()

    site.routes |= lead_to("a.html", "b.html", "c.html")
    site.routes |= {f"/docs/{name}.html": count for name in "abc"}
    site.routes["/robots.txt"] = text("User-agent: *\nCrawl-delay: 2")
    delays: list[float] = []
    assert len(read(delays=delays).paths) == 4
    assert most == [1]
    assert delays == [2.0] * (len(site.asked) - 1)


def test_it_reads_nothing_where_robots_txt_is_too_large(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": Answer(b"x", headers={"Content-Length": str(2**40)})}
    with pytest.raises(FetchError, match=r"robots\.txt cannot be read"):
        read()


def test_it_refuses_an_endless_crawl_delay(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": text("User-agent: *\nCrawl-delay: 86400")}
    with pytest.raises(FetchError, match="86400 seconds"):
        read()


def test_it_obeys_pages_that_ask_not_to_be_indexed_or_followed(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("noindex.html", "nofollow.html", "header.html", "google.html")
    site.routes["/docs/noindex.html"] = page(links("a.html"), '<meta name="robots" content="noindex">')
    site.routes["/docs/nofollow.html"] = page(links("b.html"), '<meta name="robots" content="nofollow">')
    site.routes["/docs/header.html"] = page(links("c.html"), X_Robots_Tag="noindex, nofollow")
    site.routes["/docs/google.html"] = page(X_Robots_Tag="googlebot: noindex")
    site.routes |= {f"/docs/{name}.html": page() for name in "abc"}
    assert read().paths == {"index.html", "nofollow.html", "google.html", "a.html"}


# Sitemaps and llms.txt


def test_it_takes_what_sitemaps_name_though_no_page_links_to_it(site: LoopbackSite, read: Read) -> None:
    site.routes |= {f"/docs/{name}.html": page() for name in "abcd"} | {"/docs/": page()}
    site.routes["/robots.txt"] = text(f"Sitemap: {site.url('/maps/index.xml')}")
    site.routes["/maps/index.xml"] = sitemap(site.url("/maps/1.xml.gz"), site.url("/maps/2.txt"), kind="sitemap")
    first = sitemap(site.url("/docs/a.html"), site.url("/other/x.html")).body
    assert isinstance(first, bytes)
    site.routes["/maps/1.xml.gz"] = Answer(gzip.compress(first), content_type="application/gzip")
    site.routes["/maps/2.txt"] = text(site.url("/docs/b.html"))
    site.routes["/docs/sitemap.xml"] = sitemap(site.url("/docs/c.html"))
    site.routes["/sitemap.xml"] = sitemap(site.url("/docs/d.html"))
    assert read().paths == {"index.html", "a.html", "b.html", "c.html", "d.html"}
    assert site.count("/other/x.html") == 0


def test_it_takes_a_missing_sitemap_and_a_page_in_its_place_for_none(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/sitemap.xml": page("Welcome"), "/llms.txt": page("Welcome")}
    files = read()
    assert (files.paths, files.refused) == ({"index.html", "a.html"}, {})


def test_a_broken_sitemap_is_told_and_the_links_are_followed(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/sitemap.xml": text("<urlset><url>", "application/xml")}
    files = read()
    assert (files.paths, set(files.refused)) == ({"index.html", "a.html"}, {"sitemap.xml"})


def test_a_sitemap_whose_address_is_none_is_told_and_the_links_are_followed(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html")
    site.routes["/robots.txt"] = text("Sitemap: http://[example/one.xml")
    site.routes["/sitemap.xml"] = sitemap("https://[example/two.xml", kind="sitemap")
    files = read()
    assert (files.paths, set(files.refused)) == ({"index.html", "a.html"}, {"one.xml", "two.xml"})


def test_a_sitemap_that_cannot_be_read_is_told_by_its_last_name(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html") | {"/robots.txt": text("Sitemap: /maps/"), "/maps/": page(status=403)}
    assert set(read().refused) == {"maps"}


def test_a_sitemap_in_plain_text_may_begin_with_a_byte_order_mark(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": page(), "/docs/a.html": page(), "/docs/b.html": page()}
    site.routes["/robots.txt"] = text("Sitemap: /sitemap.txt")
    site.routes["/sitemap.txt"] = text(f"\ufeff{site.url('/docs/a.html')}\n{site.url('/docs/b.html')}\n")
    assert read().paths == {"index.html", "a.html", "b.html"}


def test_it_takes_the_markdown_that_llms_txt_names_instead_of_the_page(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html")
    site.routes["/docs/llms.txt"] = text("# X\n\n- [A](a.html.md): about a\n- [B](b.md)\n", "text/plain")
    site.routes["/docs/a.html.md"] = text("# A in Markdown", "text/markdown")
    site.routes["/docs/b.md"] = text("# B", "text/markdown")
    site.routes["/sitemap.xml"] = sitemap(site.url("/docs/a.html"))
    files = read()
    assert files.paths == {"index.html", "a.html", "b.md"}
    taken = files.documents["a.html"]
    assert (taken.content, taken.media_type) == (b"# A in Markdown", "text/markdown")
    assert taken.source_url == site.url("/docs/a.html")


def test_it_takes_the_markdown_that_a_page_names(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html")
    site.routes["/docs/a.html"] = page("A", '<link rel="alternate" type="text/markdown" href="/raw/a.md">')
    site.routes["/docs/b.html"] = page("B", '<link rel="alternate" type="text/markdown" href="/raw/missing.md">')
    site.routes["/raw/a.md"] = text("# A", "text/markdown")
    files = read()
    assert files.documents["a.html"].content == b"# A"
    assert b"<main>B" in files.documents["b.html"].content


def test_it_asks_for_markdown_and_follows_its_links(site: LoopbackSite, read: Read) -> None:
    def negotiate(asked: Asked) -> Answer:
        if asked.headers["accept"].startswith("text/markdown,"):
            return text("# Start\n\nSee [b](b.html).\n\n```\n[no](c.html)\n```\n", "text/markdown")
        return page()

    site.routes |= {"/docs/": negotiate, "/docs/b.html": page(), "/docs/c.html": page()}
    files = read()
    assert files.paths == {"index.html", "b.html"}
    assert files.documents["index.html"].media_type == "text/markdown"


# The next reading


def make_conditional(etag: str, answer: Answer) -> Callable[[Asked], Answer]:
    def respond(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == etag:
            return Answer(status=304, content_type=None)
        return Answer(answer.body, headers={"ETag": etag})

    return respond


def test_what_has_not_changed_is_not_sent_again_and_still_leads_on(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": make_conditional('"1"', page(links("a.html"), lang="en")), "/docs/b.html": page()}
    site.routes["/docs/a.html"] = make_conditional('"2"', page(links("b.html", "c.html")))
    site.routes["/docs/c.html"] = page(lang="de")
    first = read()
    second = read(known=first.known)
    assert first.paths == {"index.html", "a.html", "b.html"}
    assert (second.unchanged, second.paths) == ({"index.html", "a.html"}, {"b.html"})
    assert (second.listed, second.is_complete) == (first.listed, True)


def test_pages_that_it_had_before_it_was_interrupted_are_not_asked_for_again(site: LoopbackSite, read: Read) -> None:
    site.routes |= {
        "/docs/": page(links("a", "b")),
        "/docs/a": page(links("b", "c")),
        "/docs/b": page("Page b."),
        "/docs/c": page("Page c."),
    }
    first = read()
    second = read(known=first.known, read_already=[site.url("/docs/"), site.url("/docs/a")])
    assert [site.count(f"/docs/{name}") for name in ("", "a", "b", "c")] == [1, 1, 2, 2]
    assert second.unchanged == {"index.html", "a"}
    assert (second.listed, second.is_complete) == (first.listed, True)


def test_markdown_that_changed_is_read_though_its_page_did_not(site: LoopbackSite, read: Read) -> None:
    frame = page("<p>Loading</p>", '<link rel="alternate" type="text/markdown" href="/raw/a.md">')
    site.routes |= {"/docs/": page(links("a.html")), "/docs/a.html": make_conditional('"1"', frame)}
    site.routes["/raw/a.md"] = text("# A", "text/markdown")
    first = read()
    site.routes["/raw/a.md"] = text("# A, mended", "text/markdown")
    assert first.documents["a.html"].content == b"# A"
    assert read(known=first.known).documents["a.html"].content == b"# A, mended"


def test_a_version_that_cannot_be_named_in_a_request_is_asked_for_anew(site: LoopbackSite, read: Read) -> None:
    site.routes |= {"/docs/": page(links("a.html")), "/docs/a.html": page(ETag='"\xe9t\xe9"')}
    first = read()
    assert read(known=first.known).paths == first.paths == {"index.html", "a.html"}


def test_a_page_that_is_gone_is_no_longer_listed(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html")
    first = read()
    del site.routes["/docs/b.html"]
    second = read(known=first.known)
    assert (second.listed, second.refused, second.is_complete) == ({"index.html", "a.html"}, {}, True)


def test_what_only_a_failed_page_leads_to_is_not_lost(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("hub.html") | {"/docs/hub.html": page(links("leaf.html", "gone.html"))}
    site.routes |= {"/docs/leaf.html": page(), "/docs/gone.html": page()}
    first = read()
    site.routes["/docs/hub.html"] = page(status=503)
    del site.routes["/docs/gone.html"]
    second = read(known=first.known)
    assert second.listed == {"index.html", "hub.html", "leaf.html"}
    assert (set(second.refused), second.is_complete) == ({"hub.html"}, True)


@pytest.mark.parametrize(
    ("place", "answer", "refused"),
    [
        ("/llms.txt", page(status=503), {"llms.txt"}),
        ("/llms.txt", page(status=403), set()),
        ("/llms.txt", page("Please log in"), set()),
        ("/llms.txt", page(status=404), None),
        ("/sitemap.xml", page(status=429), {"sitemap.xml"}),
        ("/sitemap.xml", page(status=403), set()),
        ("/sitemap.xml", page("Please log in"), set()),
        ("/sitemap.xml", page(status=410), None),
    ],
)
def test_what_only_a_missing_seed_names_is_lost_where_the_site_says_that_there_is_none(
    site: LoopbackSite, read: Read, place: str, answer: Answer, refused: set[str] | None
) -> None:
    site.routes |= {"/docs/": page(), "/docs/leaf.html": page()}
    url = site.url("/docs/leaf.html")
    site.routes[place] = text(f"# X\n\n- [leaf]({url})\n") if "llms" in place else sitemap(url)
    first = read()
    site.routes[place] = answer
    second = read(known=first.known)
    assert first.listed == {"index.html", "leaf.html"}
    assert second.listed == {"index.html", *([] if refused is None else ["leaf.html"]), *(refused or ())}
    assert (set(second.refused), second.is_complete) == (refused or set(), True)


def test_it_reads_just_the_pages_it_is_told_and_each_has_an_outcome(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to("a.html", "b.html") | {
        "/docs/a.html": page(links("c.html")),
        "/docs/noindex.html": page(X_Robots_Tag="none"),
    }
    files = read(only=[site.url(f"/docs/{name}.html") for name in ("a", "gone", "noindex")])
    assert (files.paths, set(files.refused)) == ({"a.html"}, {"gone.html", "noindex.html"})
    assert "asks not to index" in files.refused["noindex.html"].message
    assert not files.is_complete
    pages = {asked.target for asked in site.asked if asked.target.endswith(".html")}
    assert pages == {"/docs/a.html", "/docs/gone.html", "/docs/noindex.html"}


# Ends


def test_it_ends_soon_when_it_is_to_stop(site: LoopbackSite, read: Read) -> None:
    site.routes |= lead_to(*(f"{number}.html" for number in range(50)))
    files = read(should_stop=lambda: site.count("/docs/3.html") > 0)
    assert len(files.paths) < 50
    assert not files.is_complete
    assert len(files.listed) > len(files.paths)


def test_it_stops_while_it_waits_for_a_retry(site: LoopbackSite, client: HttpClient) -> None:
    """With the real wait: it ends by the event, not by the minute that the server asks for."""
    site.routes |= lead_to("busy.html") | {"/docs/busy.html": page(status=503, Retry_After="60")}
    options = SiteOptions(url=site.url("/docs/"))
    with SiteReading(options, client, should_stop=lambda: site.count("/docs/busy.html") > 0) as reading:
        assert {file.path for file in reading} <= {"index.html"}
    assert site.count("/docs/busy.html") == 1


def test_it_fetches_at_most_so_many_pages_at_once(site: LoopbackSite, read: Read) -> None:
    underway: set[str] = set()
    most: list[int] = []

    def count(asked: Asked) -> Answer:
        underway.add(asked.target)
        most.append(len(underway))
        site.closing.wait(0.01)
        underway.discard(asked.target)
        return page()

    names = [f"{number}.html" for number in range(30)]
    site.routes |= lead_to(*names) | {f"/docs/{name}": count for name in names}
    assert len(read(max_concurrent_fetches=3).paths) == 31
    assert 1 < max(most) <= 3


# The dry run


def test_a_dry_run_lists_what_would_be_taken_and_why_others_are_not(
    site: LoopbackSite, list_pages: Callable[..., dict[str, ListedPage]]
) -> None:
    site.routes |= lead_to("a.html", "logo.png", "draft.html", "private/b.html", "gone.html", "manual.pdf")
    site.routes["/robots.txt"] = text("User-agent: *\nDisallow: /docs/private/")
    site.routes["/sitemap.xml"] = sitemap(site.url("/docs/c.html"))
    site.routes["/docs/c.html"] = page()
    del site.routes["/docs/gone.html"]
    pages = list_pages(exclude=("draft*",))
    taken = {path: each.found_in for path, each in pages.items() if not each.reason}
    assert taken == {"index.html": "start page", "c.html": "sitemap", "a.html": "link", "manual.pdf": "link"}
    assert {path: each.reason for path, each in pages.items() if each.reason} == {
        "logo.png": "not a document",
        "draft.html": "excluded by a pattern",
        "private/b.html": "not allowed by robots.txt",
        "gone.html": "not there (404)",
    }
    assert pages["a.html"].found_on == site.url("/docs/")
    assert site.count("/docs/manual.pdf") == 0


def test_a_dry_run_that_follows_no_links_fetches_no_page_but_the_first(
    site: LoopbackSite, list_pages: Callable[..., dict[str, ListedPage]]
) -> None:
    site.routes |= lead_to("a.html") | {"/sitemap.xml": sitemap(site.url("/docs/b.html"))}
    assert {path for path, each in list_pages(follow_links=False).items() if not each.reason} == {
        "index.html",
        "b.html",
    }
    assert site.count("/docs/b.html") == 0
