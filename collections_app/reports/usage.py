"""How much was asked, by day, tool and key, and how long it took: sums of the counts of activity/usage.py. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from collections_app.activity.latency import BUCKETS, estimate_quantile_ms
from collections_app.models import ApiKey, DailyUsage, Tenant

DAYS = 30
MAX_ROWS = 12

BUCKET_SUMS = {f"bucket_{number}": Sum(f"latencies__{number}", default=0) for number in range(BUCKETS)}


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The requests of a day, of a tool or by a key. Latencies are estimates, in milliseconds; None if there are no requests."""

    name: str
    requests: int = 0
    errors: int = 0
    median_ms: float | None = None
    p95_ms: float | None = None


def list_days(tenant: Tenant, *, api_key: ApiKey | None = None) -> list[UsageRow]:
    """Each of the last days (UTC), named in ISO form, today last; includes days without a request."""
    usage = find_usage(tenant)
    if api_key:
        usage = usage.filter(api_key=api_key)
    found = {row["day"]: row for row in add_up(usage, "day").order_by()}
    first = get_first_day()
    return [
        make_row(day.isoformat(), found[day]) if day in found else UsageRow(day.isoformat())
        for day in (first + timedelta(days=number) for number in range(DAYS))
    ]


def list_calls(tenant: Tenant) -> list[UsageRow]:
    """The tools, methods and endpoints that were called most, most frequent first."""
    rows = add_up(find_usage(tenant), "call")[:MAX_ROWS]
    return [make_row(row["call"], row) for row in rows]


def list_keys(tenant: Tenant) -> list[UsageRow]:
    """The keys with most requests, by name."""
    rows = list(add_up(find_usage(tenant), "api_key_id")[:MAX_ROWS])
    keys = ApiKey.objects.filter(tenant=tenant).in_bulk([row["api_key_id"] for row in rows if row["api_key_id"]])
    return [make_row(name_key(row["api_key_id"], keys), row) for row in rows]


def count_month(tenant: Tenant) -> int:
    """The number of requests in this calendar month (UTC)."""
    usage = DailyUsage.objects.filter(tenant=tenant, day__gte=get_today().replace(day=1))
    return int(usage.aggregate(asked=Sum("requests", default=0))["asked"])


def count_without_tenant() -> int:
    """The number of requests in the last days that belong to no tenant: by callers without a key, and by members."""
    usage = DailyUsage.objects.filter(tenant=None, day__gte=get_first_day())
    return int(usage.aggregate(asked=Sum("requests", default=0))["asked"])


def find_usage(tenant: Tenant) -> QuerySet[DailyUsage]:
    return DailyUsage.objects.filter(tenant=tenant, day__gte=get_first_day())


def add_up(usage: QuerySet[DailyUsage], field: str) -> QuerySet[DailyUsage, dict[str, Any]]:
    """One row for each value of the field, most requests first."""
    sums: dict[str, Sum] = {"asked": Sum("requests"), "failed": Sum("errors"), **BUCKET_SUMS}
    grouped: QuerySet[DailyUsage, dict[str, Any]] = usage.values(field).annotate(**sums).order_by()
    return grouped.order_by(F("asked").desc(), field)


def get_today() -> date:
    return timezone.now().date()


def get_first_day() -> date:
    return get_today() - timedelta(days=DAYS - 1)


def make_row(name: str, sums: Mapping[str, Any]) -> UsageRow:
    counts: Sequence[int] = [int(sums[f"bucket_{number}"]) for number in range(BUCKETS)]
    median_ms, p95_ms = (estimate_quantile_ms(counts, share) for share in (0.5, 0.95))
    return UsageRow(name, int(sums["asked"]), int(sums["failed"]), median_ms, p95_ms)


def name_key(key_id: int | None, keys: Mapping[int, ApiKey]) -> str:
    if key_id is None:
        return "Without a key"
    return str(keys[key_id]) if key_id in keys else "A key that was deleted"
