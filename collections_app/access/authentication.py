"""Turns what a caller shows into a Principal. A wrong, an expired and a revoked key are refused in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from django.utils import timezone

from collections_app.access.known_callers import KnownCaller, name_caller
from collections_app.access.principal import Principal, Scope
from collections_app.models import ApiKey, Membership, User
from collections_app.models.tenants import KEY_PREFIX, TOKEN_PREFIX, WRITING_ROLES
from collections_app.postgres.row_security import as_owner, show_everything, show_tenants

MAX_CREDENTIAL_CHARACTERS = 500
# Nothing limits it, since no use of it is noted; but nothing is remembered for good.
ANONYMOUS_KNOWN = timedelta(minutes=1)


class CredentialError(Exception):
    """The caller cannot be admitted: its credential is not valid, or it showed none where one is needed."""

    message: ClassVar[str]


class InvalidCredential(CredentialError):
    """The same for every kind of invalid credential."""

    message = "The API key is not valid: it is empty or mistyped, has expired or was revoked. Send one as 'Authorization: Bearer KEY'"


class MissingCredential(CredentialError):
    message = "Missing API key: send it as 'Authorization: Bearer KEY'"


class MissingToken(CredentialError):
    message = "Missing access token: this address is for apps that sign in by OAuth. API keys are for /mcp"


class InvalidToken(CredentialError):
    message = "The access token is not valid: it has expired, or the app was disconnected. Connect it again."


def find_key(headers: Mapping[str, str]) -> str | None:
    """The API key of a request, as find_credential(). Raises InvalidCredential for an access token, which is for /oauth/mcp alone."""
    credential = find_credential(headers)
    if credential and credential.startswith(TOKEN_PREFIX):
        raise InvalidCredential
    return credential


def find_access_token(headers: Mapping[str, str]) -> str:
    """Raises MissingToken, and InvalidToken for what cannot be one, such as an API key."""
    credential = find_credential(headers)
    if credential is None:
        raise MissingToken
    if not credential.startswith(TOKEN_PREFIX):
        raise InvalidToken
    return credential


def find_credential(headers: Mapping[str, str]) -> str | None:
    """What a request shows of its caller; empty if a client's configuration left it out, None if nothing was meant to be sent."""
    shown = headers.get("Authorization", "").strip()
    scheme, _, credential = shown.partition(" ")
    if scheme.lower() in {"bearer", "token"}:
        return credential.strip()
    if shown.startswith(KEY_PREFIX):  # without the scheme; other schemes are a proxy's business
        return shown
    return headers.get("X-Api-Key")


def authenticate(credential: str | None, address: str = "") -> Principal:
    """The principal of an API key, or the anonymous one of this address if none was shown. Raises InvalidCredential."""
    show_tenants(())
    if credential is None:
        return make_anonymous_principal(address)
    if not credential or len(credential) > MAX_CREDENTIAL_CHARACTERS or not credential.isprintable():
        raise InvalidCredential
    now = timezone.now()
    with as_owner():
        key = ApiKey.objects.find_by_secret(credential)
        if key is None or not key.is_usable(now):
            raise InvalidCredential
        key.mark_used(now)
    show_tenants({key.tenant_id})
    return make_key_principal(key, credential)


def make_anonymous_principal(address: str) -> Principal:
    principal = Principal(scopes=frozenset({Scope.READ}))
    return KnownCaller(name_caller(None), principal, timezone.now() + ANONYMOUS_KNOWN).make_principal(address)


def make_key_principal(key: ApiKey, credential: str) -> Principal:
    """The principal of a key that was just looked up by this credential; the process then remembers what it reads."""
    principal = key.make_principal()
    ends = [key.unmarked_until, key.expires, key.old_expires if key.is_shown_by_old_secret else None]
    assert key.found_as
    known = KnownCaller(
        name_caller(credential), principal, min(end for end in ends if end), replace(key.found_as, rows=[])
    )
    return known.make_principal()


def make_user_principal(user: User) -> Principal:
    """A signed-in person, with the scopes of all its memberships; whether they apply to a row's tenant is checked with the row."""
    with as_owner():
        memberships = dict(Membership.objects.filter(user=user).values_list("tenant_id", "role"))
    show_person(user, memberships)
    roles = set(memberships.values())
    writes = user.is_superuser or not roles.isdisjoint(WRITING_ROLES)
    return Principal(
        scopes=frozenset({Scope.READ, Scope.ASK} | ({Scope.WRITE} if writes else set())),
        user_id=user.pk,
        is_superuser=user.is_superuser,
        label=user.get_username(),
    )


def show_person(user: User, tenant_ids: Iterable[int]) -> None:
    """Makes the database show a signed-in person the rows of these tenants and of the person; to a superuser, all rows."""
    if user.is_superuser:
        show_everything()
    else:
        show_tenants(tenant_ids)
