"""What is in quarantine is served by nothing until an editor releases it, and then that content only."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from collections_app import parsing
from collections_app.documents import find_documents
from collections_app.exceptions import InvalidParameter
from collections_app.ingest import IngestedFile, batch_parser, ingest, release_document
from collections_app.jobs import NewUpload, accept_uploads, run_job
from collections_app.models import Collection, Document, Section, SectionVector
from collections_app.parsing.documents import ContentPolicy, Finding, FindingKind, ParsedDocument, RawDocument
from tests.factories import find_paths, make_collection, put
from tests.index_check import check_index

pytestmark = pytest.mark.django_db

GOOD, BAD = "# A\n\nWords about llamas.\n", "# A\n\nobey alpacas\n\n## More\n\nText.\n"
FINDING = Finding(FindingKind.INSTRUCTIONS, 2, "obey", removed=False)


@pytest.fixture(autouse=True)
def _obedience_is_suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = parsing.parse

    def parse_suspiciously(raw: Any, policy: ContentPolicy = ContentPolicy.STRIP) -> ParsedDocument:
        document = parse(raw, policy)
        if b"obey" not in raw.content:
            return document
        return replace(document, findings=(FINDING,), is_quarantined=policy == ContentPolicy.QUARANTINE)

    monkeypatch.setattr(batch_parser, "parse", parse_suspiciously)


@pytest.fixture
def collection() -> Collection:
    collection = make_collection()
    collection.content_policy = "quarantine"
    collection.save()
    return collection


def outcomes(files: list[IngestedFile]) -> list[str]:
    return [str(file.outcome) for file in files]


def is_served(collection: Collection) -> bool:
    return bool(find_documents([collection], "a.md")) and bool(find_paths(collection, "alpacas"))


@pytest.mark.parametrize(("texts", "state"), [([BAD], "failed"), ([BAD, GOOD], "partial"), ([GOOD], "succeeded")])
def test_its_job_counts_it_as_one_that_was_not_taken(collection: Collection, texts: list[str], state: str) -> None:
    job = accept_uploads(collection, [NewUpload(f"{n}.md", text.encode()) for n, text in enumerate(texts)])
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == state


def test_it_is_kept_and_not_served(collection: Collection) -> None:
    files = put(collection, {"a.md": BAD})
    assert outcomes(files) == ["quarantined"]
    assert "release it" in files[0].reason
    document = Document.objects.get()
    assert (document.status, document.content) == ("quarantined", BAD)
    assert document.findings == [{"kind": "instructions", "line": 2, "excerpt": "obey", "removed": False}]
    assert Section.objects.count() == 2
    assert not SectionVector.objects.exists()
    assert not is_served(collection)
    check_index(collection)


def test_a_served_document_is_served_no_more(collection: Collection) -> None:
    put(collection, {"a.md": GOOD})
    assert outcomes(put(collection, {"a.md": BAD})) == ["quarantined"]
    assert find_paths(collection, "llamas") == []
    check_index(collection)


def test_it_stays_in_quarantine_as_long_as_it_is_the_same(collection: Collection) -> None:
    put(collection, {"a.md": BAD})
    assert outcomes(put(collection, {"a.md": BAD})) == ["quarantined"]
    assert Document.objects.get().status == "quarantined"


def test_a_copy_of_it_is_no_duplicate(collection: Collection) -> None:
    assert outcomes(put(collection, {"a.md": BAD, "b.md": BAD})) == ["quarantined", "quarantined"]


def test_a_released_document_is_served_and_found(collection: Collection) -> None:
    put(collection, {"a.md": BAD})
    before = Collection.objects.get().index_version
    released = release_document(Document.objects.get(), "editor")
    assert released.status == "success"
    assert is_served(collection)
    assert Collection.objects.get().index_version > before
    check_index(collection)


def test_a_released_content_is_not_put_back(collection: Collection) -> None:
    put(collection, {"a.md": BAD})
    release_document(Document.objects.get(), "editor")
    assert outcomes(put(collection, {"a.md": BAD})) == ["unchanged"]
    assert outcomes(put(collection, {"a.md": GOOD})) == ["indexed"]
    assert outcomes(put(collection, {"a.md": BAD})) == ["indexed"]
    assert outcomes(put(collection, {"a.md": BAD + "more\n"})) == ["quarantined"]


def test_a_release_does_not_hold_for_what_is_said_of_the_document_later(collection: Collection) -> None:
    put(collection, {"a.md": BAD})
    release_document(Document.objects.get(), "editor")
    said = RawDocument("a.md", BAD.encode(), metadata={"title": "obey"})
    assert outcomes(list(ingest(collection, None, [said]))) == ["quarantined"]
    release_document(Document.objects.get(), "editor")
    assert outcomes(list(ingest(collection, None, [said]))) == ["unchanged"]
    assert is_served(collection)


def test_what_is_not_in_quarantine_cannot_be_released(collection: Collection) -> None:
    put(collection, {"a.md": GOOD})
    with pytest.raises(InvalidParameter, match="not in quarantine"):
        release_document(Document.objects.get(), "editor")


def test_another_policy_holds_from_the_next_ingest_on(collection: Collection) -> None:
    collection.content_policy = "flag"
    assert outcomes(put(collection, {"a.md": BAD})) == ["indexed"]
    assert outcomes(put(collection, {"a.md": BAD})) == ["unchanged"]
    collection.content_policy = "quarantine"
    assert outcomes(put(collection, {"a.md": BAD})) == ["quarantined"]
    collection.content_policy = "strip"
    assert outcomes(put(collection, {"a.md": BAD})) == ["indexed"]
    assert is_served(collection)


def test_a_finding_that_stood_at_no_line_of_the_text_is_kept_without_one(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "FINDING", replace(FINDING, line=-1))
    put(collection, {"a.md": BAD})
    assert Document.objects.get().findings == [{"kind": "instructions", "excerpt": "obey", "removed": False}]
