"""Sites that would have a crawl never end, or fill the memory: each is cut off, and the reason is told."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from collections_app.clients.http import HttpClient
from collections_app.exceptions import FetchError, FileTooLarge
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile
from collections_app.sources.site import SiteOptions, SiteReading, frontier
from tests.collections_app.clients.loopback import HOST, Answer, Asked, LoopbackSite, links, page, serve_site, text

MEGABYTE = 2**20
BOMB = gzip.compress(bytes(100 * MEGABYTE))
BILLION_LAUGHS = (
    "<!DOCTYPE x ["
    + "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10 if level else "lol" * 10}">' for level in range(10))
    + "]><urlset><url><loc>&l9;</loc></url></urlset>"
)


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site() as site:
        site.routes["/"] = page(links("a.html"))
        site.routes["/a.html"] = page("fine")
        yield site


class Result:
    def __init__(self, site: LoopbackSite, max_pages: int, timeout_seconds: float) -> None:
        options = SiteOptions(url=site.url("/"), max_pages=max_pages, max_file_bytes=MEGABYTE)
        with (
            HttpClient([HOST], timeout_seconds=timeout_seconds) as client,
            SiteReading(options, client, sleep=lambda seconds: None) as reading,
        ):
            self.paths: set[str] = set()
            self.refused: dict[str, Exception] = {}
            for file in reading:
                if isinstance(file, RawDocument):
                    self.paths.add(file.path)
                elif isinstance(file, RefusedFile):
                    self.refused[file.path] = file.error
            self.is_complete = reading.is_complete


def read(site: LoopbackSite, max_pages: int = 100, timeout_seconds: float = 5) -> Result:
    return Result(site, max_pages, timeout_seconds)


@pytest.mark.parametrize(
    "make_answer",
    [
        lambda site: Answer(b"x", headers={"Content-Length": str(10 * 2**30)}),
        lambda site: Answer(site.iter_forever(bytes(65_536))),
        lambda site: Answer(BOMB, headers={"Content-Encoding": "gzip"}),
    ],
    ids=["ten gigabytes", "without an end", "a bomb"],
)
def test_a_page_without_measure_is_refused_and_the_others_are_taken(
    site: LoopbackSite, make_answer: Callable[[LoopbackSite], Answer]
) -> None:
    site.routes["/"] = page(links("a.html", "bad.html"))
    site.routes["/bad.html"] = lambda asked: make_answer(site)
    tracemalloc.start()
    try:
        result = read(site)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.paths == {"index.html", "a.html"}
    assert isinstance(result.refused["bad.html"], FileTooLarge)
    assert peak_bytes < 20 * MEGABYTE


def test_a_page_that_trickles_is_given_up(site: LoopbackSite) -> None:
    def trickle() -> Iterator[bytes]:
        for part in site.iter_forever(b"x"):
            site.closing.wait(0.05)
            yield part

    site.routes["/a.html"] = lambda asked: Answer(trickle())
    result = read(site, timeout_seconds=0.5)
    assert "did not end within" in str(result.refused["a.html"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BILLION_LAUGHS, "document type or entities"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><urlset/>', "document type or entities"),
        (f"<urlset>{'<url><loc>http://x.org/</loc></url>' * 50_001}</urlset>", "more than 50,000 URLs"),
    ],
)
def test_a_hostile_sitemap_is_refused_with_the_reason(site: LoopbackSite, body: str, reason: str) -> None:
    site.routes["/sitemap.xml"] = text(body, "application/xml")
    result = read(site)
    assert reason in str(result.refused["sitemap.xml"])
    assert result.paths == {"index.html", "a.html"}


def test_a_packed_sitemap_that_unpacks_to_too_much_is_refused(site: LoopbackSite) -> None:
    site.routes["/robots.txt"] = text(f"Sitemap: {site.url('/map.xml.gz')}")
    site.routes["/map.xml.gz"] = Answer(gzip.compress(bytes(60 * MEGABYTE)), content_type="application/gzip")
    assert isinstance(read(site).refused["map.xml.gz"], FileTooLarge)


def test_sitemaps_that_name_each_other_for_ever_end(site: LoopbackSite) -> None:
    def answer(asked: Asked) -> Answer:
        number = int(asked.target.rpartition("/")[2].partition(".")[0] or 0)
        entries = "".join(
            f"<sitemap><loc>{site.url(f'/maps/{number * 2 + each}.xml')}</loc></sitemap>" for each in (1, 2)
        )
        return text(f"<sitemapindex>{entries}</sitemapindex>", "application/xml")

    site.routes |= {f"/maps/{number}.xml": answer for number in range(100)}
    site.routes["/robots.txt"] = text(f"Sitemap: {site.url('/maps/0.xml')}")
    assert read(site).paths == {"index.html", "a.html"}
    assert sum(asked.target.startswith("/maps/") for asked in site.asked) == 15


def test_a_sitemap_of_a_hundred_thousand_levels_is_only_a_broken_one(site: LoopbackSite) -> None:
    site.routes["/sitemap.xml"] = text(f"<urlset>{'<x>' * 100_000}", "application/xml")
    assert isinstance(read(site).refused["sitemap.xml"], FetchError)


def test_a_calendar_does_not_go_on_for_ever(site: LoopbackSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.sources.site.frontier.MAX_ALIKE", 20)

    def answer(asked: Asked) -> Answer:
        return page(links(f"/calendar/{int(asked.target.rpartition('/')[2]) + 1}"))

    site.routes |= {f"/calendar/{day}": answer for day in range(200)}
    site.routes["/"] = page(links("a.html", "/calendar/1"))
    result = read(site, max_pages=1000)
    assert len(result.paths) == 22
    assert result.is_complete


def test_a_site_names_no_more_pages_than_are_remembered(site: LoopbackSite, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number}.html" for number in range(100)]
    site.routes["/"] = page(links(*names))
    site.routes |= {f"/{name}": page("fine") for name in names}
    monkeypatch.setattr(frontier, "MAX_NOTED_CHARACTERS", 20 * (frontier.NOTED_WITH_A_PATH + len("10.html")))
    result = read(site, max_pages=1000)
    assert len(result.paths) == 20
    assert not result.is_complete


def test_parameters_do_not_multiply_for_ever(site: LoopbackSite) -> None:
    def answer(asked: Asked) -> Answer:
        return page(links(*(f"{asked.target}&f{number}=1" for number in range(30))))

    class EndlessRoutes(dict[str, object]):
        def get(self, target: str, default: object = None) -> object:
            return answer if target.startswith("/list?") else super().get(target, default)

    site.routes = EndlessRoutes(site.routes)  # type: ignore[assignment]
    site.routes["/"] = page(links("a.html", "/list?all=1"))
    result = read(site, max_pages=1000)
    assert len(result.paths) == 52


@pytest.mark.parametrize("loop", ["x/x/x/x/", "/".join("abcdefghijklmnopqrstuvwxyz"), "a/b/a/b/a/b/a/b/"])
def test_paths_that_repeat_themselves_or_are_too_deep_are_left(site: LoopbackSite, loop: str) -> None:
    site.routes["/"] = page(links("a.html", loop))
    site.routes[f"/{loop}"] = page()
    assert read(site).paths == {"index.html", "a.html"}


def test_what_a_sitemap_names_is_no_trap(site: LoopbackSite) -> None:
    site.routes["/sitemap.xml"] = text(
        f"<urlset><url><loc>{site.url('/x/x/x/x/')}</loc></url></urlset>", "application/xml"
    )
    site.routes["/x/x/x/x/"] = page()
    assert "x/x/x/x" in read(site).paths
