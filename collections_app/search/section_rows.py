"""What a search reads of sections once they are ranked: rows, parts of very large sections, and headings below sections without text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from collections_app.naming.version_folders import read_version
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.snippets import MAX_SCANNED_CHARACTERS, Passage
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import PART_CHARACTERS, TOLD_CHARACTERS
from collections_app.text.markdown.link_targets import leave_out_targets

# A shorter text is not enough to tell that two sections are copies: it may mean different things below different titles.
TELLING_CHARACTERS = 200
# The parts of a very large section (PART_CHARACTERS) are cut at white space: each may begin this much before its multiple of the size.
SLACK_CHARACTERS = 4 * 1024
MAX_SUBSECTIONS = 100

# In SQL because building the ORM's query and objects for these rows would take a third of a search's time.
ROWS = """
SELECT section.id, section.collection_id, document.id, document.path, document.title, document.content_hash, document.source_url,
       document.indexed, section.section_id, section.heading_path, section.start_line, section.page_number, section.token_count,
       CASE WHEN octet_length(section.content) <= %s THEN section.content ELSE left(section.content, %s) END,
       CASE WHEN section.position = 0
           THEN left(concat_ws(E'\\n', nullif(document.description, ''),
                                  'Keywords: ' || nullif(array_to_string(document.keywords, ', '), '')), %s)
           ELSE '' END,
       CASE WHEN section.character_count >= %s AND length(section.content) >= %s
           THEN sha256(convert_to(btrim(section.content, E'# \\n'), 'UTF8'))
           ELSE '' END
FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
WHERE section.id = ANY(%s::bigint[])
"""

# Only where sections are: pages of several versions are put in order among many more sections than are read.
PLACES = """
SELECT section.id, section.collection_id, document.path, section.section_id
FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
WHERE section.id = ANY(%s::bigint[])
"""

# For sections longer than their excerpt: the offset of the part that was found, and the text of that part.
PARTS = """
SELECT section.id, chosen.start, substr(section.content, chosen.start + 1, %s::int)
FROM collections_app_section AS section
LEFT JOIN collections_app_sectionvector AS found ON found.section_id = section.id AND found.id = ANY(%s::bigint[]),
LATERAL (SELECT greatest(0, coalesce(found.part, 0) * %s::int - %s::int) AS start) AS chosen
WHERE section.id = ANY(%s::bigint[])
"""

# The headings of a section's direct subsections: each begins at the position where the one before ends.
SUBSECTIONS = """
WITH RECURSIVE below AS (
    SELECT section.id, section.end_position AS last, 1 AS number, first.tenant_id, first.document_id, first.heading, first.end_position
    FROM collections_app_section AS section JOIN collections_app_section AS first
        ON first.tenant_id = section.tenant_id AND first.document_id = section.document_id AND first.position = section.position + 1
    WHERE section.id = ANY(%s::bigint[]) AND section.end_position > first.position
    UNION ALL
    SELECT below.id, below.last, below.number + 1, next.tenant_id, next.document_id, next.heading, next.end_position
    FROM below JOIN collections_app_section AS next
        ON next.tenant_id = below.tenant_id AND next.document_id = below.document_id AND next.position = below.end_position
    WHERE below.end_position < below.last AND below.number < %s
)
SELECT id, string_agg(heading, E';\\n' ORDER BY number) FROM below GROUP BY id
"""


class Place(NamedTuple):
    """Where a section is."""

    id: int
    collection_id: int
    path: str
    section_id: str


class Row(NamedTuple):
    """A section, with what is shown of its document.

    `excerpt`: the first MAX_SCANNED_CHARACTERS of its text. `told`: the document's description and keywords, for its first section only.
    `digest`: SHA-256 of the whole text, stripped of heading signs and white space; empty unless the text is longer than its excerpt.
    """

    id: int
    collection_id: int
    document_id: int
    path: str
    title: str
    content_hash: str
    source_url: str
    indexed: datetime | None
    section_id: str
    heading_path: list[str]
    start_line: int
    page_number: int | None
    token_count: int
    excerpt: str
    told: str
    digest: bytes

    @property
    def text(self) -> str:
        """The text that its search vector was made of, as far as the row has it."""
        return "\n".join((self.title, self.path, *self.heading_path, self.excerpt, self.told))

    @property
    def identities(self) -> frozenset[tuple[Hashable, ...]]:
        """Of sections that have one in common only one is to be shown: the same section of a copied page, or the same text, if it is long
        enough (TELLING_CHARACTERS), on two pages that include it. Link targets are ignored in the latter: they depend on the page.

        What pages tell of themselves must be the same too, as their subjects may differ; but not if they are versions of one page.
        """
        if not self.digest and len(self.excerpt) < TELLING_CHARACTERS:
            return frozenset({(self.collection_id, self.content_hash, self.section_id)})
        text = self.digest or leave_out_targets(self.excerpt).strip().lstrip("#")
        return frozenset(
            {(self.collection_id, text, self.told), (self.collection_id, text, read_version(self.path).page)}
        )


def get_rows(section_ids: Sequence[int]) -> dict[int, Row]:
    if not section_ids:
        return {}
    with open_cursor() as cursor:
        most = MAX_SCANNED_CHARACTERS
        cursor.execute(ROWS, [most, most, TOLD_CHARACTERS, most, most, write_array(section_ids)])
        return {row[0]: Row(*row) for row in cursor.fetchall()}


def get_places(section_ids: Sequence[int]) -> list[Place]:
    with open_cursor() as cursor:
        cursor.execute(PLACES, [write_array(section_ids)])
        return [Place(*place) for place in cursor.fetchall()]


def is_long(row: Row) -> bool:
    """Whether the section may be longer than the row's excerpt."""
    return len(row.excerpt) == MAX_SCANNED_CHARACTERS


def get_parts(sections: Iterable[RankedSection]) -> dict[int, list[Passage]]:
    """Section id → the part of it that was found, short enough for making a snippet; its first part if it is unknown which was found."""
    vector_ids = {section.section_id: section.vector_id for section in sections}
    if not vector_ids:
        return {}
    with open_cursor() as cursor:
        cursor.execute(
            PARTS,
            [
                PART_CHARACTERS + SLACK_CHARACTERS,
                write_array(vector_ids.values()),
                PART_CHARACTERS,
                SLACK_CHARACTERS,
                write_array(vector_ids),
            ],
        )
        return {section_id: [Passage(text, start)] for section_id, start, text in cursor.fetchall()}


def get_subsections(section_ids: Sequence[int]) -> dict[int, Passage]:
    """Section id → the headings of its direct subsections; without sections that have none."""
    if not section_ids:
        return {}
    with open_cursor() as cursor:
        cursor.execute(SUBSECTIONS, [write_array(section_ids), MAX_SUBSECTIONS])
        return {section_id: Passage(headings, label="Subsections: ") for section_id, headings in cursor.fetchall()}
