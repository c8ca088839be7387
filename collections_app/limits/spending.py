"""What answers cost: recorded by key and day, and checked against what the tenant may spend in a month. It calls no model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.exceptions import RateLimited
from collections_app.limits.requests import get_following_month
from collections_app.models import AnswerUsage, Tenant
from collections_app.postgres.row_security import as_owner

PRICED_TOKENS = 1_000_000

# A key has one row a day, which grows; a caller without a key has a row for each answer, since nothing identifies it.
RECORD = """
INSERT INTO collections_app_answerusage AS old (tenant_id, api_key_id, day, answers, tokens_in, tokens_out, cost)
VALUES (%s, %s, %s, 1, %s, %s, %s)
ON CONFLICT (tenant_id, day, api_key_id) DO UPDATE SET answers = old.answers + 1, tokens_in = old.tokens_in + excluded.tokens_in,
    tokens_out = old.tokens_out + excluded.tokens_out, cost = old.cost + excluded.cost
"""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a tenant has spent in the month that ends at `until`. Without a `ceiling` it may spend any amount."""

    spent: Decimal
    ceiling: Decimal | None
    until: datetime

    def describe(self) -> dict[str, Any]:
        ceiling = None if self.ceiling is None else format_cost(self.ceiling)
        return {"spent": format_cost(self.spent), "ceiling": ceiling, "until": self.until.date().isoformat()}


def get_spending(tenant: Tenant) -> Spending:
    start = timezone.now().date().replace(day=1)
    until = get_following_month(start)
    usage = AnswerUsage.objects.filter(tenant=tenant, day__gte=start, day__lt=until)
    with as_owner():  # who asks a public collection may not belong to its tenant
        spent = usage.aggregate(total=Sum("cost"))["total"] or Decimal(0)
    return Spending(spent, get_ceiling(tenant), datetime.combine(until, time(), UTC))


def get_ceiling(tenant: Tenant) -> Decimal | None:
    own = tenant.monthly_answer_cost
    ceiling: Decimal | None = settings.DOCSMCP.llm_monthly_cost if own is None else own
    return ceiling


def check_ceiling(tenant: Tenant) -> None:
    """Raises RateLimited if the month's money is spent. Answers that are being made at that moment are not counted yet."""
    if get_ceiling(tenant) is None:
        return
    spending = get_spending(tenant)
    if spending.ceiling is None or spending.spent < spending.ceiling:
        return
    raise RateLimited(
        f"What answers may cost this month is spent: {format_cost(spending.spent)} of {format_cost(spending.ceiling)}. "
        f"It begins anew on {spending.until:%Y-%m-%d}; searching and reading cost nothing and go on.",
        retry_after=math.ceil((spending.until - timezone.now()).total_seconds()),
        **spending.describe(),
    )


def record_answer(tenant: Tenant, principal: Principal, tokens_in: int, tokens_out: int) -> None:
    values = [tenant.pk, principal.api_key_id, timezone.now().date(), tokens_in, tokens_out]
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(RECORD, [*values, compute_cost(tokens_in, tokens_out)])


def compute_cost(tokens_in: int, tokens_out: int) -> Decimal:
    config = settings.DOCSMCP
    return (config.llm_price_in * tokens_in + config.llm_price_out * tokens_out) / PRICED_TOKENS


def format_cost(cost: Decimal) -> str:
    return f"{cost:.2f}"
