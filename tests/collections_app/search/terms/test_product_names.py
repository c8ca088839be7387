"""Questions that name what all of the documents are about: it weighs less, and meaning is also that of the other words."""

from __future__ import annotations

import pytest

from collections_app.catalog.libraries import list_product_names
from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.ranking.semantic import BESIDE_NAMES, embed_question
from collections_app.search.terms.named_products import Named, find_named
from collections_app.search.terms.product_names import OF_PRODUCT, find_names, leave_out_product, weaken_product
from collections_app.search.terms.term import Term
from tests.factories import find_paths, make_collection, make_tenant, put
from tests.fake_embedder import FakeEmbedder

NAMES = frozenset({"acme gate", "gate"})


@pytest.mark.parametrize(
    ("question", "found", "rest"),
    [
        ("rate limits in Acme Gate", ["Acme Gate"], "rate limits in"),
        ("ACME-gate's rate limits", ["ACME-gate"], "'s rate limits"),
        ("how does acme_gate count", ["acme_gate"], "how does count"),
        ("open the gate for Acme Gate", ["Acme Gate", "gate"], "open the for"),
        ("acme gates", [], "acme gates"),
        ("the acme-gate-cli tool", [], "the acme-gate-cli tool"),
        ("acme gate limits", ["acme gate"], "acme gate limits"),
        ("acme gate", ["acme gate"], "acme gate"),
    ],
)
def test_a_name_is_found_as_it_is_written_and_left_out_where_enough_is_left(
    question: str, found: list[str], rest: str
) -> None:
    assert find_names(question, NAMES)[: len(found)] == found
    assert bool(find_names(question, NAMES)) == bool(found)
    assert leave_out_product(question, NAMES) == rest


@pytest.mark.parametrize(
    ("question", "name", "rest"),
    [
        ("react vs preact react hooks", "react", "vs preact hooks"),
        ("rate limits rest restful rest api", "rest", "rate limits restful api"),
    ],
)
def test_other_words_keep_their_letters(question: str, name: str, rest: str) -> None:
    assert leave_out_product(question, {name}) == rest


def test_words_that_begin_like_the_name_weigh_what_they_did() -> None:
    terms = [
        Term(word, 5, 2.0, 2.0, (place,)) for place, word in enumerate(["filebeat", "file", "harvest", "contain"], 1)
    ]
    weakened = weaken_product(terms, "filebeat file harvesting containers", {"filebeat", "containerd"})
    assert [term.idf for term in weakened] == [2.0 * OF_PRODUCT, 2.0, 2.0, 2.0]


@pytest.mark.django_db
class TestNames:
    def test_a_collection_is_called_by_its_slug_its_name_and_its_library(self) -> None:
        one = Collection(slug="acme-gate-docs", name="The Gate manual", library="gate", pk=1, tenant_id=1)
        assert list_product_names([one]) == {"acme gate", "the gate", "gate"}

    def test_versions_of_one_library_have_names_in_common_and_several_libraries_none(self) -> None:
        tenant = make_tenant()
        older, newer = (make_collection(slug, tenant=tenant) for slug in ("gate-1", "gate-2"))
        assert list_product_names([older, newer]) == frozenset()
        older.library = newer.library = "gate"
        assert "gate" in list_product_names([older, newer])

    @pytest.mark.parametrize("name", ["docs", "API", "manual", "Handbook", "User Guide", "How to", "my-docs", "C++"])
    def test_what_any_documentation_is_called_is_no_name(self, name: str) -> None:
        assert (
            list_product_names([Collection(slug=name.lower().replace(" ", "-"), name=name, pk=1, tenant_id=1)])
            == frozenset()
        )


@pytest.mark.django_db
def test_the_name_finds_less_than_the_other_words_where_all_is_about_it() -> None:
    pages = {
        "delete.md": "# Remove rows\n\nRows of a table are removed with a statement.\n",
        "handle.md": "# The lumendb handle\n\nThe lumendb handle of lumendb is opened for a table.\n",
        **{f"{n}.md": f"# Page {n}\n\nAbout something else, number {n}.\n" for n in range(20)},
    }
    question = "how to remove lumendb rows with the lumendb handle"
    about, other = make_collection("lumendb"), make_collection("notes")
    for collection in (about, other):
        put(collection, pages)
    assert find_paths(other, question)[0] == "handle.md"
    assert find_paths(about, question)[0] == "delete.md"
    assert find_paths(about, "lumendb")[0] == "handle.md"


class TestSeveralProducts:
    """Questions to the documents of several products that name one of them."""

    @pytest.mark.parametrize(
        ("question", "named", "names"),
        [
            ("rate limits in Acme Gate", ["acme-gate"], {"acme gate"}),
            ("acme-gate or lumendb", ["acme-gate", "lumendb"], {"acme gate", "lumendb"}),
            ("acme gate, lumendb and tides", [], set()),  # all of them
            ("rate limits", [], set()),
            ("acme gates and lumendb-cli", [], set()),
        ],
    )
    def test_those_that_are_named_are_found(self, question: str, named: list[str], names: set[str]) -> None:
        slugs = ("acme-gate", "lumendb", "tides")
        collections = [Collection(slug=slug, name=slug, pk=number, tenant_id=1) for number, slug in enumerate(slugs, 1)]
        found = find_named(collections, question)
        assert [each.slug for each in found.collections] == named
        assert found.names == names

    def test_the_only_product_is_named_whatever_is_asked(self) -> None:
        only = Collection(slug="lumendb", name="LumenDB", pk=1, tenant_id=1)
        assert find_named([only], "rate limits") == Named(frozenset({"lumendb"}))

    @pytest.mark.django_db
    def test_its_sections_count_as_having_its_name(self) -> None:
        tenant = make_tenant()
        ferry, lumendb = (make_collection(slug, tenant=tenant) for slug in ("ferry", "lumendb"))
        for collection, text in ((ferry, "A backup of a table is a file."), (lumendb, "A file is the table's backup.")):
            put(
                collection,
                {"backups.md": f"# Backups\n\n{text}\n", "other.md": "# Other\n\nSomething else of lumendb.\n"},
            )
        options = SearchOptions(limit=10, snippet_length=100)

        def find(question: str) -> list[str]:
            hits = search(question, [ferry, lumendb], options).hits
            return [hit.collection for hit in hits if hit.path == "backups.md"]

        assert find("backup of a table") == ["ferry", "lumendb"]
        assert find("backup of a table in lumendb") == ["lumendb", "ferry"]


def test_meaning_is_of_the_whole_question_and_of_what_is_beside_the_name() -> None:
    embedder = FakeEmbedder()
    whole, rest = embedder.embed(["hound boat trips", "boat trips"], seconds=1)
    mean = (1 - BESIDE_NAMES) * whole + BESIDE_NAMES * rest
    found = embed_question(embedder, "hound boat trips", {"hound"})
    assert found == pytest.approx((mean / (mean @ mean) ** 0.5).tolist(), abs=1e-6)
    assert embed_question(embedder, "boat trips", {"hound"}) == pytest.approx(rest.tolist())
