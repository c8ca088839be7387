"""The kinds of value that settings take: what each allows, in words and in code.

PURE: reads no file and no environment; refuses a value by ValueError. A kind stands in a field's annotation
(`Annotated[int, WholeNumber(1, 50)]`); pydantic calls it, and messages and docs/settings.md quote its `allowed`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

_SHOWN_CHARACTERS = 80
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME = re.compile(rf"(?:{_LABEL}\.)*(?!\d+$){_LABEL}", re.IGNORECASE | re.ASCII)
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[^/:\[\]]+)(?::(?P<port>[0-9]{1,5}))?/?", re.IGNORECASE
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Kind(ABC):
    """One kind of value. `parse` takes a text, or the value that TOML or YAML yields for one, and raises ValueError."""

    allowed: str

    @abstractmethod
    def parse(self, value: object) -> Any: ...

    def show(self, value: object) -> str:
        """The value on one line, for a message."""
        text = str(value)
        return repr(text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.parse)


@dataclass(frozen=True)
class Boolean(Kind):
    allowed: str = "true or false (also yes/no, on/off, 1/0)"

    WORDS: ClassVar[dict[str, bool]] = {
        **dict.fromkeys(("true", "yes", "on", "1"), True),
        **dict.fromkeys(("false", "no", "off", "0"), False),
    }

    def parse(self, value: object) -> bool:
        word = str(value).strip().lower()
        if word not in self.WORDS:
            raise ValueError(self.allowed)
        return self.WORDS[word]


@dataclass(frozen=True)
class WholeNumber(Kind):
    minimum: int
    maximum: int
    unit: str = ""

    @property
    def allowed(self) -> str:  # type: ignore[override]
        what = f"a whole number of {self.unit}" if self.unit else "a whole number"
        return f"{what} from {self.minimum} to {self.maximum}"

    def parse(self, value: object) -> int:
        text = str(value).strip()
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text) or not self.minimum <= int(text) <= self.maximum:
            raise ValueError(self.allowed)
        return int(text)


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words, in any case; stored as spelled in `words`."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"one of {', '.join(self.words)}"

    def parse(self, value: object) -> str:
        by_lower = {word.lower(): word for word in self.words}
        word = str(value).strip().lower()
        if word not in by_lower:
            raise ValueError(self.allowed)
        return by_lower[word]


@dataclass(frozen=True)
class Host(Kind):
    allowed: str = "a host name or an IP address, without a port"

    def parse(self, value: object) -> str:
        host = _get_text(value).strip()
        if not _is_host(host):
            raise ValueError(self.allowed)
        return host.strip("[]")


@dataclass(frozen=True)
class Hosts(Kind):
    """Django's ALLOWED_HOSTS."""

    allowed: str = "host names, IP addresses, .example.com for a domain and all below it, or *; comma-separated"

    def parse(self, value: object) -> tuple[str, ...]:
        return tuple(self._parse_one(host) for host in _iter_items(value))

    def _parse_one(self, host: str) -> str:
        if host == "*":
            return host
        if not _is_host(host.removeprefix(".")):
            raise ValueError(self.allowed)
        return f"[{host}]" if ":" in host and not host.startswith("[") else host.lower()


@dataclass(frozen=True)
class FetchTargets(Kind):
    """What outbound requests may reach: a host, one port of a host, or a network."""

    allowed: str = "host names, host:port and networks such as 10.0.0.0/8, comma-separated"

    def parse(self, value: object) -> tuple[str, ...]:
        return tuple(self._parse_one(target.lower()) for target in _iter_items(value))

    def _parse_one(self, target: str) -> str:
        if "/" in target:
            return str(ip_network(target))
        host, colon, port = target.rpartition(":")
        has_port = bool(colon) and (":" not in host or host.startswith("["))
        if not _is_host(host if has_port else target):
            raise ValueError(self.allowed)
        if has_port and not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
            raise ValueError(self.allowed)
        return target


@dataclass(frozen=True)
class Networks(Kind):
    allowed: str = "IP addresses and networks such as 10.0.0.0/8, comma-separated"

    def parse(self, value: object) -> tuple[IPv4Network | IPv6Network, ...]:
        return tuple(ip_network(network) for network in _iter_items(value))


@dataclass(frozen=True)
class Origins(Kind):
    """Origins as browsers write them (RFC 6454, section 6.1): lower case, no default port, nothing after it."""

    allowed: str = "origins scheme://host[:port] with http or https, comma-separated"

    def parse(self, value: object) -> tuple[str, ...]:
        return tuple(self._parse_one(origin) for origin in _iter_items(value))

    def _parse_one(self, origin: str) -> str:
        match = _ORIGIN.fullmatch(origin)
        if not match or not _is_host(match["host"]):
            raise ValueError(self.allowed)
        scheme, host, port = match["scheme"].lower(), match["host"].lower(), int(match["port"] or 0)
        if match["port"] and not 1 <= port <= 65535:
            raise ValueError(self.allowed)
        return f"{scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")


@dataclass(frozen=True)
class FilePath(Kind):
    """A file or directory, not yet resolved: the caller knows what a relative path is relative to."""

    allowed: str = "a path"

    def parse(self, value: object) -> Path:
        return Path(_get_text(value, allow_undecodable=True))


@dataclass(frozen=True)
class AbsolutePaths(Kind):
    allowed: str = "absolute paths, comma-separated"

    def parse(self, value: object) -> tuple[Path, ...]:
        paths = tuple(Path(item) for item in _iter_items(value))
        if not all(path.is_absolute() for path in paths):
            raise ValueError(self.allowed)
        return paths


@dataclass(frozen=True)
class Secret(Kind):
    """A secret that travels in an HTTP header: printable ASCII without blanks. Never shown."""

    minimum_characters: int

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"at least {self.minimum_characters} letters, digits and signs of ASCII, without blanks"

    def parse(self, value: object) -> str:
        text = _get_text(value)
        if len(text) < self.minimum_characters or not re.fullmatch(r"[!-~]+", text):
            raise ValueError(self.allowed)
        return text

    def show(self, value: object) -> str:
        return "********"


@dataclass(frozen=True)
class Text(Kind):
    """A name that somebody else chose."""

    allowed: str = "a text of one line"

    def parse(self, value: object) -> str:
        return _get_text(value).strip()


@dataclass(frozen=True)
class Prefix(Kind):
    """What is put before other texts."""

    allowed: str = r"a text, whose blanks at the end count, and in which \n begins a new line"

    def parse(self, value: object) -> str:
        text = value.replace("\n", r"\n") if isinstance(value, str) else value  # quotes in `.env` have done it already
        return _get_text(text).replace(r"\n", "\n")


@dataclass(frozen=True)
class Texts(Kind):
    allowed: str = "texts of one line, comma-separated"

    def parse(self, value: object) -> tuple[str, ...]:
        return tuple(_iter_items(value))


@dataclass(frozen=True)
class Amount(Kind):
    """Money, in the one currency that all amounts use."""

    allowed: str = "an amount such as 0.15, from 0 to 1000000, with at most 6 decimals"

    def parse(self, value: object) -> Decimal:
        text = str(value).strip()
        if not re.fullmatch(r"[0-9]{1,7}(?:\.[0-9]{1,6})?", text, re.ASCII) or Decimal(text) > 1_000_000:
            raise ValueError(self.allowed)
        return Decimal(text)


class ServiceUrl(Kind):
    """The URL of a service; whatever may be a password in it is masked. Empty if there is no service."""

    def parse(self, value: object) -> str:
        url = _get_text(value).strip()
        if url and not self._is_valid(url):
            raise ValueError(self.allowed)
        return url

    def _is_valid(self, url: str) -> bool:
        raise NotImplementedError

    def show(self, value: object) -> str:
        text = str(value)
        if "password" in text.lower():
            return "********"
        before, at, after = text.rpartition("@")
        scheme = re.match(r"[a-z+]+://", before, re.IGNORECASE)
        return super().show(f"{scheme[0] if scheme else ''}********@{after}" if at else text)


@dataclass(frozen=True)
class PostgresUrl(ServiceUrl):
    allowed: str = (
        "postgresql://USER:PASSWORD@HOST:PORT/NAME (signs in names and passwords percent-encoded), "
        "with libpq's options such as ?sslmode=require"
    )

    def _is_valid(self, url: str) -> bool:
        from docsmcp_site.configuration.database_url import (
            parse_database_url,  # it imports psycopg, which most runs need not load
        )

        try:
            parse_database_url(url)
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class RedisUrl(ServiceUrl):
    """The path is the number of a database: 0 if absent. A server has 16 databases unless it is configured otherwise."""

    allowed: str = "redis://USER:PASSWORD@HOST:PORT/NUMBER (from 0 to 9999), or rediss:// for TLS"

    def _is_valid(self, url: str) -> bool:
        try:
            parts = urlsplit(url)
            return (
                parts.scheme in {"redis", "rediss"}
                and _is_host(parts.hostname or "")
                and parts.port != 0
                and re.fullmatch(r"/?|/[0-9]{1,4}", parts.path, re.ASCII) is not None
            )
        except ValueError:  # an invalid port, or a [ that is not closed
            return False


@dataclass(frozen=True)
class StoreUrl(ServiceUrl):
    allowed: str = "s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://ACCOUNT/CONTAINER/PREFIX or file:///DIRECTORY"

    def _is_valid(self, url: str) -> bool:
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if parts.query or parts.fragment or "@" in parts.netloc:
            return False
        if parts.scheme == "file":
            return not parts.netloc and len(parts.path) > 1
        return parts.scheme in {"s3", "gs", "az"} and bool(parts.netloc)


@dataclass(frozen=True)
class HttpUrl(ServiceUrl):
    allowed: str = "http:// or https:// with a host, without a user name or password"

    def _is_valid(self, url: str) -> bool:
        try:
            parts = urlsplit(url)
            return (
                parts.scheme in {"http", "https"}
                and _is_host(parts.hostname or "")
                and parts.port != 0
                and "@" not in parts.netloc
                and not re.search(r"\s", url)
            )
        except ValueError:  # as in RedisUrl
            return False


def _get_text(value: object, *, allow_undecodable: bool = False) -> str:
    """A text of one line. Bytes of the environment that are not UTF-8 are allowed only in a path."""
    if not isinstance(value, str) or any(character < " " or character == "\x7f" for character in value):
        raise ValueError("a text of one line")
    if not allow_undecodable:
        value.encode()  # UnicodeEncodeError is a ValueError
    return value


def _iter_items(value: object) -> Iterable[str]:
    """The items of a list, or of a text that separates them by commas, without empty ones."""
    items: Iterable[object] = value if isinstance(value, list | tuple) else _get_text(value).split(",")
    return (text for item in items if (text := _get_text(item).strip()))


def _is_host(text: str) -> bool:
    try:
        ip_address(text[1:-1] if text.startswith("[") and text.endswith("]") else text)
    except ValueError:
        return len(text) <= 253 and _HOST_NAME.fullmatch(text) is not None
    return True
