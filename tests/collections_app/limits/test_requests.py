from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.core.cache import caches
from django.db import OperationalError
from django.utils import timezone
from redis import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from collections_app.access.principal import Principal
from collections_app.limits.requests import (
    Usage,
    count_request,
    describe_limits,
    find_usage,
    get_following_month,
    get_limit,
)
from collections_app.models import ApiKey, MonthlyRequests, Tenant
from tests.factories import make_principal, make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def config(settings: Any) -> Any:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(
        update={"mcp_rate_limit_requests": 3, "mcp_rate_limit_window": 3_600}
    )
    return settings.DOCSMCP


def make_key(tenant: Tenant | None = None, **fields: Any) -> Principal:
    key, secret = ApiKey.objects.issue(tenant=tenant or make_tenant(), name="test")
    ApiKey.objects.filter(pk=key.pk).update(**fields)
    found = ApiKey.objects.find_by_secret(secret)
    assert found
    return found.make_principal()


def count(principal: Principal) -> Usage:
    usage = count_request(principal)
    assert usage
    return usage


class TestWindow:
    def test_each_request_leaves_one_less(self) -> None:
        caller = make_principal()
        usages = [count(caller) for _ in range(5)]
        assert [usage.remaining for usage in usages] == [2, 1, 0, 0, 0]
        assert [usage.is_exceeded for usage in usages] == [False] * 3 + [True] * 2
        assert [usage.used for usage in usages] == [1, 2, 3, 4, 5]

    def test_looking_counts_nothing(self) -> None:
        caller = make_principal()
        count(caller)
        assert [find_usage(caller) for _ in range(3)] == [find_usage(caller)] * 3
        assert count(caller).used == 2

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (Principal(address="192.0.2.1"), Principal(address="192.0.2.2")),
            (Principal(address="2001:db8:1:1::1"), Principal(address="2001:db8:1:2::1")),
            (Principal(api_key_id=1), Principal(api_key_id=2)),
            (Principal(api_key_id=1), Principal(user_id=1)),
        ],
    )
    def test_callers_are_counted_apart(self, one: Principal, other: Principal) -> None:
        assert [count(one).used, count(other).used, count(one).used] == [1, 1, 2]

    def test_addresses_of_one_ipv6_network_are_counted_together(self) -> None:
        assert count(Principal(address="2001:db8:1:1::1")).used == 1
        assert count(Principal(address="2001:db8:1:1:ffff::9")).used == 2

    def test_it_begins_anew_within_its_length(self) -> None:
        assert 1 <= count(make_principal()).reset_seconds <= 3_600

    @pytest.mark.parametrize("seconds", [1, 60])
    def test_the_next_window_is_never_now(self, settings: Any, seconds: int) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_rate_limit_window": seconds})
        assert all(count(Principal(api_key_id=n)).reset_seconds >= 1 for n in range(100))

    def test_the_local_operator_is_not_limited(self) -> None:
        operator = Principal(tenant_id=make_tenant().pk, all_collections=True)
        assert count_request(operator) is None
        assert describe_limits(operator) == {}


class TestWhichLimit:
    def test_the_keys_number_wins_over_its_tenants_and_that_over_the_setting(self) -> None:
        tenant = make_tenant()
        assert get_limit(make_key(tenant)) == 3
        tenant.rate_limit = 20
        tenant.save()
        assert get_limit(make_key(tenant)) == 20
        assert get_limit(make_key(tenant, rate_limit=7)) == 7
        assert get_limit(make_key(rate_limit=7)) == 7

    def test_it_holds_for_the_key(self) -> None:
        caller = make_key(rate_limit=1)
        assert [count(caller).is_exceeded for _ in range(2)] == [False, True]


class TestMonth:
    @pytest.fixture
    def tenant(self) -> Tenant:
        tenant = make_tenant()
        tenant.monthly_quota = 2
        tenant.rate_limit = 100
        tenant.save()
        return tenant

    def test_all_keys_of_the_tenant_use_up_one_quota(self, tenant: Tenant) -> None:
        one, other = make_key(tenant), make_key(tenant)
        usages = [count(one), count(other), count(one)]
        assert [(usage.limit, usage.remaining) for usage in usages] == [(2, 1), (2, 0), (2, 0)]
        assert [usage.is_exceeded for usage in usages] == [False, False, True]
        assert MonthlyRequests.objects.get().requests == 3

    def test_its_refusal_is_another_than_the_windows(self, tenant: Tenant) -> None:
        for _ in range(3):
            usage = count(make_key(tenant))
        assert "monthly quota of 2 requests" in usage.make_error().message
        assert "in 3600 s" in Usage(2, 3, 5, "3600 s").make_error().message

    def test_it_begins_anew_with_the_month(self, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
        caller = make_key(tenant)
        now = datetime(2026, 12, 31, 23, 59, 30, tzinfo=UTC)
        monkeypatch.setattr(timezone, "now", lambda: now)
        for _ in range(3):
            usage = count(caller)
        assert (usage.is_exceeded, usage.reset_seconds) == (True, 31)
        assert "2027-01" in usage.make_error().message
        monkeypatch.setattr(timezone, "now", lambda: datetime(2027, 1, 1, tzinfo=UTC))
        assert (count(caller).used, MonthlyRequests.objects.count()) == (1, 2)

    def test_what_the_window_refuses_costs_nothing_of_it(self, tenant: Tenant) -> None:
        caller = replace(make_key(tenant), rate_limit=1)
        for _ in range(5):
            count(caller)
        assert MonthlyRequests.objects.get().requests == 1

    def test_tenants_do_not_share_it(self, tenant: Tenant) -> None:
        for _ in range(3):
            count(make_key(tenant))
        stranger = replace(make_key(), monthly_quota=2)
        assert not count(stranger).is_exceeded

    def test_without_a_quota_nothing_is_kept(self, django_assert_num_queries: Any) -> None:
        caller = make_principal()
        with django_assert_num_queries(1):
            count(caller)
        assert not MonthlyRequests.objects.exists()

    @pytest.mark.parametrize(
        ("month", "following"),
        [
            (date(2026, 12, 1), date(2027, 1, 1)),
            (date(2027, 1, 1), date(2027, 2, 1)),
            (date(2027, 2, 1), date(2027, 3, 1)),
            (date(2027, 4, 1), date(2027, 5, 1)),
        ],
    )
    def test_months_follow_each_other(self, month: date, following: date) -> None:
        assert get_following_month(month) == following


class TestTelling:
    def test_headers_are_plain_numbers(self) -> None:
        assert Usage(120, 20, 17, "60 s").make_headers() == {
            "RateLimit-Limit": "120",
            "RateLimit-Remaining": "100",
            "RateLimit-Reset": "17",
        }

    @pytest.mark.parametrize("used", [120, 121, 1000])
    def test_when_nothing_is_left_they_say_when_to_come_back(self, used: int) -> None:
        headers = Usage(120, used, 17, "60 s").make_headers()
        assert (headers["RateLimit-Remaining"], headers["Retry-After"]) == ("0", "17")

    def test_the_error_says_when_to_come_back(self) -> None:
        error = Usage(120, 121, 17, "60 s").make_error()
        assert error.message == "The limit of 120 requests in 60 s is reached. Try again in 17 s."
        assert error.details == {"retryable": True, "retry_after": 17}

    def test_what_holds_and_what_is_left_can_be_looked_up(self) -> None:
        caller = replace(make_principal(), rate_limit=10, monthly_quota=50)
        count(caller)
        told = describe_limits(caller)
        assert (told["requests"], told["window_seconds"], told["remaining"]) == (10, 3_600, 9)
        assert (told["month"]["requests"], told["month"]["remaining"]) == (50, 49)


@pytest.mark.parametrize("failure", [OperationalError("server closed"), RedisConnectionError("refused"), OSError("x")])
def test_requests_go_on_when_the_counters_are_away_and_the_log_says_so(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise failure

    monkeypatch.setattr(type(caches["counters"]), "add", fail)
    with capture_logs() as logs:
        assert count_request(make_principal()) is None
    assert [(log["event"], log["log_level"]) for log in logs] == [("limits_unavailable", "warning")]
    assert str(failure) in logs[0]["reason"]
    assert describe_limits(make_principal())["requests"] == 3
