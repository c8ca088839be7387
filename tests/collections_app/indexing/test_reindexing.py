"""Rebuilding an index: what it mends, what readers and writers see meanwhile, how a run that broke off goes on."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from collections_app.exceptions import InvalidParameter
from collections_app.indexing import fulltext, reindexing
from collections_app.models import Collection, Document, Reindexing, SectionVector, TermStatistic
from tests.factories import find_paths, make_collection, put
from tests.held_lock import held_lock

TEXTS = {f"{n:02}.md": f"# Page {n}\n\nllamas and number{n}\n\n## Part\n\nalpacas\n" for n in range(12)}

Statistics = dict[str, tuple[int, int, int]]


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection()
    put(collection, TEXTS)
    return collection


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_DOCUMENTS", 3)


def get_statistics(collection: Collection) -> Statistics:
    rows = TermStatistic.objects.filter(collection=collection, sections__gt=0)
    numbers = rows.values_list("term", "sections", "documents", "words")
    return {term: (sections, documents, words) for term, sections, documents, words in numbers}


def count_anew(collection: Collection) -> Statistics:
    """What the statistics have to be, by asking each vector."""
    TermStatistic.objects.filter(collection=collection).delete()
    fulltext.recount_terms(collection)
    return get_statistics(collection)


def rebuild(collection: Collection, **options: Any) -> list[int]:
    return list(reindexing.rebuild_vectors(collection, **options))


def test_it_makes_damaged_vectors_anew(collection: Collection) -> None:
    SectionVector.objects.filter(document__path="03.md").delete()
    assert "03.md" not in find_paths(collection, "number3")
    assert rebuild(collection)[-1] == len(TEXTS)
    assert find_paths(collection, "number3") == ["03.md"]


def test_a_batch_of_documents_is_read_by_one_query(collection: Collection) -> None:
    with CaptureQueriesContext(connection) as queries:
        rebuild(collection)
    assert len([query for query in queries if 'FROM "collections_app_section" ' in query["sql"]]) == 1


def test_it_indexes_by_the_language_that_the_collection_has_now(collection: Collection) -> None:
    assert find_paths(collection, "llama")
    Collection.objects.update(language="simple")
    collection.refresh_from_db()
    rebuild(collection)
    assert find_paths(collection, "llama") == []
    assert find_paths(collection, "llamas")


def test_statistics_are_those_of_the_vectors_afterwards(collection: Collection) -> None:
    before = get_statistics(collection)
    rebuild(collection)
    assert get_statistics(collection) == before == count_anew(collection)


def test_wrong_statistics_are_counted_anew(collection: Collection) -> None:
    before = get_statistics(collection)
    TermStatistic.objects.filter(term="llama").update(sections=F("sections") + 7, documents=0)
    TermStatistic.objects.filter(term="alpaca").delete()
    TermStatistic.objects.create(tenant=collection.tenant, collection=collection, term="ghost", sections=2, documents=1)
    assert fulltext.recount_terms(collection) == 3
    assert get_statistics(collection) == before
    assert fulltext.recount_terms(collection) == 0


def test_documents_in_quarantine_stay_out_of_the_index(collection: Collection) -> None:
    hidden = Document.objects.get(path="05.md")
    fulltext.remove_from_index(collection, [hidden.pk])
    Document.objects.filter(pk=hidden.pk).update(status=Document.Status.QUARANTINED)
    rebuild(collection)
    assert find_paths(collection, "number5") == []


@pytest.mark.usefixtures("small_batches")
def test_a_run_that_broke_off_goes_on_where_it_was(collection: Collection) -> None:
    first = reindexing.rebuild_vectors(collection)
    assert [next(first), next(first)] == [3, 6]
    first.close()
    done = set(SectionVector.objects.filter(document__path__lte="05.md").values_list("pk", flat=True))
    assert rebuild(collection) == [9, 12]
    assert done <= set(SectionVector.objects.values_list("pk", flat=True))
    assert not Reindexing.objects.exists()


@pytest.mark.usefixtures("small_batches")
def test_restart_forgets_where_it_was(collection: Collection) -> None:
    first = reindexing.rebuild_vectors(collection)
    next(first)
    first.close()
    assert rebuild(collection, restart=True) == [3, 6, 9, 12]


def test_large_documents_make_small_batches(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_BYTES", 1)
    assert rebuild(collection) == list(range(1, 13))


def test_what_was_remembered_of_answers_is_dropped_when_it_is_done(collection: Collection) -> None:
    before = Collection.objects.get().index_version
    rebuild(collection)
    assert Collection.objects.get().index_version > before


@pytest.mark.usefixtures("small_batches", "transactional_db")
def test_one_run_at_a_time() -> None:
    collection = make_collection()
    put(collection, TEXTS)
    with held_lock(reindexing.LOCK, collection.pk), pytest.raises(InvalidParameter, match="being reindexed already"):
        rebuild(collection)
    assert rebuild(collection)


@pytest.mark.usefixtures("small_batches", "transactional_db")
def test_readers_and_writers_go_on_meanwhile() -> None:
    """A reader always finds each page, and the statistics are those of the vectors, whatever is ingested and removed beside it."""
    collection = make_collection()
    put(collection, TEXTS)
    ended, failures = Event(), []

    def read() -> None:
        while not ended.is_set():
            if len(find_paths(collection, "alpacas", limit=50)) < len(TEXTS):
                failures.append("a page was not found")

    def write() -> None:
        turn = 0
        while not ended.is_set():
            turn += 1
            put(collection, {path: f"{text}\n\n## Turn\n\nturn{turn}\n" for path, text in TEXTS.items()})

    threads = [Thread(target=closing_connection, args=(work, failures)) for work in (read, write)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            rebuild(collection)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert get_statistics(collection) == count_anew(collection)


def closing_connection(work: Any, failures: list[str]) -> None:
    try:
        work()
    except Exception as error:
        failures.append(repr(error))
    finally:
        connection.close()
