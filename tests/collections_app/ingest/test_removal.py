"""Documents leave with all that is theirs, and come back as they were."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Model
from django.utils import timezone

from collections_app.ingest import forget_removed, ingest, remove_documents, restore_removed
from collections_app.models import Collection, Document, RemovedDocument, Section, SectionVector
from collections_app.parsing.documents import RawDocument
from tests.collections_app.jobs.readings import make_source
from tests.factories import find_paths, make_collection, put
from tests.index_check import check_index

pytestmark = pytest.mark.django_db

TEXT = "---\ntitle: Start\nkeywords: [x]\nowner: us\n---\n# Start\n\nllamas\n\n## Next\n\nalpacas\n"


@pytest.fixture
def collection() -> Collection:
    collection = make_collection()
    put(collection, {"a.md": TEXT, "b.md": "# B\n\nvicuñas\n"})
    return collection


def remove(collection: Collection, *paths: str) -> None:
    remove_documents(
        collection, list(Document.objects.filter(collection=collection, path__in=paths).values_list("pk", flat=True))
    )


def describe(collection: Collection) -> list[object]:
    """All that is known of its documents."""
    documents = Document.objects.filter(collection=collection).order_by("path")
    sections = Section.objects.filter(collection=collection).order_by("document__path", "position")
    vectors = SectionVector.objects.filter(collection=collection).order_by("document__path", "section__position")
    return [
        [model_to_row(row, "id", "source_id") for row in documents],
        [model_to_row(row, "id", "document_id") for row in sections],
        [model_to_row(row, "id", "document_id", "section_id") for row in vectors],
    ]


def model_to_row(row: Model, *without: str) -> dict[str, object]:
    """What it holds, but for what another row than it was has to have."""
    names = [field.attname for field in row._meta.concrete_fields if field.attname not in without]
    return {name: getattr(row, name) for name in names}


def test_a_removed_document_is_gone_from_everywhere(collection: Collection) -> None:
    remove(collection, "a.md")
    assert find_paths(collection, "llamas") == []
    assert not Section.objects.filter(content__contains="llamas").exists()
    check_index(collection)


def test_what_comes_back_is_what_left(collection: Collection) -> None:
    before = describe(collection)
    remove(collection, "a.md", "b.md")
    assert restore_removed(collection) == 2
    assert describe(collection) == before
    assert not RemovedDocument.objects.exists()
    check_index(collection)


def test_only_the_paths_that_are_named_come_back(collection: Collection) -> None:
    remove(collection, "a.md", "b.md")
    assert restore_removed(collection, ["b.md", "other.md"]) == 1
    assert find_paths(collection, "vicuñas") == ["b.md"]


def test_only_what_left_since_then_comes_back(collection: Collection) -> None:
    remove(collection, "a.md")
    RemovedDocument.objects.update(removed=timezone.now() - timedelta(days=2))
    remove(collection, "b.md")
    assert restore_removed(collection, since=timezone.now() - timedelta(days=1)) == 1
    assert list(Document.objects.values_list("path", flat=True)) == ["b.md"]


def test_of_a_path_that_left_twice_the_last_version_comes_back(collection: Collection) -> None:
    remove(collection, "a.md")
    put(collection, {"a.md": "# Start\n\nguanacos\n"})
    remove(collection, "a.md")
    assert restore_removed(collection) == 1
    assert find_paths(collection, "guanacos") == ["a.md"]


def test_a_document_that_is_there_again_is_not_overwritten(collection: Collection) -> None:
    remove(collection, "a.md")
    put(collection, {"a.md": "# Start\n\nguanacos\n"})
    assert restore_removed(collection) == 0
    assert find_paths(collection, "guanacos") == ["a.md"]
    check_index(collection)


def test_another_collections_documents_do_not_come_back_with_it(collection: Collection) -> None:
    other = make_collection()
    put(other, {"c.md": "# C\n"})
    remove(other, "c.md")
    assert restore_removed(collection) == 0


def test_a_source_that_has_it_again_takes_it_over(collection: Collection) -> None:
    remove(collection, "b.md")
    restore_removed(collection)
    source = make_source(collection)
    outcomes = list(ingest(collection, source, [RawDocument("b.md", "# B\n\nvicuñas\n".encode())]))
    assert [file.outcome for file in outcomes] == ["unchanged"]
    assert Document.objects.get(path="b.md").source == source


def test_what_left_long_ago_is_forgotten(collection: Collection) -> None:
    remove(collection, "a.md", "b.md")
    RemovedDocument.objects.filter(path="a.md").update(removed=timezone.now() - timedelta(days=7, minutes=1))
    assert forget_removed() == 1
    assert restore_removed(collection) == 1
