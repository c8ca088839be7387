"""A request of a caller whom the process knows: that it is still who it was, and its count, in one exchange with the database."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import caches

from collections_app.access.known_callers import recall_caller
from collections_app.access.principal import Principal
from collections_app.limits.requests import Usage, count_request, find_usage
from collections_app.postgres.counter_cache import Condition, CounterCache
from collections_app.postgres.row_security import show_tenants


def admit_known(credential: str | None, address: str, *, counts: bool = True) -> tuple[Principal, Usage | None] | None:
    """Who shows this, or nothing, and what it has used, this request included if it `counts`.

    None of anybody whom the process does not know, who has changed, or who must show a key: authenticate() finds out who that is, and
    nothing was counted yet. Raises what a lost database raises.
    """
    if credential is None and settings.DOCSMCP.mcp_auth_required:
        return None
    known = recall_caller(credential)
    if known is None:
        return None
    principal = known.make_principal(address if credential is None else "")
    condition = Condition(
        [each.condition for each in known.row_sets], [v for each in known.row_sets for v in each.values]
    )
    counters = caches[settings.RATELIMIT_USE_CACHE]
    show_tenants([principal.tenant_id] if principal.tenant_id else [])
    if counts and isinstance(counters, CounterCache):
        with counters.counting_only_if(condition):
            usage = count_request(principal)
    elif condition.ask():
        usage = (count_request if counts else find_usage)(principal)
    if not condition.holds:
        show_tenants(())
        return None
    return principal, usage
