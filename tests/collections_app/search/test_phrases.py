"""What a phrase means that has words which no index knows."""

from __future__ import annotations

import pytest

from collections_app.indexing.embedding import embed_collection
from collections_app.models import Collection
from collections_app.search import Mode, SearchOptions, search
from collections_app.search.phrases import has_phrases, make_patterns
from collections_app.search.query import parse_query
from tests.factories import find, find_paths, make_collection, put
from tests.fake_embedder import FakeEmbedder
from tests.growth import assert_linear

STOP_WORDS = frozenset({"there", "such", "the", "from"})


@pytest.mark.parametrize(
    ("phrase", "text", "is_there"),
    [
        ("there is no such consumer", "Error: there is no such Consumer!", True),
        ("there is no such consumer", "there is no\nsuch **consumers**", True),
        ("there is no such consumer", "there is no consumer", False),
        ("there is no such consumer", "there is no such stream and no consumer", False),
        ("read from disk", "it is [read](http://example.com/a) from disk", True),
        ("read from disk", "thread from disk", False),
        ("the café", "in THE CAFE", True),
    ],
)
def test_its_stop_words_have_to_stand_as_they_are(phrase: str, text: str, is_there: bool) -> None:
    assert has_phrases(make_patterns([phrase], STOP_WORDS), text) is is_there


@pytest.mark.parametrize("phrase", ["durable consumer", "設定 is 方法", "go"])
def test_what_the_index_knows_alone_is_not_looked_for_again(phrase: str) -> None:
    assert make_patterns([phrase], STOP_WORDS) == []


@pytest.mark.django_db
def test_a_quoted_message_of_common_words_is_found_as_it_stands() -> None:
    collection = make_collection()
    pages = {f"p{n}.md": f"# Consumer {n}\n\nA consumer, a consumer. There is one such thing.\n" for n in range(60)}
    put(collection, {**pages, "error.md": "# Codes\n\nThe server says: there is no such consumer.\n"})
    assert find_paths(collection, '"there is no such consumer"') == ["error.md"]
    results = find(collection, '"there is not this consumer"')
    assert len(results.hits) == 10
    assert "The words in quotes were not found in this order" in results.notice


@pytest.mark.parametrize("quoted", ["Command", "Command : ", "$ command", "设定方法"])
def test_one_word_is_none_with_signs_beside_it_either(quoted: str) -> None:
    assert parse_query(f'the prompt "{quoted}"').phrases == ()
    assert parse_query(f'the prompt "{quoted} 7"').phrases == (f"{quoted} 7",)


@pytest.mark.django_db
class TestStopWords:
    @pytest.fixture
    def docs(self) -> Collection:
        collection = make_collection()
        put(
            collection,
            {
                "not.md": "# Gears\n\nA gear of wood is not supported.\n",
                "yes.md": "# Gears\n\nA gear of brass is supported.\n",
                "how.md": "# Gears\n\nHow to turn a gear.\n",
            },
        )
        return collection

    def test_an_excluded_phrase_with_one_excludes_only_what_has_all_of_it(self, docs: Collection) -> None:
        assert set(find_paths(docs, 'gear -"not supported"')) == {"yes.md", "how.md"}
        assert set(find_paths(docs, "gear -supported")) == {"how.md"}
        assert set(find_paths(docs, 'gear -"is supported"')) == {"not.md", "how.md"}

    def test_a_phrase_of_nothing_else_is_looked_for_in_the_texts(self, docs: Collection) -> None:
        for phrase, paths in (("how to", ["how.md"]), ("is not", ["not.md"])):
            found = find(docs, f'"{phrase}" gear')
            assert [hit.path for hit in found.hits] == paths
            assert not found.notice

    def test_of_stop_words_alone_it_is_not_said_that_they_are_nowhere(self, docs: Collection) -> None:
        put(docs, {"as.md": "# as\n\nThe assembler.\n", "is.md": "# Gears\n\nTake it as it is.\n"})
        found = find(docs, '"as it is"')
        assert [hit.path for hit in found.hits] == ["as.md"]
        assert found.notice == (
            "The words in quotes are too common to be looked for by themselves: add one that names the subject."
        )

    def test_so_it_is_with_collections_of_several_languages(self, docs: Collection) -> None:
        german = make_collection("haus", tenant=docs.tenant, language="german")
        put(german, {"a.md": "# Gear\n\nEin gear ist kein Rad.\n"})
        both = list(Collection.objects.select_related("tenant").filter(tenant=docs.tenant))
        assert [hit.path for hit in search('"is not" gear', both, SearchOptions(limit=5, snippet_length=50)).hits] == [
            "not.md"
        ]

    @pytest.mark.usefixtures("needs_pgvector")
    def test_semantic_search_takes_such_questions_too(self, docs: Collection, embedder: FakeEmbedder) -> None:
        list(embed_collection(docs))
        assert find(docs, "gear", mode=Mode.SEMANTIC).hits
        found = find(docs, '"how to" gear -"is not"', mode=Mode.SEMANTIC)
        assert found.mode is Mode.SEMANTIC
        assert [hit.path for hit in found.hits] == ["how.md"]
        assert not found.notice

    @pytest.mark.usefixtures("needs_pgvector")
    def test_semantic_search_finds_a_phrase_of_short_words_and_excludes_names(
        self, docs: Collection, embedder: FakeEmbedder
    ) -> None:
        put(docs, {"s3.md": "# Gears\n\nAsk by s3 ls, and set on_delete.\n"})
        list(embed_collection(docs))
        assert find_paths(docs, '"s3 ls" gear', mode=Mode.SEMANTIC) == ["s3.md"]
        assert "s3.md" not in find_paths(docs, "gear -on_delete", mode=Mode.SEMANTIC)
        assert "s3.md" in find_paths(docs, "gear -on_gear", mode=Mode.SEMANTIC)

    @pytest.mark.parametrize(
        ("excluded", "left"),
        [
            ("config.yaml", {"delete", "not-found"}),
            ("on_delete", {"config", "not-found"}),
            ("not_found", {"config", "delete"}),
            ('"use config.yaml"', {"delete", "not-found"}),
            ("found", {"config", "delete"}),
            ('"--force"', {"config", "not-found"}),
        ],
    )
    def test_names_are_excluded_as_they_stand(self, excluded: str, left: set[str]) -> None:
        docs = make_collection("names")
        put(
            docs,
            {
                "config.md": "# Gear\n\nUse config.yaml.\n",
                "delete.md": "# Gear\n\nSet `on_delete`, or delete by --force.\n",
                "not-found.md": "# Gear\n\nIt raises not_found by force.\n",
            },
        )
        put(docs, {"other.md": "# Other\n\nDelete a config, which was found by yaml.\n"})
        for mode in (Mode.KEYWORD, Mode.AUTO):
            assert set(find_paths(docs, f"gear -{excluded}", mode=mode)) == {f"{name}.md" for name in left}
        assert find_paths(docs, "other -on_delete") == ["other.md"]


def test_underscores_do_not_make_looking_slow() -> None:
    [pattern] = make_patterns(["value of field"], {"of"})
    text = f"value{'_' * 19_000} x\nwhat of it field"
    assert not has_phrases([pattern], text)
    assert_linear(
        lambda text: has_phrases([pattern], text), text
    )  # 4 s when each underscore was tried as the end of the word
    assert has_phrases([pattern], "a value___ of the fields, value_of field")
    assert has_phrases(make_patterns(["foo_ of max_count_limit"], {"of"}), "foo_ of max_count_limit")
