"""A page as a crawler sees it: fetched, with what it says about itself and where it leads. Does not decide where to go next."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collections_app.clients.http import FetchedPage
from collections_app.exceptions import IngestError, ParseError
from collections_app.parsing.html import read_page
from collections_app.sources.site.candidates import Candidate
from collections_app.sources.site.fetching import Fetcher
from collections_app.sources.site.llms_txt import iter_links
from collections_app.sources.site.media_types import ACCEPT, HTML, MARKDOWN, may_be_document
from collections_app.sources.site.robots import Directives, Robots, read_directives
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.urls import find_url

MAX_HOPS = 5
NOT_MODIFIED = 304

_NO_DIRECTIVES = Directives()

FetchState = Mapping[str, Any]
"""What is kept with a document until the next reading; made by judging.py."""


@dataclass(frozen=True, slots=True)
class Signposts:
    """What a page says to crawlers, with absolute URLs, as written. `translations` are pairs of language tag and URL."""

    links: tuple[str, ...] = ()
    canonical: str = ""
    refresh_url: str = ""
    is_frameset: bool = False
    is_menu: bool = False
    language: str = ""
    markdown_url: str = ""
    translations: tuple[tuple[str, str], ...] = ()
    directives: Directives = _NO_DIRECTIVES


_NO_SIGNPOSTS = Signposts()


@dataclass(frozen=True, slots=True)
class Visit:
    """A page's answer, of any status. `markdown` is its text as the site itself serves it, if it does so at another URL. `is_soft_404`: the
    site answers in this way for every page that does not exist."""

    answer: FetchedPage
    signposts: Signposts = field(default_factory=Signposts)
    markdown: FetchedPage | None = None
    is_soft_404: bool = False

    @property
    def has_page(self) -> bool:
        """Whether the page exists, even if it was not sent again."""
        if self.is_soft_404:
            return False
        return self.answer.status == NOT_MODIFIED or (self.answer.is_success and not self.answer.redirect_url)


class Visitor:
    """Visits pages, from several threads at once. `markdown_urls` (path → URL) are those in llms.txt. Pages in `read_already` count as
    unchanged, without a request."""

    def __init__(
        self,
        scope: Scope,
        robots: Robots,
        fetcher: Fetcher,
        known: Mapping[str, FetchState],
        max_file_bytes: int,
        read_already: Collection[str] = (),
    ) -> None:
        self.markdown_urls: dict[str, str] = {}
        self._scope = scope
        self._robots = robots
        self._fetcher = fetcher
        self._known = known
        self._max_file_bytes = max_file_bytes
        self._read_already = read_already

    def visit(self, candidate: Candidate) -> Visit:
        """Raises FetchError and FileTooLarge."""
        answer, signposts = self.follow(candidate)
        if not answer.is_success or answer.redirect_url:
            return Visit(answer, signposts)
        return Visit(answer, signposts, self._find_markdown(candidate, answer, signposts))

    def follow(self, candidate: Candidate) -> tuple[FetchedPage, Signposts]:
        """The answer, after redirects between spellings of the URL, and what it says to crawlers. Raises as visit() does."""
        url = candidate.url
        for _ in range(MAX_HOPS):
            answer, signposts = self._ask(url, candidate)
            page = self._scope.find_page(answer.redirect_url) if answer.redirect_url else None
            if page is None or self._scope.make_path(page) != candidate.path:
                break
            url = answer.redirect_url
        return answer, signposts

    def _ask(self, url: str, candidate: Candidate) -> tuple[FetchedPage, Signposts]:
        """A page that forwards its readers (`<meta http-equiv="refresh">`) counts as a redirect."""
        if url in self._read_already and self._known.get(url):
            return FetchedPage(url, NOT_MODIFIED, "", b"", {}), _NO_SIGNPOSTS
        answer = self._fetcher.request(
            url,
            headers={"Accept": ACCEPT, **make_conditions(self._known.get(url, {}))},
            max_bytes=self._max_file_bytes,
            follow_redirects=False,
            wants_body=lambda media_type: may_be_document(media_type, candidate.path),
        )
        signposts = read_signposts(answer) if answer.is_success else _NO_SIGNPOSTS
        return replace(answer, redirect_url=answer.redirect_url or signposts.refresh_url), signposts

    def _find_markdown(self, candidate: Candidate, answer: FetchedPage, signposts: Signposts) -> FetchedPage | None:
        named = self.markdown_urls.get(candidate.path) or signposts.markdown_url
        url = find_url(named) if named and answer.media_type in HTML else None
        if url is None or not url.startswith(f"{self._scope.origin}/") or not self._robots.allows(url):
            return None
        try:
            page = self._fetcher.request(url, max_bytes=self._max_file_bytes, follow_redirects=False)
        except IngestError:
            return None  # the page itself is there
        is_text = page.media_type in MARKDOWN or page.media_type == "text/plain"
        return page if page.is_success and is_text and page.content.strip() else None


def find_told_language(visit: Visit, known: Mapping[str, FetchState]) -> str:
    """The tag that the page tells, now or at the last reading; empty where it told none."""
    language: str = visit.signposts.language or known.get(visit.answer.final_url, {}).get("language", "")
    return language


def make_conditions(state: FetchState) -> dict[str, str]:
    """The headers of a conditional request (RFC 9110, 13.1). Leaves out values that are not ASCII, as entity tags may be: httpx cannot send
    them."""
    headers = {"If-None-Match": state.get("etag"), "If-Modified-Since": state.get("last_modified")}
    return {name: value for name, value in headers.items() if value and value.isascii()}


def read_signposts(page: FetchedPage) -> Signposts:
    asked = read_directives(page.headers.get("x-robots-tag", ""))
    if page.media_type in MARKDOWN:
        return Signposts(read_markdown_links(page), directives=asked)
    if page.media_type not in HTML:
        return Signposts(directives=asked)
    try:
        facts = read_page(page.content, page.content_type, page.final_url)
    except ParseError:
        return Signposts(directives=asked)  # reported when the document is parsed
    return Signposts(
        links=facts.links,
        canonical=facts.canonical_url,
        refresh_url=facts.refresh_url,
        is_frameset=facts.is_frameset,
        is_menu=facts.is_menu,
        language=facts.language,
        markdown_url=next((each.url for each in facts.alternates if each.media_type in MARKDOWN), ""),
        translations=tuple((each.language, each.url) for each in facts.alternates if each.language),
        directives=Directives(facts.is_noindex or asked.no_index, facts.is_nofollow or asked.no_follow),
    )


def read_markdown_links(page: FetchedPage) -> tuple[str, ...]:
    """The URLs that a Markdown text links to, each once."""
    found = (find_url(link, page.final_url) for link in iter_links(page.content.decode(errors="replace")))
    return tuple(dict.fromkeys(url for url in found if url))
