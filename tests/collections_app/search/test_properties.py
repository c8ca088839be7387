"""What holds for every question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.models import Collection
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db

SUBJECTS = (
    "router",
    "cluster",
    "stream",
    "account",
    "certificate",
    "pipeline",
    "gateway",
    "mirror",
    "lease",
    "snapshot",
)
DEEDS = ("Configuring", "Removing", "Watching", "Understanding", "Migrating")
TITLES = [f"{deed} a {subject}" for deed in DEEDS for subject in SUBJECTS]
WORDS = [
    *SUBJECTS,
    "remove",
    "useEffect",
    "max_payload",
    "how",
    "the",
    "Übung",
    "設定",
    "nowhere",
    "-gateway",
    '"a stream"',
]


def make_page(number: int, title: str) -> str:
    others = " ".join(TITLES[(number * 7 + step) % len(TITLES)] for step in range(3))
    return f"# {title}\n\nSee also {others}.\n\n## Example\n\nSet max_payload, call useEffect. Die Übung. 設定。\n"


def get_docs() -> Collection:
    """Made once for all examples of a test."""
    if found := Collection.objects.filter(slug="generated").first():
        return found
    collection = make_collection("generated")
    put(collection, {f"pages/{number}.md": make_page(number, title) for number, title in enumerate(TITLES)})
    return collection


questions = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=100)
@given(question=questions)
def test_case_does_not_change_which_documents_are_found(question: str) -> None:
    docs = get_docs()
    found = [set(find_paths(docs, asked, limit=50)) for asked in (question, question.upper(), question.lower())]
    if "useEffect" not in question:  # where the capitals tell the parts of a name
        assert found[0] == found[1] == found[2]


@settings(max_examples=100)
@given(question=questions, limit=st.integers(1, 50))
def test_results_are_ordered_and_say_where_they_are(question: str, limit: int) -> None:
    hits = find(get_docs(), question, limit=limit).hits
    assert len(hits) <= limit
    for hit in hits:
        assert hit.title
        assert hit.path
        assert hit.section_id
        assert hit.snippet
        assert hit.score > 0
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


@settings(max_examples=100)
@given(title=st.sampled_from(TITLES))
def test_a_title_finds_its_document_in_the_first_three(title: str) -> None:
    assert f"pages/{TITLES.index(title)}.md" in find_paths(get_docs(), title)[:3]
