"""Signing in at the operator's OpenID Connect provider: the way there, and back."""

from __future__ import annotations

import hmac
import json
import secrets
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import login
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from collections_app.access import invitations, single_sign_on
from collections_app.access.roles import has_role_somewhere
from collections_app.access.single_sign_on import AccountToConnect, NoAccount, get_provider
from collections_app.activity import audit
from collections_app.clients.openid import NotProven, ProviderUnavailable
from collections_app.models import Invitation, User
from collections_app.postgres.row_security import as_owner

COOKIE = "docsmcp_sign_in"
COOKIE_SECONDS = 600
BACKEND = "django.contrib.auth.backends.ModelBackend"
AGAIN = "This sign-in was begun in another window, or too long ago. Begin it again."


class Refused(Exception):
    """The text is for the person. `then`: where to go on after signing in by password."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.FORBIDDEN, then: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.then = then


@never_cache
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Sends the person to the provider. What proves that the answer is for this browser is in a signed cookie: a session would be a row
    for everybody who comes by."""
    check_enabled()
    attempt = {name: secrets.token_urlsafe(32) for name in ("state", "nonce", "verifier")}
    try:
        address = get_provider().make_address(get_return(request), **attempt)
    except ProviderUnavailable as error:
        return show(request, Refused(error.message, HTTPStatus.SERVICE_UNAVAILABLE))
    response = redirect(address)
    kept = json.dumps({**attempt, "next": find_next(request)})
    options: dict[str, Any] = {"secure": request.is_secure(), "httponly": True, "samesite": "Lax"}
    response.set_signed_cookie(COOKIE, kept, max_age=COOKIE_SECONDS, path=reverse("sign_in"), **options)
    return response


@never_cache
@require_safe
def finish(request: HttpRequest) -> HttpResponse:
    """Signs in whom the provider sends back. The cookie is for one try."""
    check_enabled()
    try:
        response = sign_in(request)
    except Refused as error:
        response = show(request, error)
    response.delete_cookie(COOKIE, path=reverse("sign_in"), samesite="Lax")
    return response


def sign_in(request: HttpRequest) -> HttpResponse:
    """Raises Refused."""
    attempt = find_attempt(request)
    try:
        proof: dict[str, Any] = {"nonce": attempt["nonce"], "verifier": attempt["verifier"]}
        claims = get_provider().identify(request.GET["code"], get_return(request), **proof)
        signed_in = request.user if isinstance(request.user, User) else None
        with as_owner():  # the visitor belongs to no tenant yet
            invitation = find_invitation(attempt["next"])
            user, is_new = single_sign_on.find_account(claims, signed_in=signed_in, invitation=invitation)
    except ProviderUnavailable as error:
        raise Refused(error.message, HTTPStatus.SERVICE_UNAVAILABLE) from None
    except AccountToConnect as error:
        raise Refused(error.message, then=f"{reverse('sign_in')}?{urlencode({'next': attempt['next']})}") from None
    except (NotProven, NoAccount) as error:
        raise Refused(error.message) from None
    login(request, user, backend=BACKEND)
    if is_new:
        audit.record(request, "connect single sign-on", user)
    if not (invitation or has_role_somewhere(user)):
        raise Refused("Your account belongs to no tenant. Ask an owner of one to invite you.")
    return redirect(attempt["next"])


def find_attempt(request: HttpRequest) -> dict[str, str]:
    """What begin() kept in this browser. Raises Refused if the answer is not for that."""
    try:
        attempt: dict[str, str] = json.loads(request.get_signed_cookie(COOKIE, max_age=COOKIE_SECONDS) or "")
    except (KeyError, BadSignature):
        raise Refused(AGAIN, HTTPStatus.BAD_REQUEST) from None
    if not hmac.compare_digest(attempt["state"].encode(), request.GET.get("state", "").encode(errors="replace")):
        raise Refused(AGAIN, HTTPStatus.BAD_REQUEST)
    if "code" not in request.GET:
        raise Refused("The sign-in provider did not let you in. Try again.")
    return attempt


def check_enabled() -> None:
    if not single_sign_on.is_enabled():
        raise Http404


def get_return(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sign_in_return"))


def find_next(request: HttpRequest) -> str:
    """Where the person wanted to go: a page of this server."""
    wanted = request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return reverse("admin:index")


def find_invitation(path: str) -> Invitation | None:
    """The open invitation whose page this is."""
    try:
        match = resolve(path.partition("?")[0])
    except Resolver404:
        return None
    if match.url_name != "invitation":
        return None
    with as_owner():
        return invitations.find_open(match.kwargs["token"])


def show(request: HttpRequest, error: Refused) -> HttpResponse:
    return render(request, "joining/sign_in.html", {"problem": str(error), "then": error.then}, status=error.status)
