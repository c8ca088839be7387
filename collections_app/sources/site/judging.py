"""What becomes of a visited page: a document, or the reason why not; and which pages it leads to. Fetches nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collections_app.clients.http import FetchedPage, check_status
from collections_app.exceptions import FetchError
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile, SourceFile, UnchangedFile
from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.languages import is_other_language
from collections_app.sources.site.media_types import may_be_document
from collections_app.sources.site.pages import NOT_MODIFIED, FetchState, Visit
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.skips import Skip, SkipReason

MAX_KEPT_LINKS = 300

_GONE = (404, 410)

Lead = tuple[str, FoundIn]
"""A page of the site that another leads to: its URL, and by what."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`outcome` is a Skip if the page is neither a document nor a failure. `is_there` says whether the page exists.

    `canonical_url` is the site's page that this page names as canonical. `translations` are pages in other languages.
    """

    outcome: SourceFile | Skip
    leads: tuple[Lead, ...] = ()
    is_there: bool = False
    canonical_url: str = ""
    translations: tuple[str, ...] = ()


def judge(candidate: Candidate, visit: Visit, scope: Scope, state: FetchState) -> Verdict:
    """`state` is what the last reading kept of the page. Raises FetchError for an answer that is a failure."""
    answer = visit.answer
    if visit.is_soft_404:
        return replace(_judge_absence(candidate, visit), leads=_list_redirect(answer, scope))
    if answer.redirect_url:
        return _judge_redirect(answer, scope)
    if answer.status == NOT_MODIFIED and state:
        links = [scope.find_page(link, scope.prefix) for link in state.get("links", ())]
        return Verdict(UnchangedFile(candidate.path), _make_leads(links), is_there=True)
    if answer.status in _GONE:
        return _judge_absence(candidate, visit)
    check_status(answer)
    if not may_be_document(answer.media_type, candidate.path):
        return Verdict(Skip(SkipReason.NO_DOCUMENT, answer.media_type))
    return _judge_page(candidate, visit, scope)


def _judge_redirect(answer: FetchedPage, scope: Scope) -> Verdict:
    if leads := _list_redirect(answer, scope):
        return Verdict(Skip(SkipReason.REDIRECTED, leads[0][0]), leads)
    return Verdict(Skip(SkipReason.LEADS_OUT, answer.redirect_url))


def _list_redirect(answer: FetchedPage, scope: Scope) -> tuple[Lead, ...]:
    """The page of the site that it redirects to, which may then be read too: for a soft 404, nothing else may lead there."""
    page = scope.find_page(answer.redirect_url) if answer.redirect_url else None
    return ((page, FoundIn.REDIRECT),) if page else ()


def _judge_absence(candidate: Candidate, visit: Visit) -> Verdict:
    """A dead link is the fault of the page with the link; a page that the site promised is missing."""
    status = visit.answer.status
    how = "soft 404" if visit.is_soft_404 else str(status)
    if not candidate.is_promised:
        return Verdict(Skip(SkipReason.MISSING, how))
    promise = "" if candidate.found_in is FoundIn.START else f", although its {candidate.found_in} names it"
    message = f"The site has no such page ({how}){promise}."
    return Verdict(RefusedFile(candidate.path, FetchError(message, status=status), candidate.url))


def _judge_page(candidate: Candidate, visit: Visit, scope: Scope) -> Verdict:
    signposts = visit.signposts
    translations = [
        page
        for tag, url in signposts.translations
        if tag != "x-default" and is_other_language(tag, scope.language) and (page := scope.find_page(url))
    ]
    links = [] if signposts.directives.no_follow else [scope.find_page(link) for link in signposts.links]
    leads = _make_leads(links)
    if is_other_language(signposts.language, scope.language):
        own = [
            scope.find_page(url) for tag, url in signposts.translations if not is_other_language(tag, scope.language)
        ]
        is_start = candidate.found_in is FoundIn.START
        return Verdict(Skip(SkipReason.OTHER_LANGUAGE, signposts.language), leads if is_start else _make_leads(own))
    if signposts.directives.no_index:
        return Verdict(Skip(SkipReason.NO_INDEX), leads)
    if signposts.is_frameset:
        return Verdict(Skip(SkipReason.FRAMESET), leads)
    if signposts.is_menu and candidate.found_in is not FoundIn.START:
        return Verdict(Skip(SkipReason.FOR_BROWSING), leads)
    canonical = (scope.find_page(signposts.canonical) if signposts.canonical else None) or ""
    document = _make_document(candidate, visit, [url.removeprefix(scope.prefix) for url, _ in leads])
    return Verdict(document, leads, True, canonical, tuple(translations))


def _make_leads(urls: list[str | None]) -> tuple[Lead, ...]:
    return tuple((url, FoundIn.LINK) for url in dict.fromkeys(urls) if url)


def _make_document(candidate: Candidate, visit: Visit, links: list[str]) -> RawDocument:
    text = visit.markdown or visit.answer
    return RawDocument(
        path=candidate.path,
        content=text.content,
        media_type="text/markdown" if visit.markdown else text.content_type,
        source_url=visit.answer.final_url,
        fetch_state=_make_state(visit, links),
    )


def _make_state(visit: Visit, links: list[str]) -> dict[str, Any]:
    """What a conditional request needs, and what the answer "not modified" leaves out: the links (relative to the prefix).

    Two kinds of pages are always requested in full: one whose text is at another URL, which can change while the page does not, and
    one with very many links, since keeping them would cost more. Of the former, the links are kept for later turns of the job.
    """
    if len(links) > MAX_KEPT_LINKS:
        return {}
    headers = {} if visit.markdown else visit.answer.headers
    state = {
        "etag": headers.get("etag", ""),
        "last_modified": headers.get("last-modified", ""),
        "language": visit.signposts.language,
        "links": links,
    }
    return {name: value for name, value in state.items() if value}
