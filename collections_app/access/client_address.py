"""The address that a request comes from: the peer's, or the one that proxies named by TRUSTED_PROXIES report.

X-Forwarded-For (the de-facto header, not RFC 7239's) is believed from nobody else: anyone can send it.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings

# A host gets a network of this size, and may use any address in it.
IPV6_PREFIX_BITS = 64


def get_client_address(environ: Mapping[str, Any]) -> str:
    """The nearest hop that is no trusted proxy, from a WSGI environment; empty if the peer has no address.

    Each proxy appends its peer to the header, so whatever stands left of the first untrusted hop may be invented.
    """
    hops = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    address = find_address(environ.get("REMOTE_ADDR", ""))
    while address and hops and is_trusted(address):
        named = find_address(hops.pop())
        if named is None:
            break
        address = named
    return str(address or "")


def is_trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.DOCSMCP.trusted_proxies)


def find_address(hop: str) -> IPv4Address | IPv6Address | None:
    """The address of one hop; some proxies add a port. IPv4 in IPv6, as a dual-stack socket reports it, becomes IPv4."""
    host = hop.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def get_network(address: str) -> str:
    """The network whose requests are counted together: one IPv4 address, or the /64 of an IPv6 address."""
    return (
        str(ip_network(f"{address.partition('%')[0]}/{IPV6_PREFIX_BITS}", strict=False)) if ":" in address else address
    )
