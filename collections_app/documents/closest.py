"""Explains that no document has a path: suggests paths that may be meant, or else some that exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import chain, islice
from operator import or_

from django.db.models import Case, Q, QuerySet, When

from collections_app.catalog.libraries import list_library_names
from collections_app.catalog.names import ASK_FOR_KEY, NOTHING_VISIBLE, name_collections
from collections_app.catalog.places import iter_places
from collections_app.exceptions import DocumentNotFound, Offer, Remedy
from collections_app.models import Collection, Document, Section
from collections_app.models.jobs import UNREAD
from collections_app.naming.paths import (
    SUGGESTIONS,
    WITH_HOST,
    WORD,
    choose_close,
    choose_close_titles,
    cut_address,
    get_name,
    is_of_host,
    split_address,
)
from collections_app.naming.start_pages import PATHS
from collections_app.postgres.trigrams import MANY_DOCUMENTS, SIZE, list_trigrams, write_trigrams

# At most this many paths and titles are compared.
MAX_COMPARED_PATHS = 50_000
# With more than MANY_DOCUMENTS, a path is first compared with those that have a piece of its name, since a typing error leaves other pieces
# intact. They are found through a view that may use the index: migration 0001_squashed.
HAS_PIECE = f"{write_trigrams('path')} @> %s::text[]"
WITH_PIECES = """collections_app_document.id IN (
    SELECT id FROM collections_app_searcheddocument
    WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[]) AND ({}) LIMIT %s)"""
# Generators of sites make a page of each operation of an API description, called like its summary or its id (Mintlify, ReadMe). This is how
# parsing/openapi/ writes them; {words} are letters and digits, perhaps with signs between them.
CALLED = r"\A#+ [^\n]*\s+\*\*{words}[^[:alnum:]\n]*\*\*\s|\nOperation: `{words}`"
MAX_DESCRIPTIONS = 20
# The fragment of a link to lines of a file in a repository.
OF_LINES = re.compile(r"L\d+(?:-L?\d+)?")
# A part of an address that belongs to the site, not to a page.
OF_SITE = re.compile(
    r"docs?|documentation|manual|reference|latest|stable|current|main|master|[a-z]{2}(?:-[a-z]{2,4})?|v?\d+(?:\.[\dx]+)*"
)
# In how many of the folders above a path documents are looked for.
MAX_FOLDERS = 8
MAX_FRAGMENT_CHARACTERS = 200

# A path, and the id of its collection.
Row = tuple[str, int]


def explain_missing(among: Sequence[Collection], asked: str, alike: Sequence[Row] = ()) -> DocumentNotFound:
    """The error for a path that no document has. It has the suggestions of the first of these steps that finds any:

    1. the documents in `alike`, then paths that are nearly the same or have all words of the name;
    2. the start pages, for an address that is hardly more than the host of a collection's site;
    3. operations with that name, pages with nearly that title, then pages in the folders that the path names;
    4. the first pages there are.

    All are from the collection that the path or its host names, if it names one. The path is tried first without query and fragment, then
    as it is, since `?` and `#` may also be part of a file's name.
    """
    if not among:
        return DocumentNotFound(
            f"There is no document {asked[:200]!r}. {NOTHING_VISIBLE} {ASK_FOR_KEY}", suggestions=[]
        )
    collections, path = next(iter_places(among, asked), (keep_of_host(among, asked), asked))
    offers = [Offer(Remedy.PATHS), Offer(Remedy.PAGES_BY_WORDS)]
    spellings = list(dict.fromkeys(filter(None, [cut_address(path), path])))
    close = find_any(partial(find_close_paths, collections, among=among), spellings)
    if suggested := list(dict.fromkeys([*name_rows(collections, among, alike), *close]))[:SUGGESTIONS]:
        hint = f"The closest are: {', '.join(suggested)}."
        offers = keep_fragment(path, suggested[0])
    elif suggested := name_rows(collections, among, iter_starts(collections, path)):
        hint = f"Its site begins with: {', '.join(suggested)}."
    elif suggested := find_any(partial(find_near_paths, collections, among=among), spellings):
        hint = f"Perhaps one of these is meant: {', '.join(suggested)}."
    elif suggested := name_rows(collections, among, iter_first(select_readable(collections))):
        hint = f"None is called nearly so. There are, for example: {', '.join(suggested)}."
    else:
        hint = "None can be read there yet."
    return DocumentNotFound(f"There is no document {asked[:200]!r}. {hint}", suggestions=suggested).offer(*offers)


def explain_unread(collections: Sequence[Collection], document: Document) -> DocumentNotFound:
    """The error for a caller who may write to the collection: the document exists or is to come, and why it cannot be read."""
    [name] = name_collections([document.collection], collections)
    if document.status in UNREAD:
        why = "was sent and is still to be read"
    elif document.status == Document.Status.QUARANTINED:
        why = "is in quarantine until somebody releases it"
    else:
        why = f"could not be indexed: {document.error_code} {document.error_message}".rstrip(". ")
    error = DocumentNotFound(f"{document.path} in {name} {why}.", suggestions=[])
    return error.offer(Offer(Remedy.INGESTION, f"{name}:{document.path}"))


def keep_fragment(asked: str, suggested: str) -> list[Offer]:
    """An offer of the suggested page with the fragment of the address; none if it has no fragment, a very long one, or one that names lines
    of a file in a repository."""
    _, sign, fragment = asked.partition("#")
    if not fragment or len(fragment) > MAX_FRAGMENT_CHARACTERS or OF_LINES.fullmatch(fragment):
        return []
    return [Offer(Remedy.FRAGMENT, f"{suggested}{sign}{fragment}")]


def keep_of_host(collections: Sequence[Collection], address: str) -> Sequence[Collection]:
    """The collections whose name the address's host has; all if it has none's."""
    host, _ = split_address(address)
    return [collection for collection in collections if is_of_site(collection, host)] or collections


def is_of_site(collection: Collection, host: str) -> bool:
    """Whether the host, which may be empty, is called like the collection."""
    return any(is_of_host(name, host) for name in list_library_names(collection))


def iter_starts(collections: Sequence[Collection], address: str) -> Iterator[Row]:
    """The start pages, the likelier ones first, if the address is the host of a site with nothing but a language or a version behind it."""
    host, [parts, *_] = split_address(address)
    own = [collection for collection in collections if is_of_site(collection, host)]
    if own and all(OF_SITE.fullmatch(part) for part in parts):
        found = select_readable(own).filter(path__in=PATHS).values_list("path", "collection_id")
        yield from sorted(found, key=lambda row: PATHS.index(row[0]))


def find_any(find: Callable[[str], list[str]], spellings: Iterable[str]) -> list[str]:
    return next(filter(None, map(find, spellings)), [])


def find_close_paths(collections: Sequence[Collection], path: str, among: Sequence[Collection] = ()) -> list[str]:
    """Paths close to this one, closest first; as `collection:path` if `among` are several collections."""
    rows: list[Row] = []
    close: list[str] = []
    for documents in iter_compared(collections, path):
        rows = list(documents.values_list("path", "collection_id")[:MAX_COMPARED_PATHS])
        if close := choose_close(path, list(dict.fromkeys(row[0] for row in rows))):
            break
    if len(among) <= 1:
        return close
    same = [sorted((row for row in rows if row[0] == each), key=lambda row: row[1]) for each in close]
    return name_rows(collections, among, chain(*same))


def iter_compared(collections: Sequence[Collection], path: str) -> Iterator[QuerySet[Document]]:
    """The documents to compare the path with: first a query for the likelier ones (if there are many documents), then all; unordered."""
    documents = select_readable(collections).order_by()
    pieces = list_pieces(get_name(path))
    if len(pieces) > 1 and has_many(documents):
        yield having_piece(documents, collections, pieces)
    yield documents


def has_many(documents: QuerySet[Document]) -> bool:
    return documents.order_by()[: MANY_DOCUMENTS + 1].count() > MANY_DOCUMENTS


def having_piece(
    documents: QuerySet[Document], collections: Sequence[Collection], pieces: Sequence[list[str]]
) -> QuerySet[Document]:
    """The documents whose paths have all trigrams of at least one of the pieces, found by the index."""
    places = [list({c.tenant_id for c in collections}), [c.pk for c in collections]]
    where = WITH_PIECES.format(" OR ".join([HAS_PIECE] * len(pieces)))
    return documents.extra(where=[where], params=[*places, *pieces, MAX_COMPARED_PATHS])  # noqa: S610  (no value is in it)


def list_pieces(name: str) -> list[list[str]]:
    """The trigrams of the pieces of a name: of each four characters, or three if the name is short; pieces without trigrams are left
    out."""
    size = SIZE + 1 if len(name) > 2 * SIZE else SIZE
    pieces = (list_trigrams(name[at : at + size]) for at in range(0, len(name), size))
    return [piece for piece in pieces if piece]


def find_near_paths(collections: Sequence[Collection], path: str, among: Sequence[Collection]) -> list[str]:
    """Operations with this name, pages with nearly this title, then pages in the path's folders, the innermost first."""
    documents = select_readable(collections)
    rows = chain(iter_operations(documents, path), iter_titled(documents, path), iter_beside(documents, path))
    return name_rows(collections, among, dict.fromkeys(rows))


def select_readable(collections: Sequence[Collection]) -> QuerySet[Document]:
    return Document.objects.in_collections(collections).readable().order_by("path", "collection_id")


def iter_operations(documents: QuerySet[Document], path: str) -> Iterator[Row]:
    """The sections of API descriptions for operations that are called like the page, with a summary or an id; as path and fragment."""
    words = WORD.findall(get_name(path).lower())
    if not words:
        return
    called = CALLED.format(words="[^[:alnum:]]*".join(words))
    described = dict(documents.filter(format="openapi").values_list("pk", "tenant_id")[:MAX_DESCRIPTIONS])
    sections = Section.objects.filter(tenant__in=set(described.values()), document__in=[*described])
    sections = sections.filter(content__iregex=called).order_by("document", "position")
    rows = sections.values_list("document__path", "section_id", "document__collection_id")[:SUGGESTIONS]
    yield from ((f"{path}#{section_id}", collection_id) for path, section_id, collection_id in rows)


def select_whole(collections: Sequence[Collection]) -> QuerySet[Document]:
    """The readable documents, with their collections and without their texts."""
    return select_readable(collections).select_related("collection__tenant").defer("content")


def iter_titled(documents: QuerySet[Document], name: str) -> Iterator[Row]:
    rows = list(documents.order_by().values_list("title", "path", "collection_id")[:MAX_COMPARED_PATHS])
    for index in choose_close_titles(name, [title for title, *_ in rows]):
        yield rows[index][1], rows[index][2]


def iter_beside(documents: QuerySet[Document], path: str) -> Iterator[Row]:
    """Pages in the folders of the path, or of an address without its host; those of the innermost first. Then those in folders elsewhere
    that are called like its innermost two."""
    address = WITH_HOST.match(path)
    parts = [part for part in (address[2] if address else path).strip().split("/") if part]
    folders = ["/".join(parts[:count]) + "/" for count in range(len(parts), 0, -1)][:MAX_FOLDERS]
    places = [Q(path__istartswith=folder) for folder in folders]
    places += [Q(path__icontains=f"/{part}/") for part in reversed(parts[-2:]) if not OF_SITE.fullmatch(part)]
    if places:
        depth = Case(*(When(place, then=number) for number, place in enumerate(places)))
        yield from iter_first(documents.filter(reduce(or_, places)).order_by(depth, "path", "collection_id"))


def iter_first(documents: QuerySet[Document]) -> Iterator[Row]:
    yield from documents.values_list("path", "collection_id")[:SUGGESTIONS]


def name_rows(collections: Sequence[Collection], among: Sequence[Collection], rows: Iterable[Row]) -> list[str]:
    """The first SUGGESTIONS of these paths that are in the collections; as `collection:path` if `among` are several collections."""
    names = dict(zip((c.pk for c in collections), name_collections(collections, among), strict=True))
    named = ((path, names[pk]) for path, pk in rows if pk in names)
    return [f"{name}:{path}" if len(among) > 1 else path for path, name in islice(named, SUGGESTIONS)]
