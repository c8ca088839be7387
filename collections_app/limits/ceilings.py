"""How far an owner may change the limits of its tenant and its keys: down. An operator, a superuser, sets them as it likes.

Otherwise who is limited would say by how much. It refuses what is higher than what holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.conf import settings

from collections_app.exceptions import InvalidParameter
from collections_app.limits.spending import format_cost
from collections_app.models import ApiKey, Tenant

Amount = int | float | Decimal


def get_rate(given: int | None) -> Amount:
    """Empty: the setting's."""
    usual: int = settings.DOCSMCP.mcp_rate_limit_requests
    return given or usual


def get_quota(given: int | None) -> Amount:
    """0: any number."""
    return given or math.inf


def get_cost(given: Decimal | None) -> Amount:
    """Empty: the setting's, and where that is empty, any."""
    cost: Decimal | None = settings.DOCSMCP.llm_monthly_cost if given is None else given
    return math.inf if cost is None else cost


# What holds for a tenant that has this in the field.
OF_TENANT: Mapping[str, Callable[[Any], Amount]] = {
    "rate_limit": get_rate,
    "monthly_quota": get_quota,
    "monthly_answer_cost": get_cost,
}


def check_not_raised(tenant: Tenant, name: str, given: Any) -> None:
    """Raises InvalidParameter where a limit of the tenant (`name`, a column) would be higher than it is."""
    get_amount = OF_TENANT[name]
    refuse_more(get_amount(given), get_amount(getattr(tenant, name)))


def check_key_not_raised(tenant: Tenant, key: ApiKey, given: int | None) -> None:
    """Raises InvalidParameter where a key's own rate would be above the tenant's, and above what it has from an operator."""
    of_tenant = get_rate(tenant.rate_limit)
    refuse_more(given or of_tenant, max(key.rate_limit or 0, of_tenant))


def refuse_more(asked: Amount, most: Amount) -> None:
    if asked > most:
        told = format_cost(most) if isinstance(most, Decimal) else f"{most:,}"
        raise InvalidParameter(f"At most {told}, which holds now: an operator of the server can raise it.")


def lower_keys(tenant: Tenant) -> int:
    """A tenant's rate that is lowered holds for its keys too: those that had a higher one follow the tenant's now. How many there were."""
    return tenant.api_keys.filter(rate_limit__gt=get_rate(tenant.rate_limit)).update(rate_limit=None)
