"""Pinned answers: puts the sections that people chose for a question before those that ranking finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collections_app.models import Collection
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.curation import Curation, normalise
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.results import Hit
from collections_app.search.time_limit import open_cursor

PINNED = """
SELECT section.id, section.document_id
FROM unnest(%(collections)s::bigint[], %(paths)s::text[], %(section_ids)s::text[]) WITH ORDINALITY
    AS pin (collection, path, section_id, number)
JOIN collections_app_document AS document
    ON document.tenant_id = ANY(%(tenants)s::bigint[]) AND document.collection_id = collection AND document.path = pin.path
JOIN collections_app_section AS section ON section.tenant_id = document.tenant_id AND section.document_id = document.id
WHERE document.status = 'success'
    AND CASE WHEN pin.section_id = '' THEN section.position = 0 ELSE section.section_id = pin.section_id END
ORDER BY pin.number
"""


def find_pinned(
    collections: Sequence[Collection], curations: Mapping[int, Curation], question: str
) -> list[RankedSection]:
    """The sections that people pinned to this question, in their order. Their score is 0.0: the caller sets it."""
    words = normalise(question)
    pins = [(pk, *place) for pk, curation in curations.items() for place in curation.pins.get(words, ())]
    if not pins:
        return []
    collection_ids, paths, section_ids = (list(column) for column in zip(*pins, strict=True))
    with open_cursor() as cursor:
        cursor.execute(
            PINNED,
            {
                "tenants": write_array({c.tenant_id for c in collections}),
                "collections": write_array(collection_ids),
                "paths": paths,
                "section_ids": section_ids,
            },
        )
        # Two pins whose questions differ only in punctuation may lead to the same section.
        rows = dict.fromkeys(cursor.fetchall())
    return [RankedSection(0, pk, document_id, 0.0, is_pinned=True) for pk, document_id in rows]


def has_found(
    pinned: Sequence[RankedSection], ranked: Sequence[RankedSection], hits: Sequence[Hit], limit: int
) -> bool:
    """Whether ranking found anything that may be shown, even if those sections are pinned or pinned ones take all the places."""
    if not pinned or not hits or not all(hit.is_pinned for hit in hits):
        return bool(hits)
    ids = {section.section_id for section in pinned}
    return bool(ranked) and (len(hits) == limit or any(section.section_id in ids for section in ranked))


def put_first(first: Sequence[RankedSection], ranked: Sequence[RankedSection]) -> list[RankedSection]:
    """The sections in `first`, pinned or not, with the best score of all, then the others."""
    if not first:
        return list(ranked)
    best = ranked[0].score if ranked else 0.0
    ids = {section.section_id for section in first}
    return [each.rescored(best) for each in first] + [section for section in ranked if section.section_id not in ids]
