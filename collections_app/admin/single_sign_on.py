"""Signing in at the operator's OpenID Connect provider: the way there, and back."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import structlog
from django.contrib.auth import login
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.encoding import iri_to_uri
from django.utils.http import MAX_URL_LENGTH, url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from collections_app.access import invitations, single_sign_on
from collections_app.access.roles import has_role_somewhere
from collections_app.access.single_sign_on import AccountToConnect, Found, get_provider
from collections_app.activity import audit
from collections_app.clients.openid import Claims, NotProven, ProviderUnavailable
from collections_app.exceptions import InvalidParameter
from collections_app.limits.sign_ins import count_refused, find_wait
from collections_app.limits.waiting_slots import get_slots
from collections_app.models import Invitation, User
from collections_app.postgres.row_security import as_owner

COOKIE = "docsmcp_sign_in"
COOKIE_SECONDS = 600
BACKEND = "django.contrib.auth.backends.ModelBackend"
AGAIN = "This sign-in was begun in another window, or too long ago. Begin it again."

logger = structlog.get_logger(__name__)


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
        with waiting():
            address = get_provider().make_address(get_return(request), **attempt)
        response = HttpResponseRedirect(address)
    except ProviderUnavailable as error:
        return show(request, Refused(error.message, HTTPStatus.SERVICE_UNAVAILABLE))
    except Refused as error:
        return show(request, error)
    keep(request, response, {**attempt, "next": find_next(request), "is_ours": is_ours(request)})
    return response


def keep(request: HttpRequest, response: HttpResponse, attempt: dict[str, Any]) -> None:
    """In a cookie, whose 4,096 bytes are enough: what is signed is in Base64, and the longest part is an address that Django allows."""
    options: dict[str, Any] = {"secure": request.is_secure(), "httponly": True, "samesite": "Lax"}
    kept = signing.dumps(attempt, salt=COOKIE)
    response.set_cookie(COOKIE, kept, max_age=COOKIE_SECONDS, path=reverse("sign_in"), **options)


@never_cache
@require_safe
def finish(request: HttpRequest) -> HttpResponse:
    """Signs in whom the provider sends back. The cookie is for one try; an answer to another one leaves it, for the window that waits."""
    check_enabled()
    try:
        attempt = find_attempt(request)
    except Refused as error:
        return show(request, error)
    try:
        response = sign_in(request, attempt)
    except Refused as error:
        response = show(request, error)
    response.delete_cookie(COOKIE, path=reverse("sign_in"), samesite="Lax")
    return response


def sign_in(request: HttpRequest, attempt: dict[str, Any]) -> HttpResponse:
    """Raises Refused."""
    claims = identify(request, attempt)
    try:
        with as_owner():  # the visitor belongs to no tenant yet
            invitation = find_invitation(attempt["next"])
            signed_in = request.user if attempt["is_ours"] and isinstance(request.user, User) else None
            found = single_sign_on.find_account(claims, signed_in=signed_in, invitation=invitation)
    except AccountToConnect as error:
        raise Refused(error.message, then=f"{reverse('sign_in')}?{urlencode({'next': attempt['next']})}") from None
    except InvalidParameter as error:
        raise Refused(error.message) from None
    login(request, found.user, backend=BACKEND)
    record(request, found)
    if invitation in found.accepted:
        return HttpResponseRedirect(reverse("admin:index"))
    if not (invitation or has_role_somewhere(found.user)):
        raise Refused("Your account belongs to no tenant. Ask an owner of one to invite you.")
    return HttpResponseRedirect(attempt["next"])


def identify(request: HttpRequest, attempt: dict[str, Any]) -> Claims:
    """Who comes back. Raises Refused."""
    if "code" not in request.GET:
        logger.warning("sign_in_refused", reason=f"{request.GET.get('error', '')!a:.60}")
        raise Refused("The sign-in provider did not let you in. Try again.")
    if seconds := find_wait(request):
        raise Refused(f"Too many tries to sign in. Try again in {seconds} s.", HTTPStatus.TOO_MANY_REQUESTS)
    proof: dict[str, Any] = {"nonce": attempt["nonce"], "verifier": attempt["verifier"]}
    try:
        with waiting():
            return get_provider().identify(request.GET["code"], get_return(request), **proof)
    except ProviderUnavailable as error:
        raise Refused(error.message, HTTPStatus.SERVICE_UNAVAILABLE) from None
    except NotProven as error:
        count_refused(request)
        raise Refused(error.message) from None


@contextmanager
def waiting() -> Iterator[None]:
    """Around what may wait for the provider: a slow one leaves threads to everybody else. Raises Refused."""
    slots = get_slots()
    if not slots.acquire(blocking=False):
        raise Refused("Too many wait at the moment. Try again in some seconds.", HTTPStatus.SERVICE_UNAVAILABLE)
    try:
        yield
    finally:
        slots.release()


def record(request: HttpRequest, found: Found) -> None:
    """For the owners of the tenants that the person has just joined, and for superusers."""
    if found.is_new:
        audit.record(request, "connect single sign-on", found.user)
    for invitation in found.accepted:
        audit.record(request, "accept an invitation", invitation)
    if found.joined:
        audit.record(request, "join by single sign-on", found.joined)


def find_attempt(request: HttpRequest) -> dict[str, Any]:
    """What begin() kept in this browser. Raises Refused if the answer is not for that."""
    try:
        attempt: dict[str, Any] = signing.loads(request.COOKIES[COOKIE], salt=COOKIE, max_age=COOKIE_SECONDS)
    except (KeyError, signing.BadSignature):
        raise Refused(AGAIN, HTTPStatus.BAD_REQUEST) from None
    if not hmac.compare_digest(attempt["state"].encode(), request.GET.get("state", "").encode(errors="replace")):
        raise Refused(AGAIN, HTTPStatus.BAD_REQUEST)
    return attempt


def check_enabled() -> None:
    if not single_sign_on.is_enabled():
        raise Http404


def is_ours(request: HttpRequest) -> bool:
    """Whether no other site sent the person here: such a site may first have signed in somebody of its own at the provider, who would be
    connected with the account that is signed in here. By https://www.w3.org/TR/fetch-metadata/; over http browsers do not say."""
    return request.headers.get("Sec-Fetch-Site", "") not in ("cross-site", "same-site")


def get_return(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sign_in_return"))


def find_next(request: HttpRequest) -> str:
    """Where the person wanted to go: a path of this server, in ASCII."""
    wanted = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    address = iri_to_uri(wanted)
    return address if is_here and wanted.startswith("/") and len(address) <= MAX_URL_LENGTH else reverse("admin:index")


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
    """Whoever is in already, for example by another window, can go on."""
    context = {"problem": str(error), "then": error.then, "is_in": has_role_somewhere(request.user)}
    return render(request, "joining/sign_in.html", context, status=error.status)
