"""Synonyms and pins do what people who wrote them meant, in their collection only."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Pin, Synonym
from collections_app.search import SearchOptions, curation, search
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db

PAGES = {
    "kubernetes.md": "# Deploying\n\nRun the chart on Kubernetes.\n",
    "orchestration.md": "# Nodes\n\nAny container orchestration does.\n",
    "apart.md": "# Nothing\n\nA container needs no orchestration; one orchestration of a container.\n",
    "k8s.md": "# Short\n\nWe say k8s here.\n",
    "other.md": "# Deploying elsewhere\n\nRun it.\n\n## By hand\n\nDeploying by hand.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(collection, PAGES)
    return collection


def add_synonym(collection: Collection, term: str, synonym: str, *, is_mutual: bool = True) -> None:
    Synonym.objects.create(
        tenant=collection.tenant, collection=collection, term=term, synonym=synonym, is_mutual=is_mutual
    )
    bump_index_version(collection)


def add_pin(collection: Collection, question: str, path: str, section_id: str = "", position: int = 0) -> None:
    Pin.objects.create(
        tenant=collection.tenant,
        collection=collection,
        question=question,
        path=path,
        section_id=section_id,
        position=position,
    )
    bump_index_version(collection)


class TestSynonyms:
    def test_a_word_finds_what_else_it_is_called(self, docs: Collection) -> None:
        assert find_paths(docs, "k8s") == ["k8s.md"]
        add_synonym(docs, "K8S", "Kubernetes")
        assert set(find_paths(docs, "k8s")) == {"k8s.md", "kubernetes.md"}
        assert set(find_paths(docs, "kubernetes")) == {"k8s.md", "kubernetes.md"}

    def test_one_way_is_not_the_other(self, docs: Collection) -> None:
        add_synonym(docs, "k8s", "kubernetes", is_mutual=False)
        assert set(find_paths(docs, "k8s")) == {"k8s.md", "kubernetes.md"}
        assert find_paths(docs, "kubernetes") == ["kubernetes.md"]

    def test_several_words_stand_together(self, docs: Collection) -> None:
        add_synonym(docs, "k8s", "container orchestration")
        assert set(find_paths(docs, "k8s")) == {"k8s.md", "orchestration.md", "apart.md"} - {"apart.md"}
        assert "k8s.md" in find_paths(docs, "which container orchestration")
        assert "k8s.md" not in find_paths(docs, "which orchestration")

    def test_a_page_with_both_words_is_not_worth_two(self, docs: Collection) -> None:
        put(docs, {"both.md": "# Nil\n\nk8s kubernetes\n", "twice.md": "# Nil\n\nk8s k8s\n"})
        add_synonym(docs, "k8s", "kubernetes")
        scores = {hit.path: hit.score for hit in find(docs, "k8s").hits}
        assert scores["both.md"] < scores["twice.md"]

    def test_the_snippet_shows_it(self, docs: Collection) -> None:
        put(docs, {"long.md": f"# Nil\n\n{'filler words ' * 200} the kubernetes part {'filler words ' * 200}\n"})
        add_synonym(docs, "k8s", "kubernetes")
        snippets = {hit.path: hit.snippet for hit in find(docs, "k8s").hits}
        assert "kubernetes part" in snippets["long.md"]

    def test_it_counts_in_its_own_collection_only(self, docs: Collection) -> None:
        other = make_collection("other", tenant=docs.tenant)
        put(other, {"kubernetes.md": PAGES["kubernetes.md"]})
        add_synonym(docs, "k8s", "kubernetes")
        both = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
        hits = search("k8s", both, SearchOptions(limit=10, snippet_length=200)).hits
        assert {(hit.collection, hit.path) for hit in hits} == {("manual", "k8s.md"), ("manual", "kubernetes.md")}

    def test_underscores_divide_words(self, docs: Collection) -> None:
        add_synonym(docs, "small_cluster", "k8s")
        assert find_paths(docs, "small cluster") == ["k8s.md"]

    def test_signs_and_stop_words_do_no_harm(self, docs: Collection) -> None:
        for term, synonym in (("the", "k8s"), ("k8s", "of the"), ("'; --", "x"), ("k8s", "a & | ' \\ b"), ("??", "!!")):
            add_synonym(docs, term, synonym)
        assert "k8s.md" in find_paths(docs, "the k8s")


class TestPins:
    @pytest.mark.parametrize("question", ["How do I deploy?", "how do i DEPLOY", "  How, do I: deploy!"])
    def test_a_question_gets_its_section_first(self, docs: Collection, question: str) -> None:
        add_pin(docs, "how do I deploy", "other.md", "deploying-elsewhere/by-hand")
        hits = find(docs, question).hits
        assert (hits[0].path, hits[0].section_id, hits[0].is_pinned) == (
            "other.md",
            "deploying-elsewhere/by-hand",
            True,
        )
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len({(hit.path, hit.section_id) for hit in hits}) == len(hits)
        assert not any(hit.is_pinned for hit in hits[1:])

    def test_signs_that_belong_to_a_name_make_another_question(self, docs: Collection) -> None:
        add_pin(docs, "what is deploying in C", "other.md")
        assert find(docs, "What is deploying in C?").hits[0].is_pinned
        for other in ("what is deploying in C++", "what is deploying in C#"):
            assert not any(hit.is_pinned for hit in find(docs, other).hits)

    def test_a_page_stands_for_its_first_section_even_where_no_word_is_found(self, docs: Collection) -> None:
        add_pin(docs, "xyzzy", "other.md")
        hits = find(docs, "xyzzy").hits
        assert [(hit.path, hit.section_id) for hit in hits] == [("other.md", "deploying-elsewhere")]

    def test_several_come_in_their_order(self, docs: Collection) -> None:
        add_pin(docs, "xyzzy", "other.md", position=2)
        add_pin(docs, "xyzzy", "k8s.md", position=1)
        assert find_paths(docs, "xyzzy") == ["k8s.md", "other.md"]

    def test_other_questions_and_narrowed_ones_are_ranked(self, docs: Collection) -> None:
        add_pin(docs, "kubernetes", "other.md")
        assert find_paths(docs, "kubernetes chart")[0] == "kubernetes.md"
        assert find_paths(docs, "kubernetes", filters={"path": {"$ne": "other.md"}}) == ["kubernetes.md"]

    def test_two_that_differ_in_signs_alone_are_one(self, docs: Collection, django_assert_num_queries: Any) -> None:
        add_pin(docs, "deploy the chart", "other.md")
        add_pin(docs, "Deploy the chart?", "other.md")
        paths = find_paths(docs, "deploy the chart")
        assert paths[0] == "other.md"
        with django_assert_num_queries(5):  # as with one: nothing is looked for again
            assert find_paths(docs, "deploy the chart") == paths

    def test_a_phrase_that_is_nowhere_is_told_and_its_words_searched_beside_one(self, docs: Collection) -> None:
        add_pin(docs, '"container chart"', "other.md")
        found = find(docs, '"container chart"')
        assert [hit.is_pinned for hit in found.hits] == [True] + [False] * (len(found.hits) - 1)
        assert {hit.path for hit in found.hits} > {"other.md", "kubernetes.md"}
        assert "The words in quotes were not found in this order" in found.notice

    @pytest.mark.parametrize("limit", [1, 10])
    def test_a_phrase_that_only_a_pinned_section_has_is_found(self, docs: Collection, limit: int) -> None:
        add_pin(docs, "run the chart", "kubernetes.md")
        found = find(docs, '"run the chart"', limit=limit)
        assert [(hit.path, hit.is_pinned) for hit in found.hits] == [("kubernetes.md", True)]
        assert found.notice == ""

    def test_what_people_chose_is_not_called_chance(self, docs: Collection) -> None:
        said = "Most words of the question are in no section here"
        assert said in find(docs, "xyzzy plugh container").notice
        add_pin(docs, "xyzzy plugh container", "other.md")
        assert said not in find(docs, "xyzzy plugh container").notice

    def test_a_pin_to_what_is_gone_is_nothing(self, docs: Collection) -> None:
        add_pin(docs, "kubernetes", "gone.md")
        assert find_paths(docs, "kubernetes") == ["kubernetes.md"]


def test_it_costs_nothing_once_they_are_known(docs: Collection, django_assert_num_queries: Any) -> None:
    find(docs, "kubernetes")
    with django_assert_num_queries(4):  # terms, matches, rows; the collection
        find(docs, "kubernetes")


def test_what_another_thread_remembers_of_an_earlier_version_is_not_taken(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember = curation.remember

    def remember_too_late(collections: Any, read: Any) -> None:
        remember(collections, read)
        earlier = [Collection(pk=each.pk, index_version=each.index_version - 1) for each in collections]
        remember(earlier, {})

    add_synonym(docs, "kubernetes", "orchestration")
    docs.refresh_from_db()
    monkeypatch.setattr(curation, "remember", remember_too_late)
    assert curation.get_curations([docs])[docs.pk].expansions
