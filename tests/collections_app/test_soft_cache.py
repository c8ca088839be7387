"""What is remembered, in the cache of all processes and for a moment in this one."""

from __future__ import annotations

from time import time
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache, caches
from structlog.testing import capture_logs

from collections_app import soft_cache
from collections_app.postgres.cache import PostgresCache
from collections_app.process_memory import MOST_BYTES
from collections_app.soft_cache import PROCESS_SECONDS, recall, remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def name() -> str:
    return f"name-{uuid4().hex}"


def set_clock(monkeypatch: pytest.MonkeyPatch, now: float) -> None:
    monkeypatch.setattr(soft_cache, "time", lambda: now)
    for module in ("base", "locmem"):
        monkeypatch.setattr(f"django.core.cache.backends.{module}.time", SimpleNamespace(time=lambda: now))


def test_what_was_recalled_once_is_not_asked_for_again(name: str, django_assert_num_queries: Any) -> None:
    remember({name: [1, 2]}, 60)
    with django_assert_num_queries(1):
        assert recall([], [name]) == {name: [1, 2]}
    with django_assert_num_queries(0):
        assert recall([], [name]) == {name: [1, 2]}
    with django_assert_num_queries(1):
        assert recall([], [name, "nothing"]) == {name: [1, 2]}


def test_what_is_large_is_asked_for_each_time(name: str, django_assert_num_queries: Any) -> None:
    value = "".join(map(chr, range(0x4E00, 0x4E00 + MOST_BYTES // 3)))
    remember({name: value}, 60)
    for _ in range(2):
        with django_assert_num_queries(1):
            assert recall([], [name]) == {name: value}


def test_what_may_change_is_always_asked_for(name: str) -> None:
    for value in (1, 2):
        remember({name: value}, 60)
        assert [recall([name]) for _ in range(2)] == [{name: value}] * 2


def test_each_gets_a_value_of_its_own(name: str) -> None:
    remember({name: [1]}, 60)
    for _ in range(3):
        recall([], [name])[name].append(2)
    assert recall([], [name]) == {name: [1]}


@pytest.mark.parametrize(
    ("seconds", "later", "is_known"),
    [(300, PROCESS_SECONDS - 1, True), (300, PROCESS_SECONDS + 1, False), (10, 11, False)],
)
def test_the_process_forgets_soon_and_with_the_end_at_the_latest(
    name: str, monkeypatch: pytest.MonkeyPatch, seconds: int, later: int, is_known: bool
) -> None:
    remember({name: 1}, seconds)
    recall([], [name])
    cache.delete(name)
    set_clock(monkeypatch, time() + later)
    assert recall([], [name]) == ({name: 1} if is_known else {})


def test_what_another_remembered_long_ago_ends_with_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment before its end, of which the process must not make a longer time."""
    remember({name: 1}, 300)
    set_clock(monkeypatch, time() + 298)
    recall([], [name])
    cache.delete(name)
    assert recall([], [name]) == {name: 1}
    set_clock(monkeypatch, time() + 301)
    assert recall([], [name]) == {}


def test_what_the_process_has_needs_no_cache(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise ConnectionError("away")

    remember({name: 1}, 60)
    recall([], [name])
    for method in ("get_many", "set_many"):
        monkeypatch.setattr(PostgresCache, method, fail)
    assert recall([], [name]) == {name: 1}
    with capture_logs() as logs:
        assert recall([], [name, "other"]) == {name: 1}
        remember({"other": 1}, 60)
    assert [each["event"] for each in logs] == ["cache_unreadable", "cache_unwritable"]


def test_what_no_release_of_this_kind_wrote_is_not_there(name: str) -> None:
    """A cache outlives the release that filled it."""
    cache.set(name, "of an older release", 60)
    assert recall([], [name]) == {}


def test_nothing_is_recalled_where_nothing_is_to_be_remembered(name: str, settings: Any) -> None:
    remember({name: 1}, 60)
    recall([], [name])
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"cache_ttl_search": 0})
    assert recall([], [name]) == {}
    assert caches["process"].get(name) == 1
