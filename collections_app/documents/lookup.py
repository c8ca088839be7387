"""Finds the document that a path, an id or an address means, and tolerates the ways in which these may be written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote

from django.db.models import QuerySet

from collections_app.catalog.names import leave_out, name_collections
from collections_app.catalog.places import iter_all_places, iter_folders, iter_places, list_places
from collections_app.documents.closest import explain_missing, explain_unread, select_whole
from collections_app.documents.endings import (
    Ending,
    choose_ending,
    find_below,
    find_endings,
    find_targets,
    keep_newest_documents,
)
from collections_app.documents.moved import list_moved_wholly
from collections_app.exceptions import DocumentNotFound, InvalidParameter, Offer, Remedy
from collections_app.models import Collection, Document, Upload
from collections_app.models.jobs import UNREAD
from collections_app.naming.paths import compose, cut_address, iter_files, list_names, read_id

MAX_PATH_CHARACTERS = 2000
MAX_LISTED_PATHS = 20
# How many of a path's last `#` are tried as the beginning of a fragment.
MAX_FRAGMENTS = 5


def find_documents(collections: Sequence[Collection], path: str) -> list[Document]:
    """The readable documents of these collections that `path` may mean.

    It may be an id (`id://1515`), a path (also without its fragment, with or without `./`, `/` and `.md`), a number that is an id, or a
    source URL.
    """
    name = path.strip()
    readable = select_whole(collections)
    if (document_id := read_id(name)) is not None:
        return list(readable.filter(pk=document_id))
    if "://" in name:
        return find_first(readable, "source_url", list_urls(name))
    found = find_first(readable, "path", iter_spellings(name))
    document_id = find_id(name)
    return found if found or document_id is None else list(readable.filter(pk=document_id))


def guess_documents(collections: Sequence[Collection], path: str) -> list[Document]:
    """The readable documents whose page a site, or a link on another page, would address like this (iter_files); the likeliest in each
    collection."""
    if "://" in cut_address(path):  # which is in no path
        return []
    names = (name.partition("?")[0] for name in iter_spellings(path.strip()))
    files = list(dict.fromkeys(chain.from_iterable(map(iter_files, names))))
    guessed: dict[int, Document] = {}
    found = select_whole(collections).filter(path__in=files)
    for document in sorted(found, key=lambda document: files.index(document.path)):
        guessed.setdefault(document.collection_id, document)
    return list(guessed.values())


def list_urls(url: str) -> list[str]:
    """The source URLs that may be meant by this URL, likeliest first."""
    without_fragment = url.partition("#")[0]
    bare = without_fragment.rstrip("/")
    return [url, without_fragment, bare, f"{bare}/"]


def find_id(name: str) -> int | None:
    return int(name) if name.isdecimal() and len(name) <= 18 else None


def iter_spellings(name: str) -> Iterator[str]:
    """Spellings of the path, in Unicode's composed form: as it is, with `.md`, and unquoted; then the same without a fragment."""
    for path in iter_without_fragments(name.removeprefix("./").lstrip("/")):
        if path:
            yield from (compose(path), compose(f"{path}.md"), compose(unquote(path)).replace("\0", ""))


def iter_without_fragments(name: str) -> Iterator[str]:
    """The name as it is, then without its last `#` and what follows, then without the one before, …: file names may have `#` too."""
    for _ in range(1 + min(name.count("#"), MAX_FRAGMENTS)):
        yield name
        name = name.rpartition("#")[0]


def find_first(documents: QuerySet[Document], field: str, values: Iterable[str]) -> list[Document]:
    """The documents whose field has the first of these values that occurs at all."""
    by_value: dict[str, list[Document]] = {value: [] for value in values}
    for document in documents.filter(**{f"{field}__in": list(by_value)}):
        by_value[getattr(document, field)].append(document)
    return next(filter(None, by_value.values()), [])


class Found(NamedTuple):
    """A document that was found. `others`: those with the same name in other versions of its library. `is_taken`: it does not have the name
    that was asked for, but had it before it was moved, or has a path with the same ending."""

    document: Document
    others: Sequence[Document] = ()
    is_taken: bool = False


def get_document(collections: Sequence[Collection], path: str, *, guess: bool = True) -> Document:
    """The one readable document that `path` means; `collection:path`, or this server's own address of the page, says in which collection.

    If none has that path, it is a document whose page may be addressed like this, if `guess` allows. Of several versions of a library, it
    is the document of the newest. Raises DocumentNotFound with the closest paths, and InvalidParameter if several collections have it.
    """
    found = find_meant(collections, path, guess=guess)
    if not found:
        raise explain_missing(collections, path)
    return found.document


def open_document(
    collections: Sequence[Collection],
    path: str,
    *,
    visible: Sequence[Collection] = (),
    is_named: bool = False,
    tells_unread: bool = False,
    tells_elsewhere: bool = True,
) -> Found:
    """Like get_document(), but says how the document was found, and also finds one whose path has the same ending, if that is certain.

    If the path names a collection, only that one is searched. `is_named`: the caller named these collections, and not only a version.

    Raises DocumentNotFound and InvalidParameter as get_document() does. With `tells_unread`, DocumentNotFound says why a document with
    exactly this name cannot be read (yet); with `tells_elsewhere`, in which of the other `visible` collections it is. Otherwise it has the
    closest paths.
    """
    if found := find_meant(collections, path):
        return found
    if tells_unread and (unread := find_waiting(collections, path) or find_unread(collections, path)):
        raise explain_unread(collections, unread)
    if tells_elsewhere and (elsewhere := explain_elsewhere(collections, path, visible)):
        raise elsewhere
    taken, endings = find_alike(collections, path, is_named=is_named)
    if taken:
        return taken
    rows = [(each.document.path, each.document.collection_id) for each in endings]
    raise explain_missing(collections, path, rows)


def find_page(collections: Sequence[Collection], address: str, visible: Sequence[Collection]) -> Document | None:
    """The document whose page certainly has this address; None if there is none, or if it is in another of the `visible` collections.

    Unlike open_document(), it takes no page for being the only one of its name in a collection that was named, and looks for no others.
    Raises InvalidParameter as get_document() does.
    """
    found = find_meant(collections, address)
    if not found and not explain_elsewhere(collections, address, visible):
        found, _ = find_alike(collections, address, is_named=False)
    return found.document if found else None


def find_alike(
    collections: Sequence[Collection], path: str, *, is_named: bool
) -> tuple[Found | None, Sequence[Ending]]:
    """The document whose path has the same ending, if that is certain, or that is where all pages of its folder have moved; and all
    documents that may be meant."""
    place = next(iter_places(collections, path), None)
    named, rest = place or (collections, path)
    is_named = is_named or place is not None
    endings = find_endings(named, rest)
    meant = choose_ending(endings, rest, is_named=is_named) or find_below(named, rest, is_named=is_named)
    return (Found(*meant, is_taken=True) if meant else None), endings


def find_meant(collections: Sequence[Collection], path: str, *, guess: bool = True) -> Found | None:
    """The document that has this name, or whose page may, or else that had it. Raises InvalidParameter if several collections have it."""
    if not path.strip() or len(path) > MAX_PATH_CHARACTERS:
        error = InvalidParameter(f"path must have 1 to {MAX_PATH_CHARACTERS:,} characters.")
        raise error.offer(Offer(Remedy.PATHS))
    found = next(filter(None, iter_found(collections, path, guess=guess)), [])
    is_moved = guess and not found
    if is_moved:
        found = next(filter(None, iter_moved(collections, path)), [])
    meant = keep_newest_documents(found)
    if len(meant) > 1:
        full = sorted(name_documents(found, collections))
        full = full[:MAX_LISTED_PATHS]
        raise InvalidParameter(
            f"Several collections have {path!r}. Give one of these as the path: {', '.join(full)}.", paths=full
        )
    if not meant:
        return None
    return Found(meant[0], [document for document in found if document is not meant[0]], is_taken=is_moved)


def iter_found(collections: Sequence[Collection], path: str, *, guess: bool) -> Iterator[list[Document]]:
    """The documents with this name; then those whose pages may have it; then the same for a path whose first folder is a collection's name.

    The latter comes last, since another collection may really have such a folder.
    """
    places = list_places(collections, path)
    finders = (find_documents, guess_documents) if guess else (find_documents,)
    yield from (find(named, rest) for find in finders for named, rest in places)
    if guess:
        yield from (find(named, rest) for find in finders for named, rest in iter_folders(collections, path))


def iter_moved(collections: Sequence[Collection], path: str) -> Iterator[list[Document]]:
    """The documents that have had exactly this path; then the same for a path whose first folder is a collection's name."""
    for named, rest in iter_all_places(collections, path):
        yield list(find_targets(list_moved_wholly(named, rest)))


def find_moved(collection: Collection, path: str) -> Document | None:
    """The document of the collection that has had exactly this path, or that is where all pages of its folder have moved."""
    found = next(iter(find_targets(list_moved_wholly([collection], path))), None)
    below = None if found else find_below([collection], path, is_named=True)
    return below[0] if below else found


def find_waiting(collections: Sequence[Collection], path: str) -> Document | None:
    """The future document of an upload with exactly this name that is still to be read; the path may name its collection."""
    for named, name in iter_all_places(collections, path):
        uploads = Upload.objects.in_collections(named).filter(path__in=list(iter_spellings(name.strip())))
        for status in UNREAD:
            if upload := uploads.with_status(status).select_related("collection__tenant").defer("content").first():
                return upload.make_unread(status)
    return None


def find_unread(collections: Sequence[Collection], path: str) -> Document | None:
    """The document with exactly this name that failed or is in quarantine; the path may name its collection, also as its first folder."""
    statuses = (Document.Status.FAILED, Document.Status.QUARANTINED)
    for named, name in iter_all_places(collections, path):
        unread = Document.objects.in_collections(named).filter(status__in=statuses)
        unread = unread.select_related("collection__tenant").defer("content")
        field, values = ("source_url", list_urls(name)) if "://" in name else ("path", iter_spellings(name.strip()))
        if found := find_first(unread, field, values):
            return found[0]
    return None


def name_documents(documents: Sequence[Document], among: Sequence[Collection]) -> list[str]:
    """Each as `collection:path`."""
    names = name_collections([document.collection for document in documents], among)
    return [f"{name}:{document.path}" for name, document in zip(names, documents, strict=True)]


def explain_elsewhere(
    collections: Sequence[Collection], path: str, visible: Sequence[Collection]
) -> DocumentNotFound | None:
    """The error for a caller who named another collection than the one with the document; None if no other collection has it."""
    others = leave_out(visible, collections)
    places = list_places(others, path) if others else []
    found = next(filter(None, (find_documents(named, rest) for named, rest in places)), [])
    if not found:
        return None
    full = name_documents(found[:MAX_LISTED_PATHS], visible)
    return DocumentNotFound(f"It is not in that collection, but here: {', '.join(full)}.", suggestions=full)


def is_name_of(document: Document, name: str) -> bool:
    """Whether the name is the document's path or source URL, in the spellings of find_documents(), possibly after a collection's name."""
    if document.source_url and name.rstrip("/") == document.source_url.rstrip("/"):
        return True
    before, _, query = name.partition("?")
    spellings = {name, unquote(name)} | ({before, unquote(before)} if "#" not in query else set())
    names = list_names(document.path)
    return any(each in names or each.endswith((f"/{name}", f":{name}")) for each in spellings for name in names)
