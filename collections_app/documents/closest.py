"""What is said of a path that no document has: the paths that may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from collections_app.catalog import name_collections
from collections_app.exceptions import DocumentNotFound
from collections_app.models import Collection, Document
from collections_app.naming.paths import SUGGESTIONS, choose_close

# Close paths are looked for among this many at most.
MAX_COMPARED_PATHS = 50_000


def explain_missing(collections: Sequence[Collection], path: str) -> DocumentNotFound:
    close = find_close_paths(collections, path, collections)
    none = "list_doc_pages gives the paths there are. search_docs finds pages by their titles and words."
    hint = f"The closest are: {', '.join(close)}." if close else none
    return DocumentNotFound(f"There is no document {path[:200]!r}. {hint}", suggestions=close)


def find_close_paths(collections: Sequence[Collection], path: str, among: Sequence[Collection] = ()) -> list[str]:
    """Paths nearly like this one, closest first, as `collection:path` where `among` are several that may be meant."""
    readable = Document.objects.in_collections(collections).readable()
    rows = list(readable.values_list("path", "collection_id")[:MAX_COMPARED_PATHS])
    close = choose_close(path, list(dict.fromkeys(row[0] for row in rows)))
    if len(among) <= 1:
        return close
    names = dict(zip((c.pk for c in collections), name_collections(collections, among), strict=True))
    same = [sorted(f"{names[pk]}:{each}" for other, pk in rows if other == each) for each in close]
    return list(chain(*same))[:SUGGESTIONS]
