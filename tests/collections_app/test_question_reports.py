"""What happened at one moment, and what two collections have alike, is told in one order whatever the database reads first."""

from __future__ import annotations

import pytest
from django.utils import timezone

from collections_app.activity.history import record_search
from collections_app.models import Collection, Feedback, Pin, SearchEvent, Synonym, Tenant
from collections_app.reports import questions
from collections_app.reports.questions import list_unanswered, report_feedback
from tests.factories import find, make_collection, make_principal, make_tenant, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant()


@pytest.fixture
def collections(tenant: Tenant) -> list[Collection]:
    return [make_collection(slug, tenant=tenant) for slug in ("first", "second")]


def test_the_last_feedback_of_one_moment_comes_first(tenant: Tenant) -> None:
    for question in "abc":
        Feedback.objects.create(tenant=tenant, question=question, helpful=False)
    Feedback.objects.update(created=timezone.now())
    assert [row.question for row in report_feedback(tenant).unhelpful] == ["c", "b", "a"]


def test_of_two_questions_at_one_moment_the_last_tells_the_collections(
    tenant: Tenant, collections: list[Collection]
) -> None:
    for collection in collections:
        SearchEvent.objects.create(
            tenant=tenant, query="llamas", mode="keyword", hits=0, duration_ms=1, collections=[collection.pk]
        )
    SearchEvent.objects.update(created=timezone.now())
    [question] = list_unanswered(tenant)
    assert question.collections == [collections[1]]


def test_synonyms_that_two_collections_have_come_as_they_were_made(
    tenant: Tenant, collections: list[Collection]
) -> None:
    ids = [collection.pk for collection in reversed(collections)]
    for pk in ids:
        Synonym.objects.create(tenant=tenant, collection_id=pk, term="llamas", synonym="alpacas")
    Synonym.objects.filter(collection=ids[0]).update(is_mutual=False)  # which writes it behind the other
    SearchEvent.objects.create(tenant=tenant, query="llamas", mode="keyword", hits=0, duration_ms=1, collections=ids)
    [question] = list_unanswered(tenant)
    assert [row.collection_id for row in question.synonyms] == ids


def test_the_many_synonyms_and_pins_of_one_collection_hide_none_of_another(
    tenant: Tenant, collections: list[Collection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "MAX_CURATIONS", 2)
    for collection, words in zip(collections, (["alpacas", "camels", "gnus"], ["llamas"]), strict=True):
        for word in words:
            Synonym.objects.create(tenant=tenant, collection=collection, term=word, synonym="animals")
            Pin.objects.create(tenant=tenant, collection=collection, question=word, path="a.md")
    ids = [collection.pk for collection in collections]
    for query in ("camels", "gnus", "llamas"):
        SearchEvent.objects.create(tenant=tenant, query=query, mode="keyword", hits=0, duration_ms=1, collections=ids)
    found = {question.text: (len(question.synonyms), len(question.pins)) for question in list_unanswered(tenant)}
    assert found == {"camels": (1, 1), "gnus": (0, 0), "llamas": (1, 1)}


def test_what_was_narrowed_to_what_has_none_of_it_is_not_missing(tenant: Tenant, collections: list[Collection]) -> None:
    put(collections[0], {"a.md": "# Llamas\n\nThey eat hay.\n"})
    key = make_principal(collections[0])
    for query, filters in (("llamas", {"format": "pdf"}), ("alpacas", None), ("gnus", {"format": "pdf"})):
        record_search(key, collections, find(collections[0], query, filters=filters), 1.0)
    assert [question.text for question in list_unanswered(tenant)] == ["gnus", "alpacas"]
