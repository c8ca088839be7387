"""Finds which pages had an address before, as their source tells it or a run has found it (models/library.py, MovedPage)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collections_app.models import Collection, MovedPage
from collections_app.naming.paths import spell_file, split_address

# A site may be below folders that its pages' addresses do not have: so many last parts of an address, and fewer, are looked up.
MOST_PARTS = 5
MOST_MOVED = 50


def list_moved(collections: Sequence[Collection], addresses: Sequence[Sequence[str]]) -> list[MovedPage]:
    """Those whose former address is the longest possible end of one of these, each given as list_parts() does."""
    ends = sorted({end for parts in addresses for end in iter_ends(parts)}, key=lambda end: -end.count("/"))
    rows = look_up(collections, ends)
    longest = max((row.address.count("/") for row in rows), default=0)
    return [row for row in rows if row.address.count("/") == longest]


def list_moved_wholly(collections: Sequence[Collection], path: str) -> list[MovedPage]:
    """Those whose former address is the whole path; none for an address with a host."""
    if "://" in path:
        return []
    path = path.replace("\0", "")
    _, spellings = split_address(f"/{path.lstrip('/')}")  # its first folder may look like a host
    return look_up(collections, [spell_file(path), *map("/".join, spellings)])


def look_up(collections: Sequence[Collection], addresses: Sequence[str]) -> list[MovedPage]:
    """What the source tells comes before what runs have found."""
    wanted = list(filter(None, addresses))
    moved = MovedPage.objects.in_collections(collections).filter(address__in=wanted)
    return list(moved.select_related("collection__tenant").order_by("-is_told", "pk")[:MOST_MOVED])


def iter_ends(parts: Sequence[str]) -> Iterator[str]:
    """The last parts of an address, at most MOST_PARTS, then fewer."""
    for count in range(min(len(parts), MOST_PARTS), 0, -1):
        yield "/".join(parts[-count:])
