"""What is done with an API key after it was issued: look it up by its public part, rotate it, revoke it. Never gives out a secret again,
and refuses what would leave an agent without a key by mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from collections_app.exceptions import InvalidParameter
from collections_app.models import ApiKey, Collection, CollectionGrant, Tenant

DEFAULT_OVERLAP = timedelta(hours=24)
MAX_OVERLAP = timedelta(days=90)


def get_api_key(tenant: Tenant, name: str) -> ApiKey:
    """The tenant's key with this prefix or name. Raises InvalidParameter if there is none, or several usable keys have the name."""
    keys = list(ApiKey.objects.given_to_agents().filter(tenant=tenant))
    named = [key for key in keys if key.prefix == name.rstrip("…")] or [key for key in keys if key.name == name]
    now = timezone.now()
    found = [key for key in named if key.is_usable(now)] or named[:1]
    if len(found) > 1:
        raise InvalidParameter(
            f"Several keys are named {name!r}: give one of {', '.join(key.prefix for key in found)}."
        )
    if not found:
        raise InvalidParameter(f"Tenant {tenant.slug!r} has no key {name!r}. `docsmcp api_keys list` shows them.")
    return found[0]


def rotate_api_key(key: ApiKey, overlap: timedelta = DEFAULT_OVERLAP) -> str:
    """The new secret; the present one works for `overlap` longer. Raises InvalidParameter, also for a key that is no longer usable."""
    if not timedelta(0) <= overlap <= MAX_OVERLAP:
        raise InvalidParameter(f"The old secret may work for at most {MAX_OVERLAP.days} days more.")
    check_is_rotatable(key)
    return key.rotate(overlap)


def check_is_rotatable(key: ApiKey) -> None:
    """Raises InvalidParameter."""
    if not key.is_usable(timezone.now()):
        raise InvalidParameter("This key is revoked or has expired. Issue another one.")
    if is_configured(key):
        raise InvalidParameter("This key's secret is the setting MCP_API_KEY. Change it there, and revoke this key.")


def revoke_api_key(key: ApiKey) -> None:
    """Takes effect at once, for an old secret too. Raises InvalidParameter if the key is revoked already."""
    if key.revoked:
        raise InvalidParameter(f"This key is revoked since {key.revoked:%Y-%m-%d %H:%M} UTC.")
    key.revoke()


def end_old_secret(key: ApiKey) -> None:
    """Raises InvalidParameter if no old secret works."""
    if not key.has_old_secret(timezone.now()):
        raise InvalidParameter("This key has no old secret that still works.")
    key.end_old_secret()


def is_configured(key: ApiKey) -> bool:
    """Whether the key's secret comes from the settings: a new secret would not survive the next start."""
    secret: str = settings.DOCSMCP.mcp_api_key
    return bool(secret) and key.digest == ApiKey.digest_of(secret)


@transaction.atomic
def set_grants(key: ApiKey, collections: Iterable[Collection]) -> None:
    """Sets which of its tenant's collections the key may read."""
    wanted = {collection.pk for collection in collections}
    key.grants.exclude(collection__in=wanted).delete()
    CollectionGrant.objects.bulk_create(
        (CollectionGrant(tenant_id=key.tenant_id, api_key=key, collection_id=pk) for pk in wanted),
        ignore_conflicts=True,
    )
