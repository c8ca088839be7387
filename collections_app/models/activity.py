"""What callers did: their searches, how often they called what, which documents they read, and their feedback; each kept as
long as its setting says. Also what answers have cost, which is kept for good.
"""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from collections_app.activity.latency import BUCKETS
from collections_app.models.library import Collection, Document
from collections_app.models.tenants import ApiKey, Tenant
from collections_app.models.visibility import TenantQuerySet


class SearchEvent(models.Model):
    """One search. `is_narrowed`: it found nothing because of a filter (category, filters, code), although its words exist."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, db_index=False)
    collections = ArrayField(models.BigIntegerField(), default=list)
    query = models.CharField(max_length=1000)
    mode = models.CharField(max_length=10)
    hits = models.PositiveIntegerField()
    is_narrowed = models.BooleanField(default=False, db_default=False)
    duration_ms = models.FloatField()
    created = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet["SearchEvent"].as_manager()

    class Meta:
        verbose_name = "search"
        verbose_name_plural = "searches"
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "api_key", "-created"], name="search_event_recent"),
            models.Index(fields=["tenant", "-created"], name="search_event_of_tenant"),
            models.Index(fields=["tenant", "-created"], name="search_event_in_vain", condition=models.Q(hits=0)),
        ]

    def __str__(self) -> str:
        return self.query


class AnswerUsage(models.Model):
    """What the answers of a key have cost on one day (UTC). A caller without a key has a row for each answer."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True)
    day = models.DateField()
    answers = models.PositiveIntegerField()
    tokens_in = models.PositiveBigIntegerField(help_text="Tokens that the model read")
    tokens_out = models.PositiveBigIntegerField(help_text="Tokens that the model wrote")
    cost = models.DecimalField(max_digits=16, decimal_places=6, help_text="By LLM_PRICE_IN and LLM_PRICE_OUT")

    objects = TenantQuerySet["AnswerUsage"].as_manager()

    class Meta:
        verbose_name = "cost of answers"
        verbose_name_plural = "costs of answers"
        ordering: ClassVar = ["-day"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "day", "api_key"], name="answer_usage_of_key_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.tenant} on {self.day}"


class DailyUsage(models.Model):
    """The calls of one key to one tool, method or endpoint on one day (UTC). Written by activity/usage.py.

    Without a tenant: all callers that have none, together. A row outlives its key, whose id is never reused.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, db_index=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.DO_NOTHING, null=True, db_constraint=False, db_index=False)
    day = models.DateField()
    call = models.CharField(max_length=100)
    requests = models.PositiveIntegerField()
    errors = models.PositiveIntegerField()
    total_ms = models.FloatField()
    latencies = ArrayField(
        models.PositiveIntegerField(), size=BUCKETS, help_text="Requests by how long they took: see latency.py"
    )

    objects = TenantQuerySet["DailyUsage"].as_manager()

    class Meta:
        ordering: ClassVar = ["-day", "call"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "day", "api_key", "call"], name="daily_usage_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.call} on {self.day}"


class DocumentRead(models.Model):
    """When a document was last read; without a row, never. Written by activity/usage.py; outlives its document by a day at most."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    document = models.ForeignKey(
        Document, on_delete=models.DO_NOTHING, related_name="read_counts", db_constraint=False, db_index=False
    )
    last_read = models.DateTimeField()
    reads = models.PositiveBigIntegerField()

    objects = TenantQuerySet["DocumentRead"].as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "document"], name="document_read_once")]

    def __str__(self) -> str:
        return f"document {self.document_id}: {self.reads}"


class Feedback(models.Model):
    """What an agent said about an answer or a page."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True)
    collection = models.ForeignKey(Collection, on_delete=models.SET_NULL, null=True)
    question = models.CharField(max_length=1000, blank=True)
    path = models.CharField(max_length=1000, blank=True, help_text="The document that it is about")
    helpful = models.BooleanField()
    comment = models.CharField(max_length=1000, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet["Feedback"].as_manager()

    class Meta:
        ordering: ClassVar = ["-created"]
        verbose_name_plural = "feedback"
        indexes: ClassVar = [models.Index(fields=["tenant", "-created"], name="feedback_recent")]

    def __str__(self) -> str:
        return self.question or self.path
