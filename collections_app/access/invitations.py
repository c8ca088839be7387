"""Invites people into a tenant by a link. It works once, for some days, and as long as its inviter may invite. Its token is shown to the
inviter, and stored nowhere.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from collections_app.access.roles import RANKS, Role, has_role
from collections_app.exceptions import InvalidParameter
from collections_app.models import Invitation, Membership, Tenant, User

LIFETIME = timedelta(days=7)
GONE = "This invitation was used already, was withdrawn, or its time is over. Ask for a new one."


@transaction.atomic
def invite(tenant: Tenant, email: str, role: Role, invited_by: User) -> tuple[Invitation, str]:
    """A new invitation and its token. It replaces one that the address has. Raises InvalidParameter for a member."""
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    email = email.strip().lower()
    check_is_new(tenant, email)
    Invitation.objects.filter(tenant=tenant, email=email, accepted=None).delete()
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        tenant=tenant,
        email=email,
        role=role,
        digest=Invitation.digest_of(token),
        invited_by=invited_by,
        expires=timezone.now() + LIFETIME,
    )
    return invitation, token


def check_is_new(tenant: Tenant, email: str) -> None:
    """Raises InvalidParameter if the address is a member's."""
    if Membership.objects.filter(tenant=tenant, user__email__iexact=email.strip()).exists():
        raise InvalidParameter(f"{email} is a member of {tenant} already: its role is changed in the list of members.")


def find_open(token: str) -> Invitation | None:
    """None for a token that never existed, was used or is too old, or whose inviter may no longer invite."""
    open_ones = Invitation.objects.filter(accepted=None, expires__gt=timezone.now())
    invitation = open_ones.select_related("tenant").filter(digest=Invitation.digest_of(token)).first()
    return invitation if invitation and is_backed(invitation) else None


def is_backed(invitation: Invitation) -> bool:
    """Whether the inviter still may invite: an account that is gone, disabled or no longer an owner invites nobody, least of all itself."""
    found = Invitation.objects.select_related("invited_by").filter(pk=invitation.pk).first()
    return bool(found and found.invited_by and has_role(found.invited_by, found.tenant_id, Role.OWNER))


def find_account(invitation: Invitation) -> User | None:
    """The account that has the address already; its owner signs in instead of choosing a password."""
    return (
        User.objects.filter(username__iexact=invitation.email).first()
        or User.objects.filter(email__iexact=invitation.email).first()
    )


class AccountExists(InvalidParameter):
    """The account's owner signs in to join: a link gives nobody another's account."""


@transaction.atomic
def accept_with_new_account(invitation: Invitation, password: str) -> User:
    """The new account, which signs in by the address. Raises AccountExists, and InvalidParameter if the invitation was used meanwhile."""
    take(invitation)
    account_exists = AccountExists(f"No account was made: {invitation.email} has one. Sign in to join.")
    if find_account(invitation):
        raise account_exists
    try:
        with transaction.atomic():
            user = User.objects.create_user(invitation.email, invitation.email, password)
    except IntegrityError:  # created meanwhile, by another tenant's invitation
        raise account_exists from None
    Membership.objects.create(tenant=invitation.tenant, user=user, role=invitation.role)
    return user


@transaction.atomic
def accept(invitation: Invitation, user: User) -> Membership:
    """A present member gets the role if it is a higher one. Raises InvalidParameter if the invitation was used meanwhile."""
    take(invitation)
    role = Role(invitation.role)
    membership, is_new = Membership.objects.get_or_create(tenant=invitation.tenant, user=user, defaults={"role": role})
    if not is_new and RANKS[Role(membership.role)] < RANKS[role]:
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def take(invitation: Invitation) -> None:
    """Marks the invitation as used. Raises InvalidParameter if it is used already, or its inviter may no longer invite. Locks the tenant,
    as removing a member does."""
    Tenant.objects.select_for_update().get(pk=invitation.tenant_id)
    now = timezone.now()
    if not is_backed(invitation):
        raise InvalidParameter(GONE)
    if not Invitation.objects.filter(pk=invitation.pk, accepted=None, expires__gt=now).update(accepted=now):
        raise InvalidParameter(GONE)
