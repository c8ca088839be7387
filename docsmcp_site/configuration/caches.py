"""Django's CACHES and the queue's broker: in Redis where REDIS_URL is set, else in PostgreSQL. A silent Redis is not waited for long."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from docsmcp_site.configuration.config import Config

# Every request waits for the caches. Parameters of REDIS_URL itself go before these.
CACHE_PATIENCE = {"socket_timeout": 1, "socket_connect_timeout": 1}
# Who takes tasks from the broker waits for one for a second.
BROKER_PATIENCE = {"socket_timeout": 3, "socket_connect_timeout": 1}
# Of some 10 KB each, at most as large as collections_app/process_memory.py says.
PROCESS_ENTRIES = 1_000


def make_caches(config: Config) -> dict[str, dict[str, Any]]:
    """`process` is for collections_app/process_memory.py alone: whatever else is kept, other processes have to see."""
    return {
        "process": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "process",
            "OPTIONS": {"MAX_ENTRIES": PROCESS_ENTRIES},
        },
        "default": make_cache(config, "collections_app.postgres.cache.PostgresCache"),
        "counters": make_cache(config, "collections_app.postgres.counter_cache.CounterCache"),
    }


def make_cache(config: Config, in_database: str) -> dict[str, Any]:
    if not config.redis_url:
        return {"BACKEND": in_database, "KEY_PREFIX": "docsmcp"}
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": config.redis_url,
        "OPTIONS": CACHE_PATIENCE,
        "KEY_PREFIX": "docsmcp",
    }


def make_broker(config: Config) -> dict[str, str]:
    """Where the queue is, as django-q2's Q_CLUSTER has it: in Redis, else in the database."""
    if not config.redis_url:
        return {"orm": "default"}
    parts = urlsplit(config.redis_url)
    options = {**BROKER_PATIENCE, **dict(parse_qsl(parts.query))}
    return {"redis": parts._replace(query=urlencode(options)).geturl()}
