from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import DataError, OperationalError, transaction
from django.db.models import Count
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.activity import history
from collections_app.activity.history import Pending, get_recent_searches, record_search, write_searches
from collections_app.models import ApiKey, Collection, SearchEvent
from collections_app.tasks import forget_old_events
from tests.factories import find, make_collection, make_principal, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection() -> Collection:
    collection = make_collection(is_public=True)
    put(collection, {"a.md": "# A\n\nllamas\n"})
    return collection


def test_it_forgets_searches_past_their_retention(collection: Collection) -> None:
    for _ in range(2):
        record_search(make_principal(collection), [collection], find(collection, "llamas"), 1.0)
    old = SearchEvent.objects.earliest("pk")
    SearchEvent.objects.filter(pk=old.pk).update(created=timezone.now() - timedelta(days=31))
    assert forget_old_events() == 1
    assert not SearchEvent.objects.filter(pk=old.pk).exists()
    assert SearchEvent.objects.count() == 1


def test_an_anonymous_search_belongs_to_the_tenant_whose_collection_it_was(collection: Collection) -> None:
    record_search(Principal(), [collection], find(collection, "llamas"), 1.0)
    assert SearchEvent.objects.get().tenant == collection.tenant
    record_search(Principal(), [collection, make_collection()], find(collection, "llamas"), 1.0)
    assert SearchEvent.objects.count() == 1


def test_of_a_long_query_the_beginning_is_kept(collection: Collection) -> None:
    record_search(Principal(), [collection], replace(find(collection, "llamas"), query="llamas " * 140), 1.0)
    assert SearchEvent.objects.get().query == ("llamas " * 140)[:300]


def test_of_anonymous_searches_so_many_a_day_are_kept(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "ANONYMOUS_ROWS", 3)
    found, other = find(collection, "llamas"), make_collection(is_public=True)
    monkeypatch.setattr(history.PENDING, "is_written_by_thread", True)
    for _ in range(2):
        for _ in range(2):
            record_search(Principal(), [collection], found, 1.0)
            record_search(Principal(), [other], found, 1.0)
        write_searches()
    record_search(make_principal(collection), [collection], found, 1.0)
    write_searches()
    counts = SearchEvent.objects.values_list("tenant", "api_key").annotate(count=Count("pk")).order_by("count")
    assert [count for *_, count in counts] == [1, 3, 3]
    SearchEvent.objects.update(created=timezone.now() - timedelta(hours=25))
    record_search(Principal(), [collection], found, 1.0)
    write_searches()
    assert SearchEvent.objects.count() == 8


def test_the_last_of_one_moment_is_told_first(collection: Collection) -> None:
    principal = make_principal(collection)
    for duration_ms in (1.0, 2.0, 3.0):
        record_search(principal, [collection], find(collection, "llamas"), duration_ms)
    SearchEvent.objects.update(created=timezone.now())
    assert [event.duration_ms for event in get_recent_searches(principal)] == [3.0, 2.0, 1.0]


class TestWrittenByAThread:
    @pytest.fixture(autouse=True)
    def pending(self, monkeypatch: pytest.MonkeyPatch) -> Pending:
        pending = Pending()
        pending.is_written_by_thread = True
        monkeypatch.setattr(history, "PENDING", pending)
        return pending

    def test_a_request_writes_nothing_itself(self, collection: Collection, django_assert_num_queries: Any) -> None:
        principal, results = make_principal(collection), find(collection, "llamas")
        with django_assert_num_queries(0):
            record_search(principal, [collection], results, 1.0)
            record_search(principal, [collection], results, 2.0)
        with django_assert_num_queries(1):
            write_searches()
        assert set(SearchEvent.objects.values_list("query", "duration_ms")) == {("llamas", 1.0), ("llamas", 2.0)}
        with django_assert_num_queries(0):
            write_searches()

    def test_who_asks_for_its_searches_is_told_of_those_too(self, collection: Collection) -> None:
        principal = make_principal(collection)
        record_search(principal, [collection], find(collection, "llamas"), 1.0)
        assert [event.query for event in get_recent_searches(principal)] == ["llamas"]

    def test_a_key_and_a_tenant_that_are_gone_meanwhile_spoil_nobody_elses(self, collection: Collection) -> None:
        results = find(collection, "llamas")
        key = make_principal(collection)
        record_search(key, [collection], results, 1.0)
        record_search(Principal(tenant_id=10**9), [collection], results, 2.0)
        ApiKey.objects.all().delete()
        write_searches()
        event = SearchEvent.objects.get()
        assert (event.api_key, event.duration_ms) == (None, 1.0)

    def test_while_the_database_is_away_so_many_wait_and_no_more(
        self, collection: Collection, pending: Pending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        principal, results = make_principal(collection), find(collection, "llamas")
        with monkeypatch.context() as patch:
            patch.setattr(history, "write_rows", fail)
            for _ in range(2):
                record_search(principal, [collection], results, 1.0)
                with pytest.raises(OperationalError):
                    write_searches()
        assert len(pending.searches) == 2
        assert pending.searches.maxlen == history.MAX_PENDING
        write_searches()
        assert SearchEvent.objects.count() == 2

    def test_of_more_the_oldest_are_lost(self, pending: Pending, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(history, "MAX_PENDING", 3)
        pending.begin()

        def fail_while_others_ask(rows: Any) -> None:
            pending.searches.extend({"number": number} for number in (3, 4))
            fail(rows)

        monkeypatch.setattr(history, "write_rows", fail_while_others_ask)
        pending.searches.extend({"number": number} for number in (1, 2))
        with pytest.raises(OperationalError):
            pending.write()
        assert [search["number"] for search in pending.searches] == [2, 3, 4]

    def test_what_cannot_be_stored_is_not_tried_for_ever(
        self, collection: Collection, pending: Pending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(history, "QUERY_CHARACTERS", 2000)
        results = replace(find(collection, "llamas"), query="x" * 1001)
        record_search(make_principal(collection), [collection], results, 1.0)
        with pytest.raises(DataError), transaction.atomic():
            write_searches()
        assert not pending.searches


def fail(_: object) -> None:
    raise OperationalError
