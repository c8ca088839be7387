"""Signs people in at an OpenID Connect provider: where to send them, and who they are by the code that they bring back (OpenID Connect Core
1.0, authorization code flow with PKCE). The operator chose the provider, so it may be at any address. Does not know accounts.
"""

from __future__ import annotations

import time
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
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from collections_app.clients.addresses import EVERYWHERE
from collections_app.clients.bodies import ACCEPTED_ENCODINGS, read_body
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, limit_time, make_ssl_context
from collections_app.exceptions import FetchError, FileTooLarge, UpstreamUnavailable

SCOPE = "openid email profile"
TIMEOUT_SECONDS = 10.0
MAX_ANSWER_BYTES = 1024 * 1024
DESCRIPTION_LIFE_SECONDS = 3600.0
# How far the provider's clock may be from ours.
LEEWAY_SECONDS = 120
# Those by which only the provider can sign. Its own list may narrow them.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
MAX_SUBJECT = 255

_UNREACHABLE = (
    httpx.HTTPError, httpx.InvalidURL, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, DeadlinePassed, FetchError,
    FileTooLarge,
)  # fmt: skip

logger = structlog.get_logger(__name__)


class ProviderUnavailable(UpstreamUnavailable):
    """The provider does not answer as a provider does. Its text is for the person."""


class NotProven(UpstreamUnavailable):
    """What came back does not prove who the person is."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Who the person is to the provider. `email` is in lower case, empty without one; `is_verified`: the provider says it is theirs."""

    issuer: str
    subject: str
    email: str = ""
    is_verified: bool = False
    name: str = ""


@dataclass(slots=True)
class _Known:
    description: dict[str, Any] = field(default_factory=dict)
    keys: KeySet | None = None
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
        address: str = add_params_to_uri(self._find_place("authorization_endpoint"), asked)
        return address

    def identify(self, code: str, redirect_uri: str, *, nonce: str, verifier: str) -> Claims:
        """Who brings this code. Raises ProviderUnavailable and NotProven."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        methods = self._describe().get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if "client_secret_basic" in methods or not self._client_secret:
            # RFC 6749, 2.3.1: both are form-encoded before they become a user name and a password.
            secrets = (quote(self._client_id, safe=""), quote(self._client_secret, safe=""))
            auth = httpx.BasicAuth(*secrets) if self._client_secret else None
            form |= {} if auth else {"client_id": self._client_id}
        else:
            auth, form = None, form | {"client_id": self._client_id, "client_secret": self._client_secret}
        answer = self._ask("POST", self._find_place("token_endpoint"), data=form, auth=auth)
        return self._read_id_token(answer, nonce)

    def _read_id_token(self, answer: Mapping[str, Any], nonce: str) -> Claims:
        try:
            token = self._decode(str(answer.get("id_token") or ""))
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
            return read_claims(self._issuer, claims)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            logger.warning("sign_in_not_proven", reason=type(error).__name__)
            raise NotProven("The sign-in provider's answer does not prove who you are. Try again.") from None

    def _decode(self, id_token: str) -> jwt.Token:
        told = self._describe().get("id_token_signing_alg_values_supported") or ALGORITHMS
        registry = JWSRegistry(algorithms=[each for each in ALGORITHMS if each in told], strict_check_header=False)
        try:
            return jwt.decode(id_token, self._get_keys(), registry=registry)
        except InvalidKeyIdError:
            self._forget()
            return jwt.decode(id_token, self._get_keys(), registry=registry)

    def _describe(self) -> dict[str, Any]:
        """By OpenID Connect Discovery 1.0, section 4."""
        with self._lock:
            if time.monotonic() >= self._known.until:
                description = self._ask("GET", f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
                if description.get("issuer") != self._issuer:
                    logger.warning("wrong_issuer", issuer=str(description.get("issuer"))[:200])
                    raise ProviderUnavailable("The sign-in provider calls itself otherwise than OIDC_ISSUER does.")
                self._known = _Known(description, None, time.monotonic() + DESCRIPTION_LIFE_SECONDS)
            return self._known.description

    def _get_keys(self) -> KeySet:
        address = self._find_place("jwks_uri")
        with self._lock:
            if self._known.keys is None:
                self._known.keys = KeySet.import_key_set(self._ask("GET", address))  # type: ignore[arg-type]
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
            if response.is_success:
                answer = httpx.Response(200, content=body).json()
                if isinstance(answer, dict):
                    return answer
            reason = f"status {response.status_code}"
        except (*_UNREACHABLE, ValueError) as error:
            reason = type(error).__name__
        logger.warning("sign_in_provider_failure", reason=reason)
        raise ProviderUnavailable("The sign-in provider does not answer as it should. Try again later.")


def read_claims(issuer: str, claims: Mapping[str, Any]) -> Claims:
    """Raises ValueError for claims that name nobody."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT or "\0" in subject:
        raise ValueError("there is no subject")
    email, name = claims.get("email"), claims.get("preferred_username")
    return Claims(
        issuer,
        subject,
        email.strip().lower() if isinstance(email, str) else "",
        claims.get("email_verified") is True,
        name.strip() if isinstance(name, str) else "",
    )
