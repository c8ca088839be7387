"""Forms of a word that its stem does not tell find each other in English collections, and count as the word."""

from __future__ import annotations

import pytest

from collections_app.curating import add_synonym
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.explain import explain_search
from collections_app.search.ranking.scoring import OWN
from collections_app.search.terms.word_forms import MOST_WORDS
from tests.factories import find, find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

OTHERS = {f"{number}.md": f"# Page {number}\n\nNothing to see but number {number}.\n" for number in range(6)}


@pytest.fixture
def docs() -> Collection:
    collection = make_collection()
    put(collection, OTHERS)
    return collection


def list_forms_found(collection: Collection, question: str) -> dict[str, tuple[str, ...]]:
    """Of the first hit: what counts as which word."""
    [(_, why), *_] = explain_search(question, [collection], SearchOptions(limit=10, snippet_length=100)).hits
    assert why.words is not None
    return {term.word: term.synonyms for term in why.words.terms if term.synonyms}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("which files are overwritten", "It will overwrite them."),
        ("overwrite files", "They were overwritten."),
        ("overriding it", "It was overridden."),
        ("command aliases", "An alias of it."),
        ("alias", "Their aliases."),
        ("queued", "The queue."),
        ("matrices", "A matrix."),
        ("behaviour", "How it behaves, its behavior."),
        ("behaviors", "Its behaviour."),
        ("serialised", "It serializes."),
        ("synchronization", "How it synchronises."),
        ("analyse", "It analyzes."),
        ("colored", "In colour."),
        ("notified", "A notification."),
        ("verification", "To verify."),
        ("failure", "It fails."),
        ("subscribe", "A subscription."),
        ("indices", "The index."),
        ("specification", "To specify."),
        ("organisational", "Organizational."),
        ("Behäviour", "Its behavior."),
        ("set env vars", "The variables of the environment are set."),
        ("repo", "Repositories."),
        ("auth", "Authentication."),
        ("missing deps", "A dependency is missing."),
    ],
)
def test_it_is_found_in_another_form(docs: Collection, question: str, text: str) -> None:
    put(docs, {"the.md": f"# The page\n\n{text}\n"})
    assert find_paths(docs, question)[:1] == ["the.md"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("found", "To find."),  # `not found` is another thing
        ("sizes", "A sise."),
        ("four", "It is for you."),
        ("vectors", "A vectour."),
        ("overwritten_files", "To overwrite."),
        ("index", "It indicates that."),  # which has the stem of `indices`
        ("specify", "A specific one."),
        ("certify", "A certificate."),
        ("multiply", "Multiple ones."),
        ("win", "It won't."),
    ],
)
def test_other_words_are_no_forms(docs: Collection, question: str, text: str) -> None:
    put(docs, {"the.md": f"# The page\n\n{text}\n"})
    assert "the.md" not in find_paths(docs, question)


def test_forms_count_as_the_word_they_are_asked_for(docs: Collection) -> None:
    put(docs, {"one.md": "# Rows\n\nIt is hidden.\n", "two.md": "# Cells\n\nTo hide it.\n"})
    hits = {hit.path: hit.score for hit in find(docs, "hidden").hits}
    assert hits["one.md"] == hits["two.md"]
    assert find(docs, "hidden").words == ()
    assert list_forms_found(docs, "hidden number") == {"hidden": ("hide",)}


def test_what_is_found_nowhere_in_any_form_is_told_as_missing(docs: Collection) -> None:
    words = find(docs, "overwritten numbers").words
    assert ("overwritten", 0) in [(word.word, word.sections) for word in words]


def test_a_form_that_is_asked_for_beside_the_word_is_a_word_of_its_own(docs: Collection) -> None:
    put(docs, {"a.md": "# A\n\nHide what is hidden.\n"})
    assert list_forms_found(docs, "hide hidden") == {}


def test_a_word_in_two_forms_of_one_stem_has_each_other_form_once(docs: Collection) -> None:
    put(docs, {"a.md": "# A\n\nIt is hidden. To hide it.\n"})
    [(_, once), *_] = explain_search("hide", [docs], SearchOptions(limit=10, snippet_length=100)).hits
    [(_, twice), *_] = explain_search("hide hiding", [docs], SearchOptions(limit=10, snippet_length=100)).hits
    assert once.words is not None
    assert twice.words is not None
    assert [term.sections for term in once.words.terms] == [term.sections for term in twice.words.terms] == [2]


def test_what_people_say_is_a_form_counts_once(docs: Collection) -> None:
    put(docs, {"a.md": "# Notes\n\n## Licence key\n\nText.\n"})

    def explain() -> list[tuple[int, float]]:
        [(_, why), *_] = explain_search("license key", [docs], SearchOptions(limit=10, snippet_length=100)).hits
        assert why.words is not None
        return [(term.sections, term.own_heading) for term in why.words.terms]

    before = explain()
    assert all(own_heading > 0 for _, own_heading in before)
    add_synonym(docs, "license", "licence")
    bump_index_version(docs)
    assert explain() == before


def test_what_counts_as_a_word_stands_in_for_none(docs: Collection) -> None:
    put(docs, {"a.md": "# Notes\n\nEach licence is free.\n"})
    hits = explain_search("license unknown words beside it", [docs], SearchOptions(limit=10, snippet_length=100)).hits
    assert hits[0][1].words is not None
    assert [(term.word, term.is_stand_in) for term in hits[0][1].words.terms if "licenc" in term.synonyms] == [
        ("licens", False)
    ]


def test_a_heading_in_another_form_is_asked_for_whole(docs: Collection) -> None:
    put(docs, {"a.md": "# Tools\n\n## Hidden rows\n\nText.\n"})
    [(_, why), *_] = explain_search("hide rows", [docs], SearchOptions(limit=10, snippet_length=100)).hits
    assert why.words is not None
    terms = {term.word: term for term in why.words.terms}
    assert terms["hide"].own_heading == pytest.approx(OWN * terms["hide"].idf)


def test_the_snippet_shows_the_form(docs: Collection) -> None:
    put(docs, {"long.md": f"# Mail\n\n{'wide plain ' * 100}it was sent at noon {'wide plain ' * 100}\n"})
    [hit] = find(docs, "send").hits
    assert "was sent" in hit.snippet


def test_the_snippet_shows_a_form_whose_stem_is_no_beginning_of_it(docs: Collection) -> None:
    put(docs, {"long.md": f"# Mail\n\n{'wide plain ' * 100}it is easy at noon {'wide plain ' * 100}\n"})
    [hit] = find(docs, "easily").hits
    assert "is easy" in hit.snippet


def test_a_phrase_is_required_as_it_stands(docs: Collection) -> None:
    put(docs, {"a.md": "# A\n\nThe rows are hidden.\n"})
    assert "in this order" not in find(docs, '"rows are hidden"').notice
    assert "in this order" in find(docs, '"rows are hide"').notice


def test_forms_are_those_of_the_collections_asked(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, {"a.md": "# A\n\nIt was sent.\n"})
    assert [(word.word, word.sections) for word in find(docs, "send").words] == [("send", 0)]
    assert [hit.path for hit in search("send", [docs, other], SearchOptions(limit=10, snippet_length=100)).hits] == [
        "a.md"
    ]


def test_other_languages_have_none() -> None:
    tenant = make_tenant()
    english, german = make_collection("en", tenant=tenant), make_collection("de", tenant=tenant, language="german")
    for collection in (english, german):
        put(collection, {f"{collection.slug}.md": "# A\n\nThey sent it.\n"})
    hits = search("send", [english, german], SearchOptions(limit=10, snippet_length=100)).hits
    assert [hit.path for hit in hits] == ["en.md"]


def test_so_many_words_of_a_question_have_forms(docs: Collection) -> None:
    words = ["bring", "catch", "choose", "draw", "drive", "fight", "freeze", "grow", "hide", "throw"]
    forms = ["brought", "caught", "chosen", "drawn", "driven", "fought", "frozen", "grown", "hidden", "thrown"]
    put(docs, {"a.md": f"# A\n\n{' '.join(forms)}\n"})
    assert len(list_forms_found(docs, " ".join(words))) == MOST_WORDS


def test_of_a_common_word_the_headings_are_looked_up_in_every_form(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.ranking.matching.MANY", 20)
    monkeypatch.setattr("collections_app.search.ranking.matching.ENOUGH", 2)
    put(docs, {f"page-{number:02}.md": f"# Page {number}\n\nIt may fail.\n" for number in range(40)})
    put(docs, {"why.md": "# Why it fails\n\nText.\n", "what.md": "# What a failure is\n\nText.\n"})
    assert set(find_paths(docs, "fail", limit=10)) == {"why.md", "what.md"}
