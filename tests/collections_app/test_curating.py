from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction

from collections_app.curating import add_pin, add_synonym, remove_curation
from collections_app.exceptions import DocumentNotFound, InvalidParameter, SectionNotFound
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Pin, Synonym
from tests.factories import find_paths, make_collection, put
from tests.other_thread import start, wait_until_it_waits

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection() -> Collection:
    collection = make_collection()
    put(
        collection,
        {
            "lever.md": "# Lever\n\nPull the lever.\n\n## Force\n\nMuch force.\n",
            "mango.md": "# Mango\n\nThe mango of a lever.\n",
        },
    )
    return collection


def test_a_synonym_counts_at_once_and_no_more_when_it_is_gone(collection: Collection) -> None:
    assert find_paths(collection, "crowbar") == []
    synonym = add_synonym(collection, "crowbar", "mango")
    assert find_paths(collection, "crowbar") == ["mango.md"]
    remove_curation(synonym)
    assert find_paths(collection, "crowbar") == []


def test_a_synonym_that_is_not_mutual_leads_one_way(collection: Collection) -> None:
    put(collection, {"crowbar.md": "# Crowbar\n\nIron.\n"})
    add_synonym(collection, "crowbar", "mango", is_mutual=False)
    assert find_paths(collection, "mango") == ["mango.md"]


def test_the_same_synonym_again_changes_it(collection: Collection) -> None:
    add_synonym(collection, "crowbar", " mango ")
    add_synonym(collection, "crowbar", "mango", is_mutual=False)
    assert Synonym.objects.get().is_mutual is False


def test_the_last_pin_stands_first(collection: Collection) -> None:
    for path in ("lever.md", "mango"):
        add_pin(collection, "What is it?", path)
    assert find_paths(collection, "what is it") == ["mango.md", "lever.md"]
    add_pin(collection, "What is it?", "lever.md", "lever/force")
    assert find_paths(collection, "what is it") == ["lever.md", "mango.md"]
    assert Pin.objects.count() == 2


def test_a_pin_goes_by_the_name_of_a_section_too(collection: Collection) -> None:
    assert add_pin(collection, "How strong?", "lever.md", "Force").section_id == "lever/force"


@pytest.mark.parametrize(
    ("term", "synonym"),
    [("", "mango"), ("crowbar", "!?"), ("Mángo", "mango"), ("x" * 101, "mango"), ("crowbar", "y" * 101)],
)
def test_synonyms_that_could_not_work_are_refused(collection: Collection, term: str, synonym: str) -> None:
    with pytest.raises(InvalidParameter):
        add_synonym(collection, term, synonym)
    assert not Synonym.objects.exists()


@pytest.mark.parametrize(
    ("question", "path", "section_id", "error"),
    [
        ("...", "lever.md", "", InvalidParameter),
        ("x" * 201, "lever.md", "", InvalidParameter),
        ("q", "gone.md", "", DocumentNotFound),
        ("q", "lever.md", "gone", SectionNotFound),
    ],
)
def test_pins_that_could_not_work_are_refused(
    collection: Collection, question: str, path: str, section_id: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        add_pin(collection, question, path, section_id)
    assert not Pin.objects.exists()


def test_a_page_of_another_collection_is_not_there(collection: Collection) -> None:
    put(make_collection(tenant=collection.tenant), {"other.md": "# Other\n\nText.\n"})
    with pytest.raises(DocumentNotFound):
        add_pin(collection, "q", "other.md")


def test_a_name_that_no_text_has_is_taken_without_what_is_wrong_with_it(collection: Collection) -> None:
    assert add_pin(collection, "heavy", "mango\0.md", "mango\0").section_id == "mango"
    with pytest.raises(InvalidParameter, match="Name the page"):
        add_pin(collection, "heavy", "\0")


@pytest.mark.django_db(transaction=True)
def test_two_who_pin_at_once_wait_for_each_other_in_one_order(collection: Collection) -> None:
    add_pin(collection, "lever", "lever.md")
    with transaction.atomic():
        bump_index_version(collection)
        other = start(partial(add_pin, collection, "lever", "mango.md"))
        wait_until_it_waits(other)
        assert Pin.objects.update(position=1) == 1
    assert isinstance(other.result(), Pin)


@pytest.mark.django_db(transaction=True)
def test_who_removes_a_pin_and_who_pins_wait_in_the_same_order(collection: Collection) -> None:
    pin = add_pin(collection, "lever", "lever.md")
    with transaction.atomic():
        remove_curation(pin)
        other = start(partial(add_pin, collection, "lever", "mango.md"))
        wait_until_it_waits(other)
        bump_index_version(collection)
    assert isinstance(other.result(), Pin)
