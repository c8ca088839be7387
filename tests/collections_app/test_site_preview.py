"""A preview of a site ends in time, counts what it does not show, and takes no more of the server's threads than it may."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import count
from threading import BoundedSemaphore
from typing import Any

import pytest

from collections_app import site_preview
from collections_app.exceptions import FetchError, UpstreamUnavailable
from collections_app.reports.jobs import describe_left_out
from collections_app.site_preview import PREVIEWS_AT_ONCE, SHOWN_PAGES, preview_site
from collections_app.sources.site import ListedPage, SiteOptions
from tests.collections_app.clients.loopback import HOST, Answer, LoopbackSite, links, page, serve_site

PAGES = SHOWN_PAGES + 20


@pytest.fixture
def site(settings: Any) -> Iterator[LoopbackSite]:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"fetch_allowed_hosts": (HOST,)})
    with serve_site() as site:
        names = [f"{number}.html" for number in range(PAGES - 1)]
        site.routes["/docs/"] = page(links(*names))
        site.routes |= {f"/docs/{name}": page("text") for name in names}
        yield site


def make_options(site: LoopbackSite, **options: Any) -> SiteOptions:
    return SiteOptions(url=site.url("/docs/"), **options)


def test_it_counts_all_pages_and_shows_the_first(site: LoopbackSite) -> None:
    preview = preview_site(make_options(site))
    assert (preview.taken, len(preview.shown), preview.is_whole) == (PAGES, SHOWN_PAGES, True)


def test_pages_that_are_left_out_are_counted_by_reason(site: LoopbackSite) -> None:
    preview = preview_site(make_options(site, exclude=("1*.html",)))
    assert preview.taken + preview.left_out_count == PAGES
    assert len(preview.reasons) == 1


def test_equally_common_reasons_come_by_name_in_whatever_order_pages_were_read() -> None:
    left_out = Counter(b=2, c=3, a=2)
    assert site_preview.SitePreview(left_out=left_out).reasons == [("c", 3), ("a", 2), ("b", 2)]
    assert describe_left_out(left_out) == ["3 × c", "2 × a", "2 × b"]
    paths = {"c": ["x", "y"], "a": ["z", "é/ö"]}
    assert describe_left_out(left_out, paths) == ["3 × c (x, y, …)", "2 × a (z, é/ö)", "2 × b"]


def test_it_ends_at_the_deadline_with_what_it_has_found(site: LoopbackSite) -> None:
    seconds = count(0)
    preview = preview_site(make_options(site), clock=lambda: next(seconds))
    assert preview.looked_at < PAGES
    assert not preview.is_whole


def test_it_holds_no_larger_pages_in_memory_than_usual(site: LoopbackSite) -> None:
    site.routes["/docs/1.html"] = Answer(site.iter_forever(bytes(65_536)))
    tracemalloc.start()
    preview = preview_site(make_options(site, max_file_bytes=2**30))
    assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    tracemalloc.stop()
    assert preview.taken == PAGES - 1


def test_it_gives_its_place_back_however_it_ends(site: LoopbackSite) -> None:
    site.routes.clear()
    for _ in range(PREVIEWS_AT_ONCE + 1):
        with pytest.raises(FetchError):
            preview_site(make_options(site))


def test_it_refuses_to_be_one_too_many(site: LoopbackSite, monkeypatch: pytest.MonkeyPatch) -> None:
    def preview_within(*ignored: object) -> Any:
        return preview_site(make_options(site))

    monkeypatch.setattr(site_preview, "PREVIEWS_AT_ONCE", 1)
    monkeypatch.setattr(site_preview, "_places", BoundedSemaphore(1))
    monkeypatch.setattr(site_preview, "look_at", preview_within)
    with pytest.raises(UpstreamUnavailable) as refused:
        preview_site(make_options(site))
    assert refused.value.details["retry_after"] == site_preview.RETRY_SECONDS


def test_a_preview_tells_pages_of_several_versions() -> None:
    preview = site_preview.SitePreview()
    for folder in ("1.0", "stable"):
        for number in range(10):
            preview.add(ListedPage(f"https://example.org/{folder}/{number}", f"{folder}/{number}", "sitemap", "", ""))
    assert preview.taken == 20
    assert preview.of_versions.startswith("10 pages are older versions of others: 1.0 (10).")
