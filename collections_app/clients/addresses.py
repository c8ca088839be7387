"""Where outbound requests may go: to public addresses, and to what the operator allows. It connects to nothing.

Names are resolved here, and callers must connect to the addresses that are returned: a second look-up might get another answer
(DNS rebinding). Messages do not tell what a name resolved to: it may be inside the operator's network.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from collections_app.exceptions import FetchError

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Sequence[str]]

_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")  # RFC 8215
_DEFAULT_PORTS = {"http": 80, "https": 443}

# Networks that older versions of Python take for public: of the protocols themselves (RFC 6890; Oracle's cloud has its metadata there),
# the anycast of 6to4 (RFC 7526), documentation (RFC 9637), segment routing (RFC 9602), discard-only (RFC 9780).
_SPECIAL_NETWORKS = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("3fff::/20"),
    IPv6Network("5f00::/16"),
    IPv6Network("100:0:0:1::/64"),
)
# A public address at which Azure's virtual machines reach their host's metadata.
_METADATA_ADDRESSES = (IPv4Address("168.63.129.16"),)


def resolve_name(host: str, port: int) -> list[str]:
    """The answers of the system's resolver, in its order. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class NoAnswerFromResolver(FetchError):
    """A name could not be looked up just now; that may pass."""


class AddressGuard:
    """Refuses private, loopback, link-local, multicast and reserved addresses, in whatever form.

    `allowed_hosts` are exceptions: host names (`docs.internal`), names with a port (`docs.internal:8080`, `[::1]:80`) and
    networks (`10.0.0.0/8`, `127.0.0.1`).
    """

    def __init__(self, allowed_hosts: Sequence[str] = (), resolve: Resolve = resolve_name) -> None:
        self._resolve = resolve
        self._networks = [network for host in allowed_hosts for network in _iter_networks(host)]
        self._names = {host.lower() for host in allowed_hosts}

    def check_url(self, url: str) -> None:
        """Raises FetchError unless it is a plain http or https URL. Does not look up its host."""
        try:
            parts = urlsplit(url)
            port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
        except ValueError:
            raise FetchError("This is not a valid URL. Check it for typing mistakes.") from None
        if port is None or not parts.hostname:
            raise FetchError("Only URLs that begin with http:// or https:// and name a host are fetched.")
        _check_credentials(parts)

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of `host` that may be connected to, in the resolver's order. Raises FetchError if there are none."""
        addresses = self._look_up(host, port)
        if self.is_named(host, port):
            return list(addresses)
        if allowed := [address for address in addresses if self._allows(address)]:
            return allowed
        raise FetchError(make_refusal(host))

    def is_named(self, host: str, port: int) -> bool:
        """Whether the operator allows the host by its name."""
        names = {host.lower(), f"{host.lower()}:{port}", f"[{host.lower()}]:{port}"}
        return not names.isdisjoint(self._names)

    @property
    def allows_networks(self) -> bool:
        """Whether the operator allows some networks: then only looking up a name tells whether it is allowed."""
        return bool(self._networks)

    def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            return self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            is_passing = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            raise (NoAnswerFromResolver if is_passing else FetchError)(make_refusal(host)) from None

    def _allows(self, text: str) -> bool:
        address = ip_address(text)
        return is_public(address) or any(address in network for network in self._networks)


def make_refusal(host: str) -> str:
    """The same in every case: whoever may give URLs must not learn which names exist inside the operator's network."""
    return (
        f"The host {host} was not found, or has a private address, and such addresses are not fetched. Check the URL; an operator can see "
        "whether this server looks up its name, and allow a private one with the setting FETCH_ALLOWED_HOSTS."
    )


def is_public(address: Address) -> bool:
    """Whether the address belongs to the public Internet; one that a gateway translates to IPv4 is judged by the IPv4 address."""
    if isinstance(address, IPv6Address):
        if embedded := _find_embedded(address):
            return is_public(embedded)
        if address.is_site_local or address in _NAT64_LOCAL:
            return False
    is_special = address.is_multicast or address.is_reserved or address in _METADATA_ADDRESSES
    is_special = is_special or any(address in network for network in _SPECIAL_NETWORKS)
    return address.is_global and not is_special


def _find_embedded(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _iter_networks(host: str) -> Iterator[IPv4Network | IPv6Network]:
    try:
        yield ip_network(host.strip("[]"), strict=False)
    except ValueError:
        return  # it is a name


def _check_credentials(parts: SplitResult) -> None:
    if parts.username is not None or parts.password is not None:
        raise FetchError("The URL holds a user name or password, which others could read. Give it without.")


EVERYWHERE = AddressGuard(("0.0.0.0/0", "::/0"))
"""For servers that the operator names, such as a model: they may be anywhere."""
