"""Rows that a request names, for a caller who may see them, and may change them where it means to.

What a caller may not see is not found. What it sees and may not change is refused with the reason.
"""

from __future__ import annotations

from rest_framework.exceptions import PermissionDenied

from collections_app.access.authentication import WRITING_ROLES
from collections_app.access.principal import Principal
from collections_app.catalog import choose_one, get_visible_collections
from collections_app.models import Collection, Membership, Tenant


def get_collection(principal: Principal, name: str) -> Collection:
    """Raises CollectionNotFound with the names there are, InvalidParameter when several tenants have one of this name."""
    return choose_one(get_visible_collections(principal), name)


def get_own_collection(principal: Principal, name: str) -> Collection:
    """One to be filled or changed. Raises as get_collection(), also for a library of several versions, and PermissionDenied for who only
    reads."""
    collection = choose_one(get_visible_collections(principal), name, to_change=True)
    check_may_change(principal, collection.tenant)
    return collection


def check_may_change(principal: Principal, tenant: Tenant) -> None:
    """A key's scope was checked already; a member's role is one in this tenant. Raises PermissionDenied for who only reads."""
    if principal.user_id is None or principal.is_superuser:
        return
    if not Membership.objects.filter(user=principal.user_id, tenant=tenant, role__in=WRITING_ROLES).exists():
        raise PermissionDenied(
            f"In {tenant.slug} this account only reads: an editor or owner may change what is there."
        )


def owns(principal: Principal, tenant: Tenant) -> bool:
    """Whether it is an owner's session, which may decide what no key may."""
    if principal.is_superuser:
        return True
    owners = Membership.objects.filter(tenant=tenant, role=Membership.Role.OWNER)
    return principal.user_id is not None and owners.filter(user=principal.user_id).exists()
