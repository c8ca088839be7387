"""Fetches pages from the web: within limits of size and time, from public addresses, with retries. Does not look into pages.

No proxy, password file or certificate directory is taken from the environment: the guard alone decides where requests go.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Self
from urllib.parse import urlsplit

import httpcore
import httpx

from collections_app.clients.addresses import AddressGuard, NoAnswerFromResolver, Resolve, resolve_name
from collections_app.clients.bodies import ACCEPTED_ENCODINGS, check_size, read_body
from collections_app.clients.circuits import FAILURES_TO_OPEN, Circuit, CircuitOpen, MemoryStorage
from collections_app.clients.retries import RETRIES, TryAgain, Wait, find_retry_after, retry
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, limit_time, make_ssl_context
from collections_app.exceptions import FetchError

PRODUCT_TOKEN = "docsmcp"  # noqa: S105 RFC 9309 calls the name in robots.txt so
USER_AGENT = f"{PRODUCT_TOKEN}/{version('docsmcp')}"

DEFAULT_MAX_BYTES = 10 * 1024 * 1024
DEFAULT_TIMEOUT_SECONDS = 30.0
# Part of the time limit. A host that is there accepts a connection within a second or two; the system retries after 1, 2 and 4 s.
CONNECT_SECONDS = 10.0
MAX_REDIRECTS = 10

NOT_LET_IN = "The site does not let this server read the page"
"""How the message begins of a page that is refused (401, 403)."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TOO_MANY_REQUESTS = 429
_UNAVAILABLE = 503
_NO_CONNECTION = "The server cannot be reached: no connection came about within {:g} seconds. Check the host and port, or try again later."
_STAYED_SILENT = "Its server did not answer in time when another page of it was asked for just before. Try again later."
_NO_URL = "This is not a valid URL. Check it for typing mistakes."
_LEADS_NOWHERE = "It redirects to what is no URL. Its owner has to mend that."
_LEADS_IN_A_CIRCLE = f"It redirected more than {MAX_REDIRECTS} times. Give the address of the page itself."


class NoAnswer(FetchError):
    """The host did not answer in time."""


class HostResting(FetchError):
    """`host` failed several times in a row (`failures` since it last answered), and is left alone for a number of seconds."""

    def __init__(self, host: str, failures: int, resting: CircuitOpen) -> None:
        self.host = host
        self.failures = failures
        self.retry_after_seconds: int = resting.details["retry_after"]
        super().__init__(f"{resting.message} Read it again in {self.retry_after_seconds} s.")


WantsBody = Callable[[str], bool]
"""Asked with the media type (`text/html`, lower case, without parameters; empty if unknown) whether the body is to be read."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A server's final answer. `content` is decompressed; it is empty unless the status is 2xx and the body was wanted.

    `content_type` is the header as it came, `media_type` its first part in lower case. `redirect_url` is the target of a redirect that was
    not followed. `headers` are by lower-case name, several of a name joined by commas.
    """

    final_url: str
    status: int
    content_type: str
    content: bytes
    headers: Mapping[str, str]
    redirect_url: str = ""

    @property
    def media_type(self) -> str:
        return get_media_type(self.content_type)

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def get_host(url: str) -> str:
    """`example.org:8080` for `https://Example.org:8080/docs/`. Raises FetchError for an invalid URL."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        raise FetchError(_NO_URL) from None


def get_media_type(content_type: str) -> str:
    """`text/html` for `Text/HTML; charset=utf-8`."""
    return content_type.partition(";")[0].strip().lower()


class HttpClient:
    """A pool of connections; enter it, or close it. May be used from several threads at once.

    `allowed_hosts` is that of addresses.AddressGuard. `timeout_seconds` applies to each attempt as a whole, including the body; after a
    failure that may pass there are up to `retries` more. Unless `is_patient`, a host that once did not answer in time is not asked again.
    """

    def __init__(
        self,
        allowed_hosts: Sequence[str] = (),
        *,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        max_connections: int = 5,
        retries: int = RETRIES,
        is_patient: bool = True,
        ssl_context: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_name,
    ) -> None:
        self._guard = AddressGuard(allowed_hosts, resolve)
        self._timeout_seconds = timeout_seconds
        self._connect_seconds = min(CONNECT_SECONDS, timeout_seconds)
        self._retries = retries
        self._is_patient = is_patient
        self._hosts: dict[str, _Host] = {}
        self._client = httpx.Client(
            transport=GuardedTransport(self._guard, ssl_context or make_ssl_context(), max_connections),
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": ACCEPTED_ENCODINGS},
            timeout=httpx.Timeout(timeout_seconds, connect=self._connect_seconds),
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int = DEFAULT_MAX_BYTES
    ) -> FetchedPage:
        """The page at `url`. Raises FetchError or FileTooLarge if it cannot be had."""
        page = self.request(url, headers=headers, max_bytes=max_bytes)
        check_status(page)
        return page

    def request(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = DEFAULT_MAX_BYTES,
        follow_redirects: bool = True,
        wants_body: WantsBody = lambda media_type: True,
        wait: Wait = time.sleep,
    ) -> FetchedPage:
        """The server's answer, whatever its status, after retries of failures that may pass (retries.py).

        Raises FetchError if there is no answer, and FileTooLarge. `wait` is called between attempts.
        """
        asked = _Asked(dict(headers or {}), max_bytes, wants_body)
        for _ in range(MAX_REDIRECTS + 1):
            page = self._request_once(url, asked, wait)
            if not (page.redirect_url and follow_redirects):
                return page
            url = page.redirect_url
        raise FetchError(_LEADS_IN_A_CIRCLE)

    def _request_once(self, url: str, asked: _Asked, wait: Wait) -> FetchedPage:
        """A host that fails repeatedly, each time after all attempts, is left alone for a while: raises HostResting."""
        host = self._get_host(url)
        host.check()
        try:
            page = retry(lambda: self._attempt(url, asked), wait, host.retries)
        except NoAnswer:
            host.is_silent = True
            raise
        except _MayPass as failure:
            host.report(failure.outcome, is_broken=True)
            if isinstance(failure.outcome, FetchError):
                raise failure.outcome from None
            return failure.outcome
        host.report(page, is_broken=False)
        return page

    def _get_host(self, url: str) -> _Host:
        name = get_host(url)
        return self._hosts.setdefault(name, _Host(name, self._retries))

    def _attempt(self, url: str, asked: _Asked) -> FetchedPage:
        """Raises _MayPass for a failure that is worth another attempt."""
        if self._client.is_closed:
            raise FetchError("Reading was ended before this page was read. Read the source again.")
        self._guard.check_url(url)
        is_answered = False
        try:
            with limit_time(self._timeout_seconds), self._client.stream("GET", url, headers=asked.headers) as response:
                is_answered = True
                page = _read_page(url, response, asked)
        except (httpx.InvalidURL, httpcore.LocalProtocolError, httpcore.UnsupportedProtocol, UnicodeError):
            raise FetchError(_NO_URL) from None
        except httpx.RemoteProtocolError:  # httpx looks where each redirect leads
            raise FetchError(_LEADS_NOWHERE) from None
        except NoAnswerFromResolver as error:
            raise _MayPass(error) from None
        except httpcore.ConnectTimeout:
            raise self._make_silence(_NO_CONNECTION.format(self._connect_seconds)) from None
        except (DeadlinePassed, httpcore.TimeoutException):
            raise self._make_timeout_error(is_answered=is_answered) from None
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise _make_network_error(error) from None
        if page.status == _TOO_MANY_REQUESTS or page.status >= 500:
            raise _MayPass(page, find_retry_after(page.headers.get("retry-after", "")))
        return page

    def _make_timeout_error(self, *, is_answered: bool) -> Exception:
        limit = f"{self._timeout_seconds:g} seconds"
        if is_answered:
            return FetchError(f"The answer did not end within {limit}. Leave it out, or raise FETCH_TIMEOUT.")
        return self._make_silence(f"The server did not answer within {limit}. Try again later, or raise FETCH_TIMEOUT.")

    def _make_silence(self, message: str) -> Exception:
        return _MayPass(NoAnswer(message)) if self._is_patient else NoAnswer(message)


class _Host:
    """What requests have shown about a host. No answer, 429 and 503 are failures of the host; any other error is one of the page.

    After several failed pages in a row, more are likely to fail: the next ones are tried only once each, until one succeeds.
    """

    def __init__(self, name: str, retries: int) -> None:
        self._name = name
        self._retries = retries
        self._circuit = Circuit(f"site {name}", MemoryStorage())
        self._failures = 0
        self._broken_pages = 0
        self.is_silent = False

    @property
    def retries(self) -> int:
        return self._retries if self._broken_pages < FAILURES_TO_OPEN else 0

    def check(self) -> None:
        """Raises HostResting, and NoAnswer for a host that is not to be asked again."""
        if self.is_silent:
            raise NoAnswer(_STAYED_SILENT)
        try:
            self._circuit.check()
        except CircuitOpen as resting:
            raise HostResting(self._name, self._failures, resting) from None

    def report(self, outcome: FetchedPage | FetchError, *, is_broken: bool) -> None:
        is_failure = isinstance(outcome, FetchError) or outcome.status in (_TOO_MANY_REQUESTS, _UNAVAILABLE)
        self._failures = self._failures + 1 if is_failure else 0
        self._broken_pages = self._broken_pages + 1 if is_broken and not is_failure else 0
        self._circuit.report(is_failure=is_failure)


class _MayPass(TryAgain):
    """`outcome` is the result if this was the last attempt."""

    def __init__(self, outcome: FetchedPage | FetchError, retry_after_seconds: float = 0.0) -> None:
        super().__init__(retry_after_seconds)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class _Asked:
    headers: dict[str, str]
    max_bytes: int
    wants_body: WantsBody


def check_status(page: FetchedPage) -> None:
    """Raises FetchError, with the `status` in its details, if the answer is not a page."""
    if not page.is_success:
        raise FetchError(_describe_status(page.status), status=page.status)


def _describe_status(status: int) -> str:
    if status in (404, 410):
        return f"The site has no such page ({status}). Check the URL."
    if status in (401, 403):
        return f"{NOT_LET_IN} ({status}). Pages behind a login cannot be fetched."
    if status == _TOO_MANY_REQUESTS:
        return f"The site asks for fewer requests ({status}), also after several attempts. Try again later."
    if status >= 500:
        return f"The site answers with its own error ({status}), also after several attempts. Try again later."
    return f"The site answers {status} instead of the page. Check the URL in a browser."


def _read_page(url: str, response: httpx.Response, asked: _Asked) -> FetchedPage:
    content_type = response.headers.get("content-type", "")
    is_wanted = response.is_success and asked.wants_body(get_media_type(content_type))
    return FetchedPage(
        final_url=url,
        status=response.status_code,
        content_type=content_type,
        content=_read_content(response, asked.max_bytes) if is_wanted else b"",
        headers=dict(response.headers),
        redirect_url=_find_redirect(url, response),
    )


def _read_content(response: httpx.Response, max_bytes: int) -> bytes:
    length = response.headers.get("content-length", "")
    check_size(int(length) if length.isdecimal() else 0, max_bytes)
    return read_body(response.iter_raw(), response.headers.get("content-encoding", ""), max_bytes)


def _find_redirect(url: str, response: httpx.Response) -> str:
    """The redirect's target; empty if the answer is no redirect. Raises httpx.InvalidURL."""
    location = response.headers.get("location", "")
    if response.status_code not in _REDIRECTS or not location:
        return ""
    try:
        return str(httpx.URL(url).join(location).copy_with(fragment=None))
    except ValueError as error:  # brackets around something that is no address
        raise httpx.InvalidURL(str(error)) from None


def _make_network_error(error: Exception) -> Exception:
    """A bad certificate stays bad; any other network error may pass."""
    cause = error.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = cause.verify_message.rstrip(".")
        return FetchError(f"The site's certificate cannot be trusted: {reason}. Its owner has to mend that.")
    if isinstance(error, httpcore.ConnectError):
        return _MayPass(FetchError("The server cannot be reached. Check the host and port, or try again later."))
    return _MayPass(FetchError("The connection broke off before the answer was there. Try again later."))
