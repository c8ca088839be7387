"""From what a caller shows to a Principal. A wrong, expired or revoked key is one and the same refusal."""

from __future__ import annotations

from django.utils import timezone

from collections_app.models import ApiKey
from collections_app.principal import Principal, Scope

MAX_CREDENTIAL_CHARACTERS = 500


class InvalidCredential(Exception):
    """A credential was shown and is not good."""


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
