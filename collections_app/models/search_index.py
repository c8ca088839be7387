"""The index over sections: what is searched of each, and how often each term occurs in a collection."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Func

from collections_app.models.library import Collection, Document, Section
from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet


class SectionVector(models.Model):
    """What is searched of a section; a section over 64 K characters of text has several parts.

    Kept apart from the section's text, so that ranking reads narrow rows. Title and path have weight A, headings B, the section's own
    heading C in addition, text D. The languages of fenced code (text/markdown/code_blocks.py), facts about the document (text/facts.py) and
    the release that made the vector (indexing/fulltext.py) are lexemes without a position.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, db_constraint=False)
    section = models.ForeignKey(Section, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    part = models.PositiveSmallIntegerField(default=0)
    words = models.PositiveIntegerField(default=0, help_text="That can be looked up, each as often as it occurs")
    page_words = models.PositiveIntegerField(default=0, help_text="Of all rows of the document")
    vector = SearchVectorField()
    # No PositiveSmallIntegerField: its constraint would be checked for each row when an upgrade adds the column.
    heading_words = models.SmallIntegerField(
        default=0, db_default=0, help_text="Different ones of its own heading; 0 where that is not known"
    )

    objects = InCollectionQuerySet["SectionVector"].as_manager()

    class Meta:
        # Includes the collection, so that a search skips others' rows within the index; as an array, since that needs no extension.
        indexes: ClassVar = [
            GinIndex(
                "vector",
                Func("collection_id", template="ARRAY[%(expressions)s]"),
                name="section_vector_by_collection",
                # In KB. Every search reads the entries that wait to be merged; with PostgreSQL's default of 4 MB that takes 4 ms.
                gin_pending_list_limit=512,
            ),
            # Titles and headings only: for a word that is nearly everywhere, this finds the sections about it.
            GinIndex(
                Func("vector", template="ts_filter(%(expressions)s, '{a,b}')"),
                Func("collection_id", template="ARRAY[%(expressions)s]"),
                name="section_vector_by_heading",
                gin_pending_list_limit=512,
            ),
        ]

    def __str__(self) -> str:
        return f"section {self.section_id}, part {self.part}"


class TermStatistic(models.Model):
    """In how many section vectors and documents of a collection a term occurs. A term is a word, a language of code or a fact.

    The empty term counts all section vectors and documents, and their words.
    """

    pk = models.CompositePrimaryKey("tenant_id", "collection_id", "term")
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    term = models.TextField(db_collation="C")  # looked up by prefix, whatever the locale
    sections = models.IntegerField()
    documents = models.IntegerField(default=0)
    words = models.BigIntegerField(default=0)

    objects = InCollectionQuerySet["TermStatistic"].as_manager()

    class Meta:
        # For looking up a term in many collections at once; the primary key is for one collection's terms.
        indexes: ClassVar = [models.Index(fields=["tenant", "term", "collection"], name="term_statistic_by_term")]

    def __str__(self) -> str:
        return f"{self.term}: {self.sections}"
