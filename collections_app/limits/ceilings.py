"""How far owners may change the limits of their tenant and keys: only down. An operator, a superuser, sets them freely.

Otherwise those who are limited would set the limit. Refuses any value above the present one.
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
    """None or 0 stands for the setting's."""
    usual: int = settings.DOCSMCP.mcp_rate_limit_requests
    return given or usual


def get_quota(given: int | None) -> Amount:
    """None or 0 stands for any number."""
    return given or math.inf


def get_cost(given: Decimal | None) -> Amount:
    """None stands for the setting's; if that is empty too, for any amount."""
    cost: Decimal | None = settings.DOCSMCP.llm_monthly_cost if given is None else given
    return math.inf if cost is None else cost


# The effective limit of a tenant, given the value of the field.
OF_TENANT: Mapping[str, Callable[[Any], Amount]] = {
    "rate_limit": get_rate,
    "monthly_quota": get_quota,
    "monthly_answer_cost": get_cost,
}


def check_not_raised(tenant: Tenant, name: str, given: Any) -> None:
    """Raises InvalidParameter if a limit of the tenant (`name`, a column) would become higher than it is."""
    get_amount = OF_TENANT[name]
    refuse_more(get_amount(given), get_amount(getattr(tenant, name)))


def check_key_not_raised(tenant: Tenant, key: ApiKey, given: int | None) -> None:
    """Raises InvalidParameter if a key's own rate would be above both the tenant's and the one that an operator gave the key."""
    of_tenant = get_rate(tenant.rate_limit)
    refuse_more(given or of_tenant, max(key.rate_limit or 0, of_tenant))


def refuse_more(asked: Amount, most: Amount) -> None:
    if asked > most:
        told = format_cost(most) if isinstance(most, Decimal) else f"{most:,}"
        raise InvalidParameter(f"At most {told}, which holds now: an operator of the server can raise it.")


def lower_keys(tenant: Tenant) -> int:
    """Applies a tenant's lowered rate to its keys: those with a higher rate now follow the tenant's. Returns how many these were."""
    return tenant.api_keys.filter(rate_limit__gt=get_rate(tenant.rate_limit)).update(rate_limit=None)
