"""Sitemaps, as sitemaps.org defines them: XML, an index of others, or plain text, compressed or not. Fetches none.

The protocol's own limits apply: 50,000 URLs and 50 MB (uncompressed) per file. Document types are refused, and with them every entity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

import defusedxml
from defusedxml.sax import parseString

from collections_app.clients.bodies import unpack_gzip
from collections_app.exceptions import FetchError
from collections_app.sources.site.urls import MAX_URL_LENGTH

MAX_SITEMAP_BYTES = 50 * 1024 * 1024
MAX_SITEMAP_URLS = 50_000

_GZIP_MAGIC = b"\x1f\x8b"


class Location(NamedTuple):
    """A URL in a sitemap: of a page, or of another sitemap."""

    url: str
    is_sitemap: bool


def read_sitemap(content: bytes) -> Iterator[Location]:
    """The URLs in one file. Raises FetchError if it is no sitemap."""
    if content.startswith(_GZIP_MAGIC):
        content = unpack_gzip(content, MAX_SITEMAP_BYTES)
    if content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return iter(_read_xml(content))
    return _iter_text(content)


def _iter_text(content: bytes) -> Iterator[Location]:
    for line in content.decode("utf-8-sig", "replace").splitlines():
        if line.strip().startswith(("http://", "https://")):
            yield Location(line.strip(), is_sitemap=False)


def _read_xml(content: bytes) -> list[Location]:
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
    """Collects `url/loc` and `sitemap/loc`, in the namespace prefix of the root: `image:loc` and the like are something else."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Location] = []
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
        self.found.append(Location(url, self._parent == "sitemap"))
