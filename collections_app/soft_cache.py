"""What is remembered for a while, of searches, answers and pages: a cache that is away stops none of them, and is logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.cache import cache

from collections_app.exceptions import summarise
from collections_app.process_memory import keep, take

# How long in the process, and never beyond its end.
PROCESS_SECONDS = 30

logger = structlog.get_logger(__name__)


class Remembered(NamedTuple):
    value: Any
    until: float


def recall(keys: Sequence[str], near: Sequence[str] = ()) -> dict[str, Any]:
    """What is remembered of these; nothing where CACHE_TTL_SEARCH is 0.

    What is found of `near` is kept in the process too, for a moment: values that never change under their names, and are small. To ask the
    cache takes longer than all else that a remembered search needs.
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
