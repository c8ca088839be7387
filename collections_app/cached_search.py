"""Search with a cache: results that were found a short while ago, and which of them were given to an API key already.

A cache key has everything that a result depends on: the question and its options, the collections in their present version, and everything
that the caller may see. So nobody gets results that only another caller's grants allow, or can find out that somebody has asked.
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
    """A question, the collections to search, and the caller. `visible`: all collections that the caller may see.

    `form` names the form of the answer, in letters, digits and hyphens: the same question in another form is not a repetition.
    """

    query: str
    collections: Sequence[Collection]
    visible: Sequence[Collection]
    principal: Principal
    form: str
    options: SearchOptions

    @property
    def may_repeat(self) -> bool:
        window: int = settings.DOCSMCP.search_repeat_window
        return window > 0 and self.principal.api_key_id is not None and not self.principal.is_trial


def search_cached(request: SearchRequest) -> SearchResults:
    """What search() finds, possibly from the cache (`cached`). `is_repeat`: this API key was given the same results shortly before.

    Only searches with hits count as given: after an error or without hits, asking again is no repetition. Raises what search() raises.
    """
    memory = Memory(request)
    found = memory.results or search_anew(request)
    memory.save(found)
    return memory.mark(found)


def search_and_render(request: SearchRequest, render: Callable[[SearchResults], str]) -> tuple[SearchResults, str]:
    """Like search_cached(), together with the text that `render` makes of the results.

    The text is cached too, so it must depend only on the question, the results, the collections and the form.
    """
    memory = Memory(request, with_text=True)
    found = memory.results or search_anew(request)
    marked = memory.mark(found)
    text = render(marked) if memory.text is None else memory.text
    memory.save(found, text)
    return marked, text


class Memory:
    """What is cached for one request: the results; the answer's text, by its form; and when this API key was given that.

    The text of a repetition is different: it is always rendered anew and not cached.
    """

    def __init__(self, request: SearchRequest, *, with_text: bool = False) -> None:
        options = {name: getattr(request.options, name) for name in OPTION_FIELDS}
        fingerprint = make_fingerprint(check_query(request.query), request.collections, request.visible, options)
        self._may_repeat = request.may_repeat
        self._results_key = f"search:{fingerprint}"
        self._text_key = f"said:{request.form}:{self._results_key}"
        self._given_key = f"told:{request.principal.api_key_id}:{request.form}:{self._results_key}"
        known = recall(
            [self._given_key] if self._may_repeat else [],
            near=[self._results_key, *([self._text_key] if with_text else [])],
        )
        self.results: SearchResults | None = known.get(self._results_key)
        self.is_repeat = time() - known.get(self._given_key, 0) < settings.DOCSMCP.search_repeat_window
        self.text: str | None = None if self.is_repeat else known.get(self._text_key)
        if self.results:
            observe_search(self.results.mode.value, None)

    def mark(self, found: SearchResults) -> SearchResults:
        """The results as the caller gets them, with `cached` and `is_repeat` set."""
        return replace(found, cached=self.results is not None, is_repeat=self.is_repeat)

    def save(self, found: SearchResults, text: str | None = None) -> None:
        """Cache what was not cached yet. For makeshift results, only that they were given."""
        values: dict[str, Any] = {}
        if self.results is None and not found.is_makeshift:
            values[self._results_key] = found
        if text is not None and self.text is None and not (self.is_repeat or found.is_makeshift):
            values[self._text_key] = text
        if self._may_repeat and found.hits and not self.is_repeat:
            values[self._given_key] = time()
        remember(values, settings.DOCSMCP.cache_ttl_search)


def search_anew(request: SearchRequest) -> SearchResults:
    began = perf_counter()
    ask = partial(search, request.query, request.collections, request.options, visible=request.visible)
    results = read_from_replica(request.collections, ask)
    observe_search(results.mode.value, perf_counter() - began)
    return results


def make_fingerprint(
    query: str, collections: Sequence[Collection], visible: Sequence[Collection], options: Mapping[str, Any]
) -> str:
    """A digest of everything that results depend on, including the release, their fields and the names of visible collections."""
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
