"""Fetches one commit of a Git repository over HTTPS, as the pack file that the server makes. Does not look into the pack.

The protocol is dulwich's; the requests are ours (git_requests.py), and go to checked addresses only (addresses.py).
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, BinaryIO

import httpcore
import httpx
from dulwich.client import AbstractHttpGitClient
from dulwich.errors import GitProtocolError, HangupException
from dulwich.objects import ObjectID
from dulwich.refs import Ref

from collections_app.clients.addresses import AddressGuard
from collections_app.clients.git_requests import Check, GitRequests, is_secure
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, limit_time, make_ssl_context
from collections_app.exceptions import FetchError, InvalidParameter

MAX_SECONDS = 600.0
SILENCE_SECONDS = 30.0

_CONNECTIONS = 4  # dulwich makes another request before it has closed the first

# `git@example.org:team/manual.git`, `ssh://git@example.org/team/manual.git`
_SSH = re.compile(r"(?:git\+)?ssh://|[\w.-]+@[\w.-]+:")
# `file:///srv/manual.git`, `/srv/manual`, `../manual`, `~/manual`
_FOLDER = re.compile(r"file:|[/~]|\.\.?(?:/|$)", re.IGNORECASE)
_HEAD = Ref(b"HEAD")
_BRANCHES, _TAGS = b"refs/heads/", b"refs/tags/"
# What dulwich raises for an answer that is not Git's protocol, or is cut off.
_NO_GIT = (
    GitProtocolError, HangupException, httpx.InvalidURL, httpx.RemoteProtocolError, ValueError, KeyError, IndexError,
    AssertionError, EOFError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FetchedCommit:
    """`ref` is the full name of the branch or tag (`refs/heads/main`), `commit` what it points to, in hexadecimal.

    With `is_known` the caller has this commit already, and nothing was fetched.
    """

    commit: str
    ref: str
    is_known: bool


def check_is_web_address(address: str) -> None:
    """Raises InvalidParameter for an SSH address, which forges show beside the https one, and for a folder."""
    if _FOLDER.match(address):
        raise InvalidParameter(
            "This is a folder on a machine, and a repository is fetched over https only. Give its https:// address, "
            "or add a checkout of it as a directory."
        )
    if _SSH.match(address):
        raise InvalidParameter(
            "This is an address for SSH, and a repository is fetched over https only. Give its https:// address, "
            "such as https://example.org/team/manual.git; a private one needs an access token too."
        )


@dataclass(frozen=True, slots=True)
class GitRemote:
    """A repository and how to reach it. `token` is an access token, or `user:password`. `allowed_hosts` is that of
    addresses.AddressGuard."""

    url: str
    token: str = field(default="", repr=False)
    allowed_hosts: Sequence[str] = ()
    ssl_context: ssl.SSLContext | None = None

    def check_url(self) -> None:
        """Raises InvalidParameter unless it is an https URL; http is accepted for hosts that the operator has allowed."""
        check_is_web_address(self.url)
        try:
            AddressGuard().check_url(self.url)
        except FetchError as error:
            raise InvalidParameter(error.message) from None
        if not is_secure(self.url, self.allowed_hosts):
            raise InvalidParameter("A repository is fetched over https only. Give its https:// address.")

    def fetch_commit(
        self, name: str, into: BinaryIO, *, known_commit: str = "", max_blob_bytes: int, check: Check
    ) -> FetchedCommit:
        """Writes the pack of a branch's or tag's newest commit into a file; an empty `name` is the repository's default branch.

        Blobs over `max_blob_bytes` are left out if the server can do so. `check` is called as data comes, and may raise.
        Raises InvalidParameter if there is no such branch, FetchError and FileTooLarge if it cannot be fetched.
        """
        self.check_url()
        wants = _Wants(name, known_commit)
        transport = GuardedTransport(
            AddressGuard(self.allowed_hosts), self.ssl_context or make_ssl_context(), _CONNECTIONS
        )
        with (
            limit_time(MAX_SECONDS),
            httpx.Client(transport=transport, timeout=SILENCE_SECONDS, trust_env=False) as http,
        ):
            requests = GitRequests(http, self.url, self.token, self.allowed_hosts, check, into.tell)
            try:
                result = _Protocol(self.url, requests).fetch_pack(
                    "", wants, _NothingKnown(), into.write, depth=1, ref_prefix=wants.prefixes,
                    filter_spec=b"blob:limit=%d" % (max_blob_bytes + 1),
                )  # fmt: skip
            except (DeadlinePassed, httpcore.TimeoutException):
                raise FetchError("The server took too long to send the repository. Try again later.") from None
            except (httpcore.NetworkError, httpcore.ProtocolError) as error:
                raise _make_network_error(error) from None
            except _NO_GIT:
                raise FetchError(
                    "The server did not answer as a Git server does, or broke off. Check the address."
                ) from None
        if result.object_format not in (None, "sha1"):
            raise FetchError("The repository names its objects by SHA-256, which is not understood yet.")
        return wants.get_fetched(result.symrefs)


class _Wants:
    """Chooses the one commit to fetch, when dulwich asks."""

    def __init__(self, name: str, known_commit: str) -> None:
        self.prefixes = [_HEAD, _BRANCHES, _TAGS + name.encode()] if name else [_HEAD]
        self._names = [Ref(_BRANCHES + name.encode()), Ref(_TAGS + name.encode())] if name else [_HEAD]
        self._name = name
        self._known_commit = known_commit
        self._ref = _HEAD
        self._commit = ObjectID(b"")

    def __call__(self, refs: Mapping[Ref, ObjectID], depth: int | None = None) -> list[ObjectID]:
        found = next((each for each in self._names if each in refs), None)
        if found is None:
            raise self._make_refusal(refs)
        self._ref, self._commit = found, refs[found]
        return [] if self._is_known() else [self._commit]

    def get_fetched(self, symrefs: Mapping[Ref, Ref]) -> FetchedCommit:
        ref = symrefs.get(self._ref, self._ref)
        return FetchedCommit(self._commit.decode(), ref.decode("utf-8", "replace"), self._is_known())

    def _is_known(self) -> bool:
        return self._commit.decode() == self._known_commit

    def _make_refusal(self, refs: Mapping[Ref, ObjectID]) -> InvalidParameter:
        if not self._name:
            return InvalidParameter("The repository has no default branch, perhaps because it is empty. Name a branch.")
        branches = sorted(
            ref.removeprefix(_BRANCHES).decode("utf-8", "replace") for ref in refs if ref.startswith(_BRANCHES)
        )
        shown = get_close_matches(self._name, branches, n=5, cutoff=0.5) or branches[:5]
        return InvalidParameter(
            f"The repository has no branch or tag “{self._name}”. It has: {', '.join(shown) or 'none'}."
        )


class _NothingKnown:
    """A graph walker for a client that has no commit yet."""

    def __next__(self) -> None:
        return None

    def ack(self, sha: bytes) -> None:
        pass

    def nak(self) -> None:
        pass


class _Protocol(AbstractHttpGitClient):
    """Git's smart HTTP protocol over our requests. The older "dumb" protocol, of many small files, is not supported."""

    def __init__(self, url: str, requests: GitRequests) -> None:
        super().__init__(url, quiet=True)
        self._requests = requests

    def _get_url(self, path: str | bytes) -> str:
        return self._base_url

    @staticmethod
    def _warn_filter_objects() -> None:
        """Not a problem: a server that cannot leave out large files sends them, and each is refused."""

    def _http_request(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        data: bytes | Iterator[bytes] | None = None,
        raise_for_status: bool = True,
    ) -> tuple[Any, Callable[[int], bytes]]:
        return self._requests.send(url, headers or {}, data)


def _make_network_error(error: Exception) -> FetchError:
    cause = error.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = cause.verify_message.rstrip(".")
        return FetchError(f"The server's certificate cannot be trusted: {reason}. Its owner has to mend that.")
    if isinstance(error, httpcore.ConnectError):
        return FetchError("The server cannot be reached. Check the host and port, or try again later.")
    return FetchError("The connection broke off before the repository was there. Try again later.")
