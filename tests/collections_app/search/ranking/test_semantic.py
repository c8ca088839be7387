"""Search by meaning, beside words and instead of them; and what is said where that does not work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from collections_app.cached_search import SearchRequest, search_cached
from collections_app.clients.embeddings import EmbeddingFailed
from collections_app.indexing.embedding import INDEXES, LOCK, embed_collection, index_embedded
from collections_app.models import Collection, EmbeddedCollection
from collections_app.postgres import vector_indexes
from collections_app.postgres.vector_indexes import Embedded
from collections_app.search import Mode, SearchOptions, SearchResults, search
from collections_app.search.ranking import semantic
from collections_app.search.ranking.semantic import is_shared_cheaper
from tests.factories import find, find_paths, make_collection, make_principal, put
from tests.fake_embedder import FakeEmbedder, using
from tests.held_lock import held_lock

SEMANTIC, HYBRID, KEYWORD, AUTO = Mode.SEMANTIC, Mode.HYBRID, Mode.KEYWORD, Mode.AUTO

TEXTS = {
    "cars.md": "# Garage\n\nAn automobile needs oil.\n",
    "dogs.md": "# Kennel\n\nA hound needs water.\n\n## Sleep\n\nThe puppy sleeps.\n",
    "boats.md": "---\ncategory: sea\n---\n# Harbour\n\nA vessel needs oil.\n",
}


def embed(collection: Collection) -> None:
    for _ in embed_collection(collection):
        pass


@contextmanager
def noting_statements() -> Iterator[list[str]]:
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *others: Any) -> Any:
        statements.append(sql)
        return execute(sql, *others)

    with connection.execute_wrapper(note):
        yield statements


pytestmark = pytest.mark.usefixtures("needs_pgvector")


@pytest.fixture
def plain(embedder: FakeEmbedder) -> Collection:
    """Without embeddings."""
    collection = make_collection()
    put(collection, TEXTS)
    return collection


@pytest.fixture
def docs(plain: Collection) -> Collection:
    embed(plain)
    return plain


def test_meaning_finds_what_no_word_does(docs: Collection) -> None:
    assert find_paths(docs, "vehicle", mode=KEYWORD) == []
    assert find_paths(docs, "vehicle", mode=SEMANTIC)[0] == "cars.md"
    assert find_paths(docs, "vehicle", mode=HYBRID)[0] == "cars.md"


def test_contractions_are_no_part_of_the_meaning(docs: Collection, embedder: FakeEmbedder) -> None:
    embedder.asked.clear()
    find(docs, "why doesn't the hound sleep", mode=SEMANTIC)
    assert embedder.asked == ["why the hound sleep"]


def test_code_is_found_by_its_words(docs: Collection) -> None:
    code = "garage.fill(oil, water)"
    assert [find(docs, f"x = {code}", mode=mode).mode for mode in (AUTO, HYBRID, SEMANTIC)] == [
        KEYWORD,
        KEYWORD,
        SEMANTIC,
    ]
    assert find(docs, f"x = {code}", mode=AUTO).notice == ""
    assert "keyword results" in find(docs, f"x = {code}", mode=HYBRID).notice
    assert find(docs, f"what does {code} do with the oil of a car", mode=AUTO).mode is HYBRID


def test_the_answer_names_the_mode_that_was_used(docs: Collection) -> None:
    assert [find(docs, "car oil", mode=mode).mode for mode in (KEYWORD, SEMANTIC, HYBRID, AUTO)] == [
        KEYWORD,
        SEMANTIC,
        HYBRID,
        HYBRID,
    ]


def test_a_question_about_nothing_here_finds_nothing_in_hybrid_mode(docs: Collection) -> None:
    results = find(docs, "zeppelins", mode=HYBRID)
    assert results.hits == ()
    assert [report.word for report in results.words] == ["zeppelins"]


def test_where_a_model_puts_all_texts_close_together_a_section_without_the_words_must_be_closer(
    docs: Collection, embedder: FakeEmbedder
) -> None:
    assert set(find_paths(docs, "vehicle ship", mode=HYBRID)) == {"cars.md", "boats.md"}  # each with a cosine of .71
    embedder.unrelated = 0.6
    assert find_paths(docs, "vehicle ship", mode=HYBRID) == []
    assert find_paths(docs, "vehicle", mode=HYBRID)[0] == "cars.md"


def test_hybrid_decides_by_meaning_between_sections_with_the_same_words(docs: Collection) -> None:
    assert find_paths(docs, "ship oil", mode=HYBRID)[0] == "boats.md"
    assert find_paths(docs, "vehicle oil", mode=HYBRID)[0] == "cars.md"


def test_meaning_counts_less_where_the_model_knows_no_words(docs: Collection, embedder: FakeEmbedder) -> None:
    def compare() -> float:
        near, far = find(docs, "oil vehicle", mode=HYBRID).hits  # with the same words
        assert (near.path, far.path) == ("cars.md", "boats.md")
        return near.score - far.score

    assert compare() == pytest.approx(0.3)
    embedder.is_of_words = False
    assert compare() == pytest.approx(0.1)


def test_semantic_scores_are_cosines_in_order(docs: Collection) -> None:
    hits = find(docs, "puppy car", mode=SEMANTIC).hits
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(0.7071, abs=1e-3)


def test_exclusions_phrases_and_filters_hold_for_meaning_too(docs: Collection) -> None:
    assert "cars.md" not in find_paths(docs, "vehicle -oil", mode=SEMANTIC)
    assert find_paths(docs, '"needs water" car', mode=SEMANTIC) == ["dogs.md"]
    assert find_paths(docs, "car", mode=SEMANTIC, category="sea") == ["boats.md"]
    assert set(find_paths(docs, "car", mode=SEMANTIC, filters={"category": {"$ne": "sea"}})) == {"cars.md", "dogs.md"}
    assert find_paths(docs, "car puppy", mode=HYBRID, filters={"path": "dogs.md"}, limit=1) == ["dogs.md"]


class TestWhatMayBeFound:
    """Of few sections each that may be found is compared; of many the nearest are asked whether they may be."""

    @pytest.fixture
    def many(self, embedder: FakeEmbedder) -> Collection:
        collection = make_collection()
        vehicles = {f"car-{n:02}.md": f"# Car {n}\n\nA car{' of steel' * (n % 2)}.\n" for n in range(20)}
        animals = {f"dog-{n:02}.md": f"---\ncategory: pets\n---\n# Dog {n}\n\nA hound sleeps.\n" for n in range(20)}
        put(collection, vehicles | animals)
        embed(collection)
        return collection

    @staticmethod
    def ask(collection: Collection, query: str, **options: Any) -> tuple[list[str], bool]:
        """What is found, and whether the nearest were asked."""
        with noting_statements() as statements:
            paths = find_paths(collection, query, mode=SEMANTIC, limit=5, **options)
        return paths, any(semantic.AMONG in each for each in statements)

    @pytest.mark.parametrize(
        ("query", "options", "expected", "more"),
        [
            ("vehicle -steel", {}, "car-", 0.08),
            ("puppy", {"filters": {"category": {"$ne": "fish"}}}, "dog-", 0.08),
            ("puppy", {"filters": {"path": {"$contains": "og-"}}}, "dog-", 0.04),
            ('puppy "hound sleeps"', {}, "dog-", 0.04),
        ],
    )
    def test_both_ways_find_the_same(
        self,
        many: Collection,
        query: str,
        options: dict[str, Any],
        expected: str,
        more: float,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        compared, are_asked = self.ask(many, query, **options)
        assert not are_asked
        monkeypatch.setattr(semantic, "MORE", more)  # sixteen of forty
        monkeypatch.setattr(semantic, "FEW", 0.02)
        asked, are_asked = self.ask(many, query, **options)
        assert are_asked
        assert len(asked) == len(compared) == 5
        assert {path[:4] for path in asked} == {path[:4] for path in compared} == {expected}
        assert query != "vehicle -steel" or {int(path[4:6]) % 2 for path in asked} == {0}

    def test_where_none_of_the_nearest_may_be_found_those_that_may_are_compared(
        self, many: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(semantic, "MORE", 0.02)
        monkeypatch.setattr(semantic, "FEW", 0.02)
        paths, are_asked = self.ask(many, "puppy", category="pets")
        assert {path[:4] for path in paths} == {"dog-"}
        paths, are_asked = self.ask(many, "vehicle", category="pets")
        assert are_asked
        assert {path[:4] for path in paths} == {"dog-"}


def test_another_collection_is_not_looked_into(docs: Collection, embedder: FakeEmbedder) -> None:
    other = make_collection()
    put(other, {"other.md": "# Other\n\nA car, a car.\n"})
    embed(other)
    assert "other.md" not in find_paths(docs, "car", mode=SEMANTIC)


def test_several_collections_are_one_ranking(docs: Collection) -> None:
    other = make_collection(tenant=docs.tenant, language="german")
    put(other, {"schiff.md": "# Schiff\n\nship ship\n"})
    embed(other)
    collections = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
    results = search("vessel", collections, SearchOptions(limit=10, snippet_length=50, mode=SEMANTIC))
    assert {hit.path for hit in results.hits[:2]} == {"schiff.md", "boats.md"}


def expect_keyword(results: SearchResults, notice: str) -> None:
    assert results.mode is KEYWORD
    assert notice in results.notice
    assert [hit.path for hit in results.hits] == ["dogs.md"]


def test_without_embeddings_it_is_by_keyword_and_says_so(plain: Collection) -> None:
    expect_keyword(find(plain, "hound", mode=SEMANTIC), "No semantic search: Nothing here has embeddings")
    expect_keyword(find(plain, "hound", mode=HYBRID), "These are keyword results.")


def test_where_nobody_asked_for_more_nothing_is_said(plain: Collection) -> None:
    results = find(plain, "hound", mode=AUTO)
    assert (results.mode, results.notice) == (KEYWORD, "")


def test_without_an_embedder_it_is_by_keyword_and_says_so(docs: Collection, settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"embeddings_kind": "none"})
    expect_keyword(find(docs, "hound", mode=HYBRID), "EMBEDDINGS_KIND is none.")


def test_without_pgvector_it_is_by_keyword_and_says_so(plain: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.search.ranking.semantic.has_pgvector", lambda: False)
    expect_keyword(find(plain, "hound", mode=HYBRID), "has no pgvector")


def test_while_the_embedder_is_away_it_is_by_keyword_and_says_so(docs: Collection, embedder: FakeEmbedder) -> None:
    embedder.error = EmbeddingFailed("The embedding server is away.")
    for mode in (SEMANTIC, HYBRID, AUTO):
        expect_keyword(find(docs, "hound", mode=mode), "The embedding server is away. These are keyword results.")


def test_what_was_found_without_the_embedder_is_not_remembered(docs: Collection, embedder: FakeEmbedder) -> None:
    cache.clear()
    principal = make_principal(docs)
    options = SearchOptions(limit=5, snippet_length=50, mode=HYBRID)

    def ask() -> SearchResults:
        docs.refresh_from_db()
        return search_cached(SearchRequest("hound", [docs], [docs], principal, "markdown", options))

    embedder.error = EmbeddingFailed("It is away.")
    assert ask().mode is KEYWORD
    embedder.error = None
    assert ask().mode is HYBRID


def test_the_vectors_of_an_earlier_model_are_not_compared(docs: Collection) -> None:
    with using(FakeEmbedder("newer", dimension=6)):
        expect_keyword(find(docs, "hound", mode=SEMANTIC), "No semantic search")


def test_an_embedder_that_changed_its_dimension_is_noticed(docs: Collection) -> None:
    with using(FakeEmbedder(dimension=6)):
        expect_keyword(find(docs, "hound", mode=SEMANTIC), "another length")


@pytest.mark.django_db(transaction=True)
def test_a_large_collection_gets_an_index_that_is_used_and_dropped(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "MANY_VECTORS", 3)
    before = find_paths(docs, "car", mode=SEMANTIC)
    with held_lock(LOCK, INDEXES):  # another process is at it
        index_embedded()
    assert count_indexes() == 0
    index_embedded()
    assert EmbeddedCollection.objects.get(collection=docs).is_indexed
    assert find_paths(docs, "car", mode=SEMANTIC)[0] == before[0]
    assert count_indexes() == 1
    docs.delete()
    index_embedded()
    assert count_indexes() == 0


@pytest.mark.django_db(transaction=True)
def test_collections_that_are_many_vectors_together_get_one_index_that_is_used_and_dropped(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "MAX_COMPARED", 9)
    monkeypatch.setattr(semantic, "MAX_COMPARED", 9)
    monkeypatch.setattr(vector_indexes, "OPENED", 1)
    monkeypatch.setattr(vector_indexes, "VISITED", 0)
    index_embedded()
    assert count_indexes() == 0  # four vectors are compared sooner
    others = [make_collection(f"other-{number}", tenant=docs.tenant) for number in range(3)]
    for number, other in enumerate(others):
        put(other, {f"{number}.md": f"# Car {number}\n\nA car, a vehicle.\n\n## Ship\n\nA ship.\n"})
        embed(other)
    stranger = make_collection("stranger")
    put(stranger, {"stranger.md": "# Car\n\nA car, a car.\n"})
    embed(stranger)

    def ask(*chosen: Collection) -> tuple[list[str], list[str]]:
        collections = list(Collection.objects.select_related("tenant").filter(pk__in=[each.pk for each in chosen]))
        with noting_statements() as statements:
            hits = search("car", collections, SearchOptions(limit=20, snippet_length=50, mode=SEMANTIC)).hits
        names = [f"{hit.collection}:{hit.path}#{hit.section_id}" for hit in hits]
        return names, [each for each in statements if "<#>" in each]

    before, compared = ask(docs, *others)
    index_embedded()
    assert count_indexes() == 1
    found, statements = ask(docs, *others)
    assert len(compared) == len(statements) == 1
    assert "+ 0 AS distance" in compared[0]
    assert f"AND tenant_id = {docs.tenant_id}" in statements[0]
    assert sorted(found) == sorted(before)
    assert len(found) == 10
    monkeypatch.setattr(semantic, "MAX_COMPARED", 5)
    of_two, statements = ask(docs, others[0])
    assert {name.split(":")[0] for name in of_two} == {docs.slug, "other-0"}
    assert [f"AND tenant_id = {docs.tenant_id}" in each for each in statements] == [True]
    # Where very many others' vectors are nearer, the index gives up before it has enough of those asked for.
    make = semantic.make_statement
    monkeypatch.setattr(
        semantic,
        "make_statement",
        lambda own, distance: make(own, distance) + (" AND section_id = 0" if distance is semantic.INDEXED else ""),
    )
    found, statements = ask(docs, others[0])
    assert sorted(found) == sorted(of_two)
    assert ["+ 0 AS distance" in each for each in statements] == [False, True]
    for other in others:
        other.delete()
    index_embedded()
    assert count_indexes() == 0


@pytest.mark.django_db(transaction=True)
def test_an_index_is_made_where_there_is_no_shared_memory_for_several_processes(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "MANY_VECTORS", 3)
    with connection.cursor() as cursor:
        for name, value in (("min_parallel_table_scan_size", "0"), ("maintenance_work_mem", "2000GB")):
            cursor.execute(f"SET {name} = '{value}'")
        index_embedded()
        cursor.execute("SHOW max_parallel_maintenance_workers")
        (workers,) = cursor.fetchone()
        for name in ("min_parallel_table_scan_size", "maintenance_work_mem"):
            cursor.execute(f"RESET {name}")
    assert EmbeddedCollection.objects.get(collection=docs).is_indexed
    assert find_paths(docs, "car", mode=SEMANTIC)[0] == "cars.md"
    assert int(workers) > 0
    docs.delete()
    index_embedded()


def test_an_index_of_the_tenants_is_asked_where_that_costs_less() -> None:
    small = [Embedded(1, 1, 4, number, 5_000, False) for number in range(40)]
    large = [Embedded(1, 1, 4, number, 20_000, True) for number in range(40, 60)]

    def is_cheaper(own: list[Embedded]) -> bool:
        return is_shared_cheaper(own, 600_000, 200)

    assert is_cheaper([*small, *large])
    assert is_cheaper(large)
    assert is_cheaper(small[:20])
    assert not is_cheaper(small[:1])
    assert not is_cheaper(large[:2])
    assert not is_cheaper(small[:3])  # 15,000 vectors are compared sooner than 8,000 of an index are visited
    assert not is_shared_cheaper(small, None, 200)


def count_indexes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relkind = 'i' AND relname LIKE 'section_embedding_hnsw%%'")
        return int(cursor.fetchone()[0])
