from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from collections_app.access.principal import Principal
from collections_app.exceptions import RateLimited
from collections_app.limits import spending
from collections_app.limits.spending import check_ceiling, get_spending, record_answer
from collections_app.models import AnswerUsage, Tenant
from tests.factories import make_collection, make_principal, make_tenant

pytestmark = pytest.mark.django_db


class Calendar:
    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    calendar = Calendar(datetime(2026, 12, 31, 23, 59, 30, tzinfo=UTC))
    monkeypatch.setattr(spending, "timezone", calendar)
    return calendar


@pytest.fixture
def tenant(settings: Any) -> Tenant:
    prices = {"llm_price_in": Decimal(1), "llm_price_out": Decimal(10), "llm_monthly_cost": None}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=prices)
    return make_tenant()


def spend(tenant: Tenant, cost: int, principal: Principal | None = None) -> None:
    record_answer(tenant, principal or Principal(tenant_id=tenant.pk), cost * 1_000_000, 0)


def test_a_key_has_one_row_for_a_day(tenant: Tenant, calendar: Calendar) -> None:
    principal = make_principal(make_collection(tenant=tenant))
    record_answer(tenant, principal, 1000, 100)
    record_answer(tenant, principal, 500, 0)
    usage = AnswerUsage.objects.get()
    assert (usage.day, usage.answers, usage.tokens_in, usage.tokens_out) == (date(2026, 12, 31), 2, 1500, 100)
    assert usage.cost == Decimal("0.0025")
    calendar.moment = datetime(2027, 1, 1, tzinfo=UTC)
    record_answer(tenant, principal, 1, 1)
    assert AnswerUsage.objects.count() == 2


def test_what_a_deleted_key_has_spent_stays_spent(tenant: Tenant) -> None:
    for _ in range(2):
        principal = make_principal(make_collection(tenant=tenant))
        spend(tenant, 3, principal)
    tenant.api_keys.all().delete()
    spend(tenant, 1)
    assert get_spending(tenant).spent == 7


def test_the_month_and_the_tenant_count(tenant: Tenant, calendar: Calendar) -> None:
    spend(tenant, 5)
    spend(make_tenant(), 3)
    assert get_spending(tenant).describe() == {"spent": "5.00", "ceiling": None, "until": "2027-01-01"}
    calendar.moment = datetime(2027, 1, 1, tzinfo=UTC)
    assert get_spending(tenant).spent == 0


def test_without_a_ceiling_nothing_is_asked(tenant: Tenant, django_assert_num_queries: Any) -> None:
    spend(tenant, 1000)
    with django_assert_num_queries(0):
        check_ceiling(tenant)


def test_a_reached_ceiling_refuses_until_the_next_month(tenant: Tenant, calendar: Calendar) -> None:
    tenant.monthly_answer_cost = Decimal(5)
    spend(tenant, 4)
    check_ceiling(tenant)
    spend(tenant, 1)
    with pytest.raises(RateLimited, match=r"5\.00 of 5\.00.* 2027-01-01") as error:
        check_ceiling(tenant)
    assert error.value.details["retry_after"] == 30


def test_the_tenants_own_ceiling_counts_before_the_settings(tenant: Tenant, settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"llm_monthly_cost": Decimal(0)})
    with pytest.raises(RateLimited):
        check_ceiling(tenant)
    tenant.monthly_answer_cost = Decimal(1)
    check_ceiling(tenant)
