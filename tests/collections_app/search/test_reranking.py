"""The first sections of a search, read again by a model: placed by what it says and by how well they were found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache

from collections_app.cached_search import SearchRequest, search_cached
from collections_app.clients.reranking import NoReranker, RerankingFailed
from collections_app.curating import add_pin
from collections_app.indexing.embedding import embed_collection
from collections_app.models import Collection
from collections_app.search import Mode, SearchOptions, SearchResults
from collections_app.search.explain import explain_search
from tests.factories import find, find_paths, make_collection, make_principal, put
from tests.fake_embedder import FakeEmbedder
from tests.fake_reranker import FakeReranker, reranking_by_answers

pytestmark = pytest.mark.django_db

AUTO, KEYWORD, HYBRID, SEMANTIC = Mode.AUTO, Mode.KEYWORD, Mode.HYBRID, Mode.SEMANTIC

TEXTS = {
    "best.md": "# Llama llama\n\nllama llama llama\n",
    "second.md": "# A llama\n\nllama llama and some other words\n",
    "answer.md": "# Food\n\nThis is the answer of the answer: grass, which a llama eats.\n",
    "last.md": "# Zoo\n\nOf all the animals that one can see there the llama is one of many more.\n",
}
FOUND = ["best.md", "second.md", "answer.md", "last.md"]


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection()
    put(collection, TEXTS)
    return collection


def test_the_model_puts_what_answers_first(docs: Collection, settings: Any) -> None:
    assert find_paths(docs, "llama", mode=AUTO) == FOUND
    with reranking_by_answers(settings, weight=100) as reranker:
        results = find(docs, "llama", mode=AUTO)
    assert results.hits[0].path == "answer.md"
    assert [hit.score for hit in results.hits] == sorted((hit.score for hit in results.hits), reverse=True)
    assert (results.mode, results.notice) == (KEYWORD, "")
    ((question, texts),) = reranker.asked
    assert question == "llama"
    assert texts[2] == "Food\nThis is the answer of the answer: grass, which a llama eats."


def test_how_well_a_section_was_found_counts_as_much_as_is_set(docs: Collection, settings: Any) -> None:
    scores = {hit.path: hit.score for hit in find(docs, "llama").hits}
    with reranking_by_answers(settings, weight=25):
        hits = {hit.path: hit.score for hit in find(docs, "llama", mode=AUTO).hits}
    best = scores["best.md"]
    assert hits["best.md"] == pytest.approx(0.75 * best, abs=1e-3)
    assert hits["answer.md"] == pytest.approx(0.75 * scores["answer.md"] + 0.25 * best, abs=1e-3)


def test_only_the_first_are_read_again(docs: Collection, settings: Any) -> None:
    with reranking_by_answers(settings, weight=100, sections=2) as reranker:
        assert find_paths(docs, "llama", mode=AUTO) == FOUND
        assert find_paths(docs, "llama", mode=AUTO, limit=1) == FOUND[:1]
    assert [len(texts) for _, texts in reranker.asked] == [2, 2]


def test_as_many_are_read_again_for_a_few_hits(docs: Collection, settings: Any) -> None:
    with reranking_by_answers(settings, weight=100):
        assert find_paths(docs, "llama", mode=AUTO, limit=1) == ["answer.md"]


def test_by_keyword_and_for_code_words_alone_count(docs: Collection, settings: Any) -> None:
    with reranking_by_answers(settings, weight=100) as reranker:
        assert find_paths(docs, "llama", mode=KEYWORD) == FOUND
        find(docs, "x = zoo.feed(llama, grass)", mode=AUTO)
        find(docs, "nothing-of-it", mode=AUTO)
    assert reranker.asked == []


def test_a_single_section_needs_no_model(docs: Collection, settings: Any) -> None:
    with reranking_by_answers(settings) as reranker:
        assert find_paths(docs, "grass", mode=AUTO) == ["answer.md"]
    assert reranker.asked == []


def test_where_the_model_finds_all_alike_nothing_changes(db: None, settings: Any) -> None:
    docs = make_collection()
    put(docs, {path: text.replace("answer", "reply") for path, text in TEXTS.items()})
    with reranking_by_answers(settings) as reranker:
        assert find_paths(docs, "llama", mode=AUTO) == FOUND
    assert len(reranker.asked) == 1


def test_what_the_model_did_not_read_stays_in_the_order_in_which_it_was_found(db: None, settings: Any) -> None:
    docs = make_collection()
    put(docs, dict(reversed(TEXTS.items())))  # so that their ids say another order
    put(docs, {"first.md": "# Llama llama llama\n\nllama llama llama llama: the answer\n"})
    before = find_paths(docs, "llama")
    assert before[2:] == ["second.md", "answer.md", "last.md"]
    with reranking_by_answers(settings, weight=100, sections=2):
        assert find_paths(docs, "llama", mode=AUTO)[2:] == before[2:]


def test_of_a_single_section_the_model_says_nothing(docs: Collection, settings: Any, monkeypatch: Any) -> None:
    before = [(hit.path, hit.score) for hit in find(docs, "llama").hits]
    monkeypatch.setattr(FakeReranker, "score", lambda *_, **__: [-3.0])  # the time did not reach further
    with reranking_by_answers(settings, weight=100):
        assert [(hit.path, hit.score) for hit in find(docs, "llama", mode=AUTO).hits] == before


def test_what_people_pinned_stays_first(docs: Collection, settings: Any) -> None:
    add_pin(docs, "llama", "last.md")
    with reranking_by_answers(settings, weight=100):
        assert find_paths(docs, "llama", mode=AUTO)[:2] == ["last.md", "answer.md"]


def test_no_more_than_three_sections_of_a_page_come_in_a_row(docs: Collection, settings: Any) -> None:
    parts = "\n\n".join(f"## Part {n}\n\nThe answer {n} of the llama." for n in range(6))
    put(docs, {"many.md": f"# Many\n\n{parts}\n"})
    with reranking_by_answers(settings, weight=100):
        paths = [hit.path for hit in find(docs, "llama answer", mode=AUTO).hits]
    assert all(len(set(paths[at : at + 4])) > 1 for at in range(len(paths) - 3))


@pytest.mark.parametrize("error", [RerankingFailed("It is away."), NoReranker("It is away.")])
def test_without_the_model_results_stay_as_they_were_found(
    docs: Collection, settings: Any, error: RerankingFailed | NoReranker
) -> None:
    cache.clear()
    with reranking_by_answers(settings) as reranker:
        reranker.error = error
        results = ask(docs, "llama")
        assert [hit.path for hit in results.hits] == FOUND
        assert results.notice == "It is away. The results are not reranked."
        assert not ask(docs, "llama").cached
        reranker.error = None
        assert ask(docs, "llama").notice == ""
        assert ask(docs, "llama").cached


def test_a_model_that_fails_is_not_waited_for_once_more_without_the_phrase(docs: Collection, settings: Any) -> None:
    asked: list[str] = []

    def fail(question: str, *_: Any, **__: Any) -> list[float]:
        asked.append(question)
        raise RerankingFailed("It is away.")

    with reranking_by_answers(settings) as reranker:
        reranker.score = fail  # type: ignore[method-assign]
        results = find(docs, '"this llama"', mode=AUTO)
    assert results.hits
    assert (len(asked), results.notice.count("It is away.")) == (1, 1)


def test_nothing_is_said_of_the_model_where_nothing_is_found(docs: Collection, settings: Any) -> None:
    with reranking_by_answers(settings) as reranker:
        reranker.error = RerankingFailed("It is away.")
        assert "It is away" not in find(docs, "okapi", mode=AUTO).notice


def ask(collection: Collection, query: str) -> SearchResults:
    principal = make_principal(collection)
    collections = list(Collection.objects.select_related("tenant").filter(pk=collection.pk))
    options = SearchOptions(limit=10, snippet_length=200, mode=AUTO)
    return search_cached(SearchRequest(query, collections, collections, principal, "text", options))


@pytest.mark.usefixtures("needs_pgvector", "embedder")
class TestBesideMeaning:
    @pytest.fixture
    def embedded(self, docs: Collection, embedder: FakeEmbedder) -> Collection:
        put(docs, {"car.md": "# Car\n\nAn automobile.\n", "ride.md": "# Ride\n\nA vehicle: answer, answer, answer.\n"})
        for _ in embed_collection(docs):
            pass
        return docs

    @pytest.mark.parametrize("mode", [HYBRID, SEMANTIC])
    def test_what_is_found_by_meaning_is_reranked_too(self, embedded: Collection, settings: Any, mode: Mode) -> None:
        with reranking_by_answers(settings, weight=100):
            assert find_paths(embedded, "vehicle automobile", mode=mode)[0] == "ride.md"

    def test_the_parts_of_a_score_sum_up(self, embedded: Collection, settings: Any) -> None:
        with reranking_by_answers(settings, weight=40):
            collections = list(Collection.objects.select_related("tenant").filter(pk=embedded.pk))
            explained = explain_search("vehicle llama", collections, SearchOptions(10, 200, AUTO))
        assert explained.mode is HYBRID
        assert any(why.from_reranker for _, why in explained.hits)
        for hit, why in explained.hits:
            assert why.from_words + why.from_meaning + why.from_reranker == pytest.approx(hit.score, abs=1e-3)
        assert "Rerank the first" in {stage.name for stage in explained.stages}

    def test_beside_keyword_results_the_others_are_shown_as_a_search_gives_them(
        self, embedded: Collection, settings: Any
    ) -> None:
        collections = list(Collection.objects.select_related("tenant").filter(pk=embedded.pk))
        with reranking_by_answers(settings, weight=100):
            explained = explain_search(
                "vehicle automobile", collections, SearchOptions(mode=KEYWORD, limit=10, snippet_length=200)
            )
            shown = [hit.path for hit in explained.by_mode[HYBRID]]
            assert shown == find_paths(embedded, "vehicle automobile", mode=HYBRID)


def test_an_explanation_by_keyword_is_of_words_alone(docs: Collection, settings: Any) -> None:
    collections = list(Collection.objects.select_related("tenant").filter(pk=docs.pk))
    options = SearchOptions(limit=10, snippet_length=200, mode=AUTO)
    with reranking_by_answers(settings, weight=100):
        by_words = explain_search("llama", collections, replace(options, mode=KEYWORD))
        default = explain_search("llama", collections, options)
    assert [hit.path for hit, _ in by_words.hits] == FOUND
    assert default.hits[0][0].path == "answer.md"


def test_it_is_asked_once_though_a_search_looks_deeper(docs: Collection, settings: Any) -> None:
    copies = {f"copy-{n}.md": "# Llama llama llama\n\nllama llama llama llama\n" for n in range(60)}
    put(docs, copies)
    reranker: FakeReranker
    with reranking_by_answers(settings) as reranker:
        find(docs, "llama", mode=AUTO)
    assert len(reranker.asked) == 1
