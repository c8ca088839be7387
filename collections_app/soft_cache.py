"""What is remembered for a while, of searches, answers and pages: a cache that is away stops none of them, and is logged.

What never changes under its name is kept in the process too, for a moment: asking the cache takes longer than all else that a remembered
answer needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.cache import cache, caches

from collections_app.exceptions import summarise

# How long in the process, and never beyond its end.
PROCESS_SECONDS = 30

logger = structlog.get_logger(__name__)


class Remembered(NamedTuple):
    value: Any
    until: float


def recall(keys: Sequence[str], changing: Sequence[str] = ()) -> dict[str, Any]:
    """What is remembered of these, and of the `changing` ones, which another process may have written anew; nothing where
    CACHE_TTL_SEARCH is 0."""
    if not settings.DOCSMCP.cache_ttl_search:
        return {}
    near: dict[str, Any] = caches["process"].get_many(keys)
    far = [*(key for key in keys if key not in near), *changing]
    found = look_up(far) if far else {}
    for key in keys:
        if key in found:
            seconds = min(PROCESS_SECONDS, found[key].until - time())
            caches["process"].set(key, found[key].value, seconds)
    return near | {key: remembered.value for key, remembered in found.items()}


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
