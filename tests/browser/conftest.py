"""A real `docsmcp up` and Debian's Chromium, for tests that do what people do.

A page that logs an error, breaks its Content-Security-Policy or misses a file fails the test that opened it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect, sync_playwright

from tests.running_server import RunningServer, running_server

CHROMIUM = "TEST_CHROMIUM"
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
MANUAL = Path(__file__).parent / "manual"
# A file that cannot be read, so that there is one to see.
BROKEN = {"broken.docx": "This is no Word document."}
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# A machine that others use too is slow at times.
DEADLINE_MS = 120_000

expect.set_options(timeout=DEADLINE_MS)


@dataclass(frozen=True)
class Site:
    """A server with the manual in its collection `handbook`, and its first administrator."""

    server: RunningServer
    user: str
    password: str

    @property
    def url(self) -> str:
        return self.server.url.removesuffix("/mcp")


@dataclass
class Watched:
    """A page's context with what went wrong on its pages; `allowed` are statuses that the test asks for."""

    context: BrowserContext
    problems: list[str]
    allowed: set[int]

    def open(self, path: str = "") -> Page:
        page = self.context.new_page()
        if path:
            page.goto(path)
        return page


def read_manual() -> dict[str, str]:
    """Path → text."""
    return {str(file.relative_to(MANUAL)): file.read_text() for file in sorted(MANUAL.rglob("*.*"))}


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    if CHROMIUM not in os.environ:
        pytest.skip("needs Chromium: make test-browser")
    with running_server(read_manual() | BROKEN, OAUTH_ENABLED="true") as server:
        yield Site(server, server.admin_user, server.admin_password)


@pytest.fixture(scope="session")
def browser(site: Site) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ[CHROMIUM], args=FLAGS.split())
        yield browser
        browser.close()


@contextmanager
def watching(browser: Browser, site: Site, **options: Any) -> Iterator[Watched]:
    """A browser of its own, with its own cookies. Fails at the end if anything went wrong on its pages."""
    context = browser.new_context(base_url=site.url, **{"viewport": DESK, "reduced_motion": "reduce", **options})
    context.set_default_timeout(DEADLINE_MS)
    watched = Watched(context, [], set())
    context.on("console", lambda message: note_message(watched, message))
    context.on("weberror", lambda error: watched.problems.append(f"{error.page and error.page.url}: {error.error}"))
    context.on("response", lambda response: note_response(watched, response))
    context.on("requestfailed", lambda request: note_failure(watched, request.url, request.failure))
    yield watched
    context.close()
    assert watched.problems == []


def note_message(watched: Watched, message: ConsoleMessage) -> None:
    """The browser's line about a status is told by the response, too."""
    if message.type in {"error", "warning"} and "Failed to load resource" not in message.text:
        watched.problems.append(f"{message.page and message.page.url}: {message.text}")


def note_response(watched: Watched, response: Response) -> None:
    if response.status >= 400 and response.status not in watched.allowed:
        watched.problems.append(f"{response.url}: {response.status}")


def note_failure(watched: Watched, url: str, failure: str | None) -> None:
    """A page that is left takes its unfinished requests with it."""
    if failure != "net::ERR_ABORTED":
        watched.problems.append(f"{url}: {failure}")


@pytest.fixture(scope="session")
def signed_in(browser: Browser, site: Site) -> Any:
    """The cookies of the administrator."""
    with watching(browser, site) as watched:
        page = watched.open("/admin/")
        sign_in(page, site.user, site.password)
        return watched.context.storage_state()


def sign_in(page: Page, user: str, password: str) -> None:
    page.get_by_label("Username").fill(user)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("navigation").get_by_role("link", name="Collections")).to_be_visible()


@pytest.fixture
def page(browser: Browser, site: Site, signed_in: Any) -> Iterator[Page]:
    """A page of the administrator."""
    with watching(browser, site, storage_state=signed_in) as watched:
        yield watched.open()


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[Watched]:
    """Somebody who did not sign in."""
    with watching(browser, site) as watched:
        yield watched


def away_from_the_browser(do: Callable[[], Any]) -> Any:
    """Playwright has an event loop in this thread; other clients need one of their own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do).result()
