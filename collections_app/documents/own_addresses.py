"""Finds documents by the addresses on their site that their front matter gives them, present or former (Jekyll's `permalink`).

The index knows them as facts of the documents' sections: not of documents without text, nor of those with more facts than it tells, nor
addresses with a host, with blanks or of numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import connection

from collections_app.documents.closest import select_whole
from collections_app.documents.moved import iter_ends
from collections_app.models import Collection, Document
from collections_app.naming.paths import list_parts, strip_ending
from collections_app.text.facts import make_facts

# Jekyll's, Jekyll's for former ones, Hugo's for former ones, Hugo's, Docusaurus'.
FIELDS = ("permalink", "redirect_from", "aliases", "url", "slug")
MOST_DOCUMENTS = 500
# As front matter writes an address whose parts are joined by slashes.
SPELLINGS = ("/{}/", "/{}", "{}/", "{}", "/{}.html", "/{}/index.html")

# Each of the queries asks the index: one for all of them, or a limit to what it finds, would make PostgreSQL read every vector instead.
# Without OFFSET it might read them all once, to try each of the queries on them.
ADDRESSED = """
WITH found AS MATERIALIZED (
    SELECT document_id FROM unnest(%s::tsquery[]) AS asked (query), LATERAL (
        SELECT document_id FROM collections_app_searchedvector
        WHERE vector @@ query AND tenant_id = ANY(%s) AND ARRAY[collection_id] && %s::bigint[] OFFSET 0
    ) AS with_it
)
SELECT DISTINCT document_id FROM found LIMIT %s
"""


class Addressed(NamedTuple):
    """The readable documents with an address. `is_cut`: more have it than are looked at."""

    documents: Sequence[Document] = ()
    is_cut: bool = False


def find_addressed(collections: Sequence[Collection], addresses: Sequence[Sequence[str]]) -> Addressed:
    """The documents with an address of their own that is a possible end of one of these, each given as list_parts() does; if these are too
    many, those with the longest."""
    ends = sorted({end for parts in addresses for end in iter_ends(parts)}, key=lambda end: -end.count("/"))
    found = look_up(collections, ends)
    if len(found) > MOST_DOCUMENTS:
        found = next(filter(None, (look_up(collections, [end]) for end in ends)), [])
    if not found:
        return Addressed()
    documents = select_whole(collections).filter(pk__in=found[:MOST_DOCUMENTS])
    return Addressed(list(documents), len(found) > MOST_DOCUMENTS)


def look_up(collections: Sequence[Collection], addresses: Sequence[str]) -> list[int]:
    """The ids of the documents with one of these addresses, at most one more than MOST_DOCUMENTS."""
    if not addresses:
        return []
    queries = [" | ".join(f"'{fact}'" for fact in iter_facts(address)) for address in addresses]
    tenants = list({collection.tenant_id for collection in collections})
    with connection.cursor() as cursor:
        cursor.execute(ADDRESSED, [queries, tenants, [each.pk for each in collections], MOST_DOCUMENTS + 1])
        return [document_id for (document_id,) in cursor.fetchall()]


def list_own_addresses(document: Document) -> list[tuple[str, ...]]:
    """The addresses that its front matter gives the document, as list_parts() does."""
    values = (document.metadata.get(field) for field in FIELDS)
    addresses = (each for value in values for each in (value if isinstance(value, list) else [value]))
    parts = (list_parts(strip_ending(each)) for each in addresses if isinstance(each, str))
    return [each for each in parts if each]


def iter_facts(address: str) -> Iterator[str]:
    """The facts of documents that write the address in one of the fields and spellings."""
    for field in FIELDS:
        for spelling in SPELLINGS:
            yield from make_facts(f"metadata.{field}", spelling.format(address))
