"""Contractions tell nothing of what is asked for: they are no part of its meaning, and nobody has to be told that no section has them."""

from __future__ import annotations

import pytest

from collections_app.search.query.contractions import leave_out_contractions
from tests.factories import find, find_paths, make_collection, put


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("sync doesn't wait for hooks", "sync wait for hooks"),
        ("argo doesnt delete what it creates", "argo delete what it creates"),
        ("I’ve deleted my repo and can’t log in", "I deleted my repo and log in"),
        ("what's new in the count of dents", "what's new in the count of dents"),
        ("isn't", "isn't"),
    ],
)
def test_they_are_left_out_beside_other_words(asked: str, meant: str) -> None:
    assert leave_out_contractions(asked) == meant


@pytest.mark.django_db
def test_one_that_no_section_has_is_not_told_as_missing() -> None:
    docs = make_collection()
    put(docs, {"sync.md": "# Sync\n\nHooks delay it.\n"})
    found = find(docs, "hooks dont, wont and cant sync frobnicated")
    assert [hit.path for hit in found.hits] == ["sync.md"]
    assert [word.word for word in found.words] == ["frobnicated"]


@pytest.mark.django_db
def test_headings_with_them_are_found_by_their_own_words() -> None:
    docs = make_collection()
    put(docs, {"a.md": "# Start\n\nIt does start.\n", "faq.md": "# Why doesn't it start?\n\nNo disk.\n"})
    assert find_paths(docs, "Why doesn't it start?")[0] == "faq.md"
