"""Errors name the next call, and no tool that their caller does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import collections_app
from collections_app.access.principal import Scope
from collections_app.catalog.names import choose_collections
from collections_app.exceptions import CollectionNotFound, DocsError, Offer, Remedy
from collections_app.models import ApiKey, Collection
from mcp_app.next_calls import SENTENCES, tell_error
from mcp_app.tools import TOOLS
from mcp_app.tools.chatgpt import FETCH, SEARCH
from mcp_app.trial import try_tool
from tests.factories import make_collection, make_principal
from tests.mcp_app.tools.conftest import CallTool, error_of

OURS = {tool.name for tool in (*TOOLS, SEARCH, FETCH)}
NAMES = re.compile(rf"\b({'|'.join(tool.name for tool in TOOLS)})\b")
READ, ASK, WRITE = ({scope} for scope in (Scope.READ, Scope.ASK, Scope.WRITE))
LOST = (
    "There is no document 'zzzzzz'. None is called nearly so. There are, for example: empty.md, faq.md, start/guide.md."
)
# What people are told of agents, what only the tools that write ask for, and names in others' HTML.
KNOWING = {"admin", "addresses.py", "mends.py", "vocabulary.py"}


@pytest.mark.parametrize(
    ("scopes", "tool", "arguments", "said"),
    [
        (
            READ,
            "search_docs",
            {"query": "archive", "collection": "nope"},
            "There is no collection 'nope'. There are: manual. list_collections describes them.",
        ),
        (
            ASK,
            "ask_docs",
            {"question": "archive", "collection": "nope"},
            "There is no collection 'nope'. There are: manual.",
        ),
        (
            WRITE,
            "ingest_document",
            {"path": "a.md", "content": "# A", "collection": "nope"},
            "There is no collection 'nope'. There are: manual.",
        ),
        (
            WRITE,
            "ingestion_status",
            {"path": "zzzzzz"},
            LOST,
        ),
        (
            WRITE | READ,
            "ingestion_status",
            {"path": "zzzzzz"},
            f"{LOST} list_doc_pages gives the paths there are. search_docs finds pages by their titles and words.",
        ),
        (
            READ,
            "get_doc_page",
            {"path": " "},
            "path must have 1 to 2,000 characters. list_doc_pages gives the paths there are.",
        ),
        (
            READ,
            "read_sections",
            {"path": "faq", "section_ids": ["faq", "#"]},
            """'#' is no section id. table_of_contents(path="faq.md") lists those there are.""",
        ),
        (
            READ,
            "search_docs",
            {"query": "archive", "filters": {"status": "failed"}},
            "Only indexed documents are searched: their status is 'success'. list_doc_pages lists others, for scope write.",
        ),
    ],
)
def test_an_error_names_what_the_key_has(
    call: CallTool, collection: Collection, scopes: set[Scope], tool: str, arguments: dict[str, Any], said: str
) -> None:
    key = make_principal(collection, scopes=scopes)
    assert error_of(call(tool, principal=key, **arguments))["message"] == said


def test_of_the_openai_profile_it_names_those_tools(call: CallTool) -> None:
    said = error_of(call("fetch", profile="openai", id="zzzzzz"))["message"]
    assert said.endswith("start/guide.md. search finds pages by their titles and words.")
    assert not NAMES.search(said)
    assert error_of(call("fetch", profile="openai", id="gide.md#linux"))["message"].endswith(": start/guide.md.")


def test_where_nothing_can_be_read_it_says_so(call: CallTool) -> None:
    reader = make_principal(make_collection("empty"))
    said = error_of(call("get_doc_page", principal=reader, path="a.md"))["message"]
    assert said.startswith("There is no document 'a.md'. None can be read there yet. list_doc_pages gives")


def test_a_trial_is_told_what_a_key_is(collection: Collection) -> None:
    for scopes, said in ((READ, "manual. list_collections describes them."), (READ | ASK, "describes them.")):
        principal = make_principal(collection, scopes=scopes)
        trial = try_tool("search_docs", principal, {"query": "archive", "collection": "nope"})
        assert trial
        assert trial.text.endswith(said)
    asking = try_tool("ask_docs", make_principal(collection, scopes=ASK), {"question": "a", "collection": "nope"})
    assert asking
    assert asking.text.endswith("There are: manual.")


@pytest.mark.parametrize("path", ["collections/nope", "search?q=a&collection=nope", "collections/manual/documents/zzz"])
def test_over_rest_no_tool_is_named(client: Client, collection: Collection, path: str) -> None:
    _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="k")
    response = client.get(f"/api/{path}", headers={"authorization": f"Bearer {secret}"})
    assert response.status_code == 404
    assert not NAMES.search(response.json()["error"]["message"])


def test_on_the_command_line_no_tool_is_named(collection: Collection) -> None:
    with pytest.raises(CollectionNotFound) as raised:
        choose_collections([collection], "nope")
    assert raised.value.sentence == "There is no collection 'nope'. There are: manual."


def test_a_path_in_the_next_call_can_be_shown() -> None:
    error = DocsError("It is gone.").offer(Offer(Remedy.INGESTION, 'a"\u2028{call}.md'))
    assert tell_error(error, TOOLS) == 'It is gone. ingestion_status(path="a\\"\ufffd{call}.md") tells more.'
    assert tell_error(error, ()) == "It is gone."


def test_every_remedy_is_given_by_tools_that_there_are() -> None:
    assert set(SENTENCES) == set(Remedy)
    assert {name for sentences in SENTENCES.values() for name in sentences} <= OURS


def test_what_knows_names_no_tool() -> None:
    root = Path(collections_app.__file__).parent
    files = [file for file in root.rglob("*.py") if KNOWING.isdisjoint(file.relative_to(root).parts)]
    named = [f"{file.name}: {text}" for file in files for text in iter_texts(file) if NAMES.search(text)]
    assert files
    assert named == []


def iter_texts(file: Path) -> Iterator[str]:
    """The texts of a module but its docstrings."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value
