"""Which account somebody gets who signs in at the operator's OpenID Connect provider.

The provider's own name for the person decides, once it is known to be the account's. An address alone never leads into an account that
somebody has: whoever made it may have had another person's address in mind.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http.request import validate_host
from django.utils import timezone

from collections_app.access import invitations
from collections_app.access.roles import Role
from collections_app.clients.openid import Claims, OpenIdProvider
from collections_app.exceptions import InvalidParameter
from collections_app.models import Identity, Invitation, Membership, Tenant, User

MAX_USER_NAME = 150


class NoAccount(InvalidParameter):
    """The person is known to the provider, but has no account here, and may not make one. The text is for the person."""


class AccountToConnect(NoAccount):
    """There is an account with the person's address, whose owner has to sign in by its password once."""


@dataclass(frozen=True, slots=True)
class Found:
    """The person's account; whether it was unknown until now that it is theirs; what it was let in by, if it was made just now."""

    user: User
    is_new: bool = False
    accepted: list[Invitation] = field(default_factory=list)
    joined: Membership | None = None


def is_enabled() -> bool:
    return bool(settings.DOCSMCP.oidc_issuer and settings.DOCSMCP.oidc_client_id)


@cache
def keep_provider(issuer: str, client_id: str, client_secret: str) -> OpenIdProvider:
    return OpenIdProvider(issuer, client_id, client_secret)


def get_provider() -> OpenIdProvider:
    """One for the process, since it keeps what the provider says of itself."""
    config = settings.DOCSMCP
    return keep_provider(config.oidc_issuer, config.oidc_client_id, config.oidc_client_secret)


def make_new_provider() -> OpenIdProvider:
    """One that knows nothing yet."""
    config = settings.DOCSMCP
    return OpenIdProvider(config.oidc_issuer, config.oidc_client_id, config.oidc_client_secret)


def find_account(claims: Claims, *, signed_in: User | None = None, invitation: Invitation | None = None) -> Found:
    """The person's account. Made if there is none. Raises NoAccount, and InvalidParameter for an invitation that is gone meanwhile.

    `signed_in`: whose account was proved by its password in the same browser. `invitation`: an open one that the person has the link of,
    who will be asked whether to accept it.
    """
    known = Identity.objects.select_related("user").filter(issuer=claims.issuer, subject=claims.subject).first()
    if known:
        found = Found(known.user)
    elif signed_in:
        found = Found(connect(claims, signed_in), is_new=True)
    else:
        found = make_account(claims, invitation)
    if not found.user.is_active:
        raise NoAccount("Your account here is switched off. Ask an owner of your tenant.")
    return found


def connect(claims: Claims, user: User) -> User:
    """Makes the account that is signed in the person's, if it has the person's address: somebody else may sit at the same browser. Raises
    NoAccount."""
    if not claims.email or claims.email not in {user.get_username().lower(), user.email.lower()}:
        raise NoAccount("You are signed in here to an account with another address. Sign out, and try again.")
    identity, _ = Identity.objects.get_or_create(issuer=claims.issuer, subject=claims.subject, defaults={"user": user})
    return identity.user


def make_account(claims: Claims, invitation: Invitation | None) -> Found:
    """For whom an invitation or the setting OIDC_TENANT lets in. Raises NoAccount and InvalidParameter."""
    check_is_nobodys(claims.email)
    own = find_own_invitations(claims)
    tenant = find_tenant_to_join(claims)
    if not (own or invitation or tenant):
        raise NoAccount(f"You have no account here. Ask an owner of a tenant to invite {claims.email or 'you'}.")
    try:
        with transaction.atomic():
            user = User.objects.create_user(name_account(claims), claims.email)
            Identity.objects.create(user=user, issuer=claims.issuer, subject=claims.subject)
            for each in own:
                invitations.accept(each, user)
            return Found(user, is_new=True, accepted=own, joined=join(tenant, user) if tenant else None)
    except IntegrityError:
        raise NoAccount("Somebody has just made an account of this name here. Try again.") from None


def find_tenant_to_join(claims: Claims) -> Tenant | None:
    """That of OIDC_TENANT, if OIDC_DOMAINS does not keep the person out."""
    config = settings.DOCSMCP
    domain = claims.email.rpartition("@")[2]
    if config.oidc_domains and not (claims.is_verified and validate_host(domain, config.oidc_domains)):
        return None
    return Tenant.objects.filter(slug=config.oidc_tenant).first() if config.oidc_tenant else None


def join(tenant: Tenant, user: User) -> Membership | None:
    """The new membership; None for who is a member by an invitation already."""
    role = Role(settings.DOCSMCP.oidc_role)
    membership, is_new = Membership.objects.get_or_create(tenant=tenant, user=user, defaults={"role": role})
    return membership if is_new else None


def check_is_nobodys(email: str) -> None:
    """Raises NoAccount if an account has the address."""
    accounts = User.objects.filter(Q(username__iexact=email) | Q(email__iexact=email)) if email else ()
    if any(each.has_usable_password() for each in accounts):
        raise AccountToConnect(f"There is an account of {email} here. Sign in by its password once; that connects it.")
    if accounts:
        raise NoAccount(
            f"There is an account of {email} here, which is somebody else's at the sign-in provider and has no password. "
            "Ask a superuser of this server to set one; then sign in by it once, which connects the account."
        )


def find_own_invitations(claims: Claims) -> list[Invitation]:
    """The open ones to the person's address, if the provider vouches for that."""
    if not (claims.email and claims.is_verified):
        return []
    now = timezone.now()
    open_ones = Invitation.objects.select_related("tenant").filter(accepted=None, expires__gt=now, email=claims.email)
    # In one order, since accepting locks the tenants.
    return [each for each in open_ones.order_by("tenant_id") if invitations.is_backed(each)]


def name_account(claims: Claims) -> str:
    """By the address; without one by what the provider calls the person. Two people of one name get different ones."""
    called = (claims.email, claims.name, User.normalize_username(claims.subject))
    name = next((each for each in called if 0 < len(each) <= MAX_USER_NAME), "")
    if name and not User.objects.filter(username__iexact=name).exists():
        return name
    own = hashlib.sha256(f"{claims.issuer} {claims.subject}".encode()).hexdigest()
    return f"{name[:100]} {own[:16]}".strip()
