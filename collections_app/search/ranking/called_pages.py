"""Pages that a question calls by their whole title or by the name of the class that they document: their beginnings come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.scope import Scope
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.time_limit import open_cursor
from collections_app.search.tsquery import quote
from collections_app.text.page_names import list_asked_marks

# A title that more pages have (*Overview*) calls none of them.
MOST_PAGES = 3

CALLED = """
SELECT section_id, document_id FROM collections_app_searchedvector
WHERE vector @@ %s::tsquery AND tenant_id = ANY(%s::bigint[]) AND ARRAY[collection_id] && %s::bigint[]
ORDER BY section_id
"""


class Called(NamedTuple):
    """The mark of the pages that a question calls, and where they are; no scopes if it calls none."""

    mark: str = ""
    scopes: Sequence[Scope] = ()


def find_called(scopes: Sequence[ScopedTerms], question: str) -> Called:
    """The statistics have counted the pages with each of the question's marks; the first mark that some pages have counts."""
    for mark in list_asked_marks(question):
        having = [each for each in scopes if each.marks.get(mark)]
        if 0 < sum(each.marks[mark] for each in having) <= MOST_PAGES:
            return Called(mark, [each.scope for each in having])
    return Called()


def find_beginnings(called: Called, ranked: Sequence[RankedSection], *, only_ranked: bool) -> list[RankedSection]:
    """The first section of each page, in the order in which the pages are ranked; their score is 0.0: the caller sets it.

    `only_ranked`: without those that are not in `ranked` themselves.
    """
    if not called.scopes:
        return []
    tenants = write_array({tenant for scope in called.scopes for tenant in scope.tenant_ids})
    collections = write_array(collection for scope in called.scopes for collection in scope.collection_ids)
    with open_cursor() as cursor:
        cursor.execute(CALLED, [quote(called.mark), tenants, collections])
        found = [RankedSection(0, section_id, document_id, 0.0) for section_id, document_id in cursor.fetchall()]
    if only_ranked:
        ids = {section.section_id for section in ranked}
        found = [section for section in found if section.section_id in ids]
    places = {section.document_id: place for place, section in reversed([*enumerate(ranked)])}
    return sorted(found, key=lambda section: places.get(section.document_id, len(ranked)))
