"""Several writers at once: nobody fails, nothing is lost, and the statistics stay true."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from collections_app.models import Collection, Document, Section
from tests.collections_app.test_ingest import count_terms_again, stored_terms
from tests.factories import find, make_collection, put

pytestmark = pytest.mark.django_db(transaction=True)


def run_together(*tasks: Callable[[], object]) -> None:
    """Each in a thread with a connection of its own; raises what any of them raises."""

    def run(task: Callable[[], object]) -> None:
        try:
            task()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tasks)) as pool:
        for done in [pool.submit(run, task) for task in tasks]:
            done.result()


def write(collection: Collection, writer: int) -> None:
    for version in range(6):
        put(
            collection,
            {f"{n}.md": f"# Page {n}\n\nversion {version} of writer{writer}\n\n## Sub\n\nx{n}\n" for n in range(20)},
        )


def test_writers_of_the_same_documents_do_not_disturb_each_other() -> None:
    collection = make_collection()
    run_together(*(lambda writer=writer: write(collection, writer) for writer in range(3)))
    assert Document.objects.count() == 20
    assert Section.objects.count() == 40
    assert stored_terms(collection) == count_terms_again(collection)


def test_readers_always_find_a_document_that_is_being_replaced() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# Page\n\nturbine version 0\n"})
    found: list[int] = []

    def replace() -> None:
        for version in range(40):
            put(collection, {"a.md": f"# Page\n\nturbine version {version + 1}\n"})

    def look() -> None:
        found.extend(len(find(collection, "turbine").hits) for _ in range(100))

    run_together(replace, look)
    assert found == [1] * 100
