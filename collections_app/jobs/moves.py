"""Finds where documents have gone that a source no longer has, and keeps former addresses, so that they lead to where the pages are now.

A page was renamed if another document of the source has the same bytes, or if a new one has the same name or title and most of its lines.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Func, IntegerField

from collections_app.models import Document, MovedPage, Source
from collections_app.naming.paths import spell_address, spell_file, strip_ending

# Of a source.
MOST_TOLD = 50_000
MOST_FOUND = 50_000
MAX_ADDRESS_CHARACTERS = 500
MAX_TARGET_CHARACTERS = 1_000
# So many documents are compared by their lines: more were not renamed one by one. Git takes half as enough, too.
MOST_COMPARED = 2_000
MOST_COMPARED_BYTES = 32 * 1024 * 1024
MOST_ALIKE = 20
ENOUGH_ALIKE = 0.5
AT_ONCE = 1_000
LEAD_ON = """
UPDATE collections_app_movedpage AS moved SET target = move.new
FROM unnest(%(old)s::text[], %(new)s::text[]) AS move (old, new)
WHERE moved.source_id = %(source)s AND NOT moved.is_told AND moved.target = move.old
"""
_HOME_PAGES = frozenset({"index", "_index", "readme"})


class Page(NamedTuple):
    title: str
    content_hash: str
    content: str


class Foreseen(dict[str, Page]):
    """By path, the documents that a run would write; for a dry run. Texts are kept as far as find_moves() may compare them. Of no source
    nothing is gone, so nothing is kept.
    """

    def __init__(self, source: Source | None) -> None:
        super().__init__()
        self._source = source
        self._known_hashes = set(source.documents.values_list("content_hash", flat=True)) if source else set()
        self._texts = self._bytes = 0

    def add(self, document: Document) -> None:
        if not self._source or not document.content:
            return
        content = document.content
        size_bytes = len(content.encode())
        if document.content_hash in self._known_hashes or not self._has_room(size_bytes):
            content = ""
        else:
            self._texts += 1
            self._bytes += size_bytes
        self[document.path] = Page(document.title, document.content_hash, content)

    def _has_room(self, size_bytes: int) -> bool:
        return self._texts < MOST_COMPARED and self._bytes + size_bytes <= MOST_COMPARED_BYTES


NOTHING_FORESEEN: Mapping[str, Page] = MappingProxyType({})


def find_moves(
    source: Source, gone: Sequence[str], new: Iterable[str], foreseen: Mapping[str, Page] = NOTHING_FORESEEN
) -> dict[str, str]:
    """Path of a document that is gone → that of the one that it is now. `new`: paths of documents that the run has written; `foreseen`:
    those that it would write, which count instead of what is there.
    """
    if not gone:
        return {}
    fresh = {*new, *foreseen}.difference(gone)
    documents = source.documents.readable().exclude(content="")  # empty files are all the same
    hashes = dict(documents.filter(path__in=gone).values_list("path", "content_hash"))
    same = documents.filter(content_hash__in=set(hashes.values())).exclude(path__in=[*gone, *foreseen])
    rows = [*same.values_list("path", "content_hash"), *((path, each.content_hash) for path, each in foreseen.items())]
    paths = {content_hash: path for path, content_hash in sorted(rows, key=lambda row: (row[0] in fresh, row[0]))}
    moves = {path: paths[content_hash] for path, content_hash in hashes.items() if content_hash in paths}
    others = [path for path in hashes if path not in moves]
    fresh -= set(moves.values())
    if others and fresh and len(others) + len(fresh) <= MOST_COMPARED:
        moves |= compare(source, others, fresh, foreseen)
    return moves


def compare(
    source: Source, gone: Iterable[str], new: Iterable[str], foreseen: Mapping[str, Page] = NOTHING_FORESEEN
) -> dict[str, str]:
    """Each new document is the end of one move at most: of the one that it is most like."""
    documents = source.documents.readable().filter(path__in={*gone, *new}.difference(foreseen))
    rows = documents.annotate(size=Func("content", function="octet_length", output_field=IntegerField()))
    titles = {path: foreseen[path].title for path in new if path in foreseen}
    sizes = dict.fromkeys(titles, 0)  # of those, no more than may be compared are kept
    for path, title, size in rows.values_list("path", "title", "size"):
        titles[path], sizes[path] = title, size
    pairs = pair_names(
        {path: titles[path] for path in gone if path in titles}, {p: titles[p] for p in new if p in titles}
    )
    needed = set(chain.from_iterable(pairs))
    if sum(sizes[path] for path in needed) > MOST_COMPARED_BYTES:
        return {}
    contents = dict(documents.filter(path__in=needed).values_list("path", "content"))
    contents |= {path: foreseen[path].content for path in needed if path in foreseen}
    lines = {path: frozenset(filter(None, map(str.strip, text.splitlines()))) for path, text in contents.items()}
    found = [(measure_likeness(lines[path], lines[other]), path, other) for path, other in pairs]
    moves: dict[str, str] = {}
    taken = set()
    for likeness, path, other in sorted(found, key=lambda each: -each[0]):
        if likeness >= ENOUGH_ALIKE and path not in moves and other not in taken:
            moves[path] = other
            taken.add(other)
    return moves


def pair_names(gone: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[str, str]]:
    """The paths of which one may be the other's. Given are titles by path."""
    named = defaultdict[str, list[str]](list)
    for path in sorted(new):
        for name in list_names(path, new[path]):
            named[name].append(path)
    return [
        (path, other)
        for path in sorted(gone)
        for other in dict.fromkeys(
            chain.from_iterable(named[name][:MOST_ALIKE] for name in list_names(path, gone[path]))
        )
    ]


def list_names(path: str, title: str) -> list[str]:
    """What a page may still be called after it has been moved: its file, or the folder of an index page; and its title."""
    folder, name = posixpath.split(strip_ending(path))
    file = posixpath.basename(folder) if name.lower() in _HOME_PAGES else name
    return [f"file {file.lower()}", f"title {title.lower()}"]


def measure_likeness(lines: frozenset[str], others: frozenset[str]) -> float:
    return len(lines & others) / max(len(lines), len(others), 1)


def keep_moves(source: Source, moves: Mapping[str, str]) -> None:
    """Runs in the transaction that removes the documents. What has led to one of them leads to where that is now."""
    if not moves:
        return
    with connection.cursor() as cursor:
        cursor.execute(LEAD_ON, {"source": source.pk, "old": [*moves], "new": [*moves.values()]})
    write(source, {spell_file(old): new for old, new in moves.items()}, is_told=False)
    found = source.moved_pages.filter(is_told=False)
    for oldest in found.order_by("-pk").values_list("pk", flat=True)[MOST_FOUND : MOST_FOUND + 1]:
        found.filter(pk__lte=oldest).delete()


@transaction.atomic
def keep_told(source: Source, told: Mapping[str, str], archive: str = "") -> None:
    """Replaces what the source, or its archive of this path, has told before of pages that have moved (address → target) by this."""
    every = source.moved_pages.filter(is_told=True)
    own = every.filter(archive=archive)
    room = MOST_TOLD - (every.exclude(archive=archive).count() if archive else 0)
    spelled = ((spell_address(old), new) for old, new in told.items())
    told = dict(islice(((old, new) for old, new in spelled if old and old != spell_address(new)), max(room, 0)))
    known = dict(own.values_list("address", "target"))
    gone = known.keys() - told.keys()
    if gone:
        own.filter(address__in=gone).delete()
    write(source, {old: new for old, new in told.items() if known.get(old) != new}, is_told=True, archive=archive)
    # As with the documents of an exported collection, a source takes over what is its own.
    imported = MovedPage.objects.filter(collection=source.collection_id, source=None, is_told=True)
    taken = told.keys() & set(imported.values_list("address", flat=True))
    if taken:
        imported.filter(address__in=taken).delete()


def write(source: Source, moves: Mapping[str, str], *, is_told: bool, archive: str = "") -> None:
    rows = [
        MovedPage(
            tenant_id=source.tenant_id,
            collection_id=source.collection_id,
            source=source,
            address=old,
            target=new,
            is_told=is_told,
            archive=archive,
        )
        for old, new in sorted(moves.items())
        if old and len(old) <= MAX_ADDRESS_CHARACTERS and len(new) <= MAX_TARGET_CHARACTERS
    ]
    MovedPage.objects.bulk_create(
        rows,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["tenant", "collection", "address", "source"],
        update_fields=["target", "is_told", "archive"],
    )
