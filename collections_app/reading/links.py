"""Resolves the links and images of a document: addresses in, addresses out. It is told which documents exist.

A link to a document of the collection leads to its page here, also by its address in the newest version of their repository; any other
relative link to the source, if that is on the web. Images are shown from the source's own host only: another host would learn who reads.
Schemes other than http, https and mailto lead nowhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urldefrag, urljoin, urlsplit

from collections_app.naming.paths import INDEX_NAMES, iter_files
from collections_app.naming.repository_urls import iter_same_version
from collections_app.reading.addresses import quote_fragment, quote_page

MAX_LINKS = 2_000
MAX_ADDRESS_CHARACTERS = 2_000
# For longer addresses only the file that they name is looked up, since a page may have MAX_LINKS of them.
MAX_GUESSED_CHARACTERS = 300
WEB = ("http", "https")
# Browsers drop these characters, so `java\nscript:` is a scheme for them.
DROPPED_BY_BROWSERS = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Targets:
    """What may be a document of the collection: for each address its paths in order of likelihood, and source URLs."""

    paths: dict[str, list[str]] = field(default_factory=dict)
    urls: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Linker:
    """Resolves the links of one document. `known` are existing documents: path or source URL → path.

    `elsewhere`: the names of its sections that are on another of its pages, if it is long.
    """

    path: str
    source_url: str
    collection_url: str
    known: Mapping[str, str] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()

    def find_targets(self, addresses: Iterable[str]) -> Targets:
        """What to look up so that these addresses can be resolved."""
        targets = Targets()
        host = urlsplit(self.source_url).netloc
        for address in addresses:
            parts = split_address(address)
            if parts is None or len(targets.paths) + len(targets.urls) >= MAX_LINKS:
                continue
            if not parts.scheme and not parts.netloc and parts.path:
                targets.paths[address] = list(self.iter_paths(parts.path))
            elif parts.scheme in WEB and parts.netloc == host:
                targets.urls.update(self.iter_urls(address))
        return targets

    def iter_paths(self, path: str) -> Iterator[str]:
        decoded = unquote(path).replace("\0", "")
        base = "" if decoded.startswith("/") else posixpath.dirname(self.path)
        joined = posixpath.normpath(posixpath.join(base, decoded.lstrip("/")))
        if joined.startswith("../"):
            return
        if joined != ".":
            yield from (joined, f"{joined}.md")
            if len(joined) <= MAX_GUESSED_CHARACTERS:
                yield from iter_files(joined)
        else:
            yield from INDEX_NAMES

    def iter_urls(self, address: str) -> Iterator[str]:
        """The source URLs that a document with this address may have."""
        bare = urldefrag(address)[0]
        yield from (bare, bare.rstrip("/"), f"{bare}/")
        yield from iter_same_version(self.source_url, self.path, bare)

    def resolve(self, tag: str, address: str) -> str | None:
        """To be used as markup.Resolve."""
        parts = split_address(address)
        if parts is None:
            return None
        return self.resolve_image(address) if tag == "img" else self.resolve_link(address, parts)

    def resolve_link(self, address: str, parts: SplitResult) -> str | None:
        if parts.scheme == "mailto":
            return address
        if not parts.scheme and not parts.netloc and not parts.path and not parts.query:
            return self.resolve_fragment(parts.fragment) if parts.fragment else None
        path = self.find_document(address, parts)
        if path is not None:
            fragment = f"#{parts.fragment}" if parts.fragment else ""
            return f"{self.collection_url}{quote_page(path)}{fragment}"
        return self.make_absolute(address)

    def resolve_fragment(self, fragment: str) -> str:
        name = unquote(fragment)
        return f"?at={quote_fragment(name)}" if name and name in self.elsewhere else f"#{fragment}"

    def find_document(self, address: str, parts: SplitResult) -> str | None:
        names = self.iter_urls(address) if parts.scheme else self.iter_paths(parts.path) if parts.path else ()
        return next((self.known[name] for name in names if name in self.known), None)

    def resolve_image(self, address: str) -> str | None:
        absolute = self.make_absolute(address)
        if absolute is None or urlsplit(absolute).netloc != urlsplit(self.source_url).netloc:
            return None
        # /blob/ is a repository's page about the file, not the image itself.
        return absolute.replace("/blob/", "/raw/", 1)

    def make_absolute(self, address: str) -> str | None:
        """The address on the web, relative to the source; None if the source is not there."""
        try:
            absolute = urljoin(self.source_url, address)
            parts = urlsplit(absolute)
        except ValueError:
            return None
        return absolute if parts.scheme in WEB and parts.netloc else None


def split_address(address: str) -> SplitResult | None:
    """None for an address that leads nowhere: it is empty, or has a scheme that is not allowed."""
    if len(address) > MAX_ADDRESS_CHARACTERS or DROPPED_BY_BROWSERS.search(address.strip()):
        return None
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return None
    return parts if parts.scheme in (*WEB, "mailto", "") else None
