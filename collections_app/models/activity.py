"""What was asked: the search history, kept as long as SEARCH_EVENT_RETENTION_DAYS says."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from collections_app.models.tenants import ApiKey, Tenant
from collections_app.models.visibility import TenantQuerySet


class SearchEvent(models.Model):
    """One search."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, db_index=False)
    collections = ArrayField(models.BigIntegerField(), default=list)
    query = models.CharField(max_length=1000)
    mode = models.CharField(max_length=10)
    hits = models.PositiveIntegerField()
    duration_ms = models.FloatField()
    created = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet["SearchEvent"].as_manager()

    class Meta:
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [models.Index(fields=["tenant", "api_key", "-created"], name="search_event_recent")]

    def __str__(self) -> str:
        return self.query
