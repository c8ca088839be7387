"""What Redis is used for, and how long it is waited for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache import caches
from django.test import override_settings
from django_q.brokers.redis_broker import Redis
from django_q.conf import Conf

from docsmcp_site.configuration.caches import PROCESS_ENTRIES, make_broker, make_caches
from docsmcp_site.configuration.config import Config
from docsmcp_site.configuration.loading import load_config


def configure(redis_url: str = "") -> Config:
    return load_config({}, {"REDIS_URL": redis_url}, Path("/nowhere"))


def make_shared(config: Config) -> list[dict[str, Any]]:
    """What all processes share."""
    return [cache for alias, cache in make_caches(config).items() if alias != "process"]


@pytest.fixture
def silent() -> Iterator[str]:
    """The URL of a Redis that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_without_redis_all_of_it_is_in_the_database() -> None:
    config = configure()
    assert make_broker(config) == {"orm": "default"}
    assert {cache["BACKEND"].partition(".")[0] for cache in make_shared(config)} == {"collections_app"}


def test_the_process_keeps_so_many_and_no_more() -> None:
    assert make_caches(configure())["process"]["OPTIONS"]["MAX_ENTRIES"] == PROCESS_ENTRIES
    process = caches["process"]
    for number in range(PROCESS_ENTRIES + 1):
        process.set(f"entry-{number}", number)
    kept = sum(process.get(f"entry-{number}") is not None for number in range(PROCESS_ENTRIES + 1))
    assert PROCESS_ENTRIES / 2 < kept <= PROCESS_ENTRIES


@pytest.mark.parametrize("alias", ["default", "counters"])
def test_a_cache_does_not_wait_for_a_silent_redis(silent: str, alias: str) -> None:
    with (
        override_settings(CACHES=make_caches(configure(f"{silent}?socket_timeout=0.05"))),
        pytest.raises(redis.TimeoutError),
    ):
        caches[alias].get("anything")


def test_no_redis_is_waited_for_for_long(silent: str) -> None:
    assert {cache["OPTIONS"]["socket_timeout"] for cache in make_shared(configure(silent))} == {1}


def test_the_broker_does_not_wait_for_a_silent_redis(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conf, "REDIS", make_broker(configure(f"{silent}?socket_timeout=0.05"))["redis"])
    with pytest.raises(redis.TimeoutError):
        Redis().queue_size()


def test_parameters_of_the_url_go_first() -> None:
    assert make_broker(configure("redis://h/1"))["redis"] == "redis://h/1?socket_timeout=3&socket_connect_timeout=1"
    broker = make_broker(configure("rediss://h/1?socket_timeout=9&ssl_cert_reqs=none"))["redis"]
    assert broker == "rediss://h/1?socket_timeout=9&socket_connect_timeout=1&ssl_cert_reqs=none"
