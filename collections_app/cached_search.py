"""Search with a memory: results that were found a short while ago, and which of them a key was told already.

What is remembered is keyed by all that a result depends on: the question and its options, the collections as they are now, and everything
the caller may see. So no caller is given what another's grants showed, nor can tell that somebody asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from time import perf_counter, time
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache

from collections_app.metrics import observe_search
from collections_app.models import Collection
from collections_app.principal import Principal
from collections_app.replicas import read_from_replica
from collections_app.search import SearchResults, check_query, search

PRODUCT_VERSION = version("docsmcp")

logger = structlog.get_logger(__name__)


def search_cached(
    query: str,
    collections: Sequence[Collection],
    *,
    visible: Sequence[Collection],
    principal: Principal,
    told_as: str,
    **options: Any,
) -> SearchResults:
    """What search() gives, perhaps from a moment ago (`cached`); `is_repeat` when this key was told the very same shortly before.

    `told_as` names the form of the answer, in letters, digits and hyphens: another form is no repetition. Only what was found counts:
    after an error, or when nothing was found, the same may be asked again. Raises as search() does.
    """
    config = settings.DOCSMCP
    found = f"search:{make_fingerprint(check_query(query), collections, visible, options)}"
    told = f"told:{principal.api_key_id}:{told_as}:{found}"
    known = read([found, told])
    results: SearchResults | None = known.get(found)
    is_repeat = not principal.is_trial and time() - known.get(told, 0) < config.search_repeat_window
    fresh: dict[str, Any] = {}
    if results is None:
        began = perf_counter()
        results = read_from_replica(collections, partial(search, query, collections, visible=visible, **options))
        observe_search(results.mode.value, perf_counter() - began)
        if not results.is_makeshift:
            fresh[found] = results
    else:
        results = replace(results, cached=True)
        observe_search(results.mode.value, None)
    if principal.api_key_id is not None and results.hits and not is_repeat and not principal.is_trial:
        fresh[told] = time()
    remember(fresh, config.cache_ttl_search)
    return replace(results, is_repeat=is_repeat)


def make_fingerprint(
    query: str, collections: Sequence[Collection], visible: Sequence[Collection], options: Mapping[str, Any]
) -> str:
    parts = [
        PRODUCT_VERSION,
        query,
        options,
        [(c.pk, c.index_version, c.updated.timestamp()) for c in collections],
        sorted(c.pk for c in visible),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def read(keys: Sequence[str]) -> dict[str, Any]:
    """What is remembered of these; nothing while the cache is away, which stops no search."""
    try:
        return cache.get_many(keys)
    except Exception:
        logger.exception("cache_unreadable")
        return {}


def remember(values: dict[str, Any], seconds: int) -> None:
    if not values or not seconds:
        return
    try:
        cache.set_many(values, seconds)
    except Exception:
        logger.exception("cache_unwritable")
