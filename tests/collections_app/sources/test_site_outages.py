"""Sites that fail while they are read: a few pages for ever, or all of them for a while. Nobody waits, the clock does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, tzinfo
from typing import Self

import pybreaker
import pytest

from collections_app.clients import circuits
from collections_app.clients.circuits import FAILURES_TO_OPEN
from collections_app.clients.http import HttpClient
from collections_app.clients.retries import RETRIES
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile
from collections_app.sources.site import SiteOptions, SiteReading
from collections_app.sources.site.fetching import MAX_HOST_FAILURES
from tests.collections_app.clients.loopback import HOST, Answer, Asked, LoopbackSite, links, page, serve_site

NAMES = [f"{number}.html" for number in range(40)]
# Longer than any wait between the attempts for one page of these sites.
REST_SECONDS = 50


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site() as site:
        site.routes |= {f"/{name}": page("fine") for name in NAMES} | {"/": page(links(*NAMES))}
        yield site


class Waits(list[float]):
    """What was waited; circuits find that the rests have passed. Not the others: several pages wait at the same time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        waits = self

        class Clock(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return super().now(tz) + timedelta(seconds=sum(waits.rests))

        for module in (circuits, pybreaker):
            monkeypatch.setattr(module, "datetime", Clock)

    @property
    def rests(self) -> list[float]:
        return [seconds for seconds in self if seconds > REST_SECONDS]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    return Waits(monkeypatch)


class Result:
    def __init__(
        self,
        site: LoopbackSite,
        sleep: Callable[[float], object],
        pages_at_once: int = 1,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        options = SiteOptions(url=site.url("/"), max_concurrent_fetches=pages_at_once)
        with (
            HttpClient([HOST], timeout_seconds=5) as client,
            SiteReading(options, client, sleep=sleep, should_stop=should_stop) as reading,
        ):
            files = list(reading)
            self.listed = set(reading.listed)
        self.paths = {file.path for file in files if isinstance(file, RawDocument)}
        self.refused = {file.path: file.error.message for file in files if isinstance(file, RefusedFile)}


def break_off(asked: Asked) -> Answer:
    raise ConnectionAbortedError


def refuse(asked: Asked) -> Answer:
    return page(status=503)


@pytest.mark.parametrize("pages_at_once", [1, 5])
def test_broken_pages_in_a_row_keep_no_other_page_from_being_read(
    site: LoopbackSite, waits: Waits, pages_at_once: int
) -> None:
    broken = NAMES[:12]
    site.routes |= {f"/{name}": page(status=500) for name in broken}
    result = Result(site, waits.append, pages_at_once)
    assert result.paths == {"index.html", *NAMES[12:]}
    assert set(result.refused) == set(broken)
    assert all("(500)" in message for message in result.refused.values())
    assert not waits.rests


def test_after_some_broken_pages_the_next_ones_are_asked_for_once_until_one_is_there(
    site: LoopbackSite, waits: Waits
) -> None:
    site.routes |= {f"/{name}": page(status=500) for name in [*NAMES[:8], NAMES[9]]}
    Result(site, waits.append)
    asked = [site.count(f"/{name}") for name in NAMES[:10]]
    assert asked == [RETRIES + 1] * FAILURES_TO_OPEN + [1, 1, 1, 1] + [RETRIES + 1]


@pytest.mark.parametrize("fail", [break_off, refuse])
@pytest.mark.parametrize("pages_at_once", [1, 5])
def test_a_site_that_is_away_for_some_minutes_is_waited_for(
    site: LoopbackSite, waits: Waits, fail: Callable[[Asked], Answer], pages_at_once: int
) -> None:
    for name in NAMES:
        site.routes[f"/{name}"] = lambda asked: fail(asked) if len(waits.rests) < 2 else page("fine")
    result = Result(site, waits.append, pages_at_once)
    assert len(waits.rests) >= 2
    assert len(result.refused) <= 2 * FAILURES_TO_OPEN
    assert result.paths | set(result.refused) == {"index.html", *NAMES}


@pytest.mark.parametrize("fail", [break_off, refuse])
@pytest.mark.parametrize("pages_at_once", [1, 5])
def test_a_site_that_stays_away_is_given_up_and_none_of_its_pages_is_lost(
    site: LoopbackSite, waits: Waits, fail: Callable[[Asked], Answer], pages_at_once: int
) -> None:
    site.routes |= {f"/{name}": fail for name in NAMES}
    result = Result(site, waits.append, pages_at_once)
    assert set(result.refused) == set(NAMES)
    assert result.listed == {"index.html", *NAMES}
    asked = sum(site.count(f"/{name}") for name in NAMES)
    assert asked <= (MAX_HOST_FAILURES + pages_at_once) * (RETRIES + 1)
    assert "did not come back while this run waited" in result.refused[NAMES[-1]]


def test_a_run_that_waits_for_its_site_can_be_ended(site: LoopbackSite, waits: Waits) -> None:
    site.routes |= {f"/{name}": break_off for name in NAMES}

    def sleep(seconds: float) -> bool:
        waits.append(seconds)
        return bool(waits.rests)

    result = Result(site, sleep, should_stop=lambda: bool(waits.rests))
    assert len(waits.rests) == 1
    assert result.listed == {"index.html", *NAMES}
