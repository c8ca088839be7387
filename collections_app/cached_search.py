"""Search with a memory: results that were found a short while ago, and which of them a key was told already.

What is remembered is keyed by all that a result depends on: the question and its options, the collections as they are now, and everything
the caller may see. So no caller is given what another's grants showed, nor can tell that somebody asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from importlib.metadata import version
from time import perf_counter, time
from typing import Any

from django.conf import settings

from collections_app.access.principal import Principal
from collections_app.metrics import observe_search
from collections_app.models import Collection
from collections_app.postgres.replicas import read_from_replica
from collections_app.search import Hit, SearchOptions, SearchResults, check_query, search
from collections_app.soft_cache import recall, remember

PRODUCT_VERSION = version("docsmcp")
RESULT_FIELDS = [each.name for each in fields(SearchResults)]
OPTION_FIELDS = [each.name for each in fields(SearchOptions)]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked, of which collections, by whom.

    `told_as` names the form of the answer, in letters, digits and hyphens: another form is no repetition.
    """

    query: str
    collections: Sequence[Collection]
    visible: Sequence[Collection]
    principal: Principal
    told_as: str
    options: SearchOptions

    @property
    def may_repeat(self) -> bool:
        window: int = settings.DOCSMCP.search_repeat_window
        return window > 0 and self.principal.api_key_id is not None and not self.principal.is_trial


def search_cached(
    query: str,
    collections: Sequence[Collection],
    options: SearchOptions,
    *,
    visible: Sequence[Collection],
    principal: Principal,
    told_as: str,
) -> SearchResults:
    """What search() gives, perhaps from a moment ago (`cached`); `is_repeat` when this key was told the very same shortly before.

    Only what was found counts: after an error, or when nothing was found, the same may be asked again. Raises as search() does.
    """
    return find_and_tell(SearchRequest(query, collections, visible, principal, told_as, options))[0]


def find_and_tell(
    request: SearchRequest, tell: Callable[[SearchResults], str] | None = None
) -> tuple[SearchResults, str | None]:
    """The same, and what `tell` says of it, which is remembered too: it depends on the question, the results, the collections and `told_as`
    alone."""
    options = {name: getattr(request.options, name) for name in OPTION_FIELDS}
    found = f"search:{make_fingerprint(check_query(request.query), request.collections, request.visible, options)}"
    config = settings.DOCSMCP
    said, told = f"said:{request.told_as}:{found}", f"told:{request.principal.api_key_id}:{request.told_as}:{found}"
    known = recall([told] if request.may_repeat else [], near=[found, *([said] if tell else [])])
    results: SearchResults = known[found] if found in known else search_anew(request)
    is_repeat = time() - known.get(told, 0) < config.search_repeat_window
    if found in known:
        observe_search(results.mode.value, None)
    answer = replace(results, cached=found in known, is_repeat=is_repeat)
    text = known.get(said) if not is_repeat else None
    if text is None and tell:
        text = tell(answer)
    values: dict[str, Any] = {} if results.is_makeshift else {found: results}
    if not is_repeat:
        values |= {said: text} if tell and values else {}
        values |= {told: time()} if request.may_repeat and results.hits else {}
    remember({key: value for key, value in values.items() if known.get(key) is not value}, config.cache_ttl_search)
    return answer, text


def search_anew(request: SearchRequest) -> SearchResults:
    began = perf_counter()
    read_it = partial(search, request.query, request.collections, request.options, visible=request.visible)
    results = read_from_replica(request.collections, read_it)
    observe_search(results.mode.value, perf_counter() - began)
    return results


def make_fingerprint(
    query: str, collections: Sequence[Collection], visible: Sequence[Collection], options: Mapping[str, Any]
) -> str:
    """A digest of all that an answer depends on, its form and the names of what is visible included."""
    parts = [
        PRODUCT_VERSION,
        Hit._fields,
        RESULT_FIELDS,
        query,
        options,
        [(c.id, c.index_version, c.updated.timestamp()) for c in collections],
        sorted((c.id, c.tenant.slug, c.slug, c.version, c.library) for c in visible),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
