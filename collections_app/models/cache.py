"""The entries of postgres/cache.py. They belong to no tenant: their keys say what they are about and who may see it."""

from __future__ import annotations

from django.db import models


class CacheEntry(models.Model):
    """A value until it expires: pickled, or a whole number that is incremented. The table is unlogged: a crash of the server empties it."""

    key = models.TextField(primary_key=True, db_collation="C")
    value = models.BinaryField(null=True)
    count = models.BigIntegerField(null=True)
    expires = models.DateTimeField(null=True, help_text="Empty: never")

    def __str__(self) -> str:
        return self.key
