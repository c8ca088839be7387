"""Pages that a site names by itself: in its sitemaps, then in its llms.txt. They are returned in that order, without judging them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from collections_app.clients.http import FetchedPage, check_status
from collections_app.exceptions import IngestError
from collections_app.sources.site.candidates import FoundIn
from collections_app.sources.site.fetching import Fetcher
from collections_app.sources.site.pages import read_markdown_links
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.sitemap import MAX_SITEMAP_BYTES, read_sitemap

MAX_LLMS_TXT_BYTES = 5 * 1024 * 1024
MAX_SITEMAPS = 500
MAX_SITEMAP_DEPTH = 3

_ABSENT = (404, 410)
_TOO_MANY_REQUESTS = 429
_HTML_STARTS = (b"<!doctype html", b"<html")


@dataclass(frozen=True, slots=True)
class Seed:
    """A page that the site names: its URL as written in the file `found_on`."""

    url: str
    found_in: FoundIn
    found_on: str


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that names pages but could not be read. Without an `error` it is not certain that it exists."""

    url: str
    found_in: FoundIn
    error: IngestError | None = None


@dataclass(frozen=True, slots=True)
class _File:
    """A file that names pages; a guessed one may be missing. `depth`: how many sitemaps lead to it."""

    url: str
    found_in: FoundIn
    is_guessed: bool = True
    depth: int = 0


def iter_seeds(scope: Scope, robots: Robots, fetcher: Fetcher) -> Iterator[Seed | UnreadFile]:
    """From the sitemaps that robots.txt names, and files at the usual places. Raises Stopped."""
    yield from _iter_sitemaps(scope, robots, fetcher)
    for place in _list_places(scope, robots, "llms.txt"):
        page = _fetch(_File(place, FoundIn.LLMS_TXT), fetcher, MAX_LLMS_TXT_BYTES)
        if isinstance(page, UnreadFile):
            yield page
        elif page:
            yield from (Seed(url, FoundIn.LLMS_TXT, place) for url in read_markdown_links(page))


def _iter_sitemaps(scope: Scope, robots: Robots, fetcher: Fetcher) -> Iterator[Seed | UnreadFile]:
    named = [_make_absolute(sitemap, scope) for sitemap in robots.sitemaps]
    urls = dict.fromkeys((*named, *_list_places(scope, robots, "sitemap.xml")))
    waiting = deque(_File(url, FoundIn.SITEMAP, is_guessed=url not in named) for url in urls)
    seen = set(urls)
    while waiting:
        sitemap = waiting.popleft()
        page = _fetch(sitemap, fetcher, MAX_SITEMAP_BYTES)
        if isinstance(page, UnreadFile):
            yield page
        if not isinstance(page, FetchedPage):
            continue
        try:
            locations = read_sitemap(page.content)
        except IngestError as error:
            yield UnreadFile(sitemap.url, FoundIn.SITEMAP, error)
            continue
        for url, is_sitemap in locations:
            if not is_sitemap:
                yield Seed(url, FoundIn.SITEMAP, sitemap.url)
            elif url not in seen and sitemap.depth < MAX_SITEMAP_DEPTH and len(seen) < MAX_SITEMAPS:
                seen.add(url)
                waiting.append(_File(url, FoundIn.SITEMAP, is_guessed=False, depth=sitemap.depth + 1))


def _fetch(file: _File, fetcher: Fetcher, max_bytes: int) -> FetchedPage | UnreadFile | None:
    """None for a guessed file that does not exist."""
    try:
        page = fetcher.run(lambda: fetcher.request(file.url, max_bytes=max_bytes))
        if file.is_guessed and page.status in _ABSENT:
            return None
        if file.is_guessed and _is_unclear(page):
            return UnreadFile(file.url, file.found_in)
        check_status(page)
    except IngestError as error:
        return UnreadFile(file.url, file.found_in, error)
    return page


def _is_unclear(page: FetchedPage) -> bool:
    """Whether the answer is neither the file nor a clear "not found": another page in its place (a login, or what the site shows for
    everything that is missing), or a refusal."""
    return _is_html(page) or (400 <= page.status < 500 and page.status != _TOO_MANY_REQUESTS)


def _is_html(page: FetchedPage) -> bool:
    starts_so = page.content[:200].lstrip().lower().startswith(_HTML_STARTS)
    return page.is_success and (page.media_type == "text/html" or starts_so)


def _make_absolute(sitemap: str, scope: Scope) -> str:
    """Unchanged if it is no URL: the fetch will report that."""
    try:
        return urljoin(f"{scope.origin}/", sitemap)
    except ValueError:
        return sitemap


def _list_places(scope: Scope, robots: Robots, name: str) -> list[str]:
    """Below the prefix, and at the site's root."""
    places = dict.fromkeys((f"{scope.prefix}{name}", f"{scope.origin}/{name}"))
    return [place for place in places if robots.allows(place)]
