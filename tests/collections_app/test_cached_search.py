"""What is remembered of a search, for how long, and for whom."""

from __future__ import annotations

from dataclasses import replace
from time import time
from typing import Any

import pytest
from django.core.cache import cache

from collections_app import cached_search
from collections_app.access.principal import Principal
from collections_app.cached_search import SearchRequest, search_and_render, search_cached
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import InvalidParameter
from collections_app.models import ApiKey, CacheEntry, Collection, Tenant
from collections_app.postgres.cache import PostgresCache
from collections_app.search import SearchOptions, SearchResults, search
from tests.factories import make_collection, make_principal, put

pytestmark = pytest.mark.django_db

OPTIONS = SearchOptions(limit=5, snippet_length=200)


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual", is_public=True)
    put(collection, {"a.md": "# Gear\n\nThe gear turns.\n"})
    return collection


def ask(principal: Principal, query: str = "gear", form: str = "markdown", **options: Any) -> SearchResults:
    visible = get_visible_collections(principal)
    return search_cached(SearchRequest(query, visible, visible, principal, form, replace(OPTIONS, **options)))


def test_the_same_question_is_searched_once(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    monkeypatch.setattr(cached_search, "search", lambda *a, **k: searched.append(a) or search(*a, **k))  # type: ignore[func-returns-value]
    first, second = ask(make_principal(docs)), ask(make_principal(docs), "  gear ")
    assert (first.cached, second.cached, len(searched)) == (False, True, 1)
    assert first.hits == second.hits


@pytest.mark.parametrize(
    "options",
    [
        {"query": "turns"},
        {"limit": 6},
        {"snippet_length": 100},
        {"category": "x"},
        {"code": "python"},
        {"filters": {"path": "a.md"}},
    ],
)
def test_another_question_is_searched(docs: Collection, options: dict[str, Any]) -> None:
    ask(Principal())
    assert not ask(Principal(), **options).cached


def test_nothing_is_remembered_of_a_collection_that_has_changed(docs: Collection) -> None:
    reader = make_principal(docs)
    ask(reader)
    put(docs, {"b.md": "# Gear two\n\nAnother gear.\n"})
    after = ask(reader)
    assert (after.cached, after.is_repeat, len(after.hits)) == (False, False, 2)


def test_nothing_is_remembered_under_a_tenants_former_name(docs: Collection) -> None:
    ask(Principal())
    Tenant.objects.filter(pk=docs.tenant_id).update(slug="renamed")
    assert not ask(Principal()).cached


def test_what_one_caller_may_see_is_not_given_to_another(docs: Collection) -> None:
    """The same public collection; one of them sees a private one beside it, where the word also is."""
    private = make_collection("private", tenant=docs.tenant)
    put(private, {"p.md": "# Gear plans\n\nSecret gear.\n"})
    narrow, _ = ApiKey.objects.issue(tenant=docs.tenant, name="narrow", collections=[docs])
    assert len(ask(make_principal(docs)).hits) == 2
    for principal in (narrow.make_principal(), Principal()):
        results = ask(principal)
        assert [hit.collection for hit in results.hits] == ["manual"]
    visible = get_visible_collections(make_principal(docs))
    chosen = [c for c in visible if c.slug == "manual"]
    search_cached(SearchRequest("secret", chosen, visible, make_principal(docs), "", OPTIONS))
    seen = search_cached(SearchRequest("secret", chosen, chosen, narrow.make_principal(), "", OPTIONS))
    assert (seen.cached, [word.elsewhere for word in seen.words]) == (False, [()])


class TestRepeats:
    def test_the_same_again_is_a_repeat_and_so_is_the_third_time(self, docs: Collection) -> None:
        reader = make_principal(docs)
        assert [ask(reader).is_repeat for _ in range(3)] == [False, True, True]

    def test_another_key_or_another_form_repeats_nothing(self, docs: Collection) -> None:
        ask(make_principal(docs))
        reader = make_principal(docs)
        assert not ask(reader).is_repeat
        assert not ask(reader, form="json").is_repeat

    def test_an_anonymous_caller_may_be_many(self, docs: Collection) -> None:
        assert [ask(Principal()).is_repeat for _ in range(2)] == [False, False]

    def test_what_failed_or_found_nothing_may_be_asked_again(self, docs: Collection) -> None:
        reader = make_principal(docs)
        for _ in range(2):
            assert not ask(reader, "nowhere").is_repeat
            with pytest.raises(InvalidParameter):
                ask(reader, filters={"path": {"$bad": 1}})

    def test_it_is_forgotten_after_the_window(self, docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
        reader = make_principal(docs)
        ask(reader)
        later = time() + 181
        monkeypatch.setattr(cached_search, "time", lambda: later)
        assert not ask(reader).is_repeat

    def test_a_window_of_nothing_switches_it_off(self, docs: Collection, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"search_repeat_window": 0})
        reader = make_principal(docs)
        assert [ask(reader).is_repeat for _ in range(2)] == [False, False]


def test_a_lifetime_of_nothing_keeps_nothing_and_asks_for_nothing(
    docs: Collection, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"cache_ttl_search": 0})
    reader = make_principal(docs)
    asked: list[Any] = []
    monkeypatch.setattr(PostgresCache, "get_many", lambda _, keys: asked.append(keys))
    assert [ask(reader).cached for _ in range(2)] == [False, False]
    assert not asked
    assert not CacheEntry.objects.exists()


def test_a_cache_that_is_away_stops_no_search(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(PostgresCache, "get_many", fail)
    monkeypatch.setattr(PostgresCache, "set_many", fail)
    assert ask(make_principal(docs)).hits


def test_a_remembered_answer_costs_one_statement(docs: Collection, django_assert_num_queries: Any) -> None:
    visible, reader = get_visible_collections(Principal()), make_principal(docs)
    request = SearchRequest("gear", visible, visible, reader, "", OPTIONS)
    search_cached(request)
    with django_assert_num_queries(1):
        assert search_cached(request).cached


def test_it_works_with_any_cache_of_django(docs: Collection, settings: Any) -> None:
    here = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "here"}
    settings.CACHES = {**settings.CACHES, "default": here}
    cache.clear()
    reader = make_principal(docs)
    assert [(r.cached, r.is_repeat) for r in (ask(reader), ask(reader))] == [(False, False), (True, True)]


class TestText:
    def ask(self, principal: Principal, rendered: list[str], form: str = "markdown") -> str:
        """The text of an answer; the forms of those that had to be rendered are added to `rendered`."""
        visible = get_visible_collections(principal)

        def render_it(results: SearchResults) -> str:
            rendered.append(form)
            return f"{len(results.hits)} of {[c.slug for c in visible]} as {form}, again: {results.is_repeat}"

        return search_and_render(SearchRequest("gear", visible, visible, principal, form, OPTIONS), render_it)[1]

    def test_it_is_remembered_for_whoever_sees_the_same(self, docs: Collection) -> None:
        rendered: list[str] = []
        texts = [self.ask(make_principal(docs), rendered) for _ in range(3)]
        assert (rendered, set(texts)) == (["markdown"], {"1 of ['manual'] as markdown, again: False"})

    def test_another_form_is_rendered_anew(self, docs: Collection) -> None:
        rendered: list[str] = []
        for form in ("markdown-100", "markdown-200"):
            assert form in self.ask(make_principal(docs), rendered, form)
        assert len(rendered) == 2

    def test_it_is_rendered_anew_for_another_name_of_a_collection(self, docs: Collection) -> None:
        rendered: list[str] = []
        make_collection("guide", tenant=docs.tenant)
        self.ask(make_principal(docs), rendered)
        Collection.objects.filter(slug="guide").update(slug="handbook")
        assert "handbook" in self.ask(make_principal(docs), rendered)

    def test_it_is_not_given_to_whoever_sees_less(self, docs: Collection) -> None:
        make_collection("private", tenant=docs.tenant)
        assert "private" in self.ask(make_principal(docs), [])
        assert "private" not in self.ask(Principal(), [])

    def test_a_repetition_has_a_text_of_its_own(self, docs: Collection) -> None:
        reader, rendered = make_principal(docs), list[str]()
        texts = [self.ask(reader, rendered) for _ in range(3)]
        assert [text.endswith("True") for text in texts] == [False, True, True]
        assert "False" in self.ask(make_principal(docs), rendered)


def test_where_nothing_is_a_repetition_no_note_is_kept_of_what_was_told(
    docs: Collection, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"search_repeat_window": 0})
    visible, reader = get_visible_collections(Principal()), make_principal(docs)
    request = SearchRequest("gear", visible, visible, reader, "", OPTIONS)
    search_cached(request)
    with django_assert_num_queries(1):
        assert search_cached(request).cached
