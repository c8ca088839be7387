"""What a document says of itself beside its text is found with its first section."""

from __future__ import annotations

from pathlib import Path

import pytest

from collections_app.indexing import reindexing
from collections_app.ingest import remove_documents, restore_removed
from collections_app.models import Collection, Document, TermStatistic
from collections_app.transfer.exporting import export_collection
from collections_app.transfer.importing import import_collection
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db

DOCS = {
    "pumps.md": "---\ntitle: Pumps\ndescription: How water gets uphill without a motor.\nkeywords: [hydraulic ram, k8s-pump]\n---\n"
    "# Pumps\n\nA valve closes suddenly.\n\n## Care\n\nOil it.\n",
    "wheels.md": "# Wheels\n\nThey turn in water.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(collection, DOCS)
    return collection


@pytest.mark.parametrize(
    "query", ["uphill motor", "hydraulic ram", "k8s", '"gets uphill without"', "get uphill -wheels"]
)
def test_its_words_find_the_page(docs: Collection, query: str) -> None:
    assert [(hit.path, hit.section_id) for hit in find(docs, query).hits] == [("pumps.md", "pumps")]


def test_a_snippet_shows_it_where_it_has_more_of_what_was_asked(docs: Collection) -> None:
    assert find(docs, "water uphill").hits[0].snippet.startswith("How water gets uphill without a motor.")
    assert find(docs, "hydraulic ram").hits[0].snippet.endswith("Keywords: hydraulic ram, k8s-pump")
    assert find(docs, "uphill valve closes").hits[0].snippet.startswith("A valve closes suddenly.")


def test_a_snippet_of_code_does_not(docs: Collection) -> None:
    put(docs, {"a.md": "---\ndescription: Shell for lifting.\n---\n# A\n\n```bash\nlift --up\n```\n"})
    assert find(docs, "shell lifting", code="bash").hits[0].snippet == "```shell\nlift --up\n```"


def test_of_a_heading_alone_it_is_no_list_of_subsections() -> None:
    collection = make_collection()
    put(collection, {"a.md": "---\ndescription: Lifting water.\n---\n# A\n\n## Care\n\nOil.\n\n## Repair\n\nGlue.\n"})
    assert find(collection, "lifting").hits[0].snippet == "Lifting water."
    assert find(collection, "a").hits[0].snippet == "Subsections: Care; Repair"


def test_of_a_very_long_one_the_beginning_counts() -> None:
    collection = make_collection()
    put(collection, {"a.md": f"---\ndescription: Gasket. {'Filler. ' * 1000} Piston.\n---\n# A\n\nText.\n"})
    assert (find_paths(collection, "gasket"), find_paths(collection, "piston")) == (["a.md"], [])


def test_it_is_what_a_page_without_text_says() -> None:
    collection = make_collection()
    put(
        collection,
        {"stub.md": '---\ntitle: Stub\ndescription: "# How water gets\\n uphill"\n---\n<!-- elsewhere -->\n'},
    )
    document = Document.objects.get()
    assert document.content == "\\# How water gets uphill"
    assert [(hit.section_id, hit.snippet) for hit in find(collection, "stub uphill").hits] == [
        ("stub", "\\# How water gets uphill")
    ]


def test_another_one_takes_its_place(docs: Collection) -> None:
    put(docs, {"pumps.md": DOCS["pumps.md"].replace("uphill", "upstairs")})
    assert (find_paths(docs, "uphill"), find_paths(docs, "upstairs")) == ([], ["pumps.md"])
    assert TermStatistic.objects.get(term="uphil").sections == 0


def test_it_survives_reindexing_removal_and_export(docs: Collection, tmp_path: Path) -> None:
    for _ in reindexing.rebuild_vectors(docs):
        pass
    assert find_paths(docs, "uphill ram") == ["pumps.md"]
    remove_documents(docs, [Document.objects.get(path="pumps.md").pk])
    assert find_paths(docs, "uphill ram") == []
    restore_removed(docs)
    assert find_paths(docs, "uphill ram") == ["pumps.md"]
    export_collection(docs, tmp_path / "manual.zip")
    copy = import_collection(docs.tenant, tmp_path / "manual.zip", "copy")
    assert find_paths(copy, "uphill ram") == ["pumps.md"]
