"""Words that some write with a hyphen, and others as one, are found in the other spelling where nobody has theirs, and versions with a `v`
or without in both."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.explain import explain_search
from collections_app.search.terms.hyphens import iter_spellings
from tests.factories import find, find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

OTHERS = {f"{number}.md": f"# Page {number}\n\nA tenant has a multi tool, and mail.\n" for number in range(6)}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("multitenant", "It is multi-tenant."),
        ("multitenancy", "About multi-tenancy."),
        ("multi-tenant", "It is multitenant."),
        ("e-mail", "An email comes."),
        ("email", "An e-mail comes."),
        ("preconfigured", "It comes pre-configured."),
        ("Café-Bar", "The cafebar."),
        ("v2.7.11", "Since 2.7.11."),
        ("2.7.11", "Since v2.7.11."),
        ("2.7", "Since v2.7."),
    ],
)
def test_it_is_found_in_the_other_spelling(question: str, text: str) -> None:
    collection = make_collection()
    put(collection, {**OTHERS, "the.md": f"# The page\n\n{text}\n"})
    assert find_paths(collection, question)[0] == "the.md"


@pytest.mark.parametrize("question", ["multitenant", "multi-tenant"])
def test_who_writes_it_as_the_question_does_is_all_that_counts(question: str) -> None:
    collection = make_collection()
    texts = {"apart.md": "# A\n\nIt is multi-tenant.\n", "joined.md": "# B\n\nIt is multitenant.\n"}
    put(collection, texts)
    hits = explain_search(question, [collection], SearchOptions(limit=10, snippet_length=100)).hits
    assert not [each.synonyms for _, why in hits if why.words for each in why.words.terms if each.synonyms]


def test_a_version_is_found_in_both_spellings() -> None:
    collection = make_collection()
    texts = {"old.md": "# Since 3.4\n\nBugs.\n", "new.md": "# v3.4\n\n## Deprecations\n\nMulti tools.\n"}
    put(collection, {**OTHERS, **texts})
    assert find_paths(collection, "3.4 deprecations")[0] == "new.md"
    for question in ("v3.4", "3.4"):
        assert set(find_paths(collection, question)[:2]) == {"old.md", "new.md"}


def test_it_is_not_told_as_missing_nor_corrected() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# A\n\nMulti-tenant servers, and a multitenent one.\n"})
    found = find(collection, "multitenants server")
    assert found.words == ()
    assert not found.notice


def test_each_collection_is_asked_for_its_own_spelling() -> None:
    tenant = make_tenant()
    english, german = make_collection("en", tenant=tenant), make_collection("de", tenant=tenant, language="german")
    put(english, {"en.md": "# A\n\nIt is multi-tenant.\n"})
    put(german, {"de.md": "# B\n\nMulti-Tenant ist es.\n"})
    hits = search("multitenant", [english, german], SearchOptions(limit=10, snippet_length=100)).hits
    assert {hit.path for hit in hits} == {"en.md", "de.md"}


def test_one_statement_tells_how_else_words_are_written_in_all_languages_and_none_where_all_are_there() -> None:
    english = make_collection("en")
    german = make_collection("de", tenant=english.tenant, language="german")
    for collection in (english, german):
        put(collection, OTHERS)
    both = list(Collection.objects.select_related("tenant").filter(tenant=english.tenant))
    asked = []
    for question in ("multi tool", "multitool"):
        with CaptureQueriesContext(connection) as statements:
            search(question, both, SearchOptions(limit=5, snippet_length=100))
        asked.append(sum("GROUP BY number, term" in each["sql"] for each in statements))
    assert asked == [0, 1]


@pytest.mark.parametrize(
    ("lexeme", "spellings"),
    [
        ("e-mail", ["email"]),
        ("up-to-dat", ["uptodat"]),
        ("abcde", ["a-bcde", "ab-cde", "abc-de", "abcd-e"]),
        ("abcd", []),
        ("sha256", []),
        ("a_long_name", []),
        ("x" * 41, []),
        ("", []),
    ],
)
def test_how_a_word_may_be_written(lexeme: str, spellings: list[str]) -> None:
    assert list(iter_spellings(lexeme)) == spellings
