"""Takes members out of a tenant, and sees to it that one that has an owner keeps one.

Who may ask for it is checked by the caller (roles.py).
"""

from __future__ import annotations

from django.db import transaction

from collections_app.access.roles import Role
from collections_app.exceptions import InvalidParameter
from collections_app.models import Membership, Tenant


@transaction.atomic
def remove_member(membership: Membership) -> None:
    """Raises InvalidParameter for the last owner."""
    check_keeps_owner(membership)
    membership.delete()


def check_keeps_owner(membership: Membership) -> None:
    """Locks the tenant until the transaction ends: two owners cannot both leave because the other one stays."""
    Tenant.objects.select_for_update().get(pk=membership.tenant_id)
    owners = Membership.objects.filter(tenant=membership.tenant_id, role=Role.OWNER)
    if owners.filter(pk=membership.pk).exists() and not owners.exclude(pk=membership.pk).exists():
        raise InvalidParameter(
            f"{membership.user} is the last owner of {membership.tenant}. Make another member an owner first."
        )
