"""Django's CACHES and the queue's broker: in Redis if REDIS_URL is set, else in PostgreSQL. Waits only briefly for a silent Redis."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from docsmcp_site.configuration.config import Config

# In seconds; short, because every request waits for the caches. Parameters in REDIS_URL itself override these.
CACHE_PATIENCE = {"socket_timeout": 1, "socket_connect_timeout": 1}
# Longer than the second for which a process that fetches tasks waits at the broker.
BROKER_PATIENCE = {"socket_timeout": 3, "socket_connect_timeout": 1}
# Entries have some 10 KB, and at most the size that collections_app/process_memory.py allows.
PROCESS_ENTRIES = 1_000


def make_caches(config: Config) -> dict[str, dict[str, Any]]:
    """`process` is only for collections_app/process_memory.py: anything else that is cached must be visible to other processes."""
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
    """The queue's broker, for django-q2's Q_CLUSTER: Redis if it is set, else the database."""
    if not config.redis_url:
        return {"orm": "default"}
    parts = urlsplit(config.redis_url)
    options = {**BROKER_PATIENCE, **dict(parse_qsl(parts.query))}
    return {"redis": parts._replace(query=urlencode(options)).geturl()}
