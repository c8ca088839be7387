"""`docsmcp restore_documents`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from collections_app.ingest import remove_documents
from collections_app.models import Collection, Document, RemovedDocument
from tests.collections_app.management.conftest import Run
from tests.factories import find_paths, put

PATHS = ["a.md", "guide/b.md", "guide/c.md"]


@pytest.fixture
def emptied(collection: Collection) -> Collection:
    """Its three documents have been removed, the first of them two days ago."""
    put(collection, dict.fromkeys(PATHS, "# Llamas\n"))
    remove_documents(collection, list(Document.objects.values_list("pk", flat=True)))
    RemovedDocument.objects.filter(path="a.md").update(removed=timezone.now() - timedelta(days=2))
    return collection


def get_paths() -> list[str]:
    return list(Document.objects.values_list("path", flat=True))


def test_it_brings_all_of_them_back(run: Run, emptied: Collection) -> None:
    assert run("restore_documents", "--collection", "docs") == (0, "3 documents are back.\n", "")
    assert get_paths() == PATHS
    assert find_paths(emptied, "llamas")


def test_it_brings_back_those_that_are_named(run: Run, emptied: Collection) -> None:
    assert run("restore_documents", "--collection", "docs", "--path", "guide/**")[0] == 0
    assert get_paths() == ["guide/b.md", "guide/c.md"]
    assert run("restore_documents", "--collection", "docs", "--path", "a.md")[1] == "1 document is back.\n"


def test_it_brings_back_what_left_since(run: Run, emptied: Collection) -> None:
    assert run("restore_documents", "--collection", "docs", "--since", "1d")[0] == 0
    assert get_paths() == ["guide/b.md", "guide/c.md"]


def test_it_lists_without_bringing_back(run: Run, run_json: Any, emptied: Collection) -> None:
    lines = run("restore_documents", "--collection", "docs", "--list")[1].splitlines()
    assert [line.split()[-1] for line in lines] == ["PATH", *PATHS]
    _, report = run_json("restore_documents", "--collection", "docs", "--list", "--path", "a.*")
    assert [row["path"] for row in report["removed"]] == ["a.md"]
    assert get_paths() == []


def test_what_is_there_again_is_left_as_it_is(run_json: Any, emptied: Collection) -> None:
    put(emptied, {"a.md": "# Alpacas\n"})
    code, report = run_json("restore_documents", "--collection", "docs")
    assert (code, report) == (0, {"restored": 2, "left_away": 1})
    assert Document.objects.get(path="a.md").title == "Alpacas"


def test_nothing_to_bring_back_is_no_success(run: Run, collection: Collection) -> None:
    assert run("restore_documents", "--collection", "docs")[0] == 2
    assert run("restore_documents", "--collection", "docs", "--list")[0] == 2


@pytest.mark.parametrize("when", ["yesterday", "2999-01-01", "2001-13-45"])
def test_it_refuses_a_moment_that_is_none(when: str) -> None:
    with pytest.raises((CommandError, SystemExit)):
        call_command("restore_documents", "--collection", "docs", "--since", when)
