"""Which pages a site would give, looked up within a deadline while somebody waits. It takes and stores nothing.

Refuses to hold more than a few of the server's threads: one preview too many is asked to come again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from time import monotonic
from typing import cast

from django.conf import settings

from collections_app.clients.http import HttpClient
from collections_app.exceptions import UpstreamUnavailable
from collections_app.naming.version_folders import count_outdated, describe_outdated
from collections_app.sources.selection import DEFAULT_MAX_FILE_BYTES
from collections_app.sources.site import ListedPage, SiteOptions, list_site

PREVIEW_SECONDS = 10.0
# Of one fetch: the deadline is looked at between fetches.
FETCH_SECONDS = 5.0
SHOWN_PAGES = 100
MOST_PAGES = 2_000
PREVIEWS_AT_ONCE = 2
RETRY_SECONDS = 10

_places = BoundedSemaphore(PREVIEWS_AT_ONCE)


@dataclass(slots=True)
class SitePreview:
    """`paths` are those of the pages that would be taken, `shown` the first of these pages, `left_out` counts the others by reason;
    `is_whole` is false where the site has more than was looked at."""

    paths: list[str] = field(default_factory=list)
    shown: list[ListedPage] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    is_whole: bool = True

    def add(self, page: ListedPage) -> None:
        if page.reason:
            self.left_out[page.reason] += 1
            return
        self.paths.append(page.path)
        if self.taken <= SHOWN_PAGES:
            self.shown.append(page)

    @property
    def taken(self) -> int:
        return len(self.paths)

    @property
    def of_versions(self) -> str:
        """What is to be said of pages in several versions; empty for none."""
        return describe_outdated(count_outdated(self.paths))

    @property
    def looked_at(self) -> int:
        return self.taken + self.left_out_count

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Why pages would be left out, and how many for that; the commonest first, equally common ones by name."""
        return sorted(self.left_out.items(), key=lambda each: (-each[1], each[0]))

    @property
    def left_out_count(self) -> int:
        return self.left_out.total()


def preview_site(options: SiteOptions, *, clock: Callable[[], float] = monotonic) -> SitePreview:
    """What a run over the site would take, as far as PREVIEW_SECONDS or MOST_PAGES go.

    Raises what reading the site raises, and UpstreamUnavailable while as many others are looked up as may be.
    """
    if not _places.acquire(blocking=False):
        raise UpstreamUnavailable(
            "Other sites are being looked at. Try again in some seconds.", retry_after=RETRY_SECONDS
        )
    try:
        return look_at(options, clock)
    finally:
        _places.release()


def look_at(options: SiteOptions, clock: Callable[[], float]) -> SitePreview:
    config = settings.DOCSMCP
    deadline, preview = clock() + PREVIEW_SECONDS, SitePreview()

    def is_over() -> bool:
        return clock() >= deadline

    # Somebody may have raised it for a run; here each of the pages that are fetched at once is held in the web server's memory.
    options = options.model_copy(update={"max_file_bytes": min(options.max_file_bytes, DEFAULT_MAX_FILE_BYTES)})
    client = HttpClient(
        config.fetch_allowed_hosts,
        timeout_seconds=min(config.fetch_timeout, FETCH_SECONDS),
        max_connections=config.max_concurrent_fetches,
    )
    listed = cast("Generator[ListedPage]", list_site(options, client, is_over))
    with client, closing(listed) as pages:
        for page in pages:
            preview.add(page)
            if is_over() or preview.looked_at >= MOST_PAGES:
                break
    preview.is_whole = not is_over() and preview.looked_at < MOST_PAGES
    return preview
