"""The embeddings of sections: which model made them, of which text, and which collections have them completely."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from collections_app.models.library import Collection, Document, Section
from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class Float4Field(models.FloatField):  # type: ignore[type-arg]  # generic in the stubs only
    """PostgreSQL's four-byte `real`: half the space of a FloatField, and precise enough for embedders' output."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "real"


class EmbeddingModel(models.Model):
    """An embedder that made vectors: its name, which distinguishes its vectors from others, and their length."""

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=200, unique=True)
    dimension = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return self.name


class SectionEmbedding(models.Model):
    """A section's vector by one model, normalised to length 1. A section may have vectors of several models.

    The column is of pgvector's type if that is installed, else a plain array, and then empty (postgres/pgvector.py).
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    section = models.ForeignKey(Section, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, db_index=False, db_constraint=False)
    vector = ArrayField(Float4Field())

    objects = InCollectionQuerySet["SectionEmbedding"].as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["collection", "model"], name="embedding_by_collection"),
            models.Index(fields=["document", "section"], name="embedding_by_section"),
        ]

    def __str__(self) -> str:
        return f"section {self.section_id} by model {self.model_id}"


class EmbeddedCollection(models.Model):
    """At `index_version`, every section of the collection had its embedding by the model; from then on they are searched."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="embedded", db_index=False)
    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, db_index=False)
    index_version = models.PositiveBigIntegerField()
    is_indexed = models.BooleanField(default=False, help_text="It has an index of its own, having very many sections")

    objects = InCollectionQuerySet["EmbeddedCollection"].as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "model"], name="embedded_once_by_a_model")
        ]

    def __str__(self) -> str:
        return f"{self.collection} by {self.model}"
