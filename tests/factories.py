"""Rows for tests, made the way the product makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from collections_app.access.principal import Principal, Scope
from collections_app.ingest import IngestedFile, ingest
from collections_app.models import ApiKey, Collection, Tenant
from collections_app.parsing.documents import RawDocument
from collections_app.search import SearchOptions, SearchResults, search

numbers = count(1)


def make_tenant(slug: str = "") -> Tenant:
    slug = slug or f"tenant-{next(numbers)}"
    return Tenant.objects.create(slug=slug, name=slug.title())


def make_collection(
    slug: str = "", *, tenant: Tenant | None = None, language: str = "english", is_public: bool = False
) -> Collection:
    slug = slug or f"collection-{next(numbers)}"
    return Collection.objects.create(
        tenant=tenant or make_tenant(), slug=slug, name=slug.title(), language=language, is_public=is_public
    )


def make_principal(collection: Collection | None = None, *, scopes: Iterable[Scope] = (Scope.READ,)) -> Principal:
    """A key of the collection's tenant that may read all of it."""
    tenant = collection.tenant if collection else make_tenant()
    key, _ = ApiKey.objects.issue(tenant=tenant, name="test", scopes=scopes)
    return key.make_principal()


def put(collection: Collection, texts: Mapping[str, str | bytes]) -> list[IngestedFile]:
    """Ingest these documents; path → text."""
    files = [RawDocument(path, text.encode() if isinstance(text, str) else text) for path, text in texts.items()]
    return list(ingest(collection, None, files))


def leave_facts_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the index as releases did that knew no facts."""
    monkeypatch.setattr("collections_app.indexing.fulltext.make_document_facts", lambda document: [])


@contextmanager
def earlier_release() -> Iterator[None]:
    """Write the index as an earlier release does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collections_app.indexing.fulltext.VERSION_TERM", "=0")
        yield


def find(collection: Collection, query: str, visible: Sequence[Collection] = (), **options: Any) -> SearchResults:
    """Search one collection as the tool does."""
    collections = list(Collection.objects.select_related("tenant").filter(pk=collection.pk))
    asked = replace(SearchOptions(limit=10, snippet_length=200), **options)
    return search(query, collections, asked, visible=visible)


def find_paths(collection: Collection, query: str, **options: Any) -> list[str]:
    """The paths of what is found, best first, each once."""
    return list(dict.fromkeys(hit.path for hit in find(collection, query, **options).hits))
