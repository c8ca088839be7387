"""No answer costs more than was asked for, whatever the documents are like, and small budgets still get through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from collections_app.access.principal import Principal
from collections_app.models import Collection, Document
from collections_app.text.tokens import estimate_tokens
from mcp_app.rendering import MAX_TOKENS
from mcp_app.tools.parameters import MAX_LISTED
from tests.factories import make_collection, make_tenant, put
from tests.mcp_app.tools.conftest import CallTool, data_of, text_of

pytestmark = pytest.mark.django_db

BUDGETS = (100, 300, 1000, None)
BUDGETED = ("search_docs", "table_of_contents", "read_sections", "get_doc_page")
DEFAULTS = {"search_docs": 4_000}

WIDE = "文" * 490
FRONT_MATTER = f"""---
title: "{"長" * 900}"
description: "{"describing " * 400}"
keywords: [{", ".join(f"{'k' * 900}{n}" for n in range(55))}]
category: "{"類" * 190}"
---
"""
NASTY = {
    ("長" * 80 + "/") * 5 + "deep.md": "".join(f"{'#' * level} {WIDE}{level}\n\n" for level in range(1, 7))
    + "gyroscope\n",
    "many.md": "# Many\n\n" + "".join(f"## A heading about things {n}\n\ngyroscope\n\n" for n in range(300)),
    "quotes.md": "# Quotes\n\ngyroscope\n\n" + '"\n' * 3_000,
    "control.md": "# Control\n\ngyroscope " + ("\x01" + "\\\t" * 50 + " words and words ") * 100,
    "front.md": f"{FRONT_MATTER}# Front\n\n{'gyroscope 全文検索の設定 ' * 300}\n",
    'odd "name"\n\\of.md': f"# {'y' * 5_000}\n\ngyroscope\n\n## Small\n\nx\n",
    "url.md": "# Linked\n\ngyroscope\n",
}


@pytest.fixture
def nasty(db: None) -> Collection:
    """The documents above in a collection whose name is long, too, and does not stand alone."""
    for letter in "ab":
        collection = make_collection("s" * 63, tenant=make_tenant(letter * 63), is_public=True)
        Collection.objects.filter(pk=collection.pk).update(name="名" * 200, description="描" * 5_000)
        assert [(file.path, file.reason) for file in put(collection, NASTY) if file.outcome != "indexed"] == []
    Document.objects.filter(path="url.md").update(source_url="https://docs.example.com/" + "u" * 1_900)
    return collection


def iter_calls(call: CallTool, collection: Collection) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool; each document by its id, and by the section ids that it is said to have."""
    for words in ("gyroscope", "gyroscope " + "問" * 900, f"nowhere{'x' * 900}", "nowhere " + " ".join("qwertyuiop")):
        yield "search_docs", {"query": words, "limit": 50}
    yield "search_docs", {"query": f"gyroscope -{'w' * 900}", "mode": "hybrid", "limit": 50}
    for path in map(str, Document.objects.filter(collection=collection).values_list("pk", flat=True)):
        yield "table_of_contents", {"path": path}
        yield "get_doc_page", {"path": path}
        contents = data_of(call("table_of_contents", principal=Principal(), path=path, format="json"))["sections"]
        ids = [section["id"] for section in contents]
        for chosen in (ids[:1], ids[1:101] or ids, ids[-1:]):
            yield "read_sections", {"path": path, "section_ids": chosen}
        yield "fetch", {"id": path}
    yield "list_doc_pages", {"limit": 100}
    yield "list_collections", {"limit": 100, "include": ["context", "history", "limits"]}


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_no_answer_exceeds_its_budget(call: CallTool, nasty: Collection, form: str) -> None:
    for tool, arguments in iter_calls(call, nasty):
        for budget in BUDGETS if tool in BUDGETED else (None,):
            given = {**arguments, "format": form} | ({"max_tokens": budget} if budget else {})
            if tool == "fetch":
                del given["format"]
            result = call(tool, principal=Principal(), profile="openai", **given)
            assert not result.get("isError"), (tool, given, result)
            cost = estimate_tokens(result["content"][0]["text"])
            assert cost <= (budget or DEFAULTS.get(tool, 8_000)), (
                tool,
                str(arguments)[:200],
                budget,
                cost,
                result["content"][0]["text"][:900],
            )


def test_the_smallest_budget_still_gets_through_a_page(call: CallTool, nasty: Collection) -> None:
    for name in ("deep.md", "control.md", "url.md"):
        document = Document.objects.get(collection=nasty, path__endswith=name)
        pieces: list[str] = []
        cursor = None
        while len(pieces) < len(document.content):
            given = {"path": str(document.pk), "cursor": cursor, "max_tokens": 100}
            data = data_of(call("get_doc_page", principal=Principal(), **given, format="json"))
            assert data["content"]
            pieces.append(data["content"])
            cursor = data["next_cursor"]
            if cursor is None:
                break
        assert "".join(pieces) == document.content


@pytest.mark.parametrize("form", ["markdown", "json"])
@pytest.mark.parametrize(
    "name", ["pages/a-page", "a-folder-of-a-long-name/and-a-page-of-a-long-name", f"pages/{WIDE[:80]}"]
)
def test_what_a_page_was_taken_for_is_told_in_the_smallest_budget(
    call: CallTool, collection: Collection, name: str, form: str
) -> None:
    """And that it does not have what was asked for."""
    headings = "".join(f"## A fairly long heading about some thing of number {n}\n\nx\n\n" for n in range(60))
    put(make_collection("other", tenant=collection.tenant), {f"docs/{name}.md": f"# Page\n\n{headings}"})
    for tool, more in (
        ("get_doc_page", {}),
        ("table_of_contents", {}),
        ("read_sections", {"section_ids": ["page", "nosuch", "nosuch-other"]}),
    ):
        for budget in (100, 150, 250):
            given = {"path": f"x/{name}.md", "max_tokens": budget, "format": form, **more}
            text = call(tool, **given)["content"][0]["text"]
            assert estimate_tokens(text) <= budget
            assert ("[taken for " if form == "markdown" else '"taken_for":"') in text, (tool, budget)
    for fragment in ("nosuch", "nosuch-" * 40):
        given = {"path": f"other:docs/{name}.md#{fragment}", "max_tokens": 100, "format": form}
        assert "nosuch" in call("table_of_contents", **given)["content"][0]["text"]


def test_a_small_section_is_whole_within_a_small_budget(call: CallTool, collection: Collection) -> None:
    put(collection, {"note.md": "# Note\n\nRemember it.\n"})
    assert "cut" not in text_of(call("read_sections", path="note.md", section_ids=["note"], max_tokens=100))
    data = data_of(call("read_sections", path="note.md", section_ids=["note"], max_tokens=100, format="json"))
    assert data["sections"][0]["content"] == "# Note\n\nRemember it.\n"
    assert "cut" not in data


def test_what_is_left_out_is_counted_and_named(call: CallTool, collection: Collection) -> None:
    put(collection, {"many.md": "# Many\n\n" + "".join(f"## Part {n}\n\nsome words\n\n" for n in range(90))})
    ids = [f"many/part-{n}" for n in range(90)]
    data = data_of(call("read_sections", path="many.md", section_ids=ids, max_tokens=1_000, format="json"))
    given = len(data["sections"])
    assert given + data["left_out_count"] == 90
    assert data["left_out"][0] == f"many/part-{given}"


def test_a_listing_shortens_what_documents_say_of_themselves(call: CallTool, nasty: Collection) -> None:
    entries = data_of(call("list_doc_pages", principal=Principal(), collection=f"{'b' * 63}/{'s' * 63}", format="json"))
    front = next(entry for entry in entries["documents"] if entry["path"] == "front.md")
    assert front["title"] == "長" * 49 + "…"
    assert front["description"].endswith("…")
    assert estimate_tokens(str(front["keywords"])) <= 110


@pytest.mark.parametrize(
    ("name", "arguments", "most"),
    [
        ("get_doc_page", {"path": "guide.md", "max_tokens": 10**9}, {"max_tokens": MAX_TOKENS}),
        ("table_of_contents", {"path": "guide.md", "max_tokens": 10**30}, {"max_tokens": MAX_TOKENS}),
        ("list_doc_pages", {"limit": 1000}, {"limit": MAX_LISTED}),
        ("list_collections", {"limit": 1000}, {"limit": MAX_LISTED}),
    ],
)
def test_who_asks_for_more_than_there_may_be_gets_the_most(
    call: CallTool, collection: Collection, name: str, arguments: dict[str, Any], most: dict[str, int]
) -> None:
    put(collection, {"guide.md": "# Guide\n\nA gyroscope.\n"})
    assert text_of(call(name, **arguments)) == text_of(call(name, **arguments | most))
