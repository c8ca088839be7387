"""What filters leave of what would be found, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection
from collections_app.search import SearchOptions, search
from collections_app.search.narrowing.filters import FIELDS, OPERATORS, parse_filters
from collections_app.text import facts
from tests.factories import find, find_paths, leave_facts_out, make_collection, put

PAGES = {
    "guide/tls.md": "---\nkeywords: [TLS, security]\nsince: 2\nreleased: 2024-03-01\nstate: Stable\nfor: [linux, Mac]\n---\n# A\n\ngear\n",
    "guide/queue.md": "---\nkeywords: [queues]\nsince: 10\nreleased: 2025-01-15\nstate: beta\nfast: true\n---\n# B\n\ngear\n",
    "reference/api.md": "---\ncategory: API\nsince: '3'\nreleased: soon\n---\n# C\n\ngear\n",
    "notes.txt": "gear\n",
}
TLS, QUEUE, API, NOTES = PAGES


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection("manual")
    put(collection, PAGES)
    return collection


@pytest.fixture(params=["told by the index", "of an index without facts", "with more facts than an index takes"])
def any_docs(request: pytest.FixtureRequest, db: None, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """The ways in which documents come to be looked at, or not."""
    if request.param.startswith("with more"):
        monkeypatch.setattr(facts, "MAX_FACTS", 0)
        monkeypatch.setattr("collections_app.search.narrowing.facts.MOST_UNTOLD", 1.0)
    if request.param.startswith("of an index"):
        leave_facts_out(monkeypatch)
    collection = make_collection("manual")
    put(collection, PAGES)
    return collection


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"path": TLS}, {TLS}),
        ({"path": {"$in": [TLS, QUEUE.upper()]}}, {TLS}),
        ({"path": [TLS, NOTES]}, {TLS, NOTES}),
        ({"path": {"$contains": "GUIDE/"}}, {TLS, QUEUE}),
        ({"path": "guide/"}, {TLS, QUEUE}),
        ({"path": "GUIDE/"}, set()),
        ({"path": "guid/"}, set()),
        ({"path": "./guide/**"}, {TLS, QUEUE}),
        ({"path": "/guide/*"}, {TLS, QUEUE}),
        ({"path": "guide/**/*"}, {TLS, QUEUE}),
        ({"path": {"$nin": ["**", ""]}}, set()),
        ({"path": ""}, set()),
        ({"path": f"/{TLS}"}, {TLS}),
        ({"path": f"manual:/{TLS}"}, {TLS}),
        ({"path": "manual:**", "category": "api"}, {API}),
        ({"path": f"manual:{TLS}"}, {TLS}),
        ({"path": {"$in": [f"Manual:{TLS}", "manual:reference/"]}}, {TLS, API}),
        ({"path": f"other:{TLS}"}, set()),
        ({"path": [TLS, "reference/"]}, {TLS, API}),
        ({"path": {"$nin": ["guide/", NOTES]}}, {API}),
        ({"path": {"$ne": "guide/"}}, {API, NOTES}),
        ({"path": "/"}, {TLS, QUEUE, API, NOTES}),
        ({"path": {"$gte": "guide/t", "$lt": "o"}}, {TLS, NOTES}),
        ({"category": "api"}, {API}),
        ({"Category": {"$ne": "guide"}}, {API, NOTES}),
        ({"format": {"$eq": "markdown"}}, {TLS, QUEUE, API}),
        ({"format": {"$nin": ["markdown", "pdf"]}}, {NOTES}),
        ({"format": "md"}, {TLS, QUEUE, API}),
        ({"format": {"$nin": [".MD", "pdf"]}}, {NOTES}),
        ({"keywords": "tls"}, {TLS}),
        ({"keywords": {"$contains": "Queues"}}, {QUEUE}),
        ({"keywords": {"$in": ["tls", "queues"]}}, {TLS, QUEUE}),
        ({"keywords": {"$ne": "tls"}}, {QUEUE, API, NOTES}),
        ({"since": 2}, {TLS}),
        ({"since": 2.0}, {TLS}),
        ({"since": "2"}, {TLS}),
        ({"since": {"$gt": 2}}, {QUEUE}),
        ({"since": {"$gte": 2, "$lte": 9}}, {TLS}),
        ({"since": 3}, {API}),
        ({"metadata.since": {"$ne": 2}}, {QUEUE, API, NOTES}),
        ({"released": {"$gte": "2024-03-01"}}, {TLS, QUEUE}),
        ({"released": {"$lt": "2025-01-01T00:00:00+00:00"}}, {TLS}),
        ({"state": "stable"}, {TLS}),
        ({"state": {"$contains": "ET"}}, {QUEUE}),
        ({"fast": True}, {QUEUE}),
        ({"for": "mac"}, {TLS}),
        ({"for": {"$contains": "linux"}}, {TLS}),
        ({"for": {"$contains": "lin"}}, set()),
        ({"for": {"$nin": ["linux"]}}, {QUEUE, API, NOTES}),
        ({"status": "success", "since": 2}, {TLS}),
        ({"status": {"$ne": "failed"}, "category": "api"}, {API}),
        ({"keywords": "tls", "since": 10}, set()),
        ({}, set(PAGES)),
    ],
)
def test_it_leaves_what_meets_all_conditions(any_docs: Collection, filters: dict[str, Any], paths: set[str]) -> None:
    assert set(find_paths(any_docs, "gear", filters=filters)) == paths


def test_it_goes_with_a_category_and_a_phrase(docs: Collection) -> None:
    put(docs, {"guide/more.md": "# D\n\nThe gear turns.\n"})
    assert find_paths(docs, '"gear turns"', category="guide", filters={"path": {"$ne": TLS}}) == ["guide/more.md"]
    assert find_paths(docs, "gear", category="api", filters={"path": TLS}) == []


def test_it_looks_beyond_the_rarest_words_when_filters_leave_none(docs: Collection) -> None:
    put(docs, {f"many/{n}.md": f"---\nnumber: {n}\n---\n# Page {n}\n\ngear wheel {n}\n" for n in range(300)})
    put(docs, {"rare.md": "# Rare\n\nsprocket\n"})
    assert find_paths(docs, "sprocket wheel", filters={"number": {"$gte": 297}}) == [
        "many/297.md",
        "many/298.md",
        "many/299.md",
    ]


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"path": {"$regex": "x"}}, "'$regex' of 'path' is no operator"),
        ({"$or": [{"path": "x"}]}, "'$or' is no field"),
        ({"": "x"}, "'' is no field"),
        ({"path": {}}, "'path' has no operator"),
        ({"path": {"$in": "x"}}, "$in of 'path' takes a list"),
        ({"path": {"$in": []}}, "takes 1 to 100 values"),
        ({"path": {"$in": ["x"] * 101}}, "takes 1 to 100 values"),
        ({"path": {"$eq": None}}, "must be a text"),
        ({"path": {"$eq": ["x"]}}, "must be a text"),
        ({"path": "x" * 1001}, "at most 1,000 characters"),
        ({"path": {"$eq": {"a": 1}}}, "must be a text"),
        ({"path": "a\0b"}, "must be a text"),
        ({"path": "\ud800"}, "must be a text"),
        ({"since": float("inf")}, "a finite number"),
        ({"since": {"$gt": float("nan")}}, "a finite number"),
        ({"a\0b": 1}, "is no field"),
        ({"keywords": {"$gt": "x"}}, "keywords are a list"),
        ({f"k{n}": n for n in range(21)}, "21 conditions, at most 20"),
    ],
)
def test_it_refuses_what_cannot_be_meant_and_says_what_can(filters: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_filters(filters)
    assert said in refused.value.message
    assert all(name in refused.value.message for name in (*FIELDS, *OPERATORS))


@pytest.mark.parametrize("given", ["failed", {"$ne": "success"}, {"$in": ["pending", "failed"]}])
def test_it_says_that_only_indexed_documents_are_searched(docs: Collection, given: Any) -> None:
    with pytest.raises(InvalidParameter, match="Only indexed documents are searched"):
        find(docs, "gear", filters={"status": given})


def test_it_names_the_keys_there_are_for_one_that_no_page_has(docs: Collection) -> None:
    with pytest.raises(InvalidParameter, match=r"no page has metadata\.catgory\. Did you mean 'category'") as refused:
        find(docs, "gear", filters={"catgory": "guide"})
    assert "released, since, state" in refused.value.message


def test_keys_and_categories_are_listed_of_some_documents_and_looked_for_in_all(
    docs: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collections_app.search.narrowing.LISTED_DOCUMENTS", 1)
    for filters in ({"fast": False}, {"for": "bsd"}, {"category": "none"}):
        notice = find(docs, "gear", filters=filters).notice
        assert "meet the filters" in notice
        assert notice.count(" guide") + notice.count(" API") == ("category" in filters)


def test_it_says_that_filters_may_be_the_reason(docs: Collection) -> None:
    assert "meet the filters (metadata.state)" in find(docs, "gear", filters={"state": "gone"}).notice


texts = st.text().filter(lambda text: "\0" not in text and text.isprintable())
values = st.one_of(texts, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
names = st.one_of(st.sampled_from(["path", "category", "keywords", "since", "released"]), texts)


@pytest.mark.django_db
@given(name=names, operator=st.sampled_from(["$eq", "$ne", "$gt", "$lte", "$contains"]), value=values)
def test_whatever_is_sent_is_a_value_and_never_sql(name: str, operator: str, value: Any) -> None:
    collection = Collection.objects.filter(slug="any").first() or make_collection("any")
    if not collection.documents.exists():
        put(collection, PAGES)
    try:
        found = find(collection, "gear", filters={name: {operator: value}})
    except InvalidParameter:
        return
    assert len(found.hits) <= len(PAGES)


@pytest.mark.parametrize("many", [0, 20_000])
@pytest.mark.parametrize("few", [0, 1, 5_000])
@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"path": {"$contains": "GUIDE/"}}, {TLS, QUEUE}),
        ({"path": {"$contains": "e/"}}, {TLS, QUEUE, API}),
        ({"path": "guide/"}, {TLS, QUEUE}),
        ({"path": ["guide/"], "since": {"$lt": 10}}, {TLS}),
        ({"path": ["guide/", API]}, {TLS, QUEUE, API}),
        ({"path": {"$ne": "guide/"}}, {API, NOTES}),
        ({"path": {"$contains": "uid", "$gte": "guide/r"}, "since": {"$lt": 10}}, {TLS}),
        ({"path": {"$contains": "gui/"}}, set()),
        ({"path": {"$contains": 'x"},\\'}}, set()),
        ({"since": {"$gte": 2}, "path": {"$ne": TLS}}, {QUEUE}),
        ({"category": "nowhere"}, set()),
    ],
)
def test_it_finds_the_same_whether_the_documents_that_meet_conditions_are_few_or_many(
    docs: Collection, monkeypatch: pytest.MonkeyPatch, few: int, many: int, filters: dict[str, Any], paths: set[str]
) -> None:
    """Of a part of a path: also whether the documents that are searched are."""
    monkeypatch.setattr("collections_app.search.narrowing.FEW_DOCUMENTS", few)
    monkeypatch.setattr("collections_app.search.narrowing.MANY_DOCUMENTS", many)
    put(make_collection("other"), PAGES)
    assert set(find_paths(docs, "gear", filters=filters)) == paths


def test_few_documents_are_told_apart_by_collection(docs: Collection) -> None:
    other = make_collection("other", tenant=docs.tenant)
    put(other, PAGES)
    both = list(Collection.objects.select_related("tenant").filter(pk__in=[docs.pk, other.pk]))
    hits = search("gear", both, SearchOptions(limit=10, snippet_length=100, filters={"path": TLS})).hits
    assert {(hit.collection, hit.path) for hit in hits} == {("manual", TLS), ("other", TLS)}
    assert set(find_paths(other, "gear", filters={"path": TLS})) == {TLS}


@pytest.mark.parametrize(
    ("filters", "collections"),
    [
        ({"path": f"manual:{TLS}"}, {"manual"}),
        ({"path": [f"manual:{TLS}", "other:guide/"]}, {"manual", "other"}),
        ({"path": [f"manual:{TLS}", QUEUE]}, {"manual", "other", "third"}),
        ({"path": {"$ne": f"manual:{TLS}"}}, {"manual", "other", "third"}),
    ],
)
def test_collections_that_each_path_names_are_the_only_ones_that_are_searched(
    docs: Collection, filters: dict[str, Any], collections: set[str]
) -> None:
    for name in ("other", "third"):
        put(make_collection(name, tenant=docs.tenant), PAGES)
    all_three = list(Collection.objects.select_related("tenant").filter(slug__in=["manual", "other", "third"]))
    hits = search("gear", all_three, SearchOptions(limit=20, snippet_length=100, filters=filters)).hits
    assert {hit.collection for hit in hits} == collections


@pytest.mark.parametrize("many", [0, 20_000])
def test_a_part_of_a_path_is_found_in_any_case_beyond_ascii(
    docs: Collection, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr("collections_app.search.narrowing.MANY_DOCUMENTS", many)
    put(docs, {"ÜBERSICHT/ändern.md": "# D\n\ngear\n"})
    assert find_paths(docs, "gear", filters={"path": {"$contains": "übersicht/Ä"}}) == ["ÜBERSICHT/ändern.md"]
    assert find_paths(docs, "gear", filters={"path": {"$contains": "BERSICHT"}}) == ["ÜBERSICHT/ändern.md"]
