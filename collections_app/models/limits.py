"""The count for a tenant's monthly quota. The windows of the rate limit are counted in a cache (limits/requests.py)."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from django.db import connection, models

from collections_app.models.tenants import Tenant

# Asynchronous commit: a crash may lose the last second's counts, but no request waits for the disk.
COUNT = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO collections_app_monthlyrequests AS old (tenant_id, month, requests) SELECT %s, %s, 1 FROM quick
ON CONFLICT (tenant_id, month) DO UPDATE SET requests = old.requests + 1 RETURNING requests
"""


class MonthlyRequestsQuerySet(models.QuerySet["MonthlyRequests"]):
    def count_one(self, tenant_id: int, month: date) -> int:
        """Adds a request and returns how many there are now. A single statement, so exact however many count at once."""
        with connection.cursor() as cursor:
            cursor.execute(COUNT, [tenant_id, month])
            return int(cursor.fetchone()[0])

    def get_count(self, tenant_id: int, month: date) -> int:
        return self.filter(tenant=tenant_id, month=month).values_list("requests", flat=True).first() or 0


class MonthlyRequests(models.Model):
    """How many requests the keys of a tenant with a quota made in a month."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    month = models.DateField(help_text="Its first day")
    requests = models.PositiveIntegerField()

    objects = MonthlyRequestsQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "month"], name="monthly_requests_once")]

    def __str__(self) -> str:
        return f"{self.tenant} {self.month:%Y-%m}: {self.requests}"
