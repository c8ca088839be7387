"""The passage for AGENTS.md names what the key may read and do, and can be committed."""

from __future__ import annotations

from collections_app.access.principal import Scope
from mcp_app.clients.agents_md import MAX_LISTED, Library, make_agents_md

URL = "https://docs.example.com/mcp"
GUIDE = Library("guide", "How to  use\nit", "2.1")


def test_it_names_the_server_and_the_collections() -> None:
    text = make_agents_md(URL, [GUIDE], {Scope.READ})
    assert URL in text
    assert "- `guide` 2.1: How to use it\n" in text


def test_it_names_only_tools_that_the_key_has() -> None:
    assert "ask_docs" not in make_agents_md(URL, [GUIDE], {"read"})
    everything = make_agents_md(URL, [GUIDE], {"read", "ask", "write"})
    assert "ask_docs" in everything
    assert "ingest_document" in everything


def test_many_collections_are_counted() -> None:
    libraries = [Library(f"c{number}") for number in range(MAX_LISTED + 5)]
    assert "and 5 more" in make_agents_md(URL, libraries, {"read"})


def test_without_a_collection_it_tells_how_to_find_them() -> None:
    assert "- `list_collections` tells" in make_agents_md(URL, [], {"read"})


def test_the_key_is_named_by_its_variable() -> None:
    assert "DOCSMCP_API_KEY" in make_agents_md(URL, [GUIDE], {"read"})


def test_without_a_key_none_is_asked_for() -> None:
    assert "DOCSMCP_API_KEY" not in make_agents_md(URL, [GUIDE], {"read"}, needs_key=False)


def test_pages_of_a_collection_can_be_named() -> None:
    assert make_agents_md(URL, [GUIDE], {"read"}, pages=["- `a.md` A"], total=2).endswith(
        "\n\n2 pages, among them:\n\n- `a.md` A\n"
    )
