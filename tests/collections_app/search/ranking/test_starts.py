"""Who asks what a product is gets the page that introduces it first."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Collection
from collections_app.search import SearchOptions, finding, rankings, search
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db

PAGES = {
    "docs/index.md": "# Welcome\n\nAcme Gate lets boats into the harbour.\n",
    "README.md": "# Acme Gate\n\nWhat lets boats into the harbour.\n",
    "names.md": "# What is Acme Gate called\n\nAcme Gate is Acme Gate.\n",
    "rates.md": "# Rates\n\n## Acme Gate\n\nWhat Acme Gate is worth: Acme Gate is a gate.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("acme-gate")
    put(collection, PAGES)
    return collection


@pytest.mark.parametrize(
    "question",
    ["what is Acme Gate", "What's acme-gate?", "acme gate", "what is AcmeGate used for", "What does Acme Gate do?"],
)
def test_it_is_the_first(docs: Collection, question: str) -> None:
    first, *others = find_paths(docs, question)
    assert first == "README.md"
    assert "names.md" in others
    assert others.count("README.md") == 0


@pytest.mark.parametrize(
    "question", ["what is Acme Gate called", "what is Acme Gate worth", "what is a gate", '"acme gate" worth']
)
def test_who_asks_for_something_else_does_not_get_it_for_the_name(docs: Collection, question: str) -> None:
    assert find_paths(docs, question)[0] != "README.md"


@pytest.mark.parametrize(
    ("slug", "question", "title"),
    [
        ("socket-io", "what is socket.io", "What is Socket.IO?"),
        ("spring-for-graphql", "what is spring for graphql", "Graphs"),
        ("use-query", "what is use query for", "About use-query"),
    ],
)
def test_names_may_have_signs_and_words_of_asking(slug: str, question: str, title: str) -> None:
    collection = make_collection(slug)
    put(collection, {"a.md": f"# {title}\n\nGraphs.\n", "b.md": f"# {slug}\n\n{slug} is what {slug} is for.\n"})
    if title == "Graphs":
        put(collection, {"README.md": "# Graphs\n\nIt makes graphs.\n"})
    assert find_paths(collection, question)[0] == ("README.md" if title == "Graphs" else "a.md")
    put(collection, {"README.md": "# Graphs\n\nIt makes graphs.\n"})
    assert find_paths(collection, "query")[:1] != ["README.md"]


def test_a_start_page_that_is_replaced_meanwhile_stays_first(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    put(docs, {"README.md": "# Boats\n\nIt lets boats in.\n"})
    rank, texts = rankings.rank, iter(["# Boats\n\nIt lets boats out.\n"])

    def replace_first(*arguments: Any) -> Any:
        for text in texts:
            put(docs, {"README.md": text, "names.md": f"{PAGES['names.md']}\nNew.\n"})
        return rank(*arguments)

    monkeypatch.setattr(finding, "rank", replace_first)
    assert find_paths(docs, "what is acme gate")[0] == "README.md"


@pytest.mark.parametrize("title", ["What is Acme Gate?", "About Acme Gate", "Acme gate overview"])
def test_a_page_that_introduces_it_by_its_title_is_before_the_start_page(docs: Collection, title: str) -> None:
    put(docs, {"intro.md": f"# {title}\n\nBoats.\n"})
    assert find_paths(docs, "what is acme gate")[0] == "intro.md"


def test_a_narrowed_question_is_about_what_it_is_narrowed_to(docs: Collection) -> None:
    assert "README.md" not in find_paths(docs, "what is Acme Gate", filters={"path": "rates.md"})


def test_of_several_collections_it_is_that_of_the_one_that_is_named(docs: Collection) -> None:
    other = make_collection("harbour", tenant=docs.tenant)
    put(other, {"README.md": "# Harbour\n\nBehind Acme Gate is the harbour.\n", "a.md": "# Acme Gate\n\nIt is open.\n"})
    collections = list(Collection.objects.filter(pk__in=[docs.pk, other.pk]).select_related("tenant"))
    found = search("what is acme gate", collections, SearchOptions(limit=5, snippet_length=100))
    assert (found.hits[0].collection, found.hits[0].path) == ("acme-gate", "README.md")
    assert found.hits[0].score >= found.hits[1].score
    assert not found.hits[0].is_pinned


def test_without_such_a_page_ranking_decides() -> None:
    collection = make_collection("acme-gate")
    put(collection, {"names.md": PAGES["names.md"]})
    assert find_paths(collection, "what is Acme Gate") == ["names.md"]


@pytest.mark.parametrize(
    ("readme", "index", "path", "heading"),
    [
        ("# Acme Gate\n\n![logo](a.svg)\n\n## About\n\nIt lets boats into it.\n", "# Home\n", "README.md", "About"),
        ("# Acme Gate\n\n![logo](a.svg)\n\n## Build\n\nIt lets boats into it.\n", "# Home\n", "README.md", "Acme Gate"),
        ("# Acme Gate\n\nThis repository generates the pages.\n", "# Home\n\nIt lets boats in.\n", "index.md", "Home"),
        ("# Acme Gate\n\nThis repository generates the pages.\n", "# Home\n\nBoats.\n", "README.md", "Acme Gate"),
    ],
)
def test_it_is_the_section_that_introduces(readme: str, index: str, path: str, heading: str) -> None:
    collection = make_collection("acme-gate")
    put(collection, {"README.md": readme, "index.md": index, "a.md": "# Gates\n\nAcme Gate is a gate: Acme Gate.\n"})
    first, *others = find(collection, "what is acme gate").hits
    assert (first.path, first.heading_path[-1]) == (path, heading)
    assert others
