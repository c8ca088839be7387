"""Who asks over REST, and whether it may at all: the same keys as for tools, a signed-in member, or anybody for what is public.

Each look-up decides which rows the caller may see (access.py).
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from collections_app.access.authentication import (
    InvalidCredential,
    MissingCredential,
    find_key,
    make_user_principal,
)
from collections_app.access.client_address import get_client_address
from collections_app.access.principal import Principal, Scope
from collections_app.limits.admission import admit


class PrincipalAuthentication(SessionAuthentication):
    """`request.auth` is always a Principal. A key that is shown takes precedence over a session; to write, a session needs a CSRF token.
    If there is no session, the request is counted already: `request.admitted` has the result of admit().
    """

    def authenticate(self, request: Request) -> tuple[Any, Principal]:
        try:
            credential = find_key(request.headers)
            if credential is None and (session := super().authenticate(request)):
                return session[0], make_user_principal(session[0])
            admitted = admit(credential, get_client_address(request.META))
        except InvalidCredential as error:
            raise AuthenticationFailed(f"{error.message}.") from None
        except MissingCredential as error:
            raise NotAuthenticated(f"{error.message}.") from None
        request.admitted = admitted  # type: ignore[attr-defined]  # for perform_authentication
        return AnonymousUser(), admitted[0]

    def authenticate_header(self, request: Request) -> str:
        """With a challenge, DRF answers 401."""
        return 'Bearer realm="api"'


class HasScope(BasePermission):
    """The scopes that reading and changing need. What a tool hides from a caller without its scope is a 403 here."""

    to_read: ClassVar[Scope]
    to_change: ClassVar[Scope] = Scope.WRITE

    def has_permission(self, request: Request, view: Any) -> bool:
        scope = self.to_read if request.method in SAFE_METHODS else self.to_change
        self.message = f"This needs the scope {scope.value!r}: use a key, or an account, that has it."
        return cast("Principal", request.auth).may(scope)


class ReadOrChange(HasScope):
    """Reading needs `read`, changing `write`."""

    to_read = Scope.READ


class Manage(HasScope):
    """Both need `write`: what only those who fill collections look at."""

    to_read = Scope.WRITE
