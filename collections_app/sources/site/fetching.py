"""The fetches of one reading: a limited number at a time, each in its turn, all ended when the run is. Does not know what is fetched.

Threads do the waiting. Whether to stop is asked in the thread that reads the site, since the answer may come from a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Any, TypeVar

from collections_app.clients.http import FetchedPage, HostResting, HttpClient, get_host
from collections_app.exceptions import FetchError
from collections_app.sources import ShouldStop
from collections_app.sources.stopping import Stopped

POLL_SECONDS = 1.0
# Failed requests in a row. The fifth makes the host rest for a minute, and so does each one after it.
MAX_HOST_FAILURES = 15

T = TypeVar("T")

Sleep = Callable[[float], object]
"""Waits so many seconds, or less; true when the run is to end."""


class Fetcher:
    """Close it: fetches still under way are left to end by themselves, and their results are dropped."""

    def __init__(
        self, client: HttpClient, should_stop: ShouldStop, max_concurrent_fetches: int, sleep: Sleep | None = None
    ) -> None:
        self._client = client
        self._should_stop = should_stop
        self._stopping = Event()
        self._sleep = sleep or self._stopping.wait
        self._threads = ThreadPoolExecutor(max_concurrent_fetches, thread_name_prefix="fetch")
        self._running: set[Future[Any]] = set()
        self._max_running = max_concurrent_fetches
        self._crawl_delay_seconds = 0.0
        self._lost_hosts: set[str] = set()

    def close(self) -> None:
        self._stopping.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def slow_down(self, crawl_delay_seconds: float) -> None:
        """From now on, one fetch at a time, each after this delay; no effect for a delay of 0."""
        if crawl_delay_seconds:
            self._crawl_delay_seconds = crawl_delay_seconds
            self._max_running = 1

    @property
    def is_free(self) -> bool:
        return len(self._running) < self._max_running

    def check_stop(self) -> None:
        """Raises Stopped."""
        if self._should_stop():
            self._stopping.set()
            raise Stopped

    def request(self, url: str, **how: Any) -> FetchedPage:
        """HttpClient.request(), in its turn, and after its host's rests. For functions that start() or run() runs."""
        self._check_host(get_host(url))
        if self._crawl_delay_seconds:
            self._wait(self._crawl_delay_seconds)
        while True:
            try:
                return self._client.request(url, wait=self._wait, **how)
            except HostResting as resting:
                self._rest(resting)

    def _rest(self, resting: HostResting) -> None:
        """Waits until the host may be asked again. Raises FetchError once it has failed too often."""
        if resting.failures >= MAX_HOST_FAILURES:
            self._lost_hosts.add(resting.host)
        self._check_host(resting.host)
        self._wait(resting.retry_after_seconds)

    def _check_host(self, host: str) -> None:
        if host in self._lost_hosts:
            raise FetchError(
                "The site stopped answering, and did not come back while this run waited. Read the source again later."
            )

    def run(self, function: Callable[[], T]) -> T:
        """The result of the function, run in a thread. Raises what it raises, and Stopped."""
        future = self._threads.submit(function)
        while not future.done():
            self.check_stop()
            wait([future], timeout=POLL_SECONDS)
        return future.result()

    def start(self, function: Callable[[], object]) -> Future[Any]:
        """Runs the function in a thread, once one is free."""
        future = self._threads.submit(function)
        self._running.add(future)
        return future

    def iter_done(self) -> Iterator[Future[Any]]:
        """Started functions that have ended, at least one; each is returned once. Raises Stopped."""
        done: set[Future[Any]] = set()
        while not done:
            self.check_stop()
            done, self._running = wait(self._running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        yield from done

    def _wait(self, seconds: float) -> None:
        if self._sleep(seconds):
            raise FetchError("The run was ended before the page was read. Read the source again.")
