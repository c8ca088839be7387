from __future__ import annotations

from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from collections_app.access.client_address import get_client_address, get_network


@pytest.fixture(autouse=True)
def _proxies(settings: Any) -> None:
    trusted = tuple(map(ip_network, ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"]))
    settings.DOCSMCP = SimpleNamespace(trusted_proxies=trusted)


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "address"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "8.8.8.8, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "8.8.8.8, 203.0.113.9 , 10.2.0.1,127.0.0.1", "203.0.113.9"),
        ("10.0.0.1", "10.3.0.1, 10.2.0.1", "10.3.0.1"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"),
        ("10.0.0.1", "203.0.113.9:5000", "203.0.113.9"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("fe80::1%eth0", "", "fe80::1%eth0"),
        ("", "203.0.113.9", ""),
    ],
)
def test_it_is_the_nearest_hop_that_is_no_trusted_proxy(peer: str, forwarded_for: str, address: str) -> None:
    assert get_client_address({"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": forwarded_for}) == address


@pytest.mark.parametrize("nonsense", ["", "unknown", "8.8.8.8, x", "8.8.8.8,", "1.2.3", "[", ":", "1" * 5000])
def test_what_a_proxy_says_that_is_no_address_counts_for_the_proxy(nonsense: str) -> None:
    assert get_client_address({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": nonsense}) == "10.0.0.1"


def test_nobody_is_believed_by_default(settings: Any) -> None:
    settings.DOCSMCP = SimpleNamespace(trusted_proxies=())
    environ = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9"}
    assert get_client_address(environ) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_a_host_cannot_change_its_address_within_a_network(address: str, network: str) -> None:
    assert get_network(address) == network
