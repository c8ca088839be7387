"""Finds which pages had an address before, as their source tells it or a run has found it (models/library.py, MovedPage)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Length

from collections_app.models import Collection, MovedPage
from collections_app.models.visibility import InCollectionQuerySet
from collections_app.naming.paths import ALL_BELOW, REST, spell_file, split_address

# A site may be below folders that its pages' addresses do not have: so many last parts of an address, and fewer, are looked up.
MOST_PARTS = 5
MOST_MOVED = 50


class Move(NamedTuple):
    """Where a former address of a page of the collection leads. `is_told`: its source tells it, so that the target may be an address."""

    collection: Collection
    address: str
    target: str
    is_told: bool


def list_moved(collections: Sequence[Collection], addresses: Sequence[Sequence[str]]) -> list[Move]:
    """Those whose former address is the longest possible end of one of these, each given as list_parts() does."""
    moves = look_up(collections, list({end for parts in addresses for end in iter_ends(parts)}))
    longest = max((move.address.count("/") for move in moves), default=0)
    return [move for move in moves if move.address.count("/") == longest]


def list_moved_wholly(collections: Sequence[Collection], path: str) -> list[Move]:
    """Those whose former address is the whole path; none for an address with a host."""
    return look_up(collections, spell_wholly(path))


def list_moved_below(collections: Sequence[Collection], addresses: Sequence[Sequence[str]]) -> list[Move]:
    """Those whose whole former address, given as list_parts() does, is below a folder of which the source says where all of it is now; in
    each collection the innermost such folder."""
    rests = {
        f"{'/'.join(parts[:count])}{ALL_BELOW}": (parts, count)
        for parts in reversed(addresses)  # the likelier ones last, which stay
        for count in range(1, len(parts))
    }
    moves: dict[Collection, Move] = {}
    for move in look_up(collections, list(rests)):
        if move.is_told and REST in move.target:
            parts, count = rests[move.address]
            target = move.target.replace(REST, "/".join(["", *parts[count:]]))
            moves.setdefault(move.collection, move._replace(address="/".join(parts), target=target))
    return list(moves.values())


def lead_on(moves: Sequence[Move]) -> list[Move | None]:
    """For each the one that leads on from its target, if that is a former address itself."""
    spelled = [spell_wholly(move.target) for move in moves]
    wanted = [
        Q(collection=move.collection, address__in=each) for move, each in zip(moves, spelled, strict=True) if each
    ]
    if not wanted:
        return [None] * len(moves)
    rows = MovedPage.objects.in_collections([move.collection for move in moves]).filter(reduce(or_, wanted))
    found: dict[tuple[int, str], MovedPage] = {}
    for row in choose_order(rows):
        found.setdefault((row.collection_id, row.address), row)

    def lead(move: Move, addresses: Sequence[str]) -> Move | None:
        row = next(filter(None, (found.get((move.collection.pk, address)) for address in addresses)), None)
        return move._replace(target=row.target, is_told=row.is_told) if row else None

    return list(map(lead, moves, spelled))


def look_up(collections: Sequence[Collection], addresses: Sequence[str]) -> list[Move]:
    """The longest first."""
    if not addresses:
        return []
    rows = MovedPage.objects.in_collections(collections).filter(address__in=addresses)
    by_id = {collection.pk: collection for collection in collections}
    return [
        Move(by_id[row.collection_id], row.address, row.target, row.is_told) for row in choose_order(rows)[:MOST_MOVED]
    ]


def choose_order(rows: InCollectionQuerySet[MovedPage]) -> InCollectionQuerySet[MovedPage]:
    """The longest address first. What the source tells comes before what runs have found."""
    return rows.order_by(Length("address").desc(), "-is_told", "pk")


def spell_wholly(path: str) -> list[str]:
    """As whole former addresses are spelled that a path may mean; an address with a host is none."""
    if "://" in path:
        return []
    path = path.replace("\0", "")
    _, spellings = split_address(f"/{path.lstrip('/')}")  # its first folder may look like a host
    return list(filter(None, dict.fromkeys([spell_file(path), *map("/".join, spellings)])))


def iter_ends(parts: Sequence[str]) -> Iterator[str]:
    """The last parts of an address, at most MOST_PARTS, then fewer."""
    for count in range(min(len(parts), MOST_PARTS), 0, -1):
        yield "/".join(parts[-count:])
