"""Finds documents whose path, or own address, ends like an address: a link to the page's site or to its file in a repository, or a part of
its path.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from django.db.models import QuerySet

from collections_app.catalog.libraries import is_named_version, keep_newest, list_library_names
from collections_app.documents.closest import has_many, having_piece, is_of_site, select_whole
from collections_app.documents.moved import Move, lead_on, list_moved, list_moved_below
from collections_app.documents.own_addresses import find_addressed, list_own_addresses
from collections_app.models import Collection, Document
from collections_app.naming.paths import (
    COMMON_LABELS,
    ORDER,
    count_common,
    list_parts,
    split_address,
    strip_ending,
)
from collections_app.naming.version_folders import WITHOUT_VERSION, find_outdated, read_label
from collections_app.postgres.trigrams import list_trigrams

# How many pages of the same name are looked at.
MAX_ENDING_ALIKE = 500
# Pages may have moved so often.
MOST_STEPS = 6
# So many common parts are no coincidence; on another host, only parts count that not every project has.
SURE_PARTS = 2
# The folders of a page of Antora: its site has the module, unless that is ROOT.
OF_ANTORA = re.compile(r"(?:(?<=/)|^)modules/(?P<module>[^/]+)/pages/")


class Ending(NamedTuple):
    """A document, and what speaks for it.

    In order of weight: the host has the collection's name; how many last parts of the two paths are the same; they are all of the
    document's path (2) or of an address that its front matter gives it (1); another part of the address has the name of the collection, or
    its version; the file also has the ending that was asked for; how many of the common parts have no number before them in the path that
    the address leaves out; how many other folders of the document the address has too, wherever. `telling`: how many of the common parts
    are significant. `is_plain`: no part of the address contradicts the document's path. `is_cut`: more documents have its name than are
    looked at.
    """

    document: Document
    of_host: bool
    common: int
    is_whole: int
    is_named: bool
    is_version: bool
    is_file: bool
    unnumbered: int
    shared: int
    telling: int
    is_plain: bool
    is_cut: bool

    @property
    def rank(self) -> tuple[bool, int, int, bool, bool, bool, int, int]:
        of_path = (self.of_host, self.common, self.is_whole)
        return *of_path, self.is_named, self.is_version, self.is_file, self.unnumbered, self.shared

    @property
    def is_sure(self) -> bool:
        return self.telling >= SURE_PARTS or self.of_host or self.is_named or self.is_plain


def find_endings(collections: Sequence[Collection], address: str) -> list[Ending]:
    """The documents that have at least the page's name (without its ending), likeliest first, of equals the newest version; also those
    that had such an address before they were moved."""
    host, spellings = split_address(leave_antora(address))
    moved = find_targets(list_moved(collections, spellings))
    known = find_candidates(collections, spellings)
    tells_whole = bool(moved) or known.are_addressed
    endings = weigh_all(
        [*moved, *known.documents], host, spellings, moved, is_cut=known.is_cut, tells_whole=tells_whole
    )
    newest = {collection.pk for collection in keep_newest(collections)}
    return sorted(endings, key=lambda each: (*each.rank, each.document.collection_id in newest), reverse=True)


class Candidates(NamedTuple):
    """Documents whose name, or an end of whose own address, is that of an address. `are_addressed`: some tell such an address of their own.
    `is_cut`: there are more than are looked at."""

    documents: Sequence[Document]
    are_addressed: bool
    is_cut: bool


def find_candidates(collections: Sequence[Collection], addresses: Sequence[Sequence[str]]) -> Candidates:
    """For addresses as list_parts() gives them."""
    named = list(select_named(collections, {parts[-1] for parts in addresses if parts}))
    addressed = find_addressed(collections, addresses)
    return Candidates(
        [*addressed.documents, *named[:MAX_ENDING_ALIKE]],
        bool(addressed.documents),
        len(named) > MAX_ENDING_ALIKE or addressed.is_cut,
    )


def find_targets(moves: Sequence[Move]) -> dict[Document, list[Sequence[str]]]:
    """The documents that pages have moved to, perhaps in several steps, each with the former addresses that lead to it."""
    found = defaultdict[Document, list[Sequence[str]]](list)

    def keep(moves: Sequence[Move], documents: Sequence[Document | None]) -> None:
        for move, document in zip(moves, documents, strict=True):
            if document:
                found[document].append(move.address.split("/"))

    ended: list[Move] = []
    for _ in range(MOST_STEPS):
        if not moves:
            break
        there = find_at(moves)
        keep(moves, there)
        moves = [move for move, document in zip(moves, there, strict=True) if not document]
        further = lead_on(moves)
        ended += [move for move, next_one in zip(moves, further, strict=True) if move.is_told and not next_one]
        moves = list(filter(None, further))
    keep(ended, find_told(ended))
    return found


def find_below(
    collections: Sequence[Collection], address: str, *, is_named: bool
) -> tuple[Document, list[Document]] | None:
    """As choose_ending(), the document of a page that is below a folder all of which has moved. The host of an address, if it has one, must
    be the collection's, unless that was named (`is_named`)."""
    host, spellings = split_address(address)
    own = collections if is_named or not host else [each for each in collections if is_of_site(each, host)]
    found = list(find_targets(list_moved_below(own, spellings)))
    meant = keep_newest_documents(found)
    return (meant[0], [document for document in found if document is not meant[0]]) if len(meant) == 1 else None


def find_at(moves: Sequence[Move]) -> list[Document | None]:
    """The document at each one's target."""
    paths = {move.target for move in moves}
    documents = select_whole([move.collection for move in moves]).filter(path__in=paths)
    there = {(document.collection_id, document.path): document for document in documents}
    return [there.get((move.collection.pk, move.target)) for move in moves]


def find_told(moves: Sequence[Move]) -> list[Document | None]:
    """The document whose page certainly has the address that is each one's target."""
    if not moves:
        return []
    asked = [split_address(leave_antora(move.target)) for move in moves]
    known = find_candidates(
        [move.collection for move in moves], [parts for _, spellings in asked for parts in spellings]
    )
    of_collection = defaultdict[int, list[Document]](list)
    for document in known.documents:
        of_collection[document.collection_id].append(document)
    found = []
    for move, (host, spellings) in zip(moves, asked, strict=True):
        own = of_collection[move.collection.pk]
        endings = weigh_all(own, host, spellings, {}, is_cut=known.is_cut, tells_whole=True)
        endings.sort(key=lambda each: each.rank, reverse=True)
        meant = choose_ending(endings, move.target, is_named=False)
        found.append(meant[0] if meant else None)
    return found


def choose_ending(endings: Sequence[Ending], address: str, *, is_named: bool) -> tuple[Document, list[Document]] | None:
    """The document that is meant, and equally likely ones of other versions of its library, or in folders of other versions: of these the
    newest is meant, unless the address names one.

    None if other documents are or may be as likely, or if it is not certain enough. `is_named`: the endings are those of the collection
    that was named; then it is enough that only one has the name.
    """
    if not endings or endings[0].is_cut:
        return None
    best = [ending for ending in endings if ending.rank == endings[0].rank]
    documents = [ending.document for ending in best]
    meant = keep_newest_documents(leave_outdated(documents, address))
    if len(meant) != 1 or not (is_named or best[0].is_sure):
        return None
    return meant[0], [document for document in documents if document is not meant[0]]


def leave_outdated(documents: Sequence[Document], address: str) -> list[Document]:
    """The documents without those in the folder of an older version than the same page of their collection among them, or of another one
    than the address names."""
    paths = defaultdict[int, dict[int, str]](dict)
    for document in documents:
        paths[document.collection_id][document.pk] = document.path
    outdated = {key for own in paths.values() for key in find_outdated(own, address)}
    return [document for document in documents if document.pk not in outdated]


def keep_newest_documents(documents: Sequence[Document]) -> list[Document]:
    """The documents without those for which there is one of a newer version of the same library among them."""
    newest = {c.pk for c in keep_newest([document.collection for document in documents])}
    return [document for document in documents if document.collection_id in newest]


def weigh_all(
    documents: Iterable[Document],
    host: str,
    spellings: Sequence[Sequence[str]],
    former: Mapping[Document, Sequence[Sequence[str]]],
    *,
    is_cut: bool,
    tells_whole: bool,
) -> list[Ending]:
    """Those of the documents that have at least the page's name. `former`: addresses of documents before they were moved. `tells_whole`:
    whether some document gives itself such an address; only then do whole paths count more than parts of paths."""
    found = (
        weigh(document, host, spellings, former.get(document, ()), is_cut=is_cut, tells_whole=tells_whole)
        for document in dict.fromkeys(documents)
    )
    return [ending for ending in found if ending.common]


def weigh(
    document: Document,
    host: str,
    spellings: Sequence[Sequence[str]],
    former: Sequence[Sequence[str]],
    *,
    is_cut: bool,
    tells_whole: bool,
) -> Ending:
    path = list_page_parts(document)
    addresses = [path, *list_own_addresses(document), *former]
    asked, parts = max(product(spellings, addresses), key=lambda pair: weigh_parts(*pair))
    common = count_common(asked, parts)
    names = list_library_names(document.collection)
    before = asked[: len(asked) - common]
    # A site has versions below the folder that the newest is in: `docs/5.2/`.
    names_version = any(map(read_label, before)) and any(map(read_label, document.path.split("/")))
    folders = {*parts[: len(parts) - common], *(WITHOUT_VERSION if names_version else ())}
    return Ending(
        document,
        of_host=is_of_site(document.collection, host),
        common=common,
        is_whole=(2 if parts is path else 1) if tells_whole and common == len(parts) else 0,
        is_named=any(part in names for part in before),
        is_version=any(is_named_version(document.collection, part) for part in before),
        is_file=any(count_common(parts, list_parts(document.path)) for parts in spellings),
        unnumbered=sum(part in asked for part in parts[len(parts) - common :]),
        shared=len(folders.intersection(before)),
        telling=sum(not host or part not in COMMON_LABELS for part in parts[len(parts) - common :]),
        # What another project's site or repository has before it is not left out: `facebook/react/blob/main/CHANGELOG.md`.
        is_plain=not before or (not host and common == len(parts)),
        is_cut=is_cut,
    )


def weigh_parts(asked: Sequence[str], parts: Sequence[str]) -> tuple[int, bool]:
    """How many of their last parts are the same, and whether these are all of `parts`."""
    common = count_common(asked, parts)
    return common, common == len(parts)


def list_page_parts(document: Document) -> tuple[str, ...]:
    """The parts of its path as its site has them: the folder of one of Jekyll's collections is without its underscore."""
    parts = list_parts(strip_ending(leave_antora(document.path)))
    return (parts[0].lstrip("_") or parts[0], *parts[1:]) if parts and "/" in document.path else parts


def leave_antora(path: str) -> str:
    """The path without the folders that Antora's sites leave out: `ops/start.adoc` for `modules/ops/pages/start.adoc`."""
    return OF_ANTORA.sub(lambda found: "" if found["module"] == "ROOT" else f"{found['module']}/", path)


def select_named(collections: Sequence[Collection], names: set[str]) -> QuerySet[Document]:
    """The readable documents whose file, or the folder of an index file, has one of these names, ignoring case.

    At most MAX_ENDING_ALIKE + 1: one more than are looked at.
    """
    documents = select_whole(collections)
    if not names:
        return documents.none()
    # A hyphen may be a blank in the path.
    pieces = [trigrams for name in names if (trigrams := list_trigrams(max(name.split("-"), key=len)))]
    if len(pieces) == len(names) and has_many(documents):
        documents = having_piece(documents, collections, pieces)
    alike = "|".join(re.escape(name).replace(r"\-", "[- ]") for name in sorted(names))
    file = rf"(/({ORDER})?(index|_index|readme))?(\.[a-z0-9]{{1,10}})?"
    return documents.filter(path__iregex=f"^(.*/|_)?({ORDER})?({alike}){file}$")[: MAX_ENDING_ALIKE + 1]
