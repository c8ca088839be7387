"""Who operates the server says how much a tenant may; its owners lower that, and raise nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from collections_app.exceptions import InvalidParameter
from collections_app.limits.ceilings import check_key_not_raised, check_not_raised, lower_keys
from collections_app.models import ApiKey, Tenant
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def usual(settings: Any) -> None:
    update = {"mcp_rate_limit_requests": 100, "llm_monthly_cost": Decimal(20)}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=update)


def make_key(tenant: Tenant, rate_limit: int | None = None) -> ApiKey:
    key, _ = ApiKey.objects.issue(tenant=tenant, name="key")
    key.rate_limit = rate_limit
    key.save()
    return key


@pytest.mark.parametrize(
    ("name", "has", "given"),
    [
        ("rate_limit", None, 100),
        ("rate_limit", None, 1),
        ("rate_limit", 300, 300),
        ("rate_limit", 300, None),
        ("monthly_quota", 0, 5),
        ("monthly_quota", 0, 0),
        ("monthly_quota", 6, 5),
        ("monthly_answer_cost", None, Decimal(20)),
        ("monthly_answer_cost", Decimal(20), None),
        ("monthly_answer_cost", Decimal(50), Decimal(0)),
    ],
)
def test_it_may_be_lowered(name: str, has: Any, given: Any) -> None:
    check_not_raised(Tenant(**{name: has}), name, given)


@pytest.mark.parametrize(
    ("name", "has", "given", "most"),
    [
        ("rate_limit", None, 101, "100"),
        ("rate_limit", 50, None, "50"),
        ("rate_limit", 3_000, 3_001, "3,000"),
        ("monthly_quota", 5, 6, "5"),
        ("monthly_quota", 5, 0, "5"),
        ("monthly_answer_cost", None, Decimal("20.01"), "20.00"),
        ("monthly_answer_cost", Decimal(5), None, "5.00"),
        ("monthly_answer_cost", Decimal(0), Decimal(1), "0.00"),
    ],
)
def test_it_may_not_be_raised(name: str, has: Any, given: Any, most: str) -> None:
    with pytest.raises(InvalidParameter, match=f"At most {most}, which holds now: an operator"):
        check_not_raised(Tenant(**{name: has}), name, given)


def test_without_a_setting_answers_may_cost_anything(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"llm_monthly_cost": None})
    check_not_raised(Tenant(), "monthly_answer_cost", Decimal(1_000_000))


def test_a_key_may_have_what_its_tenant_has_or_what_it_has_itself() -> None:
    tenant = Tenant(rate_limit=50)
    for has, given in ((None, 50), (None, None), (70, 70), (70, 60), (70, None)):
        check_key_not_raised(tenant, ApiKey(rate_limit=has), given)
    for has, given in ((None, 51), (70, 71), (10, 51)):
        with pytest.raises(InvalidParameter):
            check_key_not_raised(tenant, ApiKey(rate_limit=has), given)


def test_keys_that_have_more_than_their_tenant_follow_it() -> None:
    tenant = make_tenant()
    tenant.rate_limit = 50
    keys = [make_key(tenant, rate) for rate in (None, 50, 51)]
    others = make_key(make_tenant(), 70)
    assert lower_keys(tenant) == 1
    for key in (*keys, others):
        key.refresh_from_db()
    assert [key.rate_limit for key in (*keys, others)] == [None, 50, None, 70]
