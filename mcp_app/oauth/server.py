"""Authlib's authorization server with this product's programs, consents and tokens (RFC 6749 by OAuth 2.1: codes with PKCE only, no token
without a refresh token).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from authlib.integrations.django_oauth2 import AuthorizationServer, RevocationEndpoint
from authlib.integrations.django_oauth2.requests import DjangoOAuth2Request
from authlib.oauth2 import OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import InvalidClientError, InvalidGrantError, InvalidRequestError, OAuth2Payload
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from django.http import HttpRequest, QueryDict
from django.http.request import split_domain_port

from collections_app.access.connected_apps import (
    Spent,
    Tokens,
    authorize,
    find_by_code,
    find_by_refresh_token,
    find_by_token,
    give_back,
    redeem,
    refresh,
)
from collections_app.access.principal import Scope
from collections_app.models import Collection, ConnectedApp, OAuthClient, Tenant, User
from mcp_app.oauth.addresses import find_resource_path, get_default_resource
from mcp_app.oauth.clients import AUTH_METHODS, Client, is_loopback

# Authlib repeats these in its messages, which may have no other characters (RFC 6749, section 5.2).
REPEATED = ("response_type", "grant_type", "client_id", "redirect_uri", "scope")
NO_REDIRECT = "The redirect_uri is missing, is none that this app registered, or is of a website that is not in OAUTH_REDIRECT_HOSTS."
CODE_CHALLENGE_METHOD = "S256"
CODE_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class InvalidTarget(OAuth2Error):
    """RFC 8707, section 2."""

    error = "invalid_target"


@dataclass(frozen=True)
class Consent:
    """What a person allows a program. `collections=None`: all of the tenant's, later ones too."""

    person: User
    tenant: Tenant
    scopes: Sequence[Scope]
    collections: Sequence[Collection] | None
    resource: str


@dataclass(frozen=True)
class Authorization:
    """An authorization as Authlib asks about it."""

    app: ConnectedApp
    redirect_uri: str = ""
    code_challenge_method: str = CODE_CHALLENGE_METHOD

    @property
    def code_challenge(self) -> str:
        return self.app.code_challenge

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return " ".join(self.app.api_key.scopes)

    def check_client(self, client: Client) -> bool:
        return self.app.client_id == client.row.pk


class Parameters(OAuth2Payload):
    """What Authlib reads of a request. Its own would mix those of the address with those of the form."""

    def __init__(self, given: QueryDict) -> None:
        self.given = given

    @property
    def data(self) -> dict[str, Any]:
        return self.given.dict()

    @property
    def datalist(self) -> dict[str, list[str]]:
        return dict(self.given.lists())


class ServerRequest(DjangoOAuth2Request):
    """Authlib would refuse a request over http even on one machine, unless its own environment variable is set: is_secure() decides.

    `given`: where its parameters are, in the address (RFC 6749, section 4.1.1) or in the form (section 3.2)."""

    def __init__(self, request: HttpRequest, given: QueryDict) -> None:
        address = f"https://{request.get_host()}{request.get_full_path()}"
        OAuth2Request.__init__(self, request.method, address, headers=request.headers)
        self.payload = Parameters(given)
        self._request = request


class Codes(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS

    @staticmethod
    def validate_authorization_redirect_uri(request: OAuth2Request, client: Client) -> str:
        found: str | None = request.payload.redirect_uri or client.get_default_redirect_uri()
        if not found or not client.check_redirect_uri(found):
            raise InvalidRequestError(NO_REDIRECT)
        return found

    def issue_code(self, consent: Consent) -> str:
        _, code = authorize(
            self.request.client.row,
            consent.person,
            consent.tenant,
            scopes=consent.scopes,
            collections=consent.collections,
            resource=consent.resource,
            redirect_uri=self.redirect_uri,
            code_challenge=self.request.payload.data["code_challenge"],
        )
        return code

    def query_authorization_code(self, code: str, client: Client) -> Authorization | None:
        """The redirect URI must be the same if it is given. It need not be given, since the code is bound by PKCE (OAuth 2.1)."""
        app = find_by_code(client.row, code)
        if app is None:
            return None
        return Authorization(app, app.redirect_uri if self.request.payload.redirect_uri else "")

    def create_token_response(self) -> tuple[int, dict[str, Any], list[tuple[str, str]]]:
        app = self.request.authorization_code.app
        check_same_resource(self.request, app)
        try:
            return 200, make_answer(redeem(app, self.request.form["code"])), self.TOKEN_RESPONSE_HEADER
        except Spent:
            raise InvalidGrantError("The code was used already.") from None


class RefreshTokens(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS

    def authenticate_refresh_token(self, refresh_token: str) -> Authorization | None:
        app = find_by_refresh_token(self.request.client.row, refresh_token)
        return Authorization(app) if app else None

    def create_token_response(self) -> tuple[int, dict[str, Any], list[tuple[str, str]]]:
        app = self.request.refresh_token.app
        check_same_resource(self.request, app)
        try:
            return 200, make_answer(refresh(app, self.request.form["refresh_token"])), self.TOKEN_RESPONSE_HEADER
        except Spent:
            raise InvalidGrantError("The app was disconnected.") from None


class RequiredChallenge(CodeChallenge):
    """PKCE by S256, from every program."""

    SUPPORTED_CODE_CHALLENGE_METHOD = (CODE_CHALLENGE_METHOD,)

    def validate_code_challenge(self, grant: AuthorizationCodeGrant, redirect_uri: str) -> None:
        data = grant.request.payload.data
        if not data.get("code_challenge") or data.get("code_challenge_method") != CODE_CHALLENGE_METHOD:
            raise InvalidRequestError("PKCE is needed: send a code_challenge, by the code_challenge_method S256.")
        if not CODE_CHALLENGE.fullmatch(data["code_challenge"]):
            raise InvalidRequestError("The code_challenge is no SHA-256 digest in base64url without padding.")
        super().validate_code_challenge(grant, redirect_uri)


class KnownResource:
    """The `resource` of RFC 8707 is one of this server's endpoints for access tokens, if a program names one."""

    def __call__(self, grant: AuthorizationCodeGrant) -> None:
        grant.register_hook("after_validate_authorization_request_payload", check_resource)


def check_resource(grant: AuthorizationCodeGrant, redirect_uri: str) -> None:
    find_asked_resource(grant.request)


def find_asked_resource(request: ServerRequest) -> str:
    """The path of the endpoint. Raises InvalidTarget."""
    asked = request.payload.datalist.get("resource", [])
    if not asked:
        return get_default_resource()
    found = find_resource_path(request._request, asked[0]) if len(asked) == 1 else None
    if found is None:
        raise InvalidTarget("The resource is no MCP endpoint of this server that takes access tokens.")
    return found


def check_same_resource(request: ServerRequest, app: ConnectedApp) -> None:
    """Raises InvalidTarget for another one than was allowed."""
    if request.payload.datalist.get("resource") and find_asked_resource(request) != app.resource:
        raise InvalidTarget("The person allowed another resource.")


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = AUTH_METHODS

    def authenticate_token(self, request: ServerRequest, client: Client) -> ConnectedApp | None:
        """A token is found without the hint of what kind it is."""
        if not request.form.get("token"):
            raise InvalidRequestError("The token is missing.")
        return find_by_token(client.row, request.form["token"])

    def revoke_token(self, token: ConnectedApp, request: ServerRequest) -> None:
        """Either token ends the whole authorization."""
        give_back(token)


class Server(AuthorizationServer):
    def __init__(self) -> None:
        super().__init__(OAuthClient, ConnectedApp)
        self.register_grant(Codes, [RequiredChallenge(), KnownResource()])
        self.register_grant(RefreshTokens)
        self.register_endpoint(Revocation)

    def query_client(self, client_id: str) -> Client | None:
        row = OAuthClient.objects.filter(client_id=client_id).first() if "\0" not in client_id else None
        return Client(row) if row else None

    def authenticate_client(self, request: ServerRequest, methods: Sequence[str], endpoint: str = "token") -> Client:
        try:
            client: Client = super().authenticate_client(request, methods, endpoint)
        except ValueError:
            raise InvalidClientError("The Authorization header cannot be read.", status_code=401) from None
        return client

    def create_oauth2_request(self, request: HttpRequest | ServerRequest) -> ServerRequest:
        return request if isinstance(request, ServerRequest) else ServerRequest(request, request.POST)


@cache
def get_server() -> Server:
    return Server()


def make_answer(tokens: Tokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access,
        "token_type": "Bearer",
        "expires_in": int(tokens.life.total_seconds()),
        "refresh_token": tokens.refresh,
        "scope": " ".join(tokens.scopes),
    }


def is_secure(request: HttpRequest) -> bool:
    """Whether nobody in between can read the request."""
    host, _ = split_domain_port(request.get_host())
    return request.is_secure() or is_loopback(host.strip("[]"))


def find_unwritable(given: QueryDict) -> str:
    """A parameter with characters that no value of it has (RFC 6749, appendix A); empty if there is none."""
    for name in REPEATED:
        for value in given.getlist(name):
            if not value.isascii() or not value.isprintable() or '"' in value or "\\" in value:
                return name
    return ""
