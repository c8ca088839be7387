"""Words of the thesaurus stand in for those of a question where the sections found lack them, and count less."""

from __future__ import annotations

import re

import pytest

from collections_app.curating import add_synonym
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.question import Question
from collections_app.search.terms import stand_ins
from collections_app.text.words.thesaurus import GROUPS, THESAURUS, list_entries
from tests.factories import find, find_paths, make_collection, put

pytestmark = pytest.mark.django_db

TEXTS = {
    "files.md": "# Files\n\nDelete an old directory with the file manager. The tool asks first.\n",
    "account.md": "# Account\n\nEach account can disable mail from the file manager.\n",
    "keys.md": "# Keys\n\nThe signing machine keeps its environment variable for the build.\n",
}


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection()
    put(collection, TEXTS)
    return collection


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that words of the thesaurus were looked for."""
    asked: list[str] = []
    original = Question.with_stand_ins

    def note(question: Question, *, for_missing: bool) -> Question:
        wider = original(question, for_missing=for_missing)
        asked.extend([question.query.text] if wider is not question else [])
        return wider

    monkeypatch.setattr(Question, "with_stand_ins", note)
    return asked


@pytest.mark.parametrize(
    ("query", "path"),
    [
        pytest.param("erase folders", "files.md", id="neither word is there"),
        pytest.param("removing a folder", "files.md", id="other forms of the word"),
        pytest.param("switch off email", "account.md", id="two words for one"),
        pytest.param("env var", "keys.md", id="two words for two"),
        pytest.param("turned off", "account.md", id="forms of the first of two words"),
        pytest.param("“folders”", "files.md", id="in other quotes"),
    ],
)
def test_other_words_find_what_the_documents_call_otherwise(docs: Collection, query: str, path: str) -> None:
    results = find(docs, query)
    assert results.hits[0].path == path
    assert results.notice == ""


def test_the_snippet_shows_the_word_that_stood_in(docs: Collection) -> None:
    filler = " ".join(f"word{number}" for number in range(400))
    put(docs, {"long.md": f"# Long\n\n{filler}. A directory may be nested. {filler}\n"})
    [hit] = [hit for hit in find(docs, "folder").hits if hit.path == "long.md"]
    assert "A directory may be nested" in hit.snippet


def test_the_word_itself_is_worth_more(docs: Collection) -> None:
    put(docs, {f"{verb}.md": f"# Page\n\nHow to {verb} a quota.\n" for verb in ("remove", "erase", "delete")})
    assert find_paths(docs, "erase a quota of pages in files")[0] == "erase.md"


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pull request", "A merge request waits for a second pair of eyes."),
        ("k8s", "It runs on Kubernetes."),
        ("two bugs", "Each defect has a number."),
        ("2fa", "With MFA a code comes by post."),
        ("two-factor", "With MFA a code comes by post."),
        ("read-only", "The disk is write protected."),
        ("sso", "Single sign-on is for all applications."),
        ("single sign-on", "SSO is for all applications."),
        ("single sign on", "SSO is for all applications."),
    ],
)
def test_two_words_differ_by_one_and_names_have_digits(query: str, text: str) -> None:
    collection = make_collection()
    put(collection, {"page.md": f"# Page\n\n{text}\n", "other.md": "# Other\n\nNothing of it.\n"})
    assert find_paths(collection, query) == ["page.md"]


def test_a_word_that_is_nowhere_brings_none_for_those_that_are_found(docs: Collection) -> None:
    put(docs, {"remove.md": "# Remove\n\nRemove, remove and remove.\n", "delete.md": "# Other\n\nTo delete.\n"})
    assert find_paths(docs, "delete by frobnicator") == ["delete.md", "files.md"]


def test_another_language_beside_it_changes_nothing(docs: Collection, looked_up: list[str]) -> None:
    german = make_collection(language="german", tenant=docs.tenant)
    put(german, {"buch.md": "# Buch\n\nEin Buch.\n"})
    both = list(Collection.objects.select_related("tenant").filter(pk__in=[docs.pk, german.pk]))
    alone, beside = (
        find(docs, "delete directory"),
        search("delete directory", both, SearchOptions(limit=10, snippet_length=200)),
    )
    assert [hit.path for hit in alone.hits] == [hit.path for hit in beside.hits] == ["files.md"]
    assert looked_up == []


def test_a_scope_of_its_own_makes_what_stands_in_no_rarer(docs: Collection) -> None:
    """A collection with synonyms is looked up by itself."""
    put(docs, {f"folder{number}.md": f"# Page {number}\n\nA folder.\n" for number in range(20)})
    small = make_collection(tenant=docs.tenant)
    put(small, {"small.md": "# Small\n\nA directory.\n"})
    both = list(Collection.objects.select_related("tenant").filter(pk__in=[docs.pk, small.pk]))

    def get_scores() -> dict[str, float]:
        hits = search("folder frobnicator buzzword", both, SearchOptions(limit=50, snippet_length=200)).hits
        return {hit.path: hit.score for hit in hits}

    together = get_scores()
    add_synonym(small, "folder", "drawer")
    bump_index_version(small)
    both = list(Collection.objects.select_related("tenant").filter(pk__in=[docs.pk, small.pk]))
    assert get_scores() == pytest.approx(together, rel=0.05)


def test_they_are_not_looked_for_where_a_section_has_the_words(docs: Collection, looked_up: list[str]) -> None:
    assert find_paths(docs, "delete directory") == ["files.md"]
    assert looked_up == []
    assert find_paths(docs, "erase directory")[0] == "files.md"
    assert looked_up == ["erase directory"]


@pytest.mark.parametrize("query", ['folder "old directory"', "folder.erase(folder)\nfolder = folder.erase()"])
def test_phrases_and_code_are_asked_for_as_they_stand(docs: Collection, looked_up: list[str], query: str) -> None:
    find(docs, query)
    assert looked_up == []


def test_an_option_is_no_plain_word(docs: Collection) -> None:
    assert find_paths(docs, "erase_folder") == []


def test_they_are_english(docs: Collection) -> None:
    german = make_collection(language="german")
    put(german, TEXTS)
    assert find_paths(german, "folder") == []


def test_they_are_those_of_the_collections_asked(docs: Collection) -> None:
    other = make_collection()
    put(other, {"other.md": "# Other\n\nNothing about it.\n"})
    assert find_paths(other, "folder") == []


def test_what_people_say_counts_as_the_word_beside_them(docs: Collection) -> None:
    put(docs, {"drawer.md": "# Drawers\n\nA drawer.\n"})
    add_synonym(docs, "folder", "drawer")
    bump_index_version(docs)
    assert find_paths(docs, "erase folder") == ["drawer.md", "files.md"]


def test_among_very_many_sections_they_are_not_looked_for(
    docs: Collection, looked_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.rankings.MAX_SECTIONS_FOR_STAND_INS", 2)
    assert find_paths(docs, "folder") == []
    assert looked_up == []


def test_there_is_a_limit_to_how_many_are_looked_for(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "emails in a folder"
    assert sorted(find_paths(docs, question)) == ["account.md", "files.md"]
    monkeypatch.setattr(stand_ins, "MOST", 1)
    assert find_paths(docs, question) == ["account.md"]


def test_entries_are_plain_words_each_once_in_a_line() -> None:
    for line in GROUPS.strip().splitlines():
        entries = line.split(", ")
        assert len(entries) > 1
        assert len(set(entries)) == len(entries)
        assert all(re.fullmatch(r"[a-z0-9]+( [a-z0-9]+(-on)?)?", entry) for entry in entries)
    assert "directory" in THESAURUS["folder"]


@pytest.mark.django_db
def test_they_stand_in_for_words_that_there_are_where_no_section_has_most_of_the_question(docs: Collection) -> None:
    put(docs, {"erase.md": "# Erase\n\nNothing.\n", "folders.md": "# Folders\n\nNothing.\n"})
    put(docs, {f"{n}.md": f"# Page {n}\n\nThe folder of an old tool.\n" for n in range(3)})
    assert "files.md" in find_paths(docs, "erase old folders manager")[:2]


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("removed", "remove"),
        ("removing", "remove"),
        ("directories", "directory"),
        ("retried", "retry"),
        ("stopping", "stop"),
        ("switches", "switch"),
        ("turning off", "turn off"),
        ("env vars", "env var"),
    ],
)
def test_words_are_looked_up_by_their_regular_forms(words: str, entry: str) -> None:
    assert entry in list_entries(words)
    assert words not in THESAURUS


@pytest.mark.parametrize("word", ["guide", "local", "author", "terminal"])
def test_words_that_only_look_like_another_are_none_of_its_forms(word: str) -> None:
    """`author` and `authorize` have one stem."""
    assert {"guid", "locale", "authorize", "terminate"}.isdisjoint(list_entries(word))
