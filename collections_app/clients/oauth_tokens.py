"""Bearer tokens that expire, by OAuth client credentials (RFC 6749, 4.4): fetched, renewed in time, shared by all threads, and sent.

Does not know what they are used for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import quote

import httpcore
import httpx
import structlog

from collections_app.clients.transport import DeadlinePassed
from collections_app.exceptions import FetchError, UpstreamUnavailable

RENEWAL_SECONDS = 300.0
# For an answer that does not say how long its token is valid (RFC 6749 only recommends it).
DEFAULT_LIFETIME_SECONDS = 3600.0

_UNREACHABLE = (
    httpx.HTTPError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, DeadlinePassed, FetchError,
)  # fmt: skip
# What reading an answer of another form raises.
_NO_TOKEN_ANSWER = (ValueError, TypeError, KeyError, AttributeError)

logger = structlog.get_logger(__name__)

T = TypeVar("T")


class NoToken(UpstreamUnavailable):
    """The token server returned none."""


class Unauthorized(Exception):
    """The upstream does not admit us (401). `error` is raised if a new token does not help."""

    def __init__(self, error: UpstreamUnavailable) -> None:
        super().__init__(error.message)
        self.error = error


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    token_url: str
    client_id: str
    client_secret: str = field(repr=False)
    scope: str = ""


SETTINGS = ("token_url", "client_id", "client_secret", "token_scope")
"""What each server's settings for credentials are called, behind its prefix."""


def find_credentials(config: Any, server: str) -> ClientCredentials | None:
    """The credentials in the settings of a server (their prefix: `llm`); None if these name no token server, so that an API key is sent."""
    credentials = ClientCredentials(*(getattr(config, f"{server}_{name}") for name in SETTINGS))
    return credentials if credentials.token_url else None


@dataclass(frozen=True, slots=True)
class Token:
    """`renewal` and `expiry` are by time.monotonic()."""

    value: str = field(repr=False)
    renewal: float
    expiry: float
    refresh_token: str = field(default="", repr=False)

    def is_usable(self) -> bool:
        return bool(self.value) and time.monotonic() < self.expiry

    def is_fresh(self) -> bool:
        return time.monotonic() < self.renewal


NO_TOKEN = Token("", 0.0, 0.0)


class TokenSource:
    """Renews a token five minutes before it expires (half-way, if it lives shortly), in one thread, while others use the old one."""

    def __init__(self, http: httpx.Client, credentials: ClientCredentials) -> None:
        self._http = http
        self._credentials = credentials
        self._token = NO_TOKEN
        self._renewing = Lock()

    def get(self) -> str:
        """Raises NoToken if there is none to be had."""
        token = self._token
        if token.is_fresh():
            return token.value
        if not self._renewing.acquire(blocking=not token.is_usable()):
            return token.value
        try:
            return self._get_renewed(token)
        finally:
            self._renewing.release()

    def drop(self, value: str) -> None:
        """Forgets a token that the upstream refused, unless it was renewed meanwhile."""
        with self._renewing:
            if self._token.value == value:
                self._token = NO_TOKEN

    def _get_renewed(self, token: Token) -> str:
        if self._token is token:
            try:
                self._token = self._renew(token)
            except NoToken:
                if not token.is_usable():
                    raise
        return self._token.value

    def _renew(self, token: Token) -> Token:
        """Uses the refresh token; if there is none, or it is refused, logs in again."""
        if token.refresh_token:
            try:
                return self._ask(grant_type="refresh_token", refresh_token=token.refresh_token)
            except NoToken:
                pass
        scope = {"scope": self._credentials.scope} if self._credentials.scope else {}
        return self._ask(grant_type="client_credentials", **scope)

    def _ask(self, **form: str) -> Token:
        # RFC 6749, 2.3.1: both are form-encoded before they become a user name and a password.
        secrets = (quote(self._credentials.client_id, safe=""), quote(self._credentials.client_secret, safe=""))
        asked = time.monotonic()
        try:
            response = self._http.post(self._credentials.token_url, data=form, auth=secrets)
            return _read_token(response.raise_for_status().json(), asked)
        except (*_UNREACHABLE, *_NO_TOKEN_ANSWER) as error:
            logger.warning("token_failure", grant=form["grant_type"], reason=type(error).__name__)
            raise NoToken("The server that gives out access tokens gave none.") from None


class TokenSender:
    """Sends a token with each request if the upstream wants one; if it is refused, once more with a new one."""

    def __init__(self, http: httpx.Client, credentials: ClientCredentials | None) -> None:
        self._tokens = TokenSource(http, credentials) if credentials else None

    def send(self, request: Callable[[dict[str, str]], T]) -> T:
        """The result of `request` for the headers that it is to send; it raises Unauthorized if they are refused. Raises NoToken."""
        try:
            return request({}) if self._tokens is None else _send_token(request, self._tokens)
        except Unauthorized as refusal:
            raise refusal.error from None


def _send_token(request: Callable[[dict[str, str]], T], tokens: TokenSource) -> T:
    token = tokens.get()
    try:
        return request(_make_headers(token))
    except Unauthorized:
        tokens.drop(token)
        return request(_make_headers(tokens.get()))


def _make_headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _read_token(answer: Any, asked: float) -> Token:
    lifetime = float(answer.get("expires_in") or DEFAULT_LIFETIME_SECONDS)
    renewal = asked + lifetime - min(RENEWAL_SECONDS, lifetime / 2)
    return Token(str(answer["access_token"]), renewal, asked + lifetime, str(answer.get("refresh_token") or ""))
