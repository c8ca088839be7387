"""Finds out who asks, and counts the request against the caller's limits. For a known caller both take one exchange with the database."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import caches
from django.db import Error

from collections_app.access.authentication import MissingCredential, authenticate
from collections_app.access.known_callers import Only, recall_caller
from collections_app.access.principal import Principal
from collections_app.limits.requests import Usage, count_request, count_strictly, find_usage
from collections_app.postgres.counter_cache import Condition, CounterCache, NotCounted
from collections_app.postgres.outages import is_lost
from collections_app.postgres.row_security import show_tenants


def admit(
    credential: str | None, address: str, *, counts: bool = True, only: Only = None
) -> tuple[Principal, Usage | None]:
    """The caller with this credential (or none), and its usage, including this request if it `counts`; `only`: a narrowed endpoint's slugs.

    The caller of this function decides whether that is too much. Raises CredentialError, with nothing counted, and what a lost database
    raises.
    """
    if known := admit_known(credential, address, counts=counts, only=only):
        return known
    principal = authenticate(credential, address)
    if principal.is_anonymous and settings.DOCSMCP.mcp_auth_required:
        raise MissingCredential
    return principal, (count_request if counts else find_usage)(principal)


def admit_known(
    credential: str | None, address: str, *, counts: bool = True, only: Only = None
) -> tuple[Principal, Usage | None] | None:
    """As admit(), from what this process remembers of the caller.

    None if it remembers nothing, if the caller has changed since, or if a key is required: then nothing was counted, and
    authenticate() has to find out who it is. Raises what a lost database raises.
    """
    if credential is None and settings.DOCSMCP.mcp_auth_required:
        return None
    known = recall_caller(credential, only)
    if known is None:
        return None
    principal = known.make_principal(address if credential is None else "")
    condition = Condition(
        [each.condition for each in known.row_sets], [v for each in known.row_sets for v in each.values]
    )
    show_tenants([principal.tenant_id] if principal.tenant_id else [])
    try:
        usage = use(principal, condition, counts=counts)
    except (NotCounted, Error) as error:  # a database that cannot be written to may still tell who asks
        if is_lost(error):
            raise
        show_tenants(())
        return None
    return principal, usage


def use(principal: Principal, condition: Condition, *, counts: bool) -> Usage | None:
    """Raises NotCounted if the condition does not hold, and Error."""
    counters = caches[settings.RATELIMIT_USE_CACHE]
    if counts and isinstance(counters, CounterCache):
        with counters.counting_only_if(condition):
            return count_strictly(principal)
    condition.check()
    return count_request(principal) if counts else find_usage(principal)
