"""How many requests a caller may make: which limit applies, how much of it is used, and what a caller over the limit is told.

Two limits: a number of requests in a window, for each key, member or anonymous address; and a number in a month, for all keys of a
tenant that has a quota. If the counters cannot be reached nothing is limited, and the log says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.utils import timezone
from django_ratelimit.core import get_usage

from collections_app.access.client_address import get_network
from collections_app.access.principal import Principal
from collections_app.exceptions import RateLimited, summarise
from collections_app.metrics import REFUSALS
from collections_app.models import MonthlyRequests

# MCP, REST and the pages for readers are counted together.
GROUP = "requests"

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a limit is used, including the request in question; `used` continues above the limit."""

    limit: int
    used: int
    reset_seconds: int
    period: str

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit

    def make_headers(self) -> dict[str, str]:
        """RateLimit fields by draft-ietf-httpapi-ratelimit-headers-06, the last draft with one field for each number."""
        headers = {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }
        return headers if self.remaining else headers | {"Retry-After": str(self.reset_seconds)}

    def make_error(self) -> RateLimited:
        REFUSALS.labels("window").inc()
        return RateLimited(
            f"The limit of {self.limit} requests in {self.period} is reached. Try again in {self.reset_seconds} s.",
            retry_after=self.reset_seconds,
        )


class MonthlyUsage(Usage):
    """The usage of a tenant's monthly quota."""

    def make_error(self) -> RateLimited:
        REFUSALS.labels("month").inc()
        return RateLimited(
            f"The monthly quota of {self.limit} requests is used up. It begins anew in {self.period}, in "
            f"{self.reset_seconds} s; until then an owner of the tenant can have it raised.",
            retry_after=self.reset_seconds,
        )


def count_request(principal: Principal) -> Usage | None:
    """Counts a request against its caller's limits; returns the usage of the limit with the least left. None if nothing is limited."""
    return pick_usage(read_usages(principal, counts=True))


def find_usage(principal: Principal) -> Usage | None:
    """As count_request(), without counting."""
    return pick_usage(read_usages(principal, counts=False))


def count_strictly(principal: Principal) -> Usage | None:
    """As count_request(), but raises what the window's counter raises; then nothing was counted."""
    caller = find_caller(principal)
    assert caller, "whom nothing limits is not counted, and so not looked at"
    window = read_window(caller, get_limit(principal), counts=True)
    try:
        return pick_usage([window, *read_months(principal, window, counts=True)])
    except Exception as error:  # the request is counted already
        logger.warning("limits_unavailable", reason=summarise(error))
        return window


def pick_usage(usages: Sequence[Usage]) -> Usage | None:
    return min(usages, key=lambda usage: (not usage.is_exceeded, usage.remaining), default=None)


def describe_limits(principal: Principal) -> dict[str, Any]:
    """The limits that apply, and what is left of them, for programs; empty if nothing is limited."""
    if find_caller(principal) is None:
        return {}
    window_seconds = settings.DOCSMCP.mcp_rate_limit_window
    facts: dict[str, Any] = {"requests": get_limit(principal), "window_seconds": window_seconds}
    for usage in read_usages(principal, counts=False):
        left = {"remaining": usage.remaining, "reset_seconds": usage.reset_seconds}
        facts |= {"month": {"requests": usage.limit, **left}} if isinstance(usage, MonthlyUsage) else left
    return facts


def read_usages(principal: Principal, *, counts: bool) -> Sequence[Usage]:
    """The usage of the window, then of the month if there is a quota. A request that the window refuses does not count for the month."""
    caller = find_caller(principal)
    if caller is None:
        return []
    try:
        window = read_window(caller, get_limit(principal), counts=counts)
        return [window, *read_months(principal, window, counts=counts)]
    except Exception as error:  # each cache raises its own; and a request is worth more than its count
        logger.warning("limits_unavailable", reason=summarise(error))
        return []


def read_months(principal: Principal, window: Usage, *, counts: bool) -> Sequence[Usage]:
    return [read_month(principal, counts=counts)] if principal.monthly_quota and not window.is_exceeded else []


def find_caller(principal: Principal) -> str | None:
    """The name under which its requests are counted; None for a tenant's local operator, who has no limit."""
    if principal.api_key_id is not None:
        return f"key:{principal.api_key_id}"
    if principal.user_id is not None:
        return f"user:{principal.user_id}"
    return f"address:{get_network(principal.address)}" if principal.is_anonymous else None


def get_limit(principal: Principal) -> int:
    """Requests in a window of MCP_RATE_LIMIT_WINDOW: the key's own number, else its tenant's, else the setting's."""
    limit: int = principal.rate_limit or settings.DOCSMCP.mcp_rate_limit_requests
    return limit


def read_window(caller: str, limit: int, *, counts: bool) -> Usage:
    """Windows begin at a different time for each caller, so that they do not all begin at once."""
    seconds = settings.DOCSMCP.mcp_rate_limit_window
    found = get_usage(None, group=GROUP, key=lambda *_: caller, rate=(limit, seconds), increment=counts)
    # In the last second of a window the counter says that no time is left.
    return Usage(limit, found["count"], max(1, found["time_left"]), f"{seconds} s")


def read_month(principal: Principal, *, counts: bool) -> Usage:
    now = timezone.now().astimezone(UTC)
    month = now.date().replace(day=1)
    following = get_following_month(month)
    read = MonthlyRequests.objects.count_one if counts else MonthlyRequests.objects.get_count
    assert principal.tenant_id is not None
    begins = datetime(following.year, following.month, 1, tzinfo=UTC)
    left = int((begins - now).total_seconds()) + 1
    return MonthlyUsage(principal.monthly_quota, read(principal.tenant_id, month), left, f"{following:%Y-%m}")


def get_following_month(month: date) -> date:
    """The first day of the month that follows; `month` is a first day too."""
    return (month + timedelta(days=31)).replace(day=1)
