"""Words that a language writes as one are found by what they are made of, and the other way round."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.explain import explain_search
from collections_app.search.scope import Scope
from collections_app.search.terms.compounds import MAX_JOINED, find_joined
from tests.factories import find, find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

PAGES = {
    "leuchte.md": "# Leuchten\n\nDie Gartenleuchte braucht Strom.\n",
    "beides.md": "# Hof\n\nIm Garten steht keine Leuchte, im Garten liegt Laub.\n",
    "laub.md": "# Laub\n\nEs liegt herum.\n",
    "ruhe.md": "# Pflege\n\nIm Wartungsmodus ruht alles.\n",
}

ENGLISH_PAGES = {
    "limits.md": "# Limits\n\nWhat a timeout means.\n",
    "accounts.md": "# Accounts\n\nThe login asks for a username.\n",
    "storage.md": "# Storage\n\nEach tenant has its database.\n",
}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("haus", language="german")
    put(collection, PAGES)
    return collection


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Leuchte für den Garten", "leuchte.md"),
        ("Garten Leuchte", "leuchte.md"),
        ("Modus für die Wartung", "ruhe.md"),
        ("modus der wartung", "ruhe.md"),
    ],
)
def test_two_words_find_the_one_that_they_make(docs: Collection, question: str, path: str) -> None:
    assert path in find_paths(docs, question)


@pytest.mark.parametrize(
    "question",
    [
        "Modus",  # one of them
        "Wartung",
        "Wartung im Laub nach dem Modus",  # the first part first, and words between
        "Modus, Laub, Hof, Pflege, Wartung",  # too far apart
    ],
)
def test_other_words_do_not(docs: Collection, question: str) -> None:
    assert "wartungsmodus" not in explain_synonyms(docs, question)


def explain_synonyms(collection: Collection, question: str) -> set[str]:
    hits = explain_search(question, [collection], SearchOptions(limit=10, snippet_length=100)).hits
    return {word for _, why in hits if why.words for term in why.words.terms for word in term.synonyms}


def test_a_compound_counts_as_each_of_its_words(docs: Collection) -> None:
    assert explain_synonyms(docs, "Leuchte im Garten") == {"gartenleucht"}


def test_scores_with_compounds_are_explained(docs: Collection) -> None:
    for hit, why in explain_search("Leuchte im Garten", [docs], SearchOptions(limit=10, snippet_length=100)).hits:
        assert why.score == pytest.approx(hit.score, abs=1e-4)


def test_a_compound_that_is_asked_for_is_no_other_word(docs: Collection) -> None:
    assert explain_synonyms(docs, "Gartenleuchte, die Leuchte im Garten") == set()


def test_a_compound_that_nobody_wrote_finds_its_words(docs: Collection) -> None:
    found = find(docs, "Gartenlaub")
    assert {hit.path for hit in found.hits} == {"beides.md", "laub.md"}
    assert [(word.word, word.sections) for word in found.words] == [("Gartenlaub", 0)]


def test_one_that_somebody_wrote_does_not(docs: Collection) -> None:
    assert find_paths(docs, "Gartenleuchte") == ["leuchte.md"]


def test_what_is_made_of_known_words_is_no_typing_error(docs: Collection) -> None:
    put(docs, {"haube.md": "# Hauben\n\nEine Laubhaube.\n", "taube.md": "# Tauben\n\nEine Taube.\n"})
    assert find(docs, "Laubtaube").notice == ""
    assert "laubhaube" in find(docs, "Laubhuabe").notice.lower()


def test_what_is_made_of_unknown_words_is_not_split(docs: Collection) -> None:
    assert find_paths(docs, "Laubbesen") == []


def test_the_snippet_shows_a_part(docs: Collection) -> None:
    put(docs, {"lang.md": f"# Nil\n\n{'weite Fläche ' * 100} viel Laub {'weite Fläche ' * 100}\n"})
    assert "viel Laub" in {hit.path: hit.snippet for hit in find(docs, "Gartenlaub").hits}["lang.md"]


def test_parts_are_told_as_they_were_asked(docs: Collection) -> None:
    words = find(docs, "Laubleuchten", filters={"path": "nil.md"}).words
    assert [(word.word, word.sections) for word in words] == [("Laubleuchten", 0), ("laub", 2), ("leuchten", 2)]


def test_compounds_of_all_collections_count() -> None:
    tenant = make_tenant()
    collections = [make_collection(f"c{number}", tenant=tenant, language="german") for number in range(3)]
    for collection in collections:
        put(collection, {"a.md": f"# Hof\n\nEine Gartenleuchte in {collection.slug}.\n"})
    hits = search("Leuchte im Garten", collections[:2], SearchOptions(limit=10, snippet_length=100)).hits
    assert {hit.collection for hit in hits} == {"c0", "c1"}


def test_only_the_commonest_count_of_all_collections() -> None:
    firsts = ["bant", "bent", "bint", "bont", "bunt", "dant", "dent", "dint", "dont", "dunt"]
    compounds = [(f"{first}blatt", number, 1) for number, first in enumerate(firsts, 1)]
    joined = find_joined(Scope("german", (1,), (1, 2)), ["blatt", *firsts], [*compounds, ("bantblatt", 9, 2)])
    found = [(each.lexemes, each.sections, each.pages) for each in joined["blatt"]]
    assert found[:2] == [(("bantblatt",), 10, 3), (("duntblatt",), 10, 1)]
    assert len(found) == MAX_JOINED
    assert "bent" not in joined


def test_no_compounds_are_looked_for_in_a_long_question(docs: Collection) -> None:
    question = "Leuchte Garten eins zwei drei vier fünf sechs sieben acht neun zehn"
    assert explain_synonyms(docs, question) == {"gartenleucht"}
    assert explain_synonyms(docs, f"{question} elf") == set()


@pytest.mark.parametrize("language", ["simple", "french"])
def test_other_languages_join_and_split_nothing(language: str) -> None:
    collection = make_collection(language=language)
    put(collection, PAGES | ENGLISH_PAGES)
    with CaptureQueriesContext(connection) as queries:
        assert "ruhe.md" not in find_paths(collection, "Modus Wartung")
        assert "laub.md" not in find_paths(collection, "Gartenlaub")
        assert "limits.md" not in find_paths(collection, "time out")
    assert not any("start.lexeme" in str(query["sql"]) or "'english'" in str(query["sql"]) for query in queries)


@pytest.fixture
def guide() -> Collection:
    collection = make_collection("guide", language="english")
    put(collection, ENGLISH_PAGES)
    return collection


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("time out", "limits.md"),
        ("the request timed out", "limits.md"),
        ("logged in", "accounts.md"),
        ("user names", "accounts.md"),
        ("data base", "storage.md"),
        ("data-base", "storage.md"),
    ],
)
def test_english_pairs_find_the_word_that_they_make(guide: Collection, question: str, path: str) -> None:
    assert path in find_paths(guide, question)


@pytest.mark.parametrize("question", ["names of a user", "out of time", "name user"])
def test_other_words_of_english_do_not(guide: Collection, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Else `account` stands in for `user`.
    monkeypatch.setattr("collections_app.search.rankings.MAX_SECTIONS_FOR_STAND_INS", 0)
    assert find_paths(guide, question) == []


def test_a_quoted_pair_is_looked_for_as_it_stands(guide: Collection) -> None:
    put(guide, {"names.md": "# Names\n\nEach user name is short.\n"})
    assert find_paths(guide, '"user name"') == ["names.md"]


APART = {
    "probes.md": "# Probes\n\nThe health checks of a pod.\n",
    "endings.md": "# Ending\n\nIts exit code tells why.\n",
    "visits.md": "# Visits\n\nThe doctor checks your health. The code of the door lets you exit.\n",
}


@pytest.mark.parametrize(
    ("question", "path", "parts"),
    [("healthcheck", "probes.md", ["health", "check"]), ("exitcodes", "endings.md", ["exit", "codes"])],
)
def test_a_word_that_nobody_wrote_as_one_finds_the_pair(
    guide: Collection, question: str, path: str, parts: list[str]
) -> None:
    put(guide, APART)
    assert find_paths(guide, question) == [path, "visits.md"]
    words = find(guide, question, filters={"path": "nil.md"}).words
    assert {(word.word, word.sections) for word in words} == {(question, 0), *((part, 2) for part in parts)}


def test_words_of_which_no_two_stand_side_by_side_are_no_pair(guide: Collection) -> None:
    put(guide, APART)
    assert find_paths(guide, "checkhealth") == []
    assert find_paths(guide, "doorexit") == []


def test_what_somebody_wrote_as_one_is_not_split(guide: Collection) -> None:
    put(guide, APART | {"one.md": "# One\n\nA healthcheck.\n"})
    assert find_paths(guide, "healthcheck") == ["one.md"]


def test_pairs_of_common_words_are_not_looked_up(guide: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    # Else the two words stand in.
    monkeypatch.setattr("collections_app.search.rankings.MAX_SECTIONS_FOR_STAND_INS", 0)
    put(guide, APART)
    with mock.patch("collections_app.search.terms.compounds.MOST_CHECKED", 1):
        assert find_paths(guide, "healthcheck") == []


def test_a_pair_of_another_collection_does_not_count(guide: Collection) -> None:
    put(make_collection("other", tenant=guide.tenant), APART)
    put(guide, {"health.md": "# Health\n\nAll is well.\n", "check.md": "# To do\n\nThe check is paid.\n"})
    assert find_paths(guide, "healthcheck") == []


def test_pairs_count_in_english_collections_beside_others(docs: Collection) -> None:
    guide = make_collection("guide", tenant=docs.tenant, language="english")
    put(guide, ENGLISH_PAGES)
    hits = search("Garten Leuchte time out", [docs, guide], SearchOptions(limit=10, snippet_length=100)).hits
    assert {"leuchte.md", "limits.md"} <= {hit.path for hit in hits}
