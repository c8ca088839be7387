"""Sitemaps, as sitemaps.org defines them: XML, an index of others, or plain text, packed or not. It fetches no page.

The protocol's own limits hold: 50,000 URLs and 50 MB unpacked a file. Document types are refused, and with them every entity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

import defusedxml
from defusedxml.sax import parseString

from collections_app.clients.bodies import unpack_gzip
from collections_app.clients.http import FetchedPage, check_status
from collections_app.exceptions import FetchError, IngestError
from collections_app.sources.site.guesses import UnreadSeed, is_absent, is_unclear
from collections_app.sources.site.robots import Fetch
from collections_app.sources.site.urls import MAX_URL_LENGTH

MAX_SITEMAP_BYTES = 50 * 1024 * 1024
MAX_SITEMAP_URLS = 50_000
MAX_SITEMAPS = 500
MAX_DEPTH = 3

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class SitemapUrl:
    """A page's URL as it stands in the sitemap `found_on`."""

    url: str
    found_on: str


@dataclass(frozen=True, slots=True)
class _Waiting:
    url: str
    depth: int
    is_guessed: bool


def iter_sitemap(promised: Sequence[str], guessed: Sequence[str], fetch: Fetch) -> Iterator[SitemapUrl | UnreadSeed]:
    """The URLs of these sitemaps and of those they name. `guessed` ones may be missing."""
    waiting = deque(_Waiting(url, 0, is_guessed=url not in promised) for url in dict.fromkeys((*promised, *guessed)))
    seen = {each.url for each in waiting}
    while waiting:
        sitemap = waiting.popleft()
        try:
            page = fetch(sitemap.url)
            if sitemap.is_guessed and is_absent(page):
                continue
            if sitemap.is_guessed and is_unclear(page):
                yield UnreadSeed(sitemap.url)
                continue
            for url, is_sitemap in _iter_locations(page):
                if not is_sitemap:
                    yield SitemapUrl(url, sitemap.url)
                elif url not in seen and sitemap.depth < MAX_DEPTH and len(seen) < MAX_SITEMAPS:
                    seen.add(url)
                    waiting.append(_Waiting(url, sitemap.depth + 1, is_guessed=False))
        except IngestError as error:
            yield UnreadSeed(sitemap.url, error)


def _iter_locations(page: FetchedPage) -> Iterator[tuple[str, bool]]:
    """A sitemap's URLs, and of each whether it is a sitemap's."""
    check_status(page)
    content = unpack_gzip(page.content, MAX_SITEMAP_BYTES) if page.content.startswith(_GZIP_MAGIC) else page.content
    yield from read_sitemap(content)


def read_sitemap(content: bytes) -> Iterator[tuple[str, bool]]:
    """The URLs of one unpacked file, and of each whether it is a sitemap's. Raises FetchError for what is no sitemap."""
    if content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return iter(_read_xml(content))
    return _iter_text(content)


def _iter_text(content: bytes) -> Iterator[tuple[str, bool]]:
    for line in content.decode("utf-8-sig", "replace").splitlines():
        if line.strip().startswith(("http://", "https://")):
            yield line.strip(), False


def _read_xml(content: bytes) -> list[tuple[str, bool]]:
    locations = _Locations()
    try:
        parseString(content, locations, forbid_dtd=True)
    except defusedxml.DefusedXmlException:
        raise FetchError(
            "This sitemap declares a document type or entities, which is refused. Ask its owner."
        ) from None
    except (SAXException, ValueError, LookupError):
        raise FetchError("This sitemap is not valid XML. Its owner has to mend it.") from None
    return locations.found


class _Locations(ContentHandler):
    """Collects `url/loc` and `sitemap/loc`, under the prefix that the root has: `image:loc` and the like are something else."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []
        self._prefix: str | None = None
        self._parent = ""
        self._text: str | None = None

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        prefix, _, local_name = name.rpartition(":")
        if self._prefix is None:
            self._prefix = prefix
        if prefix == self._prefix and local_name in ("url", "sitemap"):
            self._parent = local_name
        self._text = "" if prefix == self._prefix and local_name == "loc" else None

    def characters(self, content: str) -> None:
        if self._text is not None and len(self._text) < MAX_URL_LENGTH:
            self._text += content

    def endElement(self, name: str) -> None:  # noqa: N802
        if self._text is not None:
            self._add(self._text.strip())
        self._text = None

    def _add(self, url: str) -> None:
        if len(self.found) >= MAX_SITEMAP_URLS:
            raise FetchError(f"This sitemap has more than {MAX_SITEMAP_URLS:,} URLs, the most that its format allows.")
        self.found.append((url, self._parent == "sitemap"))
