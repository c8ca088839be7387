"""The page at which a crawl begins: it must be there, and tells the scheme and the language of its site."""

from __future__ import annotations

from collections.abc import Mapping

from collections_app.clients.http import PRODUCT_TOKEN, FetchedPage
from collections_app.exceptions import FetchError
from collections_app.sources.site.languages import choose_language
from collections_app.sources.site.pages import FetchState, Visit, find_told_language
from collections_app.sources.site.robots import Robots
from collections_app.sources.site.scope import Scope


def check_allowed(url: str, robots: Robots) -> None:
    """Raises FetchError."""
    if not robots.allows(url):
        raise FetchError(f"The site's robots.txt does not allow {PRODUCT_TOKEN} to read {url}. Ask its owner.")


def learn_from_start(visit: Visit, scope: Scope, known: Mapping[str, FetchState], likely_language: str) -> None:
    """Set the scheme and the language of the scope. Raises FetchError where the page leads out of it."""
    _check_within(visit.answer, scope)
    scope.adopt_scheme(visit.answer.final_url)
    language = find_told_language(visit, known) or likely_language
    scope.language = scope.language or choose_language(language)


def _check_within(answer: FetchedPage, scope: Scope) -> None:
    if answer.redirect_url and scope.find_page(answer.redirect_url) is None:
        raise FetchError(
            f"The start page redirects to {answer.redirect_url}, which is not below {scope.prefix}. "
            "Give that address instead."
        )
