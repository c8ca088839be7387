"""Signs people in at an OpenID Connect provider: where to send them, and who they are by the code that they bring back (OpenID Connect Core
1.0, authorization code flow with PKCE). The operator chose the provider, so it may be at any address. Does not know accounts.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import quote

import httpcore
import httpx
import structlog
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from cryptography.exceptions import UnsupportedAlgorithm
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet
from joserfc.jws import JWSRegistry

from collections_app.clients.addresses import EVERYWHERE
from collections_app.clients.bodies import ACCEPTED_ENCODINGS, read_body
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, limit_time, make_ssl_context
from collections_app.exceptions import FetchError, FileTooLarge, UpstreamUnavailable
from collections_app.text.control_characters import drop_unseen

SCOPE = "openid email profile"
TIMEOUT_SECONDS = 10.0
MAX_ANSWER_BYTES = 1024 * 1024
DESCRIPTION_LIFE_SECONDS = 3600.0
# How long a provider that cannot be read is left alone: whoever waits for another's attempt is told how that ended.
FAILURE_LIFE_SECONDS = 5.0
# How far the provider's clock may be from ours.
LEEWAY_SECONDS = 120
# Those by which only the provider can sign. Its own list may narrow them.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
MAX_SUBJECT = 255
TOLD_WHEN_ASKED = ("email", "email_verified", "preferred_username")
# RFC 5321, 4.5.3.1.3, less the brackets.
MAX_EMAIL = 254

_UNREACHABLE = (
    httpx.HTTPError, httpx.InvalidURL, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException,
    httpcore.UnsupportedProtocol, DeadlinePassed, FetchError, FileTooLarge,
)  # fmt: skip
# What JSON and keys of any shape bring forth.
_UNREADABLE = (JoseError, ValueError, TypeError, LookupError, AttributeError, RecursionError, UnsupportedAlgorithm)
# Of RFC 6749, 5.2: some providers answer the second to a code that has not the form of theirs.
_WRONG_CODE = ("invalid_grant", "invalid_request")

logger = structlog.get_logger(__name__)


class ProviderUnavailable(UpstreamUnavailable):
    """The provider does not answer as a provider does. Its text is for the person."""


class NotProven(UpstreamUnavailable):
    """What came back does not prove who the person is."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Who the person is to the provider. `email` is in lower case and NFKC, empty without one; `is_verified`: the provider says it is
    theirs. Nothing has control characters."""

    issuer: str
    subject: str
    email: str = ""
    is_verified: bool = False
    name: str = ""


@dataclass(slots=True)
class _Known:
    description: dict[str, Any] = field(default_factory=dict)
    keys: KeySet | None = None
    failure: str = ""
    until: float = 0.0


class OpenIdProvider:
    """May be used from several threads at once. Its description and keys are kept for an hour; a signature by a key that is not among them
    has the keys read again."""

    def __init__(self, issuer: str, client_id: str, client_secret: str) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._known = _Known()
        self._lock = Lock()
        self._http = httpx.Client(
            transport=GuardedTransport(EVERYWHERE, make_ssl_context(), max_connections=4),
            headers={"Accept": "application/json", "Accept-Encoding": ACCEPTED_ENCODINGS},
            timeout=TIMEOUT_SECONDS,
            trust_env=False,
        )

    def make_address(self, redirect_uri: str, *, state: str, nonce: str, verifier: str) -> str:
        """Where to send a person. Raises ProviderUnavailable."""
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        try:
            address: str = add_params_to_uri(self._find_place("authorization_endpoint"), asked)
        except ValueError:
            raise ProviderUnavailable("The sign-in provider's authorization_endpoint is no address.") from None
        return address

    def identify(self, code: str, redirect_uri: str, *, nonce: str, verifier: str) -> Claims:
        """Who brings this code. Raises ProviderUnavailable and NotProven."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        methods = self._list("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if "client_secret_basic" in methods or not self._client_secret:
            # RFC 6749, 2.3.1: both are form-encoded before they become a user name and a password.
            secrets = (quote(self._client_id, safe=""), quote(self._client_secret, safe=""))
            auth = httpx.BasicAuth(*secrets) if self._client_secret else None
            form |= {} if auth else {"client_id": self._client_id}
        else:
            auth, form = None, form | {"client_id": self._client_id, "client_secret": self._client_secret}
        answer = self._ask("POST", self._find_place("token_endpoint"), data=form, auth=auth)
        told = self._read_id_token(str(answer.get("id_token") or ""), nonce)
        if "email" not in told:
            told |= self._ask_who(told["sub"], str(answer.get("access_token") or ""))
        return make_claims(self._issuer, told)

    def _ask_who(self, subject: str, access_token: str) -> dict[str, Any]:
        """What the provider tells of the person only when it is asked, as OpenID Connect Core 1.0, section 5.4 allows; empty if it does
        not answer: most people can be known without it."""
        if "userinfo_endpoint" not in self._describe():
            return {}
        try:
            place = self._find_place("userinfo_endpoint")
            info = self._ask("GET", place, headers={"Authorization": f"Bearer {access_token}"})
        except UpstreamUnavailable:
            return {}
        if info.get("sub") != subject:  # section 5.3.2: the token may be another person's
            return {}
        return {"email_verified": False} | {name: info[name] for name in TOLD_WHEN_ASKED if name in info}

    def _read_id_token(self, id_token: str, nonce: str) -> dict[str, Any]:
        """The claims that the provider has signed. Raises NotProven."""
        try:
            token = self._decode(id_token)
            claims = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "values": [self._issuer]},
                    "aud": {"essential": True, "value": self._client_id},
                },
                {"nonce": nonce, "client_id": self._client_id},
            )
            claims.validate(leeway=LEEWAY_SECONDS)
            check_subject(claims.get("sub"))
        except _UNREADABLE as error:
            raise make_not_proven(type(error).__name__) from None
        return dict(claims)

    def _decode(self, id_token: str) -> jwt.Token:
        told = self._list("id_token_signing_alg_values_supported") or ALGORITHMS
        algorithms = [each for each in ALGORITHMS if each in told]
        if not algorithms:  # joserfc would take its own
            raise ValueError("the provider signs by nothing that is taken")
        registry = JWSRegistry(algorithms=algorithms, strict_check_header=False)
        try:
            return jwt.decode(id_token, self._get_keys(), registry=registry)
        except InvalidKeyIdError:
            self._forget()
            return jwt.decode(id_token, self._get_keys(), registry=registry)

    def _describe(self) -> dict[str, Any]:
        """By OpenID Connect Discovery 1.0, section 4. Also remembers that it failed: otherwise all who wait would try one after the
        other, each for as long as the first."""
        with self._lock:
            if time.monotonic() >= self._known.until:
                try:
                    self._known = _Known(self._read_description(), until=time.monotonic() + DESCRIPTION_LIFE_SECONDS)
                except ProviderUnavailable as error:
                    self._known = _Known(failure=error.message, until=time.monotonic() + FAILURE_LIFE_SECONDS)
            if self._known.failure:
                raise ProviderUnavailable(self._known.failure)
            return self._known.description

    def _read_description(self) -> dict[str, Any]:
        description = self._ask("GET", f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if description.get("issuer") != self._issuer:
            name = f"{str(description.get('issuer'))!a:.200}"
            logger.warning("wrong_issuer", issuer=name)
            raise ProviderUnavailable(f"The sign-in provider calls itself {name}, and not as OIDC_ISSUER does.")
        return description

    def _list(self, name: str) -> list[str]:
        """What the provider says that it supports; empty if it does not say."""
        told = self._describe().get(name)
        return [each for each in told if isinstance(each, str)] if isinstance(told, list) else []

    def _get_keys(self) -> KeySet:
        address = self._find_place("jwks_uri")
        with self._lock:
            if self._known.keys is None:
                try:
                    self._known.keys = read_keys(self._ask("GET", address))
                except ProviderUnavailable as error:
                    self._known = _Known(failure=error.message, until=time.monotonic() + FAILURE_LIFE_SECONDS)
                    raise
            return self._known.keys

    def _forget(self) -> None:
        with self._lock:
            self._known = _Known()

    def _find_place(self, name: str) -> str:
        place = self._describe().get(name)
        if not isinstance(place, str) or not place.startswith(("https://", "http://")):
            raise ProviderUnavailable(f"The sign-in provider does not say what its {name} is.")
        return place

    def _ask(self, method: str, address: str, **options: Any) -> dict[str, Any]:
        try:
            with limit_time(TIMEOUT_SECONDS), self._http.stream(method, address, **options) as response:
                body = read_body(response.iter_raw(), response.headers.get("Content-Encoding", ""), MAX_ANSWER_BYTES)
        except (*_UNREACHABLE, ValueError) as error:
            raise make_failure(type(error).__name__) from None
        answer = read_object(body)
        if response.is_success and answer is not None:
            return answer
        reason = str((answer or {}).get("error", ""))
        if reason in _WRONG_CODE:
            raise make_not_proven(reason)
        raise make_failure(f"status {response.status_code} {reason[:60]}".rstrip())


def read_object(body: bytes) -> dict[str, Any] | None:
    """None for what is no object in JSON."""
    try:
        answer = httpx.Response(200, content=body).json()
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def make_failure(reason: str) -> ProviderUnavailable:
    logger.warning("sign_in_provider_failure", reason=reason)
    return ProviderUnavailable("The sign-in provider does not answer as it should. Try again later.")


def make_not_proven(reason: str) -> NotProven:
    logger.warning("sign_in_not_proven", reason=reason)
    return NotProven("The sign-in provider's answer does not prove who you are. Try again.")


def read_keys(answer: Mapping[str, Any]) -> KeySet:
    """Those that can be read: a provider may publish others beside them (RFC 7517, section 5). Raises ProviderUnavailable without any."""
    given = answer.get("keys")
    keys = [key for each in (given if isinstance(given, list) else []) if (key := read_key(each))]
    if not keys:
        raise ProviderUnavailable("The sign-in provider publishes no key that can be read.")
    return KeySet(keys)


def read_key(given: Any) -> Key | None:
    try:
        key = JWKRegistry.import_key(given)
        key.ensure_kid()
    except _UNREADABLE:
        return None
    return key


def check_subject(subject: Any) -> None:
    """Raises ValueError for what names nobody."""
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT or not subject.isprintable():
        raise ValueError("there is no subject")


def make_claims(issuer: str, claims: Mapping[str, Any]) -> Claims:
    """Without an address, one that the provider uses as the person's name stands for it, unverified: Entra ID has those."""
    email, name = read_email(claims.get("email")), claims.get("preferred_username")
    return Claims(
        issuer,
        claims["sub"],
        email or read_email(name),
        bool(email) and claims.get("email_verified") is True,
        read_name(name),
    )


def read_email(given: Any) -> str:
    """In lower case; empty for what is no address, or is written with characters that look like others: lower() makes k of the sign for
    kelvin, too."""
    email = given.strip() if isinstance(given, str) else ""
    is_plain = email.isprintable() and " " not in email and unicodedata.is_normalized("NFKC", email)
    return email.lower() if "@" in email and is_plain and len(email) <= MAX_EMAIL else ""


def read_name(given: Any) -> str:
    """As user names are written, without invisible characters; empty for what is none."""
    name = unicodedata.normalize("NFKC", drop_unseen(given)).strip() if isinstance(given, str) else ""
    return name if name.isprintable() else ""
