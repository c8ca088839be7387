"""Files that name pages, looked for where sites usually have them: whether one is there, as the answer tells. It fetches none."""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.clients.http import FetchedPage, check_status
from collections_app.exceptions import IngestError

_ABSENT = (404, 410)
_TOO_MANY_REQUESTS = 429
_HTML_STARTS = (b"<!doctype html", b"<html")


@dataclass(frozen=True, slots=True)
class UnreadSeed:
    """A file of pages that could not be read. Without an `error` it is not certain that there is one."""

    url: str
    error: IngestError | None = None


def is_absent(page: FetchedPage) -> bool:
    return page.status in _ABSENT


def is_unclear(page: FetchedPage) -> bool:
    """Neither the file nor that there is none: a page in its place (a login, or what the site answers for all that is missing),
    or a refusal. Raises FetchError for what the site itself calls a failure, or busy."""
    if is_html(page):
        return True
    if 400 <= page.status < 500 and page.status != _TOO_MANY_REQUESTS:
        return True
    check_status(page)
    return False


def is_html(page: FetchedPage) -> bool:
    return page.is_success and (
        page.media_type == "text/html" or page.content[:200].lstrip().lower().startswith(_HTML_STARTS)
    )
