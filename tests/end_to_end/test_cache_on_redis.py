"""With REDIS_URL, results of searches are remembered in Redis: as long, and for the same callers, as in PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from collections_app.models import Collection
from tests.collections_app.test_cached_search import ask
from tests.factories import make_collection, make_principal, put

REDIS = "TEST_REDIS_URL"
URL = f"{os.environ.get(REDIS, '')}/4"  # its own database of that Redis

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(REDIS not in os.environ, reason="needs Redis: make test-services"),
]


@pytest.fixture(autouse=True)
def client(settings: Any) -> Iterator[redis.Redis]:
    redis_cache = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": URL, "KEY_PREFIX": "docsmcp"}
    settings.CACHES = {**settings.CACHES, "default": redis_cache}
    with redis.from_url(URL) as client:
        client.flushdb()
        yield client
        client.flushdb()


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(collection, {"a.md": "# Gear\n\nThe gear turns.\n"})
    return collection


def test_the_same_question_is_searched_once(docs: Collection, client: redis.Redis) -> None:
    first, second = ask(make_principal(docs)), ask(make_principal(docs), "  gear ")
    assert (first.cached, second.cached) == (False, True)
    assert first.hits == second.hits
    assert client.dbsize() >= 1


def test_it_is_forgotten_in_its_time(docs: Collection, client: redis.Redis, settings: Any) -> None:
    ask(make_principal(docs))
    assert all(0 < client.ttl(key) <= settings.DOCSMCP.cache_ttl_search for key in client.scan_iter())


def test_a_changed_collection_is_searched_anew(docs: Collection) -> None:
    ask(make_principal(docs))
    put(docs, {"b.md": "# Another gear\n\nThe gear stands.\n"})
    found = ask(make_principal(docs))
    assert not found.cached
    assert len(found.hits) == 2


def test_another_tenants_caller_is_given_nothing_of_it(docs: Collection) -> None:
    ask(make_principal(docs))
    other = ask(make_principal(make_collection("other")))
    assert not other.cached
    assert not other.hits


def test_a_redis_that_is_away_costs_the_memory_and_no_answer(docs: Collection, settings: Any) -> None:
    away = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {**settings.CACHES, "default": away}
    for _ in range(2):
        found = ask(make_principal(docs))
        assert found.hits
        assert not found.cached
