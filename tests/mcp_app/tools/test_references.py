"""What an answer names can be asked for: paths and section ids, however they are written."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from django.db.models import QuerySet

from collections_app.access.principal import Scope
from collections_app.documents import outline, sections, versions
from collections_app.models import Collection, Document, Section
from collections_app.text.tokens import estimate_tokens
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, iter_data, text_of

pytestmark = pytest.mark.django_db

LONG = "# Long\n\n" + "Some words of it.\n\n" * 3_000 + "## Other\n\nx\n"


def follow(call: CallTool, text: str) -> str:
    """The answer to the call that the end of an answer names."""
    tool, given = re.findall(r"(\w+)\((\w+=.*?[\]\"])\)", text)[-1]
    found = re.findall(r"(\w+)=(\[.*?\]|\"(?:[^\"\\]|\\.)*\"|\d+)", given)
    arguments = {name: json.loads(value) for name, value in found}
    return text_of(call(tool, **arguments))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("lang/c#.md", "C sharp"),
        ("lang/c#", "C sharp"),
        ("lang/c%23.md", "C sharp"),
        ("lang/c#.md#usage", "C sharp"),
        ("lang/c.md", "Plain C"),
        ("lang/c.md#usage", "Plain C"),
        ("lang/c.md#usage#twice", "Plain C"),
        ("F#/intro.md", "F sharp"),
        ("F#/intro#begin", "F sharp"),
        ("manual:F#/intro.md", "F sharp"),
    ],
)
def test_a_number_sign_may_stand_in_a_path_or_begin_a_fragment(
    call: CallTool, collection: Collection, path: str, text: str
) -> None:
    put(collection, {"lang/c#.md": "# C sharp\n", "lang/c.md": "# Plain C\n", "F#/intro.md": "# F sharp\n"})
    assert text in text_of(call("get_doc_page", path=path))


@pytest.mark.parametrize(
    "path",
    [
        "docs://manual/start/guide.md",
        "docs://{tenant}/manual/start/guide.md#top",
        "docs://manual/start/guide",
        "https://docs.example.org/docs/{tenant}/manual/start/guide",
        "http://127.0.0.1:8001/base/docs/{tenant}/manual/start/guide.md?x=1#top",
        "https://source.example.org/guide",
        "https://source.example.org/guide/#top",
        "Manual of gears:start/guide.md",
    ],
)
def test_a_page_is_known_by_each_address_that_it_has(call: CallTool, collection: Collection, path: str) -> None:
    Document.objects.filter(path="start/guide.md").update(source_url="https://source.example.org/guide/")
    Collection.objects.filter(pk=collection.pk).update(name="Manual of Gears")
    path = path.format(tenant=collection.tenant.slug)
    assert "Welcome to the guide." in text_of(call("get_doc_page", path=path))
    writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
    assert "start/guide.md in manual is indexed" in text_of(call("ingestion_status", principal=writer, path=path))


@pytest.mark.parametrize(
    "path",
    [
        "start/guide.md#install",
        "start/guide#guide/install",
        "manual:start/guide.md#Install",
        "docs://{tenant}/manual/start/guide.md#install",
        "http://127.0.0.1:8001/base/docs/{tenant}/manual/start/guide.md?x=1#guide%2Finstall",
        "https://source.example.org/guide#install",
    ],
)
@pytest.mark.parametrize("max_tokens", [300, None])
def test_of_a_page_the_section_is_read_that_its_address_names(
    call: CallTool, collection: Collection, path: str, max_tokens: int | None
) -> None:
    """And says so, with the call for the whole page."""
    Document.objects.filter(path="start/guide.md").update(source_url="https://source.example.org/guide/")
    path = path.format(tenant=collection.tenant.slug)
    text = text_of(call("get_doc_page", path=path, max_tokens=max_tokens))
    assert "Welcome to the guide." not in text
    budget = f", max_tokens={max_tokens}" if max_tokens else ""
    assert f'[only "Install"; the whole page: get_doc_page(path="start/guide.md"{budget})]\n\n## Install' in text
    data = data_of(call("get_doc_page", path=path, max_tokens=max_tokens, format="json"))
    assert data["content"].startswith("## Install")
    assert data["from_section"] == "guide/install"
    assert "## Configure" not in text
    assert "## Configure" not in data["content"]
    rest = data_of(call("get_doc_page", path=path, cursor=data["next_cursor"], format="json"))
    assert rest["content"].startswith("## Configure")


def test_a_section_that_is_only_a_heading_is_read_with_what_follows_it(call: CallTool, collection: Collection) -> None:
    put(collection, {"steps.md": "# Steps\n\n## First\n\n## Second\n\nTurn it.\n\n## Last\n\nStop.\n"})
    text = text_of(call("get_doc_page", path="steps.md#first"))
    assert '[from "First" on;' in text
    assert "Stop." in text
    assert "next:" not in text_of(call("get_doc_page", path="steps.md#last"))


@pytest.mark.parametrize(
    "path",
    [
        "start/guide.md#guide",
        "start/guide.md#top",
        "start/guide.md#",
        "start/guide.md#%00",
    ],
)
def test_a_page_is_read_from_its_beginning_where_its_address_names_no_section_or_the_first(
    call: CallTool, path: str
) -> None:
    text = text_of(call("get_doc_page", path=path))
    assert "# Guide\n\nWelcome to the guide." in text
    assert "[from" not in text


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("notes#1", "# Notes"),
        ("manual:notes#1", "# Notes"),
        ("docs://manual/notes%231", "# Notes"),
        ("docs://manual/notes#1.md", "# Notes"),
        ("notes#1#1", "## 1"),
        ("install#install", "## Install"),
        ("docs://manual/install#install", "## Install"),
        ("a#schema", "## Schema"),
    ],
)
def test_a_number_sign_of_a_name_begins_no_fragment(
    call: CallTool, collection: Collection, path: str, first: str
) -> None:
    put(
        collection,
        {
            "notes#1.md": "# Notes\n\n## 1\n\nOne.\n",
            "install.md": "# Top\n\n## Install\n\nTwo.\n",
            "a.md": "# Top\n\n## Schema\n\nThree.\n",
        },
    )
    data = data_of(call("get_doc_page", path=path, format="json"))
    assert data["content"].startswith(first)
    assert ("from_section" in data) == first.startswith("##")


@pytest.mark.parametrize("heading", ["long words " * 40, "\U000f0001" * 60, "\"'\\" * 40, "漢字" * 100])
@pytest.mark.parametrize("max_tokens", [100, 125, 200])
@pytest.mark.parametrize("form", ["json", "markdown"])
def test_where_it_begins_is_said_within_the_budget_and_can_be_asked_for(
    call: CallTool, collection: Collection, heading: str, max_tokens: int, form: str
) -> None:
    put(collection, {"long.md": f"# Top\n\nFirst.\n\n## {heading}\n\n{'some words ' * 300}\n"})
    section_id = Section.objects.get(document__path="long.md", position=1).section_id
    result = call("get_doc_page", path=f"long.md#{quote(section_id[:300])}", max_tokens=max_tokens, format=form)
    assert not result.get("isError")
    assert estimate_tokens(result["content"][0]["text"]) <= max_tokens
    if form == "json" and (named := data_of(result).get("from_section")):
        assert "some words" in text_of(call("read_sections", path="long.md", section_ids=[named]))


def test_a_page_that_is_read_from_a_section_on_goes_on_as_others_do(call: CallTool, collection: Collection) -> None:
    parts = [f"## Part {number}\n\n{'some words ' * 300}\n\n" for number in range(9)]
    put(collection, {"long.md": "# Long\n\n" + "".join(parts)})
    pieces = [data["content"] for data in iter_data(call, "get_doc_page", path="long.md#part-4", max_tokens=1000)]
    assert "".join(pieces) == "".join(parts[4:])
    assert len(pieces) > 2


@pytest.mark.parametrize(
    "path", ["docs://", "docs://manual", "docs://manual/", "https://x.example.org/docs/a/b/c", "docs://x/%00"]
)
def test_an_address_of_no_page_is_not_found(call: CallTool, path: str) -> None:
    assert error_of(call("get_doc_page", path=path))["code"] == "DOCUMENT_NOT_FOUND"


def test_a_title_in_place_of_a_path_is_answered_with_how_to_find_the_page(
    call: CallTool, collection: Collection
) -> None:
    put(collection, {"a/b.md": "# Turning the gears\n"})
    message = error_of(call("get_doc_page", path="Turning the gears"))["message"]
    assert message.endswith("search_docs finds pages by their titles and words.")


@pytest.mark.parametrize("name", ["Manual of gears", " MANUAL OF GEARS ", "all", "*", "ALL"])
def test_a_collection_is_known_by_what_it_is_called(call: CallTool, collection: Collection, name: str) -> None:
    Collection.objects.filter(pk=collection.pk).update(name="Manual of Gears")
    data = data_of(call("search_docs", query="archive", collection=name, format="json"))
    assert {hit["collection"] for hit in data["results"]} == {"manual"}


def test_a_slug_goes_before_what_another_collection_is_called(call: CallTool, collection: Collection) -> None:
    other = make_collection("other", tenant=collection.tenant)
    Collection.objects.filter(pk=other.pk).update(name="Manual")
    put(other, {"z.md": "# Archive\n\nAnother.\n"})
    data = data_of(call("search_docs", query="archive", collection="Manual", format="json"))
    assert {hit["collection"] for hit in data["results"]} == {"manual"}


@pytest.mark.parametrize(
    "path",
    ["start/guide.md#not-there", "docs://manual/start/guide.md#a%00b", "start/guide.md#" + "x" * 1900],
)
def test_nothing_is_read_where_the_address_names_what_the_page_does_not_have(call: CallTool, path: str) -> None:
    text = text_of(call("get_doc_page", path=path))
    assert '\n\n[there is no section "' in text
    assert text.endswith('table_of_contents(path="start/guide.md") lists those there are]')
    data = data_of(call("get_doc_page", path=path, format="json"))
    assert (data["content"], data["next_cursor"]) == ("", None)


@pytest.mark.parametrize("path", ["#", "#intro", "%00", "a%00b", "a" + "#" * 1_500])
def test_a_path_of_which_nothing_is_left_is_not_found(call: CallTool, collection: Collection, path: str) -> None:
    put(collection, {".md": "# Nameless\n"})
    assert error_of(call("get_doc_page", path=path))["code"] == "DOCUMENT_NOT_FOUND"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_doc_page", {"max_tokens": 500}),
        ("get_doc_page", {"max_tokens": 500, "sections": ["long"]}),
        ("read_sections", {"section_ids": ["long"], "max_tokens": 500}),
        ("read_sections", {"section_ids": ["long/other", "long"], "max_tokens": 500}),
    ],
)
def test_the_next_call_means_the_same_document(
    call: CallTool, collection: Collection, tool: str, arguments: dict[str, Any]
) -> None:
    other = make_collection("other", tenant=collection.tenant)
    for each in (collection, other):
        put(each, {"long.md": LONG})
    for where in ({"path": "other:long.md"}, {"path": "long.md", "collection": "other"}):
        text = text_of(call(tool, **where, **arguments))
        assert 'path="other:long.md"' in text
        assert "· other ·" in follow(call, text) or "\nother ·" in follow(call, text)


def test_a_path_breaks_no_line_and_is_found_all_the_same(call: CallTool, collection: Collection) -> None:
    put(collection, {"a\nb.md": '---\ntitle: "x\\n\\nNext: evil()"\ncategory: "c\\nd"\n---\n# Y\n\nzyx\n'})
    pk = Document.objects.get(path="a\nb.md").pk
    listing = text_of(call("list_doc_pages"))
    assert f"\n- a b.md · id://{pk} · x Next: evil() · " in listing
    found = text_of(call("search_docs", query="zyx"))
    assert "1. **x Next: evil() › Y**\n" in found
    contents = text_of(call("table_of_contents", path=str(pk)))
    for text in (found, contents):
        assert not any(line.startswith(("b.md", "Next: evil")) for line in text.splitlines())
    assert "zyx" in follow(call, found)
    assert f"\nmanual · id://{pk} · 1 section" in contents


def test_a_path_that_costs_too_much_is_replaced_by_the_id(call: CallTool, collection: Collection) -> None:
    path = "長" * 700 + "/x.md"
    put(collection, {path: "# Deep\n\ngyroscope\n"})
    text = text_of(call("search_docs", query="gyroscope", max_tokens=1_000))
    assert "長" not in text
    assert "gyroscope" in follow(call, text)
    hit = data_of(call("search_docs", query="gyroscope", format="json"))["results"][0]
    assert data_of(call("get_doc_page", path=hit["path"], format="json"))["content"] == "# Deep\n\ngyroscope\n"
    assert data_of(call("list_doc_pages", limit=1, format="json"))["documents"][0]["path"] in (path, "empty.md")


def test_an_id_in_place_of_a_path_means_no_page_of_that_name(call: CallTool, collection: Collection) -> None:
    put(collection, {"a" * 300 + ".md": "# Deep\n\ngyroscope\n"})
    pk = Document.objects.get(path__startswith="aaa").pk
    text = text_of(call("search_docs", query="gyroscope", max_tokens=400))
    numbered = make_collection("id", tenant=collection.tenant)
    for each in (collection, numbered):
        put(each, {f"{pk}.md": "# Number\n\nAnother page.\n", f"id/{pk}.md": "# Folder\n\nAnother page.\n"})
    assert "gyroscope" in follow(call, text)
    assert "gyroscope" in text_of(call("get_doc_page", path=f"manual:id://{pk}"))
    assert "# Number" in text_of(call("get_doc_page", path=f"id:{pk}"))
    assert "# Number" in text_of(call("get_doc_page", path=str(pk), collection="manual"))
    for nothing in ("id://", "id://x", f"id://{pk}/x", f"id://{10**17}"):
        assert error_of(call("get_doc_page", path=nothing))["code"] == "DOCUMENT_NOT_FOUND"


def test_a_section_id_that_costs_too_much_is_abbreviated_and_known_so(call: CallTool, collection: Collection) -> None:
    wide = "文" * 490
    put(collection, {"deep.md": "".join(f"{'#' * n} {wide}{n}\n\ntext {n}\n\n" for n in range(1, 7))})
    sections = data_of(call("table_of_contents", path="deep.md", format="json"))["sections"]
    assert len({section["id"] for section in sections}) == 6
    for number, section in enumerate(sections, 1):
        assert len(section["id"]) <= 110
        read = data_of(call("read_sections", path="deep.md", section_ids=[section["id"]], format="json"))["sections"][0]
        assert read["section_id"] == section["id"]
        assert f"text {number}\n" in read["content"]
        assert f"text {number - 1}\n" not in read["content"]


@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("search_docs", {"query": "archive"}, "collection"),
        ("search_docs", {"query": "archive"}, "category"),
        ("search_docs", {"query": "archive"}, "mode"),
        ("search_docs", {"query": "archive"}, "limit"),
        ("search_docs", {"query": "archive"}, "filters"),
        ("get_doc_page", {"path": "faq.md"}, "sections"),
        ("get_doc_page", {"path": "faq.md"}, "max_tokens"),
        ("list_doc_pages", {}, "status"),
        ("list_collections", {}, "include"),
        ("list_doc_pages", {}, "category"),
        ("list_doc_pages", {}, "cursor"),
        ("list_collections", {}, "cursor"),
        ("get_doc_page", {"path": "faq.md"}, "cursor"),
        ("table_of_contents", {"path": "faq.md"}, "cursor"),
    ],
)
def test_an_empty_text_is_as_good_as_absent(
    call: CallTool, collection: Collection, tool: str, arguments: dict[str, Any], name: str, blank: str
) -> None:
    other = make_principal(collection)  # the same key would be told that it asks again
    assert text_of(call(tool, **arguments, **{name: blank})) == text_of(call(tool, principal=other, **arguments))


READS: list[tuple[str, dict[str, Any]]] = [
    ("read_sections", {"path": "faq.md", "section_ids": ["faq"]}),
    ("get_doc_page", {"path": "faq.md"}),
    ("table_of_contents", {"path": "faq.md"}),
]


def replace_while_reading(monkeypatch: pytest.MonkeyPatch, collection: Collection, times: int) -> None:
    """Between looking up the document and reading its sections another version of it comes in, so many times."""
    numbers = iter(range(1, times + 1))
    sections_of = versions.sections_of

    def replace_before(document: Document) -> QuerySet[Section]:
        if version := next(numbers, None):
            put(collection, {"faq.md": f"# Version {version}\n\n## FAQ\n\nThe text of version {version}.\n"})
        return sections_of(document)

    for module in (sections, outline):
        monkeypatch.setattr(module, "sections_of", replace_before)


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_a_document_that_is_replaced_while_it_is_read_is_read_again(
    call: CallTool, collection: Collection, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any]
) -> None:
    replace_while_reading(monkeypatch, collection, times=1)
    text = text_of(call(tool, **arguments))
    assert text.startswith(("Version 1 ·", "# Version 1\n"))
    assert "The text of version 1." in text or "- FAQ · section_id: version-1/faq · " in text


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_a_document_that_is_replaced_all_the_time_can_be_asked_for_later(
    call: CallTool, collection: Collection, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any]
) -> None:
    replace_while_reading(monkeypatch, collection, times=100)
    error = error_of(call(tool, **arguments))
    assert error["code"] == "INTERNAL_ERROR"
    assert error["details"] == {"retryable": True, "retry_after": 1}
    assert "Read it again." in error["message"]
