"""Asks people into a tenant by a link, which works once, for some days, and as long as who invited may invite. Its token is shown to who
invites, and kept nowhere."""

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
    """An invitation and its token. One that the address has already is replaced. Raises InvalidParameter for a member."""
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
    """Raises InvalidParameter for a member's address."""
    if Membership.objects.filter(tenant=tenant, user__email__iexact=email.strip()).exists():
        raise InvalidParameter(f"{email} is a member of {tenant} already: its role is changed in the list of members.")


def find_open(token: str) -> Invitation | None:
    """None for a token that never was, was used or is too old, or was made by somebody who may invite no more."""
    open_ones = Invitation.objects.filter(accepted=None, expires__gt=timezone.now())
    invitation = open_ones.select_related("tenant").filter(digest=Invitation.digest_of(token)).first()
    return invitation if invitation and is_backed(invitation) else None


def is_backed(invitation: Invitation) -> bool:
    """Whether who invited still may: an account that is gone, switched off or no owner any more asks nobody in, least of all itself."""
    found = Invitation.objects.select_related("invited_by").filter(pk=invitation.pk).first()
    return bool(found and found.invited_by and has_role(found.invited_by, found.tenant_id, Role.OWNER))


def find_account(invitation: Invitation) -> User | None:
    """Who has the address already, and so signs in instead of choosing a password."""
    return (
        User.objects.filter(username__iexact=invitation.email).first()
        or User.objects.filter(email__iexact=invitation.email).first()
    )


class AccountExists(InvalidParameter):
    """Its owner signs in to join: a link gives nobody another's account."""


@transaction.atomic
def accept_with_new_account(invitation: Invitation, password: str) -> User:
    """The new account, which signs in by the address. Raises AccountExists, and InvalidParameter when the invitation was used meanwhile."""
    take(invitation)
    account_exists = AccountExists(f"No account was made: {invitation.email} has one. Sign in to join.")
    if find_account(invitation):
        raise account_exists
    try:
        with transaction.atomic():
            user = User.objects.create_user(invitation.email, invitation.email, password)
    except IntegrityError:  # made meanwhile, by another tenant's invitation
        raise account_exists from None
    Membership.objects.create(tenant=invitation.tenant, user=user, role=invitation.role)
    return user


@transaction.atomic
def accept(invitation: Invitation, user: User) -> Membership:
    """A member already gets the role when it may more by it. Raises InvalidParameter when the invitation was used meanwhile."""
    take(invitation)
    role = Role(invitation.role)
    membership, is_new = Membership.objects.get_or_create(tenant=invitation.tenant, user=user, defaults={"role": role})
    if not is_new and RANKS[Role(membership.role)] < RANKS[role]:
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def take(invitation: Invitation) -> None:
    """It is used from now on. Raises InvalidParameter for one that is, and for one whose inviter may invite no more. Locks the tenant, as
    does who removes a member."""
    Tenant.objects.select_for_update().get(pk=invitation.tenant_id)
    now = timezone.now()
    if not is_backed(invitation):
        raise InvalidParameter(GONE)
    if not Invitation.objects.filter(pk=invitation.pk, accepted=None, expires__gt=now).update(accepted=now):
        raise InvalidParameter(GONE)
