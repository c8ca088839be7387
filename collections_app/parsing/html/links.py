"""Resolves the links of a page, to absolute addresses if the page's own is known. It follows none."""

from __future__ import annotations

import posixpath
from urllib.parse import parse_qsl, unquote, urldefrag, urljoin, urlsplit, urlunsplit

from collections_app.parsing.html.tree import Element

_NOT_FOLLOWED = ("javascript:", "data:", "about:", "blob:", "vbscript:")
_SAFE_LINKS = ".safelinks.protection.outlook.com"
_MAX_FORWARD_FIELDS = 20
_MAX_BASE_CHARACTERS = 2000  # every relative link of the page is appended to it
_QUOTED = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", '"': "%22"})
_REMOVED = str.maketrans("", "", "\t\r\n")


class LinkResolver:
    """Resolves the links of one page. Without `page_url`, relative links stay as they are, and `page_path` shows which of them lead to the
    page itself: generators of references write the page's name before its own fragments.
    """

    def __init__(self, page_url: str, base_href: str = "", page_path: str = "") -> None:
        self._page_path = "" if page_url else page_path
        self._is_known = bool(page_url or urlsplit(base_href).netloc)
        self._page_url = urldefrag(page_url).url
        self._base_url = join_url(page_url, base_href) if base_href else page_url
        self._pages: dict[str, str] = {}

    def find_target(self, href: str) -> str:
        """The address, escaped for a Markdown link; empty for targets on the page itself and for scripts."""
        place, sign, fragment = href.partition("#")
        page = self._pages.get(place)
        if page is None:
            page = self._pages[place] = self._resolve_page(place.strip().translate(_REMOVED))
        whole = page if "#" in page else f"{page}{sign}{fragment}"  # a forwarded address may have its own fragment
        return quote_address(whole) if page else ""

    def _resolve_page(self, place: str) -> str:
        if not place or place[:12].lower().startswith(_NOT_FOLLOWED):
            return ""
        url = join_url(self._base_url, place) if self._is_known else join_paths(self._base_url, place)
        url = _find_forwarded(url) or url
        return "" if url == self._page_url or (self._page_path and is_own_path(url, self._page_path)) else url


class OwnLinks(LinkResolver):
    """Links in a fragment of another document: they stay as they are, and may lead to targets in that document."""

    def __init__(self) -> None:
        super().__init__("")

    def find_target(self, href: str) -> str:
        return quote_address(href.strip()) if href.strip().startswith("#") else super().find_target(href)


def quote_address(address: str) -> str:
    """The address, escaped for a Markdown link."""
    return address.translate(_QUOTED)


def _find_forwarded(url: str) -> str:
    """The target in an address of Google Docs (`google.com/url?q=…`) or Outlook, which they put in place of the author's; empty
    for others.
    """
    if "?" not in url or not url.startswith(("http://", "https://")):
        return ""
    try:
        address = urlsplit(url)
        said = dict(parse_qsl(address.query, max_num_fields=_MAX_FORWARD_FIELDS))
    except ValueError:
        return ""
    host = address.netloc.lower()
    is_google = host in ("www.google.com", "google.com") and address.path == "/url"
    target = (
        said.get("q") or said.get("url", "") if is_google else said.get("url", "") if host.endswith(_SAFE_LINKS) else ""
    )
    return target.translate(_REMOVED) if target.startswith("mailto:") or _has_host(target) else ""


def _has_host(address: str) -> bool:
    try:
        return address.startswith(("http://", "https://")) and bool(urlsplit(address).hostname)
    except ValueError:
        return False


def is_own_path(address: str, page_path: str) -> bool:
    """Whether a relative address on the page at `page_path` leads to that page."""
    try:
        target = urlsplit(address)
    except ValueError:
        return False
    if target.netloc or target.scheme or target.query or not target.path:
        return False
    joined = posixpath.join(posixpath.dirname(page_path), unquote(target.path))
    return posixpath.normpath(joined) == page_path


def join_paths(base_path: str, href: str) -> str:
    """The target of a relative address on a page whose base is relative too; `urljoin` would drop leading dots."""
    try:
        target = urlsplit(href)
    except ValueError:
        return ""
    if not base_path or target.scheme or target.netloc or not target.path or target.path.startswith("/"):
        return join_url(base_path, href)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base_path), target.path))
    path = f"./{path}" if ":" in path.partition("/")[0] else path  # it would look like a scheme
    return urlunsplit(("", "", f"{path}/" if target.path.endswith("/") else path, target.query, ""))


def join_url(base_url: str, href: str) -> str:
    """The address of `href` on the page at `base_url`; empty if one of them is malformed."""
    try:
        return urljoin(base_url, href.strip())
    except ValueError:
        return ""


def find_base_href(root: Element) -> str:
    """The page's first `<base href>` (WHATWG HTML, section 4.2.3); empty if there is none, or if it is too long for an address."""
    href = next((base.get("href", "") for base in root.iter("base") if base.get("href")), "")
    return href if len(href) <= _MAX_BASE_CHARACTERS else ""
