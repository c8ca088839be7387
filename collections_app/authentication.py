"""From what a caller shows to a Principal. A wrong, expired or revoked key is one and the same refusal."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from collections_app.models import ApiKey, Membership, User
from collections_app.models.tenants import KEY_PREFIX
from collections_app.principal import Principal, Scope

MAX_CREDENTIAL_CHARACTERS = 500
WRITING_ROLES = {Membership.Role.EDITOR, Membership.Role.OWNER}


class InvalidCredential(Exception):
    """A credential was shown and is not good."""


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
    if credential is None:
        return Principal(scopes=frozenset({Scope.READ}), address=address)
    if not credential or len(credential) > MAX_CREDENTIAL_CHARACTERS or not credential.isprintable():
        raise InvalidCredential
    now = timezone.now()
    key = ApiKey.objects.find_by_secret(credential)
    if key is None or not key.is_usable(now):
        raise InvalidCredential
    key.mark_used(now)
    return key.make_principal()


def make_user_principal(user: User) -> Principal:
    """A signed-in person, with the scopes that any of its memberships gives; whether that is the tenant of a row is asked with the row."""
    roles = set(Membership.objects.filter(user=user).values_list("role", flat=True))
    writes = user.is_superuser or not roles.isdisjoint(WRITING_ROLES)
    return Principal(
        scopes=frozenset({Scope.READ, Scope.ASK} | ({Scope.WRITE} if writes else set())),
        user_id=user.pk,
        is_superuser=user.is_superuser,
        label=user.get_username(),
    )
