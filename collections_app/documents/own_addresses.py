"""Finds documents by the addresses on their site that their front matter gives them, present or former (Jekyll's `permalink`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from collections_app.documents.closest import select_whole
from collections_app.models import Collection, Document
from collections_app.naming.paths import list_parts, strip_ending
from collections_app.text.facts import make_facts

# Jekyll's, Jekyll's for former ones, Hugo's for former ones, Hugo's, Docusaurus'.
FIELDS = ("permalink", "redirect_from", "aliases", "url", "slug")
# A site may be below folders that its pages' addresses do not have: so many last parts of an address, and fewer, are looked up.
MOST_PARTS = 5
MOST_DOCUMENTS = 50
# As front matter writes an address whose parts are joined by slashes.
SPELLINGS = ("/{}/", "/{}", "{}/", "{}", "/{}.html", "/{}/index.html")

ADDRESSED = """
SELECT DISTINCT document_id FROM collections_app_searchedvector
WHERE vector @@ %s::tsquery AND tenant_id = ANY(%s) AND ARRAY[collection_id] && %s::bigint[] LIMIT %s
"""


def select_addressed(collections: Sequence[Collection], addresses: Iterable[Sequence[str]]) -> QuerySet[Document]:
    """The readable documents with an address of their own that is the end of one of these, each given as list_parts() does."""
    facts = {fact for parts in addresses for end in iter_ends(parts) for fact in iter_facts(end)}
    documents = select_whole(collections)
    if not facts:
        return documents.none()
    with connection.cursor() as cursor:
        wanted: list[Any] = [list({c.tenant_id for c in collections}), [c.pk for c in collections], MOST_DOCUMENTS]
        cursor.execute(ADDRESSED, [" | ".join(f"'{fact}'" for fact in sorted(facts)), *wanted])
        found = [document_id for (document_id,) in cursor.fetchall()]
    return documents.filter(pk__in=found)


def list_own_addresses(document: Document) -> list[tuple[str, ...]]:
    """The addresses that its front matter gives the document, as list_parts() does."""
    values = (document.metadata.get(field) for field in FIELDS)
    addresses = (each for value in values for each in (value if isinstance(value, list) else [value]))
    parts = (list_parts(strip_ending(each)) for each in addresses if isinstance(each, str))
    return [each for each in parts if each]


def iter_ends(parts: Sequence[str]) -> Iterator[str]:
    """The last parts of an address, at most MOST_PARTS, then fewer."""
    for count in range(min(len(parts), MOST_PARTS), 0, -1):
        yield "/".join(parts[-count:])


def iter_facts(address: str) -> Iterator[str]:
    for field in FIELDS:
        for spelling in SPELLINGS:
            yield from make_facts(f"metadata.{field}", spelling.format(address))
