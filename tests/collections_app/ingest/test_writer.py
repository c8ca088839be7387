"""Writers of the same paths in the same moment: who comes second finds what the first has written, and everything is counted once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

import pytest
from django.db import connection

from collections_app.indexing import fulltext
from collections_app.indexing.fulltext import IndexRow
from collections_app.ingest import ingest, removal, remove_documents, restore_removed, write_stored
from collections_app.ingest.batch_parser import parse_batch
from collections_app.ingest.batches import iter_batches
from collections_app.ingest.items import Item
from collections_app.ingest.writer import Writer
from collections_app.limits.quotas import count_documents
from collections_app.models import Collection, Document, RemovedDocument, Source
from collections_app.parsing.documents import ContentPolicy, RawDocument
from collections_app.parsing.pipeline import NO_TEXT
from tests.factories import make_collection, put
from tests.index_check import check_index
from tests.other_thread import start, wait_until_it_waits

pytestmark = pytest.mark.django_db(transaction=True)

POLICY = ContentPolicy.STRIP


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def make_writer(collection: Collection, source: Source | None = None) -> Writer:
    return Writer(collection, source, {}, lambda files: None)


def look_up(writer: Writer, *paths: str) -> list[Item]:
    """A batch that is ready to be written."""
    [batch] = iter_batches([RawDocument(path, f"# {path}\n\nfirst\n".encode()) for path in paths], POLICY)
    writer.look_up(batch)
    return parse_batch(batch, POLICY, lambda: None)


def check_counts(collection: Collection) -> None:
    collection.refresh_from_db()
    assert (collection.stored_documents, collection.stored_bytes) == count_documents(collection)
    check_index(collection)


def test_what_came_since_the_look_up_is_counted_once(collection: Collection) -> None:
    writer = make_writer(collection)
    batch = look_up(writer, "a.md", "b.md")
    put(collection, {"a.md": "# A\n\nsecond, and longer\n"})
    assert [file.outcome for file in writer.write(batch)] == ["indexed", "indexed"]
    check_counts(collection)


def test_what_comes_while_a_batch_is_written_is_replaced_and_counted_once(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one of the two could not be read."""
    writer = make_writer(collection)
    batch = look_up(writer, "a.md", "b.md", "c.xlsx")
    find, others = Writer.find_duplicates, [{"a.md": "# A\n\nsecond\n", "c.xlsx": "no\n"}, {"b.md": "# B\n\nsecond\n"}]

    def find_duplicates(self: Writer, read: list[Item]) -> set[str]:
        if self is writer and others:
            texts = others.pop()
            start(lambda: put(collection, texts)).result()
        return find(self, read)

    monkeypatch.setattr(Writer, "find_duplicates", find_duplicates)
    outcomes = {file.path: file.outcome for file in writer.write(batch)}
    assert not others
    assert outcomes["a.md"] == outcomes["b.md"] == "indexed"
    assert Document.objects.filter(content__contains="first").count() == 2
    check_counts(collection)


def test_what_another_source_keeps_and_brought_meanwhile_is_left_to_it(collection: Collection) -> None:
    first, second = (
        Source.objects.create(
            tenant=collection.tenant, collection=collection, kind="git", location=name, refresh_interval_seconds=60
        )
        for name in ("one", "two")
    )
    writer = make_writer(collection, second)
    batch = look_up(writer, "a.md", "b.md")
    list(ingest(collection, first, [RawDocument("a.md", b"# A\n\nsecond\n")]))
    assert {file.path: file.code for file in writer.write(batch)} == {"a.md": "PATH_TAKEN", "b.md": ""}
    assert Document.objects.get(path="a.md").source == first
    check_counts(collection)


def test_nobody_removes_what_is_being_written_before_it_is(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writer and remover lock in the same order, also what came since the look-up: neither waits for what waits for it."""
    put(collection, {"b.md": "# B\n"})
    writer = make_writer(collection)
    batch = look_up(writer, "a.md", "b.md")
    put(collection, {"a.md": "# A\n\nsecond\n"})
    ids = list(Document.objects.values_list("pk", flat=True))
    find, removals = Writer.find_duplicates, list[Future[object]]()

    def find_duplicates(self: Writer, read: list[Item]) -> set[str]:
        removals.append(start(lambda: remove_documents(collection, ids)))
        wait_until_it_waits(removals[0])
        return find(self, read)

    monkeypatch.setattr(Writer, "find_duplicates", find_duplicates)
    assert [file.outcome for file in writer.write(batch)] == ["indexed", "indexed"]
    removals[0].result()
    assert len(removals) == 1
    assert not Document.objects.exists()
    check_counts(collection)


def test_what_comes_to_a_path_while_it_is_brought_back_stays(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(collection, {f"{name}.md": f"# {name}\n\nfirst\n" for name in "abc"})
    remove_documents(collection, list(Document.objects.values_list("pk", flat=True)))
    write, others = write_stored, [{"b.md": "# B\n\nsecond\n"}]

    def write_late(*args: object) -> None:
        if others:
            texts = others.pop()
            start(lambda: put(collection, texts)).result()
        write(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(removal, "write_stored", write_late)
    assert restore_removed(collection) == 2
    assert dict(Document.objects.values_list("path", "content"))["b.md"] == "# B\n\nsecond\n"
    assert RemovedDocument.objects.get().path == "b.md"
    check_counts(collection)


def test_a_text_that_takes_the_database_too_long_is_given_up_alone(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, limits = fulltext.replace_in_index, list[str]()

    def index_slowly(into: Collection, documents: Sequence[int], rows: Sequence[IndexRow]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            limits.append(cursor.fetchone()[0])
            if any(row.document.path == "b.md" for row in rows):
                cursor.execute("SET LOCAL statement_timeout = '10ms'")
                cursor.execute("SELECT pg_sleep(100)")
        index(into, documents, rows)

    monkeypatch.setattr(fulltext, "replace_in_index", index_slowly)
    writer = make_writer(collection)
    outcomes = {file.path: file for file in writer.write(look_up(writer, "a.md", "b.md", "c.md"))}
    assert {path: file.code for path, file in outcomes.items()} == {"a.md": "", "b.md": "PARSE_ERROR", "c.md": ""}
    assert "took more than 10 minutes" in outcomes["b.md"].reason
    assert set(limits) == {"10min"}
    assert Document.objects.get(path="b.md").status == "failed"
    check_counts(collection)


def test_a_statement_that_is_ended_with_its_run_is_no_failure_of_the_text(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*arguments: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '10ms'")
            cursor.execute("SELECT pg_sleep(100)")

    def check() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fulltext, "replace_in_index", end)
    writer = make_writer(collection)
    writer.check = check
    batch = look_up(writer, "a.md", "b.md")
    with pytest.raises(KeyboardInterrupt):
        writer.write(batch)
    assert not Document.objects.exists()


def test_files_without_text_are_nobodys_duplicates(collection: Collection) -> None:
    files = put(collection, {"a.md": "", "b.md": "", "c.md": "# A\n", "d.md": "# A\n"})
    assert [str(file.outcome) for file in files] == ["indexed", "indexed", "indexed", "duplicate"]
    assert [NO_TEXT in file.reason for file in files] == [True, True, False, False]
