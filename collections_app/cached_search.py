"""Search with a memory: results that were found a short while ago, and which of them a key was given already.

The key of what is remembered has all that a result depends on: the question and its options, the collections as they are now, and
everything that the caller may see. So nobody is given what another caller's grants showed, nor can tell that somebody asked.
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
    """What is asked, of which collections, by whom. `visible`: all collections that the caller may see.

    `form` names the form of the answer, in letters, digits and hyphens: the same question in another form is no repetition.
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
    """What search() finds, perhaps remembered from a moment ago (`cached`). `is_repeat`: this key was given the very same shortly before.

    Only what was found counts: after an error, or when nothing was found, the same may be asked again. Raises as search() does.
    """
    memory = Memory(request)
    results = memory.find_results()
    memory.save()
    return results


def search_and_render(request: SearchRequest, render: Callable[[SearchResults], str]) -> tuple[SearchResults, str]:
    """As search_cached(), with the text that `render` makes of the results, which is remembered too: it may depend on nothing but the
    question, the results, the collections and the form."""
    memory = Memory(request, with_text=True)
    results = memory.find_results()
    text = memory.find_text()
    if text is None:
        text = render(results)
    memory.save(text)
    return results, text


class Memory:
    """What is remembered of one request: the results, under all that they depend on; the answer's text, with its form; and when this key
    was given that."""

    def __init__(self, request: SearchRequest, *, with_text: bool = False) -> None:
        options = {name: getattr(request.options, name) for name in OPTION_FIELDS}
        fingerprint = make_fingerprint(check_query(request.query), request.collections, request.visible, options)
        self._request = request
        self._results_key = f"search:{fingerprint}"
        self._text_key = f"said:{request.form}:{self._results_key}"
        self._given_key = f"told:{request.principal.api_key_id}:{request.form}:{self._results_key}"
        self._known = recall(
            [self._given_key] if request.may_repeat else [],
            near=[self._results_key, *([self._text_key] if with_text else [])],
        )

    def find_results(self) -> SearchResults:
        is_known = self._results_key in self._known
        self._results: SearchResults = self._known[self._results_key] if is_known else search_anew(self._request)
        if is_known:
            observe_search(self._results.mode.value, None)
        last_given = self._known.get(self._given_key, 0)
        self._is_repeat = time() - last_given < settings.DOCSMCP.search_repeat_window
        return replace(self._results, cached=is_known, is_repeat=self._is_repeat)

    def find_text(self) -> str | None:
        """A repetition has another text, which is made anew."""
        return None if self._is_repeat else self._known.get(self._text_key)

    def save(self, text: str | None = None) -> None:
        values: dict[str, Any] = {}
        if not self._results.is_makeshift:
            values[self._results_key] = self._results
            if text is not None and not self._is_repeat:
                values[self._text_key] = text
        if self._request.may_repeat and self._results.hits and not self._is_repeat:
            values[self._given_key] = time()
        unknown = {key: value for key, value in values.items() if self._known.get(key) is not value}
        remember(unknown, settings.DOCSMCP.cache_ttl_search)


def search_anew(request: SearchRequest) -> SearchResults:
    began = perf_counter()
    ask = partial(search, request.query, request.collections, request.options, visible=request.visible)
    results = read_from_replica(request.collections, ask)
    observe_search(results.mode.value, perf_counter() - began)
    return results


def make_fingerprint(
    query: str, collections: Sequence[Collection], visible: Sequence[Collection], options: Mapping[str, Any]
) -> str:
    """A digest of all that results depend on: the release, their fields and the names of what is visible included."""
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
