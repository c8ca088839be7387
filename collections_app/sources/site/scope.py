"""Which pages of a site are asked for: by prefix, pattern, name and language. Handles URLs and fetches none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from collections_app.exceptions import InvalidParameter
from collections_app.sources.built_sites import FOR_BROWSING
from collections_app.sources.globs import compile_globs
from collections_app.sources.site.languages import find_language, is_other_language
from collections_app.sources.site.media_types import is_worth_asking
from collections_app.sources.site.options import SiteOptions
from collections_app.sources.site.skips import Skip, SkipReason
from collections_app.sources.site.urls import find_url, make_path

# What sites have besides their pages: searches, files for programs.
_PASSED_OVER = (
    *FOR_BROWSING,
    "_static/",
    "search.html",
    "/search",
    "llms.txt",
    "llms-full.txt",
    "robots.txt",
    "sitemap*.xml",
)

# `3.12`, `v2.x`, `release-5.2rc1`: what follows the last dot is no extension.
_VERSION = re.compile(r".*\d\.(?:\d\w*|x)", re.IGNORECASE)


class Scope:
    """What belongs to the site: pages below `prefix`, which ends in a slash. `language` may be set once the start page is known. The page
    at `start_path` is taken even if its name looks like one that tools use.

    Raises InvalidParameter for a bad pattern.
    """

    def __init__(
        self,
        prefix: str,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        language: str = "",
    ) -> None:
        self.prefix = prefix
        self.start_path = ""
        self.language = language
        self._included = compile_globs(include or ["**"])
        self._excluded = compile_globs(exclude)
        self._passed_over = compile_globs([glob for glob in _PASSED_OVER if glob not in include])
        self._translations: set[str] = set()
        self._own_folders: set[str] = set()

    @property
    def origin(self) -> str:
        parts = urlsplit(self.prefix)
        return f"{parts.scheme}://{parts.netloc}"

    def find_page(self, href: str, base: str = "") -> str | None:
        """The URL of the site's page that a link means, with the site's scheme; None if it leads out of the site."""
        url = find_url(href, base)
        if url is None:
            return None
        url = self.prefix.partition(":")[0] + url[url.index(":") :]
        return url if f"{url.partition('?')[0]}/".startswith(self.prefix) else None

    def adopt_scheme(self, url: str) -> None:
        """From now on, uses the scheme of this URL of the site."""
        self.prefix = url.partition(":")[0] + self.prefix[self.prefix.index(":") :]

    def make_path(self, url: str) -> str:
        return make_path(url, self.prefix)

    def find_objection(self, path: str, *, is_named: bool = False) -> Skip | None:
        """Why the page is not taken; None if there is no objection. The ending of its name counts only if the site itself does not
        list the page (`is_named`)."""
        if self._excluded.fullmatch(path):
            return Skip(SkipReason.EXCLUDED)
        if not self._included.fullmatch(path):
            return Skip(SkipReason.NOT_INCLUDED)
        if path != self.start_path and self._passed_over.fullmatch(path):
            return Skip(SkipReason.FOR_BROWSING)
        if not is_named and not is_worth_asking(path):
            return Skip(SkipReason.NO_DOCUMENT)
        return Skip(SkipReason.OTHER_LANGUAGE) if path in self._translations else None

    def find_foreign_folder(self, path: str) -> str:
        """The folder in the path that seems to be another language's, such as `de`; empty if there is none, or it is no language's."""
        folder = find_language(path)
        return folder if folder not in self._own_folders and is_other_language(folder, self.language) else ""

    def take_folder(self, folder: str) -> None:
        """Notes that a folder is no language's: `ca/` may be about certificates."""
        self._own_folders.add(folder)

    def rule_out_translation(self, path: str) -> None:
        """Notes that the page with this path was named as a translation into another language."""
        self._translations.add(path)


def make_scope(options: SiteOptions) -> Scope:
    """Raises InvalidParameter for an invalid URL, a bad pattern, and a start page that is not below the prefix."""
    start = get_start_url(options)
    prefix = find_url(options.prefix, start) if options.prefix else _find_folder(start)
    if prefix is None:
        raise InvalidParameter(f"`{options.prefix}` is not a URL. Give a prefix such as https://example.org/docs/.")
    prefix = prefix if prefix.endswith("/") else f"{prefix}/"
    scope = Scope(prefix, options.include, options.exclude, options.language)
    page = scope.find_page(start)
    if page is None:
        raise InvalidParameter(f"The start page {start} is not below the prefix {prefix}. Give a prefix that holds it.")
    scope.start_path = scope.make_path(page)
    return scope


def get_start_url(options: SiteOptions) -> str:
    """Raises InvalidParameter."""
    if url := find_url(options.url):
        return url
    raise InvalidParameter(
        "This is not the URL of a site. Give one such as https://example.org/docs/, without a password."
    )


def _find_folder(url: str) -> str:
    """The folder of the page; a last name without an extension, or that ends in a version, is taken for a folder."""
    address = url.partition("?")[0]
    folder, _, name = address.rpartition("/")
    is_page = "." in name and not _VERSION.fullmatch(name)
    return f"{folder}/" if is_page else f"{address.rstrip('/')}/"
