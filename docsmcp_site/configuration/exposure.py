"""Whether the server can be reached by others than this machine's users, judged by its settings alone. Connects to nothing."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address

from docsmcp_site.configuration.config import Config

ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104  the operator's choice


def is_loopback(host: str) -> bool:
    """Accepts a name or an address; an IPv6 address also in brackets."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def answers_any_name(config: Config) -> bool:
    return "*" in config.allowed_hosts or (not config.allowed_hosts and config.mcp_server_host in ANY_ADDRESS)


def is_open_without_https(config: Config) -> bool:
    """Whether others can reach the server, and nothing makes them use https."""
    names = config.allowed_hosts or (config.mcp_server_host,)
    return not config.https_only and not all(map(is_loopback, names))
