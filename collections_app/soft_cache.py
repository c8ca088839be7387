"""What is remembered for a while, of searches, answers and pages: a cache that is away stops none of them, and is logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache

from collections_app.exceptions import summarise

logger = structlog.get_logger(__name__)


def recall(keys: Sequence[str]) -> dict[str, Any]:
    """What is remembered of these; nothing where CACHE_TTL_SEARCH is 0."""
    if not settings.DOCSMCP.cache_ttl_search:
        return {}
    try:
        return cache.get_many(keys)
    except Exception as error:  # each cache raises its own
        logger.warning("cache_unreadable", reason=summarise(error))
        return {}


def remember(values: Mapping[str, Any], seconds: int) -> None:
    if not values or not seconds:
        return
    try:
        cache.set_many(dict(values), seconds)
    except Exception as error:
        logger.warning("cache_unwritable", reason=summarise(error))
