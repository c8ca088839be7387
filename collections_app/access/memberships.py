"""Removes members from a tenant, with the people they have invited and the apps they have connected, and makes sure that a tenant keeps an
owner who can sign in, and the installation a superuser.

The caller checks who may ask for it (roles.py).
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from collections_app.access.roles import Role
from collections_app.exceptions import InvalidParameter
from collections_app.models import ApiKey, Invitation, Membership, Tenant, User


@transaction.atomic
def remove_member(membership: Membership) -> None:
    """Raises InvalidParameter for the last owner."""
    check_keeps_owner(membership)
    withdraw_invitations(membership)
    apps = ApiKey.objects.filter(tenant=membership.tenant_id, person=membership.user_id, revoked=None)
    apps.update(revoked=timezone.now())
    membership.delete()


def withdraw_invitations(membership: Membership) -> None:
    """Deletes the open invitations of a person who is no longer an owner, and could come back by them. Those of a superuser stay."""
    made = Invitation.objects.filter(tenant=membership.tenant_id, invited_by=membership.user_id, accepted=None)
    made.exclude(invited_by__is_superuser=True).delete()


def check_keeps_owner(membership: Membership) -> None:
    """Raises InvalidParameter for the last owner. Locks the tenant until the transaction ends, so that two owners cannot both leave because
    the other one stays."""
    Tenant.objects.select_for_update().get(pk=membership.tenant_id)
    owners = Membership.objects.filter(tenant=membership.tenant_id, role=Role.OWNER)
    others = owners.exclude(pk=membership.pk).filter(user__is_active=True)
    if owners.filter(pk=membership.pk).exists() and not others.exists():
        raise InvalidParameter(
            f"{membership.user} is the last owner of {membership.tenant}. Make another member an owner first."
        )


def check_owners_stay(users: Collection[User]) -> None:
    """To be called before these accounts are deleted or disabled: raises InvalidParameter if a tenant would have no owner left. Locks their
    tenants, as check_keeps_owner() does."""
    owned = Membership.objects.filter(user__in=users, role=Role.OWNER).values("tenant")
    tenants = list(Tenant.objects.select_for_update().filter(pk__in=owned).order_by("pk"))
    others = Membership.objects.filter(tenant__in=tenants, role=Role.OWNER, user__is_active=True)
    kept = set(others.exclude(user__in=users).values_list("tenant_id", flat=True))
    if left := sorted(tenant.slug for tenant in tenants if tenant.pk not in kept):
        raise InvalidParameter(f"{', '.join(left)} would have no owner left. Make another member an owner there first.")


def check_superuser_stays(users: Collection[User]) -> None:
    """To be called before these accounts are deleted, disabled, or superusers no more: raises InvalidParameter if none would be left. Locks
    all superusers until the transaction ends."""
    superusers = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    there, going = set(superusers.values_list("pk", flat=True)), {user.pk for user in users}
    if there and there <= going:
        raise InvalidParameter("There would be no superuser left. Make another account one first.")
