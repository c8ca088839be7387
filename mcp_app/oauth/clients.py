"""Programs that people connect, as Authlib asks about them, and to where people may be sent back."""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from authlib.oauth2.rfc6749 import ClientMixin
from django.conf import settings
from django.http.request import validate_host

from collections_app.access.connected_apps import digest_of
from collections_app.access.principal import Scope
from collections_app.models import OAuthClient
from collections_app.text.control_characters import drop_unseen, has_control_characters

GRANT_TYPES = ("authorization_code", "refresh_token")
RESPONSE_TYPES = ("code",)
AUTH_METHODS = tuple(OAuthClient.AuthMethod.values)
DEFAULT_SCOPES = (Scope.READ, Scope.ASK)
MAX_NAME = 200
UNNAMED = "An app without a name"
MAX_REDIRECT_URIS = 20
MAX_URI_CHARACTERS = 2_000
# The characters of an address (RFC 3986, section 2) without a fragment. Others a browser would change, or show as letters of another name.
WRITABLE = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+")
# What a browser would run or show itself, instead of opening an app.
REFUSED_SCHEMES = {
    "javascript",
    "data",
    "vbscript",
    "file",
    "blob",
    "about",
    "view-source",
    "filesystem",
    "ws",
    "wss",
    "ftp",
    "mailto",
}


@dataclass(frozen=True)
class Client(ClientMixin):
    row: OAuthClient

    def get_client_id(self) -> str:
        return self.row.client_id

    def get_default_redirect_uri(self) -> str | None:
        """OAuth 2.1 wants it named where there are several."""
        [only, *others] = self.row.redirect_uris
        return only if not others and self.check_redirect_uri(only) else None

    def get_allowed_scope(self, scope: str | None) -> str:
        """Those of the asked scopes that there are. Others are left out, and the answer says which were given (RFC 6749, section 3.3)."""
        asked = (scope or "").split()
        return " ".join([each for each in Scope if each in asked] or DEFAULT_SCOPES)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return is_allowed_redirect(redirect_uri) and any(is_same(redirect_uri, each) for each in self.row.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        return bool(self.row.secret_digest) and hmac.compare_digest(self.row.secret_digest, digest_of(client_secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """A program with a secret may send it either way: many mix the two up."""
        if not self.row.secret_digest:
            return method == OAuthClient.AuthMethod.NONE
        return method in {OAuthClient.AuthMethod.POST, OAuthClient.AuthMethod.BASIC}

    def check_response_type(self, response_type: str) -> bool:
        return response_type in RESPONSE_TYPES

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in GRANT_TYPES


def find_name(given: object) -> str:
    """What a program calls itself, on one line, without characters that would show another name than is there."""
    name = " ".join(drop_unseen(given).split()) if isinstance(given, str) else ""
    return UNNAMED if not name or has_control_characters(name) else name[:MAX_NAME]


def find_fault(redirect_uris: object) -> str:
    """Why a program with these may not be connected; empty if it may. Editors name websites besides their own machine, so one that people
    may be sent back to is enough: each is checked when it is used."""
    if not isinstance(redirect_uris, list) or not redirect_uris or len(redirect_uris) > MAX_REDIRECT_URIS:
        return f"redirect_uris must be a list of 1 to {MAX_REDIRECT_URIS} addresses"
    if not all(isinstance(uri, str) and find_parts(uri) for uri in redirect_uris):
        return (
            "a redirect URI must be an https address, an http address of the loopback interface, or of an app's own scheme, "
            f"of at most {MAX_URI_CHARACTERS} characters, with others than those of addresses (RFC 3986) percent-encoded"
        )
    if not any(map(is_allowed_redirect, redirect_uris)):
        return "this server does not let apps send people back to that website: its operator can add it to OAUTH_REDIRECT_HOSTS"
    return ""


def find_parts(uri: str) -> SplitResult | None:
    """None for what people cannot be sent back to."""
    if len(uri) > MAX_URI_CHARACTERS or not WRITABLE.fullmatch(uri):
        return None
    try:
        parts = urlsplit(uri)
        parts.port  # noqa: B018  raises ValueError
    except ValueError:
        return None
    if parts.scheme in {"", *REFUSED_SCHEMES} or "@" in parts.netloc:
        return None
    if parts.scheme == "http":
        return parts if is_loopback(parts.hostname) else None
    return parts if parts.scheme != "https" or parts.hostname else None


def is_allowed_redirect(uri: str, allowed: Collection[str] | None = None) -> bool:
    """Whether the operator lets people be sent there: websites are as in the setting, apps on their own machines always."""
    parts = find_parts(uri)
    if parts is None:
        return False
    hosts = settings.DOCSMCP.oauth_redirect_hosts if allowed is None else allowed
    return not is_website(parts) or not hosts or validate_host((parts.hostname or "").lower(), hosts)


def is_anybodys(uri: str) -> bool:
    """Whether it is a website that nobody vouches for, since the operator allows any: anybody can register it."""
    parts, hosts = find_parts(uri), settings.DOCSMCP.oauth_redirect_hosts
    return parts is None or (is_website(parts) and (not hosts or "*" in hosts))


def is_website(parts: SplitResult) -> bool:
    return parts.scheme == "https" and not is_loopback(parts.hostname)


def is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return False


def is_same(given: str, registered: str) -> bool:
    """The same characters; of a loopback address, the port may differ (RFC 8252, section 7.3)."""
    if given == registered:
        return True
    one, other = find_parts(given), find_parts(registered)
    if one is None or other is None or one.scheme != "http" or not is_loopback(other.hostname):
        return False
    return (one.hostname, one.path or "/", one.query) == (other.hostname, other.path or "/", other.query)


def describe_place(uri: str) -> str:
    """Where people are sent back to, in words that they can judge."""
    parts = find_parts(uri)
    assert parts is not None
    if is_loopback(parts.hostname):
        return "a program on your own computer"
    if parts.scheme == "https":
        return parts.hostname or ""
    return f"the app on your computer that opens {parts.scheme}: addresses"
