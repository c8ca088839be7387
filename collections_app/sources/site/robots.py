"""What a site asks of crawlers: robots.txt (RFC 9309), and the header X-Robots-Tag. Fetches the one file, once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from protego import Protego

from collections_app.clients.http import PRODUCT_TOKEN, FetchedPage
from collections_app.exceptions import FetchError, IngestError

MAX_ROBOTS_BYTES = 500 * 1024  # RFC 9309, 2.5
MAX_CRAWL_DELAY_SECONDS = 300

Fetch = Callable[[str], FetchedPage]


class Robots:
    """The rules of one robots.txt, for this crawler."""

    def __init__(self, text: str) -> None:
        self._rules = Protego.parse(text)
        self.crawl_delay_seconds = self._rules.crawl_delay(PRODUCT_TOKEN) or 0.0
        self.sitemaps = tuple(self._rules.sitemaps)

    def allows(self, url: str) -> bool:
        return self._rules.can_fetch(url, PRODUCT_TOKEN)


def fetch_robots(origin: str, fetch: Fetch) -> Robots:
    """The rules of an origin such as `https://example.org`. A site without the file allows everything (RFC 9309, 2.3.1.3).

    Raises FetchError if the file cannot be had, which forbids everything (2.3.1.4), and if the delay that it asks for is too long.
    """
    try:
        page = fetch(f"{origin}/robots.txt")
    except IngestError as error:
        raise FetchError(f"The site's robots.txt cannot be read, so nothing else is. {error.message}") from None
    if page.status >= 500 or page.status == 429:
        raise FetchError(
            f"The site answers {page.status} for its robots.txt, so nothing else is read. Try again later.",
            status=page.status,
        )
    robots = Robots(page.content[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace") if page.is_success else "")
    _check_delay(robots.crawl_delay_seconds)
    return robots


def _check_delay(seconds: float) -> None:
    if not 0 <= seconds <= MAX_CRAWL_DELAY_SECONDS or math.isnan(seconds):
        raise FetchError(
            f"The site's robots.txt asks crawlers to wait {seconds:g} seconds between pages; "
            f"at most {MAX_CRAWL_DELAY_SECONDS} are waited. Ask its owner, or take its documentation from another source."
        )


@dataclass(frozen=True, slots=True)
class Directives:
    """What is asked for one page."""

    no_index: bool = False
    no_follow: bool = False


def read_directives(header: str) -> Directives:
    """From the header X-Robots-Tag, several joined by commas. What is asked of another crawler (`googlebot: noindex`) does not count."""
    words = set(_iter_words(header))
    return Directives(no_index=bool(words & {"noindex", "none"}), no_follow=bool(words & {"nofollow", "none"}))


def _iter_words(header: str) -> Iterable[str]:
    crawler = PRODUCT_TOKEN
    for part in header.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"):
            crawler, part = name.strip(), rest
        if crawler == PRODUCT_TOKEN:
            yield part.strip()
