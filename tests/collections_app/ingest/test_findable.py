"""Whatever a document says, it is found by words of its title and of its body."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collections_app.indexing.reindexing import rebuild_vectors
from collections_app.models import Collection
from collections_app.parsing.references.targets import add_hidden_sign
from tests.factories import find_paths, make_collection, put
from tests.index_check import check_index

pytestmark = pytest.mark.django_db

# Letters of several scripts; in each word so many that it is none of the words which a search leaves out.
LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéñçøřžабвгдежзиклмнопрстуфαβγδεζηθικλμνξοπρσ"
words = st.text(LETTERS, min_size=6, max_size=14)
paragraphs = st.lists(words, min_size=1, max_size=12).map(" ".join)
documents = st.tuples(
    st.lists(words, min_size=1, max_size=4).map(" ".join), st.lists(paragraphs, min_size=1, max_size=4)
)


@pytest.fixture
def collection() -> Collection:
    return make_collection(language="simple")


def test_a_page_that_only_says_where_it_has_moved_is_read_and_not_found(collection: Collection) -> None:
    moved = "# Knots\n\nThis page has moved to [Knots](b.md).\n"
    put(collection, {"a.md": moved, "b.md": "# Knots\n\nA bowline holds.\n"})
    assert find_paths(collection, "knots") == ["b.md"]
    assert find_paths(collection, "page moved") == []
    assert collection.documents.get(path="a.md").content == moved
    check_index(collection)
    put(collection, {"a.md": "# Knots\n\nThis page is back.\n"})
    assert sorted(find_paths(collection, "knots")) == ["a.md", "b.md"]
    put(collection, {"a.md": moved})
    assert find_paths(collection, "knots") == ["b.md"]
    assert list(rebuild_vectors(collection)) == [2]
    assert find_paths(collection, "knots") == ["b.md"]
    check_index(collection)


def test_a_page_that_its_site_hides_is_read_and_not_found(collection: Collection) -> None:
    text = "---\nhidden: true\n---\n# Knots\n\nA bowline holds.\n"
    put(collection, {"a.md": add_hidden_sign(text), "b.md": text})
    assert find_paths(collection, "knots") == ["b.md"]
    assert collection.documents.get(path="a.md").content == "# Knots\n\nA bowline holds.\n"
    assert list(rebuild_vectors(collection)) == [2]
    assert find_paths(collection, "bowline") == ["b.md"]
    check_index(collection)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batch=st.lists(documents, min_size=4, max_size=8))
def test_a_document_is_found_by_words_of_its_title_and_body(
    collection: Collection, batch: list[tuple[str, list[str]]]
) -> None:
    """At least a hundred documents: 25 batches of four or more."""
    texts = {
        f"{n}.md": f"# {title}\n\n" + "\n\n## Part\n\n".join(body) + f"\n\nmarker{n}\n"
        for n, (title, body) in enumerate(batch)
    }
    put(collection, texts)
    for n, (title, body) in enumerate(batch):
        for word in (re.split(r"\s", title)[0], body[-1].split()[-1]):
            assert f"{n}.md" in find_paths(collection, f"{word} marker{n}", limit=50), word
            assert f"{n}.md" in find_paths(collection, word, limit=50), word
    check_index(collection)
