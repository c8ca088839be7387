"""What was asked: the search history, kept as long as SEARCH_EVENT_RETENTION_DAYS says; and what answers have cost, kept for good."""

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
        ordering: ClassVar = ["-day"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "day", "api_key"], name="answer_usage_of_key_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.tenant} on {self.day}"
