"""Sites that answer 200, or lead elsewhere, for pages that they do not have: such pages are told as missing, and real ones are read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from collections_app.clients.http import HttpClient
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile
from collections_app.sources.site import SiteOptions, SiteReading, list_site
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

NAMED = ("a.html", "gone.html", "guide/old")
_NUMBERS = count()


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    """Of its start page, a page, and a sitemap that names two others."""
    with serve_site() as site:
        locations = "".join(f"<url><loc>{site.url(f'/docs/{name}')}</loc></url>" for name in NAMED)
        site.routes |= {
            "/elsewhere": page("<h1>Shop</h1>"),
            "/robots.txt": text(""),
            "/docs/": page("<h1>Tea</h1>" + links(*NAMED, "nowhere.html")),
            "/docs/a.html": page("<p>Pour it while it is hot.</p>"),
            "/docs/sitemap.xml": text(f"<urlset>{locations}</urlset>", "application/xml"),
        }
        yield site


class Result:
    def __init__(self, site: LoopbackSite, only: list[str] | None = None) -> None:
        with (
            HttpClient([HOST], timeout_seconds=5) as client,
            SiteReading(SiteOptions(url=site.url("/docs/")), client, only=only, sleep=lambda seconds: None) as reading,
        ):
            files = list(reading)
            self.paths = {file.path for file in files if isinstance(file, RawDocument)}
            self.reasons = {file.path: file.error.message for file in files if isinstance(file, RefusedFile)}
            self.listed = set(reading.listed)
            self.is_complete = reading.is_complete


def show_missing(asked: Asked) -> Answer:
    """With the address, a number that differs each time, and a menu."""
    name = asked.target.rpartition("/")[2].removesuffix(".html")
    return page(
        f"<nav><a href='/docs/'>Tea</a></nav><h1>No {name.capitalize()}</h1>"
        f"<p>Nothing is at {asked.target}. Request {next(_NUMBERS)}.</p><script>show('{asked.target}')</script>"
    )


def list_probes(site: LoopbackSite) -> list[str]:
    named = {
        "/docs/",
        "/docs/nowhere.html",
        "/docs/sitemap.xml",
        "/docs/llms.txt",
        *(f"/docs/{name}" for name in NAMED),
    }
    return [asked.target for asked in site.asked if asked.target.startswith("/docs/") and asked.target not in named]


@pytest.mark.parametrize(
    "missing",
    [show_missing, redirect("/docs/a.html"), redirect("/elsewhere"), text("# No such page", "text/markdown")],
    ids=["a page", "a redirect to a page", "a redirect out of the site", "Markdown"],
)
def test_pages_that_the_site_answers_as_any_that_it_does_not_have_are_missing(
    site: LoopbackSite, missing: Route
) -> None:
    site.missing = missing
    result = Result(site)
    assert result.paths == result.listed == {"index.html", "a.html"}
    told = "The site has no such page (soft 404), although its sitemap names it."
    assert result.reasons == dict.fromkeys(("gone.html", "guide/old"), told)
    assert result.is_complete
    assert len(list_probes(site)) == 1


def test_what_such_pages_lead_to_is_read_though_nothing_else_leads_there(site: LoopbackSite) -> None:
    site.routes |= {"/docs/": page("<h1>Tea</h1>" + links("stable")), "/docs/latest": page("<p>Pour it.</p>")}
    site.missing = redirect("/docs/latest")
    result = Result(site)
    assert result.paths == {"index.html", "a.html", "latest"}
    assert set(result.reasons) == {"gone.html", "guide/old"}


def test_what_such_a_page_leads_to_is_not_promised(site: LoopbackSite) -> None:
    site.missing = redirect("/docs/lost")
    site.routes["/docs/lost"] = page("<p>Lost?</p>", status=404)
    assert set(Result(site).reasons) == {"gone.html", "guide/old"}


def test_a_dry_run_says_so(site: LoopbackSite) -> None:
    site.missing = show_missing
    with HttpClient([HOST], timeout_seconds=5) as client:
        pages = {each.path: each.reason for each in list_site(SiteOptions(url=site.url("/docs/")), client)}
    assert pages["nowhere.html"] == "not there (soft 404)"


def test_a_page_that_is_read_again_by_itself_is_missing_too(site: LoopbackSite) -> None:
    site.missing = show_missing
    result = Result(site, [site.url("/docs/a.html"), site.url("/docs/gone.html")])
    assert (result.paths, set(result.reasons)) == ({"a.html"}, {"gone.html"})


def test_pages_that_say_something_else_are_read(site: LoopbackSite) -> None:
    """Though all have the same title."""
    site.missing = page("<h1>Not found</h1><p>Nothing is here.</p>")
    site.routes["/docs/gone.html"] = page("<h1>Not found</h1><p>Nothing is here, or what that answer means.</p>")
    site.routes["/docs/guide/old"] = page("<h1>Old</h1>")
    assert Result(site).paths == {"index.html", "a.html", "gone.html", "guide/old"}


@pytest.mark.parametrize("shell", ["<div id='app'></div>", "<noscript>This needs scripts.</noscript>"])
def test_where_the_start_page_is_alike_nothing_is_told_from_it(site: LoopbackSite, shell: str) -> None:
    site.routes["/docs/"] = site.missing = page(shell)
    assert Result(site).paths == {"index.html", *NAMED}


def test_where_all_leads_to_a_login_nothing_is_told_from_it(site: LoopbackSite) -> None:
    site.routes["/docs/"] = site.missing = redirect("/docs/login")
    site.routes["/docs/login"] = page("<p>Who are you?</p>")
    result = Result(site)
    assert (result.paths, result.reasons) == ({"a.html", "login"}, {})


def test_a_site_that_says_what_it_does_not_have_is_asked_once(site: LoopbackSite) -> None:
    result = Result(site)
    assert result.reasons["gone.html"] == "The site has no such page (404), although its sitemap names it."
    assert len(list_probes(site)) == 1


def test_it_obeys_robots_txt(site: LoopbackSite) -> None:
    site.missing = show_missing
    site.routes["/robots.txt"] = text("User-agent: *\nDisallow: /docs/\nAllow: /docs/$\nAllow: /docs/*.html")
    assert Result(site).paths == {"index.html", "a.html", "gone.html", "nowhere.html"}
    assert list_probes(site) == []
