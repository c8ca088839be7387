"""Which pages a site names by itself: its sitemaps, then its llms.txt. It offers them in that order and judges none."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from collections_app.clients.http import FetchedPage
from collections_app.exceptions import IngestError
from collections_app.sources.site.fetching import Fetcher
from collections_app.sources.site.guesses import UnreadSeed, is_absent, is_unclear
from collections_app.sources.site.pages import read_markdown_links
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.sitemap import MAX_SITEMAP_BYTES, SitemapUrl, iter_sitemap

MAX_LLMS_TXT_BYTES = 5 * 1024 * 1024


def iter_sitemap_pages(scope: Scope, robots: Robots, fetcher: Fetcher) -> Iterator[SitemapUrl | UnreadSeed]:
    """What the sitemaps that robots.txt names say, and those that lie where sitemaps usually do. Raises Stopped."""

    def fetch(url: str) -> FetchedPage:
        return fetcher.run(lambda: fetcher.request(url, max_bytes=MAX_SITEMAP_BYTES))

    promised = [_make_absolute(sitemap, scope) for sitemap in robots.sitemaps]
    yield from iter_sitemap(promised, _list_places(scope, robots, "sitemap.xml"), fetch)


def _make_absolute(sitemap: str, scope: Scope) -> str:
    """As it stands where it is no URL: the fetch says so."""
    try:
        return urljoin(f"{scope.origin}/", sitemap)
    except ValueError:
        return sitemap


def iter_llms_txt_links(scope: Scope, robots: Robots, fetcher: Fetcher) -> Iterator[tuple[str, str] | UnreadSeed]:
    """The URLs that llms.txt links to, and that of the llms.txt. A site without one has none. Raises Stopped."""
    for place in _list_places(scope, robots, "llms.txt"):
        try:
            page = fetcher.run(lambda place=place: fetcher.request(place, max_bytes=MAX_LLMS_TXT_BYTES))  # type: ignore[misc]
            if is_absent(page):
                continue
            if is_unclear(page):
                yield UnreadSeed(place)
                continue
        except IngestError as error:
            yield UnreadSeed(place, error)
            continue
        yield from ((url, place) for url in read_markdown_links(page))


def _list_places(scope: Scope, robots: Robots, name: str) -> list[str]:
    """Below the prefix, and at the site's root."""
    places = dict.fromkeys((f"{scope.prefix}{name}", f"{scope.origin}/{name}"))
    return [place for place in places if robots.allows(place)]
