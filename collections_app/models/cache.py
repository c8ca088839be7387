"""What postgres/cache.py keeps. Nobody's rows: what may be seen of them, and by whom, is in their keys."""

from __future__ import annotations

from django.db import models


class CacheEntry(models.Model):
    """A value until it expires: pickled, or a whole number that is counted up. The table is unlogged: a crash of the server empties it."""

    key = models.TextField(primary_key=True, db_collation="C")
    value = models.BinaryField(null=True)
    count = models.BigIntegerField(null=True)
    expires = models.DateTimeField(null=True, help_text="Empty: never")

    def __str__(self) -> str:
        return self.key
