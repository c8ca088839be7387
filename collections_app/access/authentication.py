"""From what a caller shows to a Principal. A wrong, expired or revoked key is one and the same refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from django.utils import timezone

from collections_app.access.known_callers import KnownCaller, name_caller
from collections_app.access.principal import Principal, Scope
from collections_app.models import ApiKey, Membership, User
from collections_app.models.tenants import KEY_PREFIX
from collections_app.postgres.row_security import as_owner, show_everything, show_tenants

MAX_CREDENTIAL_CHARACTERS = 500
# Without end, since nothing of it is noted; but nothing is kept for good.
ANONYMOUS_KNOWN = timedelta(minutes=1)
WRITING_ROLES = {Membership.Role.EDITOR, Membership.Role.OWNER}


class CredentialError(Exception):
    """Nobody is asking who may: what was shown is not good, or nothing was shown where something has to be."""

    message: ClassVar[str]


class InvalidCredential(CredentialError):
    """The same for whatever is wrong with it."""

    message = "The API key is not valid: it is empty or mistyped, has expired or was revoked. Send one as 'Authorization: Bearer KEY'"


class MissingCredential(CredentialError):
    message = "Missing API key: send it as 'Authorization: Bearer KEY'"


def find_credential(headers: Mapping[str, str]) -> str | None:
    """The API key of a request; an empty one where a client's configuration left it out, None where none was meant to be sent."""
    shown = headers.get("Authorization", "").strip()
    scheme, _, credential = shown.partition(" ")
    if scheme.lower() in {"bearer", "token"}:
        return credential.strip()
    if shown.startswith(KEY_PREFIX):  # the scheme forgotten; other schemes are a proxy's business
        return shown
    return headers.get("X-Api-Key")


def authenticate(credential: str | None, address: str = "") -> Principal:
    """The principal behind an API key, or the anonymous one of this address when none was shown. Raises InvalidCredential."""
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
    """Of a key that this credential has just found: the process gets to know it with what it reads."""
    principal = key.make_principal()
    ends = [key.unmarked_until, key.expires, key.old_expires if key.is_shown_by_old_secret else None]
    assert key.found_as
    known = KnownCaller(
        name_caller(credential), principal, min(end for end in ends if end), replace(key.found_as, rows=[])
    )
    return known.make_principal()


def make_user_principal(user: User) -> Principal:
    """A signed-in person, with the scopes that any of its memberships gives; whether that is the tenant of a row is asked with the row."""
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
    """What the database shows to a signed-in person: the rows of these tenants, its own; of all of them to a superuser."""
    if user.is_superuser:
        show_everything()
    else:
        show_tenants(tenant_ids)
