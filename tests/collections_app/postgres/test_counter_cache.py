from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.utils import timezone

from collections_app.models import CacheEntry
from collections_app.postgres.cache import delete_expired
from collections_app.postgres.counter_cache import CounterCache

pytestmark = pytest.mark.django_db


def count(key: str = "key") -> int:
    """As django-ratelimit does."""
    counters = caches["counters"]
    return 1 if counters.add(key, 1, 65) else counters.incr(key)


def test_the_limits_are_counted_by_it(settings: Any) -> None:
    assert settings.RATELIMIT_USE_CACHE == "counters"
    assert isinstance(caches["counters"], CounterCache)


def test_a_request_is_counted_by_one_statement(django_assert_num_queries: Any) -> None:
    for number in (1, 2, 3):
        with django_assert_num_queries(1):
            assert count() == number
    assert count("other") == 1


def test_looking_at_a_counter_counts_nothing() -> None:
    assert caches["counters"].get("key", 0) == 0
    count()
    assert (caches["counters"].get("key", 0), count()) == (1, 2)


def test_a_counter_lives_as_long_as_its_window() -> None:
    count()
    expires = CacheEntry.objects.get().expires
    assert expires
    assert 0 < (expires - timezone.now()).total_seconds() <= 65
    count()
    assert CacheEntry.objects.get().expires == expires
    CacheEntry.objects.update(expires="2000-01-01T00:00:00Z")
    assert delete_expired() == 1


@pytest.mark.django_db(transaction=True)
def test_no_count_is_lost_among_threads() -> None:
    def count_once(_: int) -> int:
        try:
            return count()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(count_once, range(200)))
    assert sorted(counted) == list(range(1, 201))
