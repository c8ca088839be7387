"""The addresses of this authorization server and of what it protects, as the client reached them."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

ISSUER_PATH = "/oauth"
WELL_KNOWN = "/.well-known"
DEFAULT_PORTS = {"https": 443, "http": 80}


def get_issuer(request: HttpRequest) -> str:
    """It has a path, so that nothing is found where clients of `/mcp` look for OAuth: some would stop sending their key."""
    return request.build_absolute_uri(ISSUER_PATH)


def get_resource(request: HttpRequest, path: str) -> str:
    """The protected resource (RFC 8707) with this path."""
    return request.build_absolute_uri(path)


def get_resource_metadata(request: HttpRequest, path: str) -> str:
    """Where the resource's metadata is (RFC 9728, section 3.1)."""
    return request.build_absolute_uri(f"{WELL_KNOWN}/oauth-protected-resource{path}")


def find_resource_path(request: HttpRequest, resource: str) -> str | None:
    """The path of an MCP endpoint for access tokens, in its usual spelling, by its address; None for any other address."""
    try:
        given = urlsplit(resource)
        is_own = find_origin(given) == find_origin(urlsplit(request.build_absolute_uri("/")))
    except ValueError:
        return None
    return find_endpoint_path(given.path) if is_own and not given.fragment and "@" not in given.netloc else None


def find_origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    """Scheme, host and port (RFC 6454, section 4). Raises ValueError for a port that is none."""
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme)


def find_endpoint_path(path: str) -> str | None:
    path = path.rstrip("/")
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return path if match.url_name in {"oauth_mcp", "oauth_mcp_collection"} else None


def get_narrowed(path: str) -> tuple[str, str] | None:
    """The slugs of the tenant and the collection in the path of an endpoint for one collection."""
    kwargs = resolve(path).kwargs
    return (kwargs["tenant"], kwargs["collection"]) if kwargs else None


def get_default_resource() -> str:
    return reverse("oauth_mcp")
