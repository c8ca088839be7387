"""The collections that a path names, and the path in them: `collection:path`, `collection/path`, or an address of this server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from collections_app.catalog.names import find_named
from collections_app.models import Collection

# This server's own addresses of pages: the URI of a resource, and the URL of a page for people. The latter must name the tenant too, since
# `/docs/nats/` on another host has nothing to do with a collection of that name.
ADDRESS = re.compile(r"(docs://|https?://[^?#]*?/docs/)([^?]+)")


def iter_places(visible: Sequence[Collection], path: str) -> Iterator[tuple[list[Collection], str]]:
    """The collections, and the path in them, that a path like `collection:path`, a resource's URI, or the URL of a page names."""
    if address := ADDRESS.match(path.strip()):
        parts = unquote(address[2]).replace("\0", "").split("/")
        counts = (1, 2) if address[1] == "docs://" else (2,)
        meant = [("/".join(parts[:count]), "/".join(parts[count:])) for count in counts]
    else:
        name, _, rest = path.partition(":")
        meant = [] if rest.startswith("//") else [(name, rest)]
    for name, rest in meant:
        if rest and (named := find_named(visible, name)):
            yield named, rest


def list_places(collections: Sequence[Collection], path: str) -> list[tuple[Sequence[Collection], str]]:
    """Where a path may lead: the whole path in any of these collections, and the places that it names explicitly (iter_places)."""
    return [(collections, path), *iter_places(collections, path)]


def iter_all_places(collections: Sequence[Collection], path: str) -> Iterator[tuple[Sequence[Collection], str]]:
    """list_places(), then iter_folders()."""
    yield from list_places(collections, path)
    yield from iter_folders(collections, path)


def iter_folders(visible: Sequence[Collection], path: str) -> Iterator[tuple[list[Collection], str]]:
    """The collections, and the path in them, that a path like `collection/path` or `tenant/collection/path` names."""
    parts = [] if "://" in path else path.strip().removeprefix("./").strip("/").split("/")
    for count in (1, 2):
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        if rest and (named := find_named(visible, name)):
            yield named, rest
