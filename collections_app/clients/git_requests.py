"""The HTTP requests of Git's protocol: within limits, with redirects, and with the token sent to its own origin only.

The token never gets into a URL, file, log or message.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address, ip_network
from types import SimpleNamespace
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from collections_app.clients.http import MAX_REDIRECTS, USER_AGENT
from collections_app.exceptions import FetchError, FileTooLarge

MAX_PACK_BYTES = 1024**3
# Anything besides the pack, such as names of branches and tags, is held in memory, at several times its size.
MAX_OTHER_BYTES = 32 * 1024**2

_ADVERTISEMENT = "application/x-git-upload-pack-advertisement"
_TOKEN_USER = "x-access-token"  # noqa: S105 GitHub's word; GitLab, Gitea and Forgejo take any user name with a token

Check = Callable[[], None]
Count = Callable[[], int]


class GitRequests:
    """Sends dulwich's requests and returns what it reads from: the response, and a function that reads.

    `count_pack_bytes` says how many of the received bytes are part of the pack.
    """

    def __init__(
        self,
        http: httpx.Client,
        base_url: str,
        token: str,
        allowed_hosts: Sequence[str],
        check: Check,
        count_pack_bytes: Count,
    ) -> None:
        self._http = http
        self._base_url = base_url
        self._token = token
        self._allowed_hosts = allowed_hosts
        self._check = check
        self._count_pack_bytes = count_pack_bytes
        self._received_bytes = 0

    def send(
        self, url: str, headers: dict[str, str], data: bytes | Iterator[bytes] | None
    ) -> tuple[Any, Callable[[int], bytes]]:
        asked = url
        for _ in range(MAX_REDIRECTS + 1):
            response = self._send_once(url, headers, data)
            if not response.has_redirect_location:
                break
            response.close()
            url = urljoin(url, response.headers["location"])
        else:
            raise FetchError("The server redirects in a circle. Give the repository's own address.")
        self._check_answer(response, is_first=data is None)
        answer = SimpleNamespace(
            content_type=response.headers.get("content-type"),
            redirect_location=url if url != asked else "",
            close=response.close,
        )
        return answer, _Buffered(self._iter_body(response)).read

    def _send_once(self, url: str, headers: dict[str, str], data: bytes | Iterator[bytes] | None) -> httpx.Response:
        self._check()
        if not is_secure(url, self._allowed_hosts):
            raise FetchError("The server redirects to an address without encryption, which is not followed.")
        method = "GET" if data is None else "POST"
        # No compression: a compressed answer could unpack to anything, and packs are compressed already.
        own = {"User-Agent": f"git/2 {USER_AGENT}", "Accept-Encoding": "identity", **self._make_authorization(url)}
        return self._http.send(self._http.build_request(method, url, headers=headers | own, content=data), stream=True)

    def _make_authorization(self, url: str) -> dict[str, str]:
        token = self._token
        if not token or _get_origin(url) != _get_origin(self._base_url):
            return {}
        credentials = token if ":" in token else f"{_TOKEN_USER}:{token}"
        return {"Authorization": f"Basic {b64encode(credentials.encode()).decode()}"}

    def _check_answer(self, response: httpx.Response, *, is_first: bool) -> None:
        if response.status_code != httpx.codes.OK:
            response.close()
            raise FetchError(_describe_status(response.status_code, has_token=bool(self._token)))
        if is_first and response.headers.get("content-type") != _ADVERTISEMENT:
            response.close()
            raise FetchError("There is no Git repository at this address. Give the one that `git clone` takes.")
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise FetchError("The server sends the repository packed in a way that was not asked for.")

    def _iter_body(self, response: httpx.Response) -> Iterator[bytes]:
        for chunk in response.iter_raw():
            self._check()
            self._received_bytes += len(chunk)
            self._check_size()
            yield chunk

    def _check_size(self) -> None:
        if self._received_bytes > MAX_PACK_BYTES:
            raise FileTooLarge(
                f"The repository's files are larger than {MAX_PACK_BYTES:,} bytes, packed. Take them from a smaller one."
            )
        if self._received_bytes - self._count_pack_bytes() > MAX_OTHER_BYTES:
            raise FileTooLarge(
                f"The repository has so many branches and tags that their names take more than {MAX_OTHER_BYTES:,} bytes. "
                "Remove some, or take the documents from a smaller one."
            )


class _Buffered:
    """Reads from chunks of any size."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def read(self, size: int) -> bytes:
        """Exactly this many bytes; fewer only at the end."""
        parts, missing = [self._rest], size - len(self._rest)
        while missing > 0 and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            missing -= len(chunk)
        read = b"".join(parts)
        self._rest = read[size:]
        return read[:size]


def is_secure(url: str, allowed_hosts: Sequence[str]) -> bool:
    """Whether the URL is https; http is accepted for hosts that the operator has allowed, as in addresses.AddressGuard."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return True
    names = {parts.hostname, f"{parts.hostname}:{parts.port or 80}", f"[{parts.hostname}]:{parts.port or 80}"}
    return parts.scheme == "http" and any(
        host.lower() in names or _is_in(parts.hostname, host) for host in allowed_hosts
    )


def _is_in(host: str | None, network: str) -> bool:
    try:
        return ip_address(host or "") in ip_network(network.strip("[]"), strict=False)
    except ValueError:
        return False


def _get_origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


def _describe_status(status: int, *, has_token: bool) -> str:
    if status in (401, 403) and has_token:
        return (
            f"The server refuses the token ({status}). Give the source one that is valid and may read this repository."
        )
    if status in (401, 403):
        return f"The server wants a login ({status}). Check the address; for a private repository, give the source a token."
    if status == 404:
        return "There is no such repository (404), or the token may not see it. Check the address and the token."
    return f"The server answers {status} instead of the repository. Try again later."
