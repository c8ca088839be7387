"""Where requests may go: public addresses and what is allowed by name, port or network, whatever an address is wrapped in."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.clients.addresses import AddressGuard, NoAnswerFromResolver, is_public
from collections_app.exceptions import FetchError

PRIVATE = [
    "127.0.0.1",
    "127.255.0.9",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "0.0.0.0",  # noqa: S104
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "192.0.0.1",
    "192.0.0.9",
    "192.0.0.192",
    "192.88.99.1",
    "3fff::1",
    "3fff:fff::1",
    "5f00::1",
    "100:0:0:1::1",
    "::ffff:192.0.0.192",
    "2002:c000:c0::1",
    "64:ff9b::c000:c0",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::7f00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]
PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]


def make_guard(*allowed_hosts: str, addresses: Sequence[str] = ("127.0.0.1",)) -> AddressGuard:
    return AddressGuard(allowed_hosts, resolve=lambda host, port: list(addresses))


@pytest.mark.parametrize("address", PRIVATE)
def test_it_refuses_what_is_not_of_the_public_internet(address: str) -> None:
    with pytest.raises(FetchError, match="private address"):
        make_guard(addresses=[address]).resolve("docs.example", 443)


@pytest.mark.parametrize("address", PUBLIC)
def test_it_lets_public_addresses_through(address: str) -> None:
    assert make_guard(addresses=[address]).resolve("docs.example", 443) == [address]


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_the_same_in_every_wrapping(address: IPv4Address) -> None:
    number = int(address)
    mapped, nat64 = IPv6Address((0xFFFF << 32) | number), IPv6Address((0x64_FF9B << 96) | number)
    six_to_four = IPv6Address((0x2002 << 112) | (number << 80))
    assert {is_public(each) for each in (mapped, nat64, six_to_four)} == {is_public(address)}


@given(st.ip_addresses())
def test_no_public_address_is_private_to_the_standard_library(address: IPv4Address | IPv6Address) -> None:
    if is_public(address):
        assert not any((address.is_loopback, address.is_link_local, address.is_multicast, address.is_unspecified))


def test_it_gives_only_the_addresses_that_may_be_connected_to() -> None:
    guard = make_guard(addresses=["10.0.0.1", "93.184.216.34", "::1"])
    assert guard.resolve("docs.example", 443) == ["93.184.216.34"]


@pytest.mark.parametrize(
    "allowed", ["docs.internal", "DOCS.internal", "docs.internal:8080", "10.0.0.0/8", "10.1.2.3", "10.1.2.3/8"]
)
def test_it_lets_through_what_is_allowed(allowed: str) -> None:
    assert make_guard(allowed, addresses=["10.1.2.3"]).resolve("Docs.internal", 8080) == ["10.1.2.3"]


@pytest.mark.parametrize("allowed", ["docs.internal:80", "internal", "10.2.0.0/16", "docs.internal.example"])
def test_it_allows_nothing_besides(allowed: str) -> None:
    with pytest.raises(FetchError):
        make_guard(allowed, addresses=["10.1.2.3"]).resolve("docs.internal", 8080)


@pytest.mark.parametrize("allowed", ["[::1]:8080", "::1", "[::1]"])
def test_it_allows_ipv6_addresses_as_they_are_written_in_urls(allowed: str) -> None:
    assert make_guard(allowed, addresses=["::1"]).resolve("::1", 8080) == ["::1"]


def test_its_refusal_does_not_tell_the_address() -> None:
    with pytest.raises(FetchError) as refusal:
        make_guard(addresses=["10.1.2.3"]).resolve("docs.internal", 443)
    assert "10.1.2.3" not in refusal.value.message
    assert "FETCH_ALLOWED_HOSTS" in refusal.value.message


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "127.1", "localhost"])
def test_it_refuses_other_spellings_of_loopback(host: str) -> None:
    with pytest.raises(FetchError):
        AddressGuard().resolve(host, 80)


@pytest.mark.parametrize(("errno", "is_passing"), [(socket.EAI_AGAIN, True), (socket.EAI_NONAME, False)])
def test_it_tells_an_unknown_name_from_a_silent_resolver(errno: int, is_passing: bool) -> None:
    def fail(host: str, port: int) -> list[str]:
        raise socket.gaierror(errno, "no")

    with pytest.raises(FetchError, match="was not found") as refusal:
        AddressGuard(resolve=fail).resolve("nowhere.example", 80)
    assert isinstance(refusal.value, NoAnswerFromResolver) is is_passing


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://x/",
        "//example.org/",
        "example.org",
        "http://",
        "http:///x",
        "http://x:99999/",
        "http://[::1/",
        "",
    ],
)
def test_it_refuses_what_is_no_web_url(url: str) -> None:
    with pytest.raises(FetchError):
        AddressGuard().check_url(url)


@pytest.mark.parametrize(
    "url", ["https://user:secret@example.org/", "https://user@example.org/", "http://@example.org/"]
)
def test_it_refuses_credentials_and_does_not_repeat_them(url: str) -> None:
    with pytest.raises(FetchError, match="user name or password") as refusal:
        AddressGuard().check_url(url)
    assert "secret" not in refusal.value.message


def test_a_name_inside_is_refused_in_the_words_of_one_that_there_is_not() -> None:
    def find_nothing(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    refusals = []
    for guard in (make_guard(addresses=["10.1.2.3"]), AddressGuard(resolve=find_nothing)):
        with pytest.raises(FetchError) as refusal:
            guard.resolve("vault.corp.example", 443)
        refusals.append((type(refusal.value), refusal.value.message, refusal.value.details))
    assert refusals[0] == refusals[1]
