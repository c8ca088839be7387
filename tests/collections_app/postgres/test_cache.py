"""The cache in PostgreSQL keeps Django's promises, and counts exactly."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from collections_app.models import CacheEntry
from collections_app.postgres.cache import PostgresCache, delete_expired

pytestmark = pytest.mark.django_db


def expire(key: str) -> None:
    """Let an entry's time pass."""
    CacheEntry.objects.filter(key__endswith=f":{key}").update(expires="2000-01-01T00:00:00Z")


def test_the_default_cache_is_in_the_database() -> None:
    assert isinstance(cache._connections[cache._alias], PostgresCache)  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", ["text", b"bytes", 7, -1, 2**40, True, None, 1.5, {"a": [1, ("b", None)]}])
def test_it_gives_back_what_was_set(value: Any) -> None:
    cache.set("key", value)
    found = cache.get("key", "nothing")
    assert found == value
    assert type(found) is type(value)


def test_an_entry_is_gone_when_its_time_has_passed() -> None:
    cache.set("key", 1)
    expire("key")
    assert cache.get("key") is None
    assert not cache.touch("key")
    assert not cache.delete("key")
    with pytest.raises(ValueError, match="not found"):
        cache.incr("key")
    assert cache.add("key", 2)
    assert cache.get("key") == 2


@pytest.mark.parametrize("timeout", [0, -5])
def test_a_timeout_of_nothing_keeps_nothing(timeout: int) -> None:
    cache.set("key", "value", timeout=timeout)
    assert cache.get("key") is None


def test_without_a_timeout_it_is_kept_for_good() -> None:
    cache.set("key", "value", timeout=None)
    assert delete_expired() == 0
    assert cache.get("key") == "value"


def test_it_adds_only_where_nothing_is() -> None:
    assert cache.add("key", 1)
    assert not cache.add("key", 2)
    assert cache.get("key") == 1


def test_counting_keeps_when_it_expires() -> None:
    cache.set("key", 1, timeout=100)
    before = CacheEntry.objects.get().expires
    assert (cache.incr("key"), cache.incr("key", 5), cache.decr("key")) == (2, 7, 6)
    assert CacheEntry.objects.get().expires == before


def test_each_operation_is_one_statement(django_assert_num_queries: Any) -> None:
    for operation in (
        lambda: cache.set("key", 1),
        lambda: cache.add("key", 1),
        lambda: cache.get("key"),
        lambda: cache.get_many(["key", "other"]),
        lambda: cache.incr("key"),
        lambda: cache.touch("key"),
        lambda: cache.delete("key"),
    ):
        with django_assert_num_queries(1):
            operation()


def test_clearing_leaves_what_others_keep_in_the_table() -> None:
    cache.set("key", 1)
    other = PostgresCache("", {"KEY_PREFIX": "other"})
    other.set("key", 2)
    cache.clear()
    assert (cache.get("key"), other.get("key")) == (None, 2)


def test_the_sweeper_drops_what_has_expired_only() -> None:
    cache.set("old", 1)
    cache.set("new", 1)
    expire("old")
    assert delete_expired() == 1
    assert CacheEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_no_count_is_lost_among_threads() -> None:
    def count(_: int) -> int:
        try:
            cache.add("key", 0)
            return int(cache.incr("key"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(count, range(200)))
    assert sorted(counted) == list(range(1, 201))
