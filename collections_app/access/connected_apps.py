"""Apps that people connect by OAuth: what happens to an authorization from the person's consent until its end.

Its code is redeemed once, for an access token (the secret of its API key) and a refresh token; each refresh replaces both, by tokens that
follow from the one that was shown, so that apps which refresh twice at once get the same. A code or a refresh token that is shown again
later may have been stolen, so that ends the authorization (RFC 9700, section 4.14). Refresh tokens begin with the code, by which also those
are known that were replaced long ago.

Who asks is not signed in where tokens are issued, so everything but the consent reads and writes as the owner of the tables.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.crypto import salted_hmac

from collections_app.access.api_keys import revoke_api_key
from collections_app.access.principal import Scope
from collections_app.access.roles import Role, has_role
from collections_app.activity import audit
from collections_app.models import ApiKey, Collection, ConnectedApp, OAuthClient, Tenant, User
from collections_app.models.tenants import TOKEN_PREFIX
from collections_app.postgres.row_security import as_owner

CODE_LIFE = timedelta(minutes=5)
ACCESS_TOKEN_LIFE = timedelta(hours=1)
# Without use. Each use by a refresh begins it anew.
REFRESH_TOKEN_LIFE = timedelta(days=30)
# How long the access token before a refresh still works: other requests may be under way.
OVERLAP = timedelta(minutes=1)
# How long the refresh token before it gives the same tokens again: the answer may have been lost, or an app refresh in several places.
REFRESH_OVERLAP = timedelta(minutes=30)
# How long ended authorizations stay in the list, and programs that nobody connected are known.
ENDED_FOR = timedelta(days=30)
UNUSED_FOR = timedelta(days=1)
# Each has a rate limit of its own.
MOST_OF_PERSON = 50
# Who the audit log says ended one that no person has.
SERVER = "the server"


logger = structlog.get_logger(__name__)


class Spent(Exception):
    """Another request redeemed the code, or used the refresh token, at the same time."""


@dataclass(frozen=True, slots=True)
class Tokens:
    access: str
    refresh: str
    life: timedelta
    scopes: list[str]


def list_scopes(person: User, tenant: Tenant) -> list[Scope]:
    """What the person can allow an app to do in the tenant; nothing for a stranger."""
    if not has_role(person, tenant.pk, Role.VIEWER):
        return []
    return [Scope.READ, Scope.ASK, *([Scope.WRITE] if has_role(person, tenant.pk, Role.EDITOR) else [])]


def has_too_many(person: User, tenant: Tenant) -> bool:
    """Whether the person has connected so many apps in the tenant that one has to be disconnected first."""
    of_person = ConnectedApp.objects.filter(tenant=tenant, api_key__person=person, api_key__revoked=None)
    return of_person.filter(refresh_expires__gt=timezone.now()).count() >= MOST_OF_PERSON


@transaction.atomic
def authorize(
    client: OAuthClient,
    person: User,
    tenant: Tenant,
    *,
    scopes: Iterable[Scope],
    collections: Iterable[Collection] | None,
    resource: str,
    redirect_uri: str,
    code_challenge: str,
) -> tuple[ConnectedApp, str]:
    """The authorization, and the code for the program. `collections=None`: all of the tenant's, later ones too.

    The caller has checked that the person may allow this. The key gets a usable secret only for the code.
    """
    now, code = timezone.now(), secrets.token_urlsafe(32)
    key, _ = ApiKey.objects.issue(
        tenant=tenant,
        name=f"{client.name[:100]} of {person.get_username()[:90]}",
        scopes=scopes,
        collections=collections,
        expires=now,
        secret=ApiKey.make_secret(TOKEN_PREFIX + secrets.token_hex(4)),
        person=person,
    )
    app = ConnectedApp.objects.create(
        tenant=tenant,
        api_key=key,
        client=client,
        resource=resource,
        redirect_uri=redirect_uri,
        code_digest=digest_of(code),
        code_challenge=code_challenge,
        code_expires=now + CODE_LIFE,
    )
    return app, code


def find_by_code(client: OAuthClient, code: str) -> ConnectedApp | None:
    """The client's authorization with a code that can still be redeemed. One whose code was redeemed before is ended."""
    with as_owner():
        app = find_connected(client, code)
        if app is None:
            return None
        if app.code_redeemed:
            end_misused(app)
            return None
        return app if app.code_expires > timezone.now() and is_allowed(app) else None


def redeem(app: ConnectedApp, code: str) -> Tokens:
    """The first tokens, for its code. Raises Spent if another request was faster."""
    with as_owner(), transaction.atomic():
        now = timezone.now()
        if not ConnectedApp.objects.filter(pk=app.pk, code_redeemed=None).update(code_redeemed=now):
            raise Spent
        access, refresh_token = ApiKey.make_secret(app.api_key.prefix), f"{code}.{secrets.token_urlsafe(32)}"
        store_tokens(app, access, refresh_token)
        return Tokens(access, refresh_token, ACCESS_TOKEN_LIFE, list_allowed(app))


def find_by_refresh_token(client: OAuthClient, token: str) -> ConnectedApp | None:
    """The client's authorization that this token can renew. One whose token was replaced longer ago is ended."""
    digest, now = digest_of(token), timezone.now()
    with as_owner():
        app = find_connected(client, get_code(token))
        if app is None or app.refresh_expires is None or app.refresh_expires <= now or not is_allowed(app):
            return None
        if app.refresh_digest == digest:
            return app
        if app.old_refresh_expires and app.old_refresh_expires > now:
            return app if app.old_refresh_digest == digest else None
        end_misused(app)
        return None


def find_connected(client: OAuthClient, code: str) -> ConnectedApp | None:
    return client.connected.select_related("api_key").filter(code_digest=digest_of(code)).first()


def get_code(refresh_token: str) -> str:
    return refresh_token.partition(".")[0]


def refresh(app: ConnectedApp, token: str) -> Tokens:
    """The tokens that follow this refresh token: the same ones, however often it is shown. Raises Spent if the authorization has ended, or
    gone on, meanwhile."""
    with as_owner(), transaction.atomic():
        locked = (
            ConnectedApp.objects.select_for_update(of=("self",)).select_related("api_key").filter(pk=app.pk).first()
        )
        if locked is None or not is_allowed(locked):
            raise Spent
        access = f"{locked.api_key.prefix}_{derive('access', token)}"
        following = f"{get_code(token)}.{derive('refresh', token)}"
        if locked.refresh_digest == digest_of(token):
            store_tokens(locked, access, following)
        elif locked.old_refresh_digest != digest_of(token):
            raise Spent
        return Tokens(access, following, find_life(locked), list_allowed(locked))


def derive(purpose: str, token: str) -> str:
    """A secret that only this server can make of the token, and always makes the same."""
    return (
        urlsafe_b64encode(salted_hmac(f"connected app: {purpose}", token, algorithm="sha256").digest())
        .decode()
        .rstrip("=")
    )


def store_tokens(app: ConnectedApp, access: str, refresh_token: str) -> None:
    now = timezone.now()
    ApiKey.objects.filter(pk=app.api_key_id).update(
        old_prefix=F("prefix"),
        old_digest=F("digest"),
        old_expires=Least(F("expires"), now + OVERLAP),
        old_last_used=F("last_used"),
        digest=ApiKey.digest_of(access),
        expires=now + ACCESS_TOKEN_LIFE,
    )
    ConnectedApp.objects.filter(pk=app.pk).update(
        old_refresh_digest=F("refresh_digest"),
        old_refresh_expires=now + REFRESH_OVERLAP,
        refresh_digest=digest_of(refresh_token),
        refresh_expires=now + REFRESH_TOKEN_LIFE,
    )


def find_life(app: ConnectedApp) -> timedelta:
    """How long the present access token still works."""
    expires = ApiKey.objects.values_list("expires", flat=True).get(pk=app.api_key_id)
    assert expires
    return max(expires - timezone.now(), timedelta(0))


def list_allowed(app: ConnectedApp) -> list[str]:
    return [scope.value for scope in Scope if scope in app.api_key.scopes]


def find_by_token(client: OAuthClient, token: str) -> ConnectedApp | None:
    """The client's authorization with this access or refresh token, in any state."""
    digest = digest_of(token)
    either = Q(code_digest=digest_of(get_code(token))) | Q(api_key__digest=digest) | Q(api_key__old_digest=digest)
    with as_owner():
        return client.connected.select_related("api_key").filter(either).first()


def end(app: ConnectedApp) -> None:
    """Takes effect at once, for all of its tokens. Does nothing to one that has ended."""
    with as_owner():
        if app.api_key.revoked is None:
            revoke_api_key(app.api_key)


def give_back(app: ConnectedApp) -> None:
    """The app itself ends it, by either of its tokens."""
    end_without_person(app, "The app gave its tokens back.")


def end_misused(app: ConnectedApp) -> None:
    """Ends it because a code or token was shown again: whoever showed it, or who used it before, may have stolen it."""
    if app.api_key.revoked is None:
        logger.warning("connected_app_misused", app=app.pk, tenant=app.tenant_id)
        end_without_person(app, "A code or token of it was shown again: it may have been stolen.")


def end_without_person(app: ConnectedApp, why: str) -> None:
    if app.api_key.revoked is None:
        end(app)
        with as_owner():
            audit.record(SERVER, "disconnect", app, details=why)


def is_allowed(app: ConnectedApp) -> bool:
    """Whether it has not been ended, and its person may still do all that it may."""
    return app.api_key.revoked is None and ApiKey.objects.still_allowed().filter(pk=app.api_key_id).exists()


def forget_old_apps() -> int:
    """Deletes authorizations that were never used or ended long ago, with their keys, and unused programs; returns how many rows."""
    now = timezone.now()
    over = ConnectedApp.objects.filter(
        Q(code_redeemed=None, code_expires__lt=now)
        | Q(refresh_expires__lt=now - ENDED_FOR)
        | Q(api_key__revoked__lt=now - ENDED_FOR)
    )
    apps, _ = ApiKey.objects.filter(pk__in=list(over.values_list("api_key", flat=True))).delete()
    clients, _ = OAuthClient.objects.filter(connected=None, read__lt=now - UNUSED_FOR).delete()
    return apps + clients


def forget_oldest_unused(kept: int) -> int:
    """Deletes registered programs that nobody connected, except so many of the latest; returns how many."""
    with as_owner():
        unused = OAuthClient.objects.filter(connected=None, is_document=False)
        oldest = list(unused.order_by("-read", "-pk").values_list("pk", flat=True)[kept:])
        return OAuthClient.objects.filter(pk__in=oldest).delete()[0] if oldest else 0


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
