"""What a site answers for a page that it does not have, where its status does not tell: as for an address that nobody can have made."""

from __future__ import annotations

import re
from functools import cached_property, partial
from secrets import token_hex
from typing import Self
from urllib.parse import unquote

from collections_app.clients.http import FetchedPage
from collections_app.exceptions import IngestError, ParseError
from collections_app.parsing.html import read_text
from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.fetching import Fetcher
from collections_app.sources.site.media_types import HTML
from collections_app.sources.site.pages import NOT_MODIFIED, Visit, Visitor
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope

_WORD = re.compile(r"\b[^\W\d]+\b")


class Soft404s:
    """Those of one site. The site is asked for its own once there is a page to be told from it, whatever was read before."""

    def __init__(self, scope: Scope, start_url: str, robots: Robots, fetcher: Fetcher, max_file_bytes: int) -> None:
        self._scope = scope
        self._start_url = start_url
        self._robots = robots
        self._fetcher = fetcher
        self._visitor = Visitor(scope, robots, fetcher, {}, max_file_bytes)

    def have(self, candidate: Candidate, visit: Visit) -> bool:
        """Whether the site shows this for what it does not have. A page whose Markdown the site has elsewhere is there. Raises Stopped."""
        is_shown = visit.has_page and visit.answer.status != NOT_MODIFIED and visit.markdown is None
        if candidate.found_in is FoundIn.START or not (is_shown or visit.answer.redirect_url):
            return False
        return self._not_found_page is not None and self._not_found_page.is_alike(visit.answer)

    @cached_property
    def _not_found_page(self) -> NotFoundPage | None:
        find = partial(NotFoundPage.find, self._scope, self._start_url, self._robots, self._visitor)
        return self._fetcher.run(find)


class NotFoundPage:
    """A page that is shown for what does not exist, or redirected to. `redirect_url` as in FetchedPage."""

    def __init__(self, answer: FetchedPage) -> None:
        self._redirect_url = answer.redirect_url
        self._media_type = answer.media_type
        self._url = answer.final_url
        self._words = [] if answer.redirect_url else _read_words(answer)

    @classmethod
    def find(cls, scope: Scope, start_url: str, robots: Robots, visitor: Visitor) -> Self | None:
        """The site's page of this kind. None if its status tells; also if the start page looks the same: then scripts write all pages, or
        all lead to a login, and nothing can be concluded. Requests one address, and the start page if that answers."""
        url = f"{scope.prefix}{token_hex(8)}"
        if not robots.allows(url):
            return None
        try:
            answer = _ask(url, scope, visitor)
            if not (answer.is_success or answer.redirect_url):
                return None
            page = cls(answer)
            return None if page.is_alike(_ask(start_url, scope, visitor)) else page
        except IngestError:
            return None

    def is_alike(self, answer: FetchedPage) -> bool:
        """Whether the answer says the same as this page, apart from its address and numbers, or leads to the same place."""
        if self._redirect_url or answer.redirect_url:
            return self._redirect_url == answer.redirect_url
        if not self._words or answer.media_type != self._media_type:
            return False
        named = {*_list_words(unquote(self._url)), *_list_words(unquote(answer.final_url))}
        own, other = ([word for word in words if word not in named] for words in (self._words, _read_words(answer)))
        return own == other


def _ask(url: str, scope: Scope, visitor: Visitor) -> FetchedPage:
    answer, _ = visitor.follow(Candidate(url, scope.make_path(url), FoundIn.REQUEST))
    return answer


def _read_words(page: FetchedPage) -> list[str]:
    """Empty for a page that cannot be read."""
    try:
        is_html = page.media_type in HTML
        return _list_words(
            read_text(page.content, page.content_type) if is_html else page.content.decode("utf-8", "replace")
        )
    except ParseError:
        return []


def _list_words(text: str) -> list[str]:
    """The words without digits."""
    return _WORD.findall(text.casefold())
