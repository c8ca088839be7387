"""Finds documents whose path, or own address, ends like an address: a link to the page's site or to its file in a repository, or a part of
its path.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from django.db.models import QuerySet

from collections_app.catalog.libraries import is_named_version, keep_newest, list_library_names
from collections_app.documents.closest import has_many, having_piece, is_of_site, select_whole
from collections_app.documents.moved import list_moved, list_moved_wholly
from collections_app.documents.own_addresses import find_addressed, list_own_addresses
from collections_app.models import Collection, Document, MovedPage
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
# Of so many pages it is looked up where they are if no document has the path that they have moved to; and so many steps are followed.
MOST_UNCERTAIN = 10
MOST_STEPS = 5
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


def find_endings(collections: Sequence[Collection], address: str, *, follows: bool = True) -> list[Ending]:
    """The documents that have at least the page's name (without its ending), likeliest first, of equals the newest version; also those
    that had such an address before they were moved, if it `follows`."""
    host, spellings = split_address(leave_antora(address))
    named = list(select_named(collections, {parts[-1] for parts in spellings if parts}))
    addressed = find_addressed(collections, spellings)
    moved = find_targets(list_moved(collections, spellings)) if follows else {}
    found = (
        weigh(
            document,
            host,
            spellings,
            former=moved.get(document, ()),
            is_file=any(count_common(parts, list_parts(document.path)) for parts in spellings),
            is_cut=len(named) > MAX_ENDING_ALIKE or addressed.is_cut,
            tells_whole=not follows or bool(addressed.documents or moved),
        )
        for document in dict.fromkeys([*moved, *addressed.documents, *named[:MAX_ENDING_ALIKE]])
    )
    endings = [ending for ending in found if ending.common]
    newest = {collection.pk for collection in keep_newest(collections)}
    return sorted(endings, key=lambda each: (*each.rank, each.document.collection_id in newest), reverse=True)


def find_targets(moved: Sequence[MovedPage]) -> dict[Document, list[Sequence[str]]]:
    """The documents that pages have moved to, each with the former addresses that lead to it."""
    if not moved:
        return {}
    targets = select_whole([row.collection for row in moved]).filter(path__in={row.target for row in moved})
    documents = {(document.collection_id, document.path): document for document in targets}
    left = MOST_UNCERTAIN
    found = defaultdict[Document, list[Sequence[str]]](list)
    for row in moved:
        document = documents.get((row.collection_id, row.target))
        if not document and left:
            left -= 1
            document = find_target(row)
        if document:
            found[document].append(row.address.split("/"))
    return found


def find_target(moved: MovedPage) -> Document | None:
    """The document that a page has moved to, by an address or in several steps, if that is certain."""
    for _ in range(MOST_STEPS):
        if whole := select_whole([moved.collection]).filter(path=moved.target).first():
            return whole
        further = list_moved_wholly([moved.collection], moved.target)
        if not further:
            break
        moved = further[0]
    if not moved.is_told:
        return None
    endings = find_endings([moved.collection], moved.target, follows=False)
    meant = choose_ending(endings, moved.target, is_named=False)
    return meant[0] if meant else None


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


def weigh(
    document: Document,
    host: str,
    spellings: Sequence[Sequence[str]],
    *,
    former: Sequence[Sequence[str]],
    is_file: bool,
    is_cut: bool,
    tells_whole: bool,
) -> Ending:
    """`former`: its addresses before it was moved. `tells_whole`: whether some document gives itself such an address; only then do whole
    paths count more than parts of paths."""
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
        is_file=is_file,
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
