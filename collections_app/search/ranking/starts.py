"""Start pages, for a question that asks what a product is (`what is Acme Gate`) or only names it. Its name is on every page, so ranking
would find anything, but seldom the page that introduces it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from collections_app.catalog import list_product_names
from collections_app.models import Collection
from collections_app.naming.start_pages import PATHS
from collections_app.postgres.prepared_cursor import write_array, write_text_array
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.terms.product_names import split
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import fold

# Words around the name in such a question, besides stop words.
ASKING = frozenset({
    "about", "describe", "do", "does", "exactly", "explain", "for", "is", "it", "me", "mean", "of", "purpose", "tell", "the", "this", "use",
    "s", "used", "what", "whats", "why",
})  # fmt: skip
# Titles of pages that introduce a product, before its start page; {} is its name.
TITLES = (
    "what is {}", "introduction to {}", "about {}", "{} overview", "overview of {}", "introducing {}", "{} introduction",
)  # fmt: skip
# No product has a longer name.
MOST_WORDS = 5
# Of more products with this name, none is shown first; among more collections, names are not compared.
MOST_PRODUCTS = 3
MOST_COLLECTIONS = 50

FIRST = """
SELECT DISTINCT ON (document.collection_id) section.id, document.id
FROM collections_app_document AS document JOIN collections_app_section AS section
    ON section.tenant_id = document.tenant_id AND section.document_id = document.id AND section.position = 0
WHERE document.tenant_id = ANY(%s::bigint[]) AND document.collection_id = ANY(%s::bigint[]) AND document.status = 'success'
    AND (document.path = ANY(%s::text[]) OR lower(document.title) = ANY(%s::text[]))
ORDER BY document.collection_id, array_position(%s::text[], rtrim(lower(document.title), '?')),
    array_position(%s::text[], document.path::text)
"""


def find_starts(collections: Sequence[Collection], question: str, stop_words: Set[str]) -> list[RankedSection]:
    """The first section of the page that introduces each of the products that the question asks for; their score is 0.0: the caller sets
    it."""
    name = find_name(question, stop_words)
    asked = find_called(collections, name) if name else []
    if not asked or len(asked) > MOST_PRODUCTS:
        return []
    tenants, own = write_array({c.tenant_id for c in asked}), write_array(c.pk for c in asked)
    titles = [title.format(" ".join(name)) for title in TITLES]
    asked_titles, paths = write_text_array([*titles, *(f"{title}?" for title in titles)]), write_text_array(PATHS)
    with open_cursor() as cursor:
        cursor.execute(FIRST, [tenants, own, paths, asked_titles, write_text_array(titles), paths])
        return [RankedSection(0, section_id, document_id, 0.0) for section_id, document_id in cursor.fetchall()]


def find_name(question: str, stop_words: Set[str]) -> list[str]:
    """The words of the question besides ASKING and stop words, if they can be a name."""
    words = [word for word in split(fold(question)) if not (word in ASKING or word in stop_words)]
    return words if len(words) <= MOST_WORDS else []


def find_called(collections: Sequence[Collection], name: Sequence[str]) -> list[Collection]:
    if len(collections) > MOST_COLLECTIONS:
        return []
    return [c for c in collections if "".join(name) in {"".join(split(each)) for each in list_product_names([c])}]
