"""Several writers at once: nobody fails, nothing is lost, and the statistics stay true."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from collections_app.jobs import ensure_directory_source, run_job, start_job
from collections_app.models import Collection, Document, Section
from tests.factories import find, make_collection, put
from tests.index_check import check_index, check_job, count_terms, get_statistics

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
    assert get_statistics(collection) == count_terms(collection)


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


def test_sources_of_one_collection_are_read_at_once(tmp_path: Path) -> None:
    """Some paths are in two of them, and what one writes another removes."""
    collection = make_collection()
    jobs = []
    for source in range(settings.DOCSMCP.queue_workers):  # so many long jobs run at once
        folder = tmp_path / str(source)
        folder.mkdir()
        for n in range(120):
            (folder / f"{n + source * 60}.md").write_text(
                f"# Page {n}\n\nshared words of source{source}\n\n## Sub\n\nx{n}\n"
            )
        jobs.append(start_job(ensure_directory_source(collection, folder)))
    run_together(*(lambda job=job: run_job(job.pk) for job in jobs))
    for job in jobs:
        assert sum(check_job(job).values()) == 120
        assert job.state == "succeeded"
    assert Document.objects.count() == 60 * (settings.DOCSMCP.queue_workers + 1)
    check_index(collection)
