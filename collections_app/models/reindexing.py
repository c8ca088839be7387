"""How far the rebuild of a collection's index is, stored so that a run which was interrupted continues where it stopped."""

from __future__ import annotations

from django.db import models

from collections_app.models.library import Collection
from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet


class Reindexing(models.Model):
    """A rebuild that is due, under way, or was interrupted: the documents up to `position`, in order of path, are done."""

    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, primary_key=True, related_name="reindexing")
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    position = models.CharField(max_length=1000, blank=True)
    done = models.PositiveIntegerField(default=0)
    by_queue = models.BooleanField(
        default=False, db_default=False, help_text="The queue begins it, and goes on where it was broken off"
    )
    started = models.DateTimeField(auto_now_add=True)

    objects = InCollectionQuerySet["Reindexing"].as_manager()

    def __str__(self) -> str:
        return f"{self.collection} up to {self.position or 'nothing'}"
