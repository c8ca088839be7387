"""What is said about a ranking is what ranking did: the parts of a score sum up to the score that search gives."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from collections_app.curating import add_synonym
from collections_app.indexing.embedding import embed_collection
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Pin
from collections_app.search import Mode, SearchOptions, search
from collections_app.search.explain import Explained, Explanation, explain_search
from collections_app.search.ranking.spreading import UNCROWDED
from tests.factories import find, make_collection, put
from tests.fake_embedder import FakeEmbedder

pytestmark = pytest.mark.django_db

KEYWORD, SEMANTIC, HYBRID = Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID

TEXTS = {
    "install.md": "# Install\n\nInstall the server with pip. The server needs a car.\n\n## Upgrade the server\n\nStop the server first.\n",
    "backup.md": "# Backup\n\nBack up the database server each day.\n\n## Restore\n\nRestore a backup of the server to install anew.\n",
    "stop.md": "# Stop\n\nStop the server with `stop -force`.\n",
    "kennel.md": "# Kennel\n\nA hound and a puppy need a kubernetes cluster.\n",
    "long.md": "# Long\n\n" + "\n\n".join(f"## Part {number}\n\nServer part {number} of it." for number in range(30)),
}


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection()
    put(collection, TEXTS)
    return collection


def explain(collection: Collection, query: str, **options: Any) -> Explained:
    collections = list(Collection.objects.select_related("tenant").filter(pk=collection.pk))
    return explain_search(query, collections, SearchOptions(limit=10, snippet_length=200, **options))


def get_first(collection: Collection, query: str, **options: Any) -> Explanation:
    return explain(collection, query, **options).hits[0][1]


def assert_sums(explained: Explained) -> None:
    """The parts of each hit sum up to its score, which is less where sections of its page stand before it."""
    shown: Counter[str] = Counter()
    for hit, why in explained.hits:
        is_crowded = shown[hit.path] >= UNCROWDED and why.score > 0
        assert why.is_crowded is is_crowded
        assert why.score > hit.score if is_crowded else why.score == pytest.approx(hit.score, abs=1e-4)
        shown[hit.path] += 1


QUERIES = [
    "install server",
    "restore a backup",
    "server",
    "upgrade the server part 7",
    '"the server" install',
    "pip -day",
    "stop the server -force",
    "upgarde the server",
    "erase the copy of the server",
    "setup anew and roll back the db",
    "install a part of the server with pip and restore a backup of the database, then stop kubernetes each day in a long kennel for a car",
]


@pytest.mark.parametrize("query", QUERIES)
def test_the_parts_of_every_hit_sum_up_to_its_score(docs: Collection, query: str) -> None:
    explained = explain(docs, query)
    found = find(docs, query)
    assert [hit for hit, _ in explained.hits] == list(found.hits) != []
    assert_sums(explained)
    for _, why in explained.hits:
        assert why.words is not None
        parts = sum(part.score for part in why.words.terms) + sum(n.score for n in why.words.neighbours)
        assert why.words.score == pytest.approx(parts + why.words.lacking)


@pytest.mark.parametrize(
    "query", ["erase the copy of the server", "install anew", "puppy in a folder", "directory of the kennel server"]
)
def test_the_parts_sum_up_over_collections_that_are_looked_up_apart(docs: Collection, query: str) -> None:
    other = make_collection("kennel", tenant=docs.tenant)
    put(other, {"directory.md": "# Directory\n\nDelete a directory of the server.\n"})
    add_synonym(other, "hound", "dog")
    bump_index_version(other)
    both = list(Collection.objects.select_related("tenant").filter(pk__in=[docs.pk, other.pk]))
    explained = explain_search(query, both, SearchOptions(limit=10, snippet_length=200, mode=KEYWORD))
    found = search(query, both, SearchOptions(limit=10, snippet_length=200, mode=KEYWORD))
    assert [hit for hit, _ in explained.hits] == list(found.hits) != []
    assert_sums(explained)
    of_product = {hit.path for hit, why in explained.hits if why.words and why.words.of_product}
    assert of_product == ({"directory.md"} if "kennel" in query else set())


def test_a_part_of_a_large_section_explains_the_section(docs: Collection) -> None:
    filler = " ".join(f"word{number}" for number in range(12_000))
    put(docs, {"large.md": f"# Large\n\n{filler} zebra {filler} zebra stripes\n"})
    explained = explain(docs, "zebra stripes")
    [(hit, why)] = explained.hits
    assert why.score == pytest.approx(hit.score, abs=1e-4)


@pytest.mark.usefixtures("needs_pgvector")
@pytest.mark.parametrize("mode", [KEYWORD, SEMANTIC, HYBRID])
def test_a_fused_score_is_told_apart_into_words_and_meaning(
    docs: Collection, embedder: FakeEmbedder, mode: Mode
) -> None:
    for _ in embed_collection(docs):
        pass
    explained = explain(docs, "install server vehicle dog", mode=mode)
    assert [hit for hit, _ in explained.hits] == list(find(docs, "install server vehicle dog", mode=mode).hits)
    assert explained.mode is mode
    assert_sums(explained)
    assert set(explained.by_mode) == {KEYWORD, SEMANTIC, HYBRID}
    assert [hit.section_id for hit in explained.by_mode[KEYWORD]] == [
        hit.section_id for hit in find(docs, "install server vehicle dog", mode=KEYWORD).hits
    ]


@pytest.mark.usefixtures("needs_pgvector")
def test_what_only_its_meaning_found_has_no_words(docs: Collection, embedder: FakeEmbedder) -> None:
    for _ in embed_collection(docs):
        pass
    why = get_first(docs, "dog", mode=HYBRID)
    assert why.words is None
    assert (why.place_by_words, why.place_by_meaning, why.from_words) == (None, 1, 0.0)
    assert why.from_meaning > 0


@pytest.mark.usefixtures("needs_pgvector")
@pytest.mark.parametrize("mode", [KEYWORD, SEMANTIC, HYBRID])
def test_the_best_about_one_of_two_things_is_said_to_be_raised(
    docs: Collection, embedder: FakeEmbedder, mode: Mode
) -> None:
    part = "".join(
        f"## Part {number}\n\nAnchor {number} of the anchors holds when a rudder fails.\n\n" for number in range(9)
    )
    put(docs, {"anchor.md": f"# Anchors\n\n{part}", "ship.md": "# Ship\n\n## The rudder\n\nIt steers.\n"})
    for _ in embed_collection(docs):
        pass
    question = "difference between anchors and a rudder"
    explained = explain(docs, question, mode=mode)
    assert [hit for hit, _ in explained.hits] == list(find(docs, question, mode=mode).hits)
    for each in (KEYWORD, SEMANTIC, HYBRID):
        assert list(explained.by_mode[each]) == list(find(docs, question, mode=each).hits)
    raised = [hit.path for hit, why in explained.hits if why.is_raised]
    assert raised == ([] if mode is SEMANTIC else ["ship.md"])


def test_each_word_says_how_rare_it_is_and_where_it_stands(docs: Collection) -> None:
    why = get_first(docs, "upgrade server")
    assert why.words is not None
    upgrade, server = why.words.terms
    assert (upgrade.word, upgrade.sections, upgrade.in_headings > 0) == ("upgrad", 1, True)
    assert upgrade.idf > server.idf
    assert (server.in_text, server.on_page) == (2, 4)


def test_words_that_stand_together_are_named(docs: Collection) -> None:
    why = get_first(docs, "database server")
    assert why.words is not None
    assert [(pair.words, pair.score > 0) for pair in why.words.neighbours] == [("databas server", True)]


def test_a_synonym_is_named_at_the_word_that_it_stands_for(docs: Collection) -> None:
    add_synonym(docs, "k8s", "kubernetes")
    explained = explain(docs, "k8s")
    [(hit, why)] = explained.hits
    assert why.words is not None
    assert why.words.terms[0].synonyms == ("kubernet",)
    assert why.score == pytest.approx(hit.score, abs=1e-4)


def test_a_pinned_hit_is_said_to_be_pinned(docs: Collection) -> None:
    Pin.objects.create(tenant=docs.tenant, collection=docs, question="server", path="kennel.md")
    bump_index_version(docs)
    explained = explain(docs, "server")
    (first, why), (_, other), *_ = explained.hits
    assert (first.path, why.is_pinned, other.is_pinned) == ("kennel.md", True, False)


def test_several_collections_are_explained_as_the_one_ranking_that_they_are(docs: Collection) -> None:
    other = make_collection(tenant=docs.tenant, language="german")
    put(other, {"server.md": "# Server\n\nEin Server, install server, und noch ein Server.\n"})
    collections = list(Collection.objects.select_related("tenant").order_by("pk"))
    explained = explain_search("install server", collections, SearchOptions(limit=10, snippet_length=200))
    found = search("install server", collections, SearchOptions(limit=10, snippet_length=200))
    assert [hit for hit, _ in explained.hits] == list(found.hits)
    assert {hit.collection for hit in found.hits} == {docs.slug, other.slug}
    assert_sums(explained)


def test_what_narrows_a_search_narrows_its_explanation(docs: Collection) -> None:
    explained = explain(docs, "server", filters={"path": "backup.md"})
    assert {hit.path for hit, _ in explained.hits} == {"backup.md"}
    assert_sums(explained)


def test_every_stage_is_timed(docs: Collection) -> None:
    names = [stage.name for stage in explain(docs, "server").stages]
    assert names == ["Embed the question", "Look up its words", "Rank by words", "Read the hits"]


def test_a_stage_that_comes_twice_is_told_once(docs: Collection) -> None:
    explained = explain(docs, "sevrer")  # looked up once more, as server
    assert explained.hits
    names = [stage.name for stage in explained.stages]
    assert len(names) == len(set(names))


def test_a_phrase_that_is_nowhere_is_looked_for_without_quotes(docs: Collection) -> None:
    assert explain(docs, '"server pip install"').hits


def test_nothing_found_has_nothing_to_explain(docs: Collection) -> None:
    explained = explain(docs, "xylophone")
    assert (explained.hits, explained.by_mode[KEYWORD]) == ((), ())
