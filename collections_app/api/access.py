"""Finds rows that a request names, for a caller who may see them, and checks whether it may change them.

What a caller may not see is not found. What it may see but not change is refused with the reason.
"""

from __future__ import annotations

from rest_framework.exceptions import PermissionDenied

from collections_app.access.principal import Principal
from collections_app.catalog.names import choose_one
from collections_app.catalog.visible import get_visible_collections
from collections_app.models import Collection, Membership, Tenant
from collections_app.models.tenants import WRITING_ROLES


def get_collection(principal: Principal, name: str) -> Collection:
    """Raises CollectionNotFound with the names there are, InvalidParameter if several tenants have a collection of this name."""
    return choose_one(get_visible_collections(principal), name)


def get_own_collection(principal: Principal, name: str) -> Collection:
    """A collection to be filled or changed. Raises as get_collection(), also for a library of several versions; PermissionDenied if the
    caller may only read."""
    collection = choose_one(get_visible_collections(principal), name, to_change=True)
    check_may_change(principal, collection.tenant)
    return collection


def check_may_change(principal: Principal, tenant: Tenant) -> None:
    """Checks a member's role in this tenant; a key's scope was checked before. Raises PermissionDenied for a caller who may only read."""
    if principal.user_id is None or principal.is_superuser:
        return
    if not Membership.objects.filter(user=principal.user_id, tenant=tenant, role__in=WRITING_ROLES).exists():
        raise PermissionDenied(
            f"In {tenant.slug} this account only reads: an editor or owner may change what is there."
        )


def owns(principal: Principal, tenant: Tenant) -> bool:
    """Whether the caller is an owner's session, which may decide what no key may."""
    if principal.is_superuser:
        return True
    owners = Membership.objects.filter(tenant=tenant, role=Membership.Role.OWNER)
    return principal.user_id is not None and owners.filter(user=principal.user_id).exists()
