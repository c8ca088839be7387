"""What must be true of a collection whatever happened to the processes that wrote it."""

from __future__ import annotations

from collections import Counter, defaultdict

from django.db import connection

from collections_app.indexing.fulltext import VERSION_TERM
from collections_app.models import Collection, Document, FileOutcome, IngestJob, Section, SectionVector, TermStatistic
from collections_app.text.facts import FACT_MARK, make_document_facts
from collections_app.text.pages.hidden import is_hidden_page
from collections_app.text.pages.moved import is_moved_page

Outcome = FileOutcome.Outcome
Status = Document.Status

COUNT_TERMS = """
SELECT unnest(tsvector_to_array(vector)) AS term, count(*) FROM collections_app_sectionvector WHERE collection_id = %s GROUP BY 1
UNION ALL
SELECT '', count(*) FROM collections_app_sectionvector WHERE collection_id = %s
"""


def check_index(collection: Collection) -> None:
    """Documents are their sections, served ones are in the index whole and others are not, nor are those that only say where they have
    moved or that their site hides, and the statistics are those of the index."""
    documents = {document.pk: document for document in Document.objects.filter(collection=collection)}
    texts: dict[int, str] = dict.fromkeys(documents, "")
    sections: dict[int, set[int]] = {pk: set() for pk in documents}
    for section in Section.objects.filter(collection=collection).order_by("document", "position"):
        texts[section.document_id] += section.content
        sections[section.document_id].add(section.pk)
    indexed: dict[int, set[int]] = {pk: set() for pk in documents}
    for document_id, section_id in SectionVector.objects.filter(collection=collection).values_list(
        "document_id", "section_id"
    ):
        indexed[document_id].add(section_id)
    facts = get_facts(collection)
    for pk, document in documents.items():
        assert texts[pk] == document.content, document.path
        is_found = document.status == Status.SUCCESS and not (
            is_moved_page(document.content) or is_hidden_page(document.metadata)
        )
        assert indexed[pk] == (sections[pk] if is_found else set()), document.path
        assert facts.get(pk, set()) <= {frozenset([VERSION_TERM, *make_document_facts(document)])}, document.path
    assert get_statistics(collection) == count_terms(collection)


def get_facts(collection: Collection) -> dict[int, set[frozenset[str]]]:
    """Document → the facts that its vectors have, which are to be the same."""
    facts: dict[int, set[frozenset[str]]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT document_id, ARRAY(SELECT lexeme FROM unnest(vector) WHERE lexeme ^@ %s)"
            " FROM collections_app_sectionvector WHERE collection_id = %s",
            [FACT_MARK, collection.pk],
        )
        for document_id, lexemes in cursor.fetchall():
            facts[document_id].add(frozenset(lexemes))
    return facts


def count_terms(collection: Collection) -> dict[str, int]:
    """The statistics as they ought to be."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_TERMS, [collection.pk, collection.pk])
        return {term: count for term, count in cursor.fetchall() if count}


def get_statistics(collection: Collection) -> dict[str, int]:
    kept = TermStatistic.objects.filter(collection=collection, sections__gt=0)
    return dict(kept.values_list("term", "sections"))


def check_job(job: IngestJob) -> Counter[str]:
    """A job that has ended says what became of each file, and that is what the documents are; counts the outcomes."""
    job.refresh_from_db()
    assert job.state not in IngestJob.UNFINISHED
    assert job.finished is not None
    assert job.listed is None
    outcomes = Counter[str]()
    statuses = dict(Document.objects.filter(collection=job.collection_id).values_list("path", "status"))
    for outcome in job.outcomes.all():
        outcomes[outcome.outcome] += 1
        if outcome.outcome in (Outcome.INDEXED, Outcome.DUPLICATE, Outcome.UNCHANGED):
            assert statuses[outcome.path] == Status.SUCCESS, outcome.path
        if outcome.outcome == Outcome.REMOVED:
            assert outcome.path not in statuses
    return outcomes
