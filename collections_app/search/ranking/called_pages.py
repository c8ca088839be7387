"""Pages that a question calls by their whole title or by the name of the class that they document: their beginnings come first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from collections_app.naming.version_folders import find_outdated
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.scope import Scope
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.time_limit import open_cursor
from collections_app.search.tsquery import quote
from collections_app.text.names.pages import list_asked_marks

# A title that more pages have (*Overview*) calls none of them. Copies of a page in folders of other versions do not count.
MOST_PAGES = 3
MOST_COPIES = 50

CALLED = """
SELECT found.section_id, found.document_id, document.collection_id, document.path
FROM (
    SELECT section_id, document_id, tenant_id FROM collections_app_searchedvector
    WHERE vector @@ %s::tsquery AND tenant_id = ANY(%s::bigint[]) AND ARRAY[collection_id] && %s::bigint[] LIMIT %s
) AS found JOIN collections_app_document AS document ON document.tenant_id = found.tenant_id AND document.id = found.document_id
ORDER BY found.section_id
"""


class Called(NamedTuple):
    """The marks of the pages that a question may call, the likelier one first, each with the scopes that have such pages."""

    marks: Sequence[tuple[str, Sequence[Scope]]] = ()
    question: str = ""


class Beginning(NamedTuple):
    """The first section of a page that is called."""

    section_id: int
    document_id: int
    collection_id: int
    path: str


def find_called(scopes: Sequence[ScopedTerms], question: str) -> Called:
    """The statistics have counted the sections with each of the question's marks: one of each page, also of copies."""
    having = {mark: [each for each in scopes if each.marks.get(mark)] for mark in list_asked_marks(question)}
    return Called(
        [
            (mark, [each.scope for each in own])
            for mark, own in having.items()
            if 0 < sum(each.marks[mark] for each in own) <= MOST_COPIES
        ],
        question,
    )


def find_beginnings(called: Called, ranked: Sequence[RankedSection], *, only_ranked: bool) -> list[RankedSection]:
    """The first section of each page of the first mark that at most MOST_PAGES have, in the order in which the pages are ranked; their
    score is 0.0: the caller sets it.

    Of a page's versions it is the newest, or the one that the question names. `only_ranked`: without those that are not in `ranked`
    themselves.
    """
    found = next((pages for pages in map(partial(read_pages, called.question), called.marks) if pages), [])
    if not found:
        return []
    if only_ranked:
        ids = {section.section_id for section in ranked}
        found = [page for page in found if page.section_id in ids]
    places = {section.document_id: place for place, section in reversed([*enumerate(ranked)])}
    found.sort(key=lambda page: places.get(page.document_id, len(ranked)))
    return [RankedSection(0, page.section_id, page.document_id, 0.0) for page in found]


def read_pages(question: str, marked: tuple[str, Sequence[Scope]]) -> list[Beginning]:
    """The pages with this mark in their newest versions; none if they are too many."""
    mark, scopes = marked
    tenants = write_array({tenant for scope in scopes for tenant in scope.tenant_ids})
    collections = write_array(collection for scope in scopes for collection in scope.collection_ids)
    with open_cursor() as cursor:
        cursor.execute(CALLED, [quote(mark), tenants, collections, MOST_COPIES])
        pages = [Beginning(*row) for row in cursor.fetchall()]
    paths: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for page in pages:
        paths[page.collection_id][page.document_id] = page.path
    outdated = {document for own in paths.values() for document in find_outdated(own, question)}
    newest = [page for page in pages if page.document_id not in outdated]
    return newest if len(newest) <= MOST_PAGES else []
