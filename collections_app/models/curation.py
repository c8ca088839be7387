"""What people add to a collection's search: words with the same meaning, and questions whose answer is known.

Search remembers these rows by the collection's index_version, so whoever changes them raises it (curating.py and admin/library.py do).
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from collections_app.models.library import Collection
from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet


class Synonym(models.Model):
    """A question with `term` also finds what has `synonym`; with `is_mutual` also the other way round. Each may have several words."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="synonyms")
    term = models.CharField(max_length=100)
    synonym = models.CharField(max_length=100)
    is_mutual = models.BooleanField(
        default=True, help_text="Off: only the term finds the synonym, not the other way round"
    )

    objects = InCollectionQuerySet["Synonym"].as_manager()

    class Meta:
        ordering: ClassVar = ["term", "synonym"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "term", "synonym"], name="synonym_once")
        ]

    def __str__(self) -> str:
        return f"{self.term} {'⇄' if self.is_mutual else '→'} {self.synonym}"


class Pin(models.Model):
    """A question (in any case, with any punctuation) and the section or page that answers it, which is found first, by lowest position."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, editable=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="pins")
    question = models.CharField(max_length=200)
    path = models.CharField(max_length=1000)
    section_id = models.TextField(blank=True, help_text="Empty: the page's first section")
    position = models.PositiveSmallIntegerField(default=0)

    objects = InCollectionQuerySet["Pin"].as_manager()

    class Meta:
        ordering: ClassVar = ["question", "position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "collection", "question", "path"], name="pin_once")
        ]

    def __str__(self) -> str:
        return f"{self.question}: {self.path}"
