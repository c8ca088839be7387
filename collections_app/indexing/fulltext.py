"""The full-text index and its term statistics, which are always changed together.

Called by ingest/ inside its transaction. Queries read the statistics and never recompute them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from psycopg import Cursor

from collections_app.indexing.vector_texts import VectorText, make_vector_texts
from collections_app.models import Collection, Document, Section, SectionVector, TermStatistic
from collections_app.postgres.advisory_locks import SHARE_UNTIL_END
from collections_app.text.analysis.identifiers import NAME_MARK
from collections_app.text.analysis.lexemes import HEADING_MARK, LABEL_SEPARATOR
from collections_app.text.analysis.unspaced import ENCODED
from collections_app.text.facts import FACT_MARK, make_document_facts

INDEXING_VERSION = 10
"""To be raised when other vectors are made of the same sections: by REPLACE, by vector_texts.py, or by what text/ makes of their words.
Those that are there stay what they are until `docsmcp reindex`, or the next reading of their documents; `docsmcp doctor` counts them until
then."""

# Each vector has this term, which names the release that made it; the statistics count the vectors with it. An older release that does not
# know of the term leaves it out, so that its vectors are recognised too.
VERSION_TERM = f"{FACT_MARK}{INDEXING_VERSION}"

# A run that wrote at least this many documents ends with ANALYZE.
MANY_DOCUMENTS = 500
# What is analysed. For sections, only the columns that queries filter and join by: sampling the texts would take as long as all the rest.
ANALYZED = (
    Document._meta.db_table,
    f"{Section._meta.db_table} (tenant_id, collection_id, document_id, position, section_id)",
    SectionVector._meta.db_table,
    TermStatistic._meta.db_table,
)
# The fields of a document that its vectors are made from, besides its sections.
INDEXED_FIELDS = ("path", "title", "description", "category", "format", "keywords", "metadata")


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of the index, with the document and the section that it is for."""

    document: Document
    section_id: int
    text: VectorText


# The class of advisory locks that writers share until their transaction ends, and that changing the language takes exclusively; the second
# number is the collection's.
LANGUAGE_LOCK = 0x646F6377

# Those names of a heading (`hd0not0in`) that have a word for which the language has no lexeme.
NAMES = f"""to_tsvector(language, coalesce((
            SELECT string_agg(name, ' ') FROM unnest(string_to_array({{}}, ' ')) AS name WHERE EXISTS (
                SELECT FROM unnest(string_to_array(ltrim(name, '{HEADING_MARK}'), '{LABEL_SEPARATOR}')) AS word
                WHERE word <> '' AND to_tsvector(language, word) = ''
            )
        ), ''))"""  # noqa: S608

# It is one statement, so that removed and added terms are set off against each other and terms that stay are not touched. Terms are locked
# in a fixed order, independent of the database's collation, so that two writers cannot deadlock.
REPLACE = f"""
WITH removed AS (
    DELETE FROM collections_app_sectionvector WHERE document_id = ANY(%(replaced)b::bigint[]) AND tenant_id = %(tenant)s
    RETURNING document_id, words, vector
), spoken AS MATERIALIZED (
    SELECT language::regconfig FROM collections_app_collection WHERE id = %(collection)s
), of_document AS MATERIALIZED (
    SELECT document, language, setweight(to_tsvector(language, title), 'A')
        || array_to_tsvector(string_to_array(facts, ' ')) AS vector,
        setweight({NAMES.format("names")}, 'A') AS names
    FROM spoken, unnest(%(with_rows)b::bigint[], %(titles)b::text[], %(title_names)b::text[], %(facts)b::text[])
        AS t (document, title, names, facts)
), made AS MATERIALIZED (
    SELECT document, section, part, of_document.vector
        || setweight(to_tsvector(language, headings), 'B')
        || setweight(to_tsvector(language, body), 'D')
        || array_to_tsvector(string_to_array(marks, ' ')) AS vector,
        setweight(to_tsvector(language, heading), 'C') AS heading,
        to_tsvector(language, nullif(asked_heading, '')) AS asked_heading,
        of_document.names AS title_names, {NAMES.format("heading_names")} AS heading_names,
        setweight(to_tsvector(language, entry_names), 'A') AS entry_names, {NAMES.format("text_names")} AS text_names
    FROM unnest(%(documents)b::bigint[], %(sections)b::bigint[], %(parts)b::int[], %(headings)b::text[], %(own_headings)b::text[],
                %(heading_names)b::text[], %(asked_headings)b::text[], %(bodies)b::text[], %(entry_names)b::text[],
                %(text_names)b::text[], %(marks)b::text[])
        AS t (document, section, part, headings, heading, heading_names, asked_heading, body, entry_names, text_names, marks)
    JOIN of_document USING (document)
), added AS (
    INSERT INTO collections_app_sectionvector
        (tenant_id, collection_id, document_id, section_id, part, words, page_words, heading_words, vector)
    SELECT %(tenant)s, %(collection)s, document, section, part, words, sum(words) OVER (PARTITION BY document),
        greatest(length(coalesce(nullif(asked_heading, ''), heading)), (length(heading_names) > 0)::int),
        vector || heading || title_names || setweight(heading_names, 'B') || setweight(heading_names, 'C')
            || entry_names || setweight(text_names, 'D')
    FROM made, LATERAL (
        SELECT coalesce(sum(cardinality(positions)), 0)::int AS words FROM unnest(vector)
        WHERE strpos(lexeme, %(name_mark)s) < 2 OR lexeme ~ %(pairs)s  -- names make no section longer than their parts do
    ) AS counted
    RETURNING document_id, words, vector
), changed AS (
    SELECT term, sum(sections) AS sections, sum(sign) AS documents, 0 AS words
    FROM (
        SELECT term, sign, (sign * count(*))::int AS sections
        FROM (
            SELECT 1 AS sign, document_id, unnest(tsvector_to_array(vector)) AS term FROM added
            UNION ALL SELECT -1, document_id, unnest(tsvector_to_array(vector)) FROM removed
        ) AS occurrences GROUP BY term, document_id, sign
    ) AS pages
    GROUP BY term HAVING sum(sections) <> 0 OR sum(sign) <> 0
    UNION ALL
    SELECT '', sum(sections), sum(sign), sum(words)
    FROM (
        SELECT 1 AS sign, count(*) AS sections, sum(words) AS words FROM added GROUP BY document_id
        UNION ALL SELECT -1, -count(*), -sum(words) FROM removed GROUP BY document_id
    ) AS pages
    HAVING sum(sections) <> 0 OR sum(sign) <> 0 OR sum(words) <> 0
)
INSERT INTO collections_app_termstatistic AS known (tenant_id, collection_id, term, sections, documents, words)
SELECT %(tenant)s, %(collection)s, term, sections, documents, words FROM changed ORDER BY term COLLATE "C"
ON CONFLICT (tenant_id, collection_id, term) DO UPDATE SET
    sections = known.sections + excluded.sections, documents = known.documents + excluded.documents, words = known.words + excluded.words
"""  # noqa: S608

# Skips rows that another writer has locked: waiting for them in no fixed order could deadlock.
FORGET_UNUSED = """
DELETE FROM collections_app_termstatistic WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM collections_app_termstatistic
    WHERE tenant_id = %(tenant)s AND collection_id = %(collection)s AND sections <= 0
    FOR UPDATE SKIP LOCKED
))
"""


@dataclass(frozen=True, slots=True)
class StoredSection:
    pk: int
    position: int
    heading_path: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class StoredDocument:
    title: str
    description: str
    keywords: Sequence[str]
    metadata: Mapping[str, Any]
    sections: Sequence[StoredSection]


def index_stored(collection: Collection, documents: Iterable[Document]) -> None:
    """Replace the index rows of documents, made from their stored sections. The caller must have locked the documents' rows."""
    documents = list(documents)
    replace_in_index(collection, [document.pk for document in documents], list(iter_stored_rows(collection, documents)))


def iter_stored_rows(collection: Collection, documents: Sequence[Document]) -> Iterator[IndexRow]:
    """The index rows of documents of the collection, made from their stored sections, in the documents' order."""
    sections: defaultdict[int, list[StoredSection]] = defaultdict(list)
    stored_sections = Section.objects.filter(tenant=collection.tenant_id, document__in=[each.pk for each in documents])
    fields = stored_sections.values_list("document", "pk", "position", "heading_path", "content")
    for document_id, pk, position, heading_path, content in fields.order_by("position"):
        sections[document_id].append(StoredSection(pk, position, heading_path, content))
    for document in documents:
        stored = StoredDocument(
            document.title, document.description, document.keywords, document.metadata, sections[document.pk]
        )
        ids = {section.position: section.pk for section in stored.sections}
        for text in make_vector_texts(stored, document.path):
            yield IndexRow(document, ids[text.position], text)


def remove_from_index(collection: Collection, document_ids: Sequence[int]) -> None:
    """Remove the documents' sections from the index, and their terms from the statistics."""
    if document_ids:
        replace_in_index(collection, document_ids, ())


def replace_in_index(collection: Collection, document_ids: Sequence[int], rows: Sequence[IndexRow]) -> None:
    """Replace all index rows of the documents by these rows, in the collection's current language.

    The language cannot change until the transaction ends.
    """
    firsts = {row.document.pk: row for row in rows}.values()
    connection.ensure_connection()
    # Megabytes of text are sent as parameters beside the statement: Django's own cursor would quote them into it, for PostgreSQL to parse.
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(SHARE_UNTIL_END, [LANGUAGE_LOCK, collection.pk])
        cursor.execute(
            REPLACE,
            {
                "tenant": collection.tenant_id,
                "collection": collection.pk,
                "name_mark": NAME_MARK,
                "pairs": f"^{ENCODED.pattern}$",
                "replaced": list(document_ids),
                "documents": [row.document.pk for row in rows],
                "sections": [row.section_id for row in rows],
                "parts": [row.text.part for row in rows],
                "with_rows": [row.document.pk for row in firsts],
                "titles": [row.text.title for row in firsts],
                "title_names": [" ".join(row.text.title_names) for row in firsts],
                "facts": [" ".join([VERSION_TERM, *make_document_facts(row.document)]) for row in firsts],
                "headings": [row.text.headings for row in rows],
                "own_headings": [row.text.heading for row in rows],
                "heading_names": [" ".join(row.text.heading_names) for row in rows],
                "asked_headings": [row.text.asked_heading for row in rows],
                "bodies": [row.text.body for row in rows],
                "entry_names": [" ".join(row.text.entry_names) for row in rows],
                "text_names": [" ".join(row.text.text_names) for row in rows],
                "marks": [" ".join(row.text.marks) for row in rows],
            },
        )


RECOUNT = """
WITH vectors AS (
    SELECT document_id, words, vector FROM collections_app_sectionvector
    WHERE tenant_id = %(tenant)s AND collection_id = %(collection)s
), counted AS (
    SELECT term, sum(sections) AS sections, count(*) AS documents, sum(words) AS words
    FROM (
        SELECT term, document_id, count(*) AS sections, sum(words) AS words
        FROM (
            SELECT document_id, unnest(tsvector_to_array(vector)) AS term, 0 AS words FROM vectors
            UNION ALL SELECT document_id, '', words FROM vectors
        ) AS occurrences GROUP BY term, document_id
    ) AS pages
    GROUP BY term
), known AS (
    SELECT term, sections, documents, words FROM collections_app_termstatistic
    WHERE tenant_id = %(tenant)s AND collection_id = %(collection)s
), wrong AS (
    SELECT term, coalesce(counted.sections, 0) - coalesce(known.sections, 0) AS sections,
           coalesce(counted.documents, 0) - coalesce(known.documents, 0) AS documents,
           coalesce(counted.words, 0) - coalesce(known.words, 0) AS words
    FROM counted FULL JOIN known USING (term)
)
INSERT INTO collections_app_termstatistic AS known (tenant_id, collection_id, term, sections, documents, words)
SELECT %(tenant)s, %(collection)s, term, sections, documents, words FROM wrong
WHERE sections <> 0 OR documents <> 0 OR words <> 0 ORDER BY term COLLATE "C"
ON CONFLICT (tenant_id, collection_id, term) DO UPDATE SET
    sections = known.sections + excluded.sections, documents = known.documents + excluded.documents, words = known.words + excluded.words
"""


# If the table is partitioned (docs/scaling.md), each partition has an index of its own.
MERGE_PENDING = """
SELECT gin_clean_pending_list(oid) FROM pg_class
WHERE relkind = 'i' AND (oid = %(index)s::regclass OR oid IN (SELECT relid FROM pg_partition_tree(%(index)s::regclass)))
"""


def recount_terms(collection: Collection) -> int:
    """Recount the collection's terms and correct the statistics; returns how many were wrong.

    Writers may go on meanwhile. Since they change vectors and statistics together, the error of a number stays the same: the difference
    that one statement sees is added to whatever the number is by then.
    """
    with connection.cursor() as cursor:
        cursor.execute(RECOUNT, {"tenant": collection.tenant_id, "collection": collection.pk})
        return int(cursor.rowcount)


def settle_index(collection: Collection, written: int, check: Callable[[], None] = lambda: None) -> None:
    """At the end of a run that wrote this many documents: merge the index's pending list, delete unused terms, analyse the tables.

    Otherwise each search would have to scan the pending list, and after many documents the planner's statistics would be outdated until
    autovacuum runs. (ANALYZE reads samples of a fixed size, however large the tables are.) `check` is called between the steps and may
    raise; none of the steps is necessary.
    """
    analyses = [f"ANALYZE {each}" for each in ANALYZED] if written >= MANY_DOCUMENTS else []
    with connection.cursor() as cursor:
        for index in SectionVector._meta.indexes:
            cursor.execute(MERGE_PENDING, {"index": index.name})
        cursor.execute(FORGET_UNUSED, {"tenant": collection.tenant_id, "collection": collection.pk})
        for analysis in analyses:
            check()
            cursor.execute(analysis)
