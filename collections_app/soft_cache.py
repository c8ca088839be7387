"""A cache for searches, answers and pages whose failures are only logged: when it is unavailable, everything works without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.cache import cache

from collections_app.exceptions import summarise
from collections_app.process_memory import keep, take

# How long values are kept in the process, but never longer than in the cache.
PROCESS_SECONDS = 30

logger = structlog.get_logger(__name__)


class Remembered(NamedTuple):
    value: Any
    until: float


def recall(keys: Sequence[str], near: Sequence[str] = ()) -> dict[str, Any]:
    """The cached values of these keys; nothing if CACHE_TTL_SEARCH is 0.

    Values of `near` are also kept in the process for a moment, since asking the cache takes longer than everything else in a cached search.
    They must be small and never change under their key.
    """
    if not settings.DOCSMCP.cache_ttl_search:
        return {}
    here = take(near)
    far = [*keys, *(key for key in near if key not in here)]
    found = look_up(far) if far else {}
    for key in found.keys() & set(near):
        keep(key, found[key].value, min(PROCESS_SECONDS, found[key].until - time()))
    return here | {key: remembered.value for key, remembered in found.items()}


def look_up(keys: Sequence[str]) -> dict[str, Remembered]:
    try:
        found = cache.get_many(keys)
    except Exception as error:  # each cache raises its own
        logger.warning("cache_unreadable", reason=summarise(error))
        return {}
    return {key: value for key, value in found.items() if isinstance(value, Remembered)}


def remember(values: Mapping[str, Any], seconds: int) -> None:
    if not values or not seconds:
        return
    until = time() + seconds
    try:
        cache.set_many({key: Remembered(value, until) for key, value in values.items()}, seconds)
    except Exception as error:
        logger.warning("cache_unwritable", reason=summarise(error))
