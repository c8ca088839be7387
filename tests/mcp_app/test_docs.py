"""docs/protocol.md and docs/tools.md say what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collections_app.access.principal import Principal
from mcp_app.compat import OLDER_ARGUMENTS, OLDER_TOOLS, PROFILES
from mcp_app.dispatching.dispatcher import DEFAULT_REGISTRY, REGISTRY_SETTING, get_dispatcher
from mcp_app.dispatching.method_table import METHODS
from mcp_app.entries import Tool
from mcp_app.management.commands.mcp_stdio import KEY_VARIABLE
from mcp_app.protocol import legacy, revisions
from mcp_app.resources import CONTEXT_URI, HISTORY_URI, PAGE_TEMPLATE
from mcp_app.tools import TOOLS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "protocol.md").read_text()
TOOLS_TEXT = (DOCS / "tools.md").read_text()
PROMPTS = [prompt.name for prompt in get_dispatcher().registry.visible_prompts(Principal())]
OLDER_NAMES = [re.sub(r"\(\?P<collection>.*?\)", "COLLECTION", older.name) for older in OLDER_TOOLS]


@pytest.mark.parametrize(
    "name",
    [
        *{name for methods in METHODS.values() for name in methods},
        *PROMPTS,
        *OLDER_NAMES,
        *OLDER_ARGUMENTS,
        *(tool.name for tools in PROFILES.values() for tool in tools),
        *(f"?profile={name}" for name in PROFILES),
        CONTEXT_URI,
        HISTORY_URI,
        PAGE_TEMPLATE,
        REGISTRY_SETTING,
        DEFAULT_REGISTRY,
        KEY_VARIABLE,
    ],
)
def test_everything_that_can_be_asked_for_is_named(name: str) -> None:
    assert re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", TEXT), name


def test_every_revision_has_a_column() -> None:
    header = next(line for line in TEXT.splitlines() if line.startswith("| | 2024-11-05"))
    assert re.findall(r"\d{4}-\d\d-\d\d", header) == [*legacy.REVISIONS, *revisions.MODERN_REVISIONS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_has_a_row_with_its_arguments_and_one_with_its_scope(tool: Tool) -> None:
    rows = [line for line in TOOLS_TEXT.splitlines() if line.startswith("| ")]
    by_scope = next(row for row in rows if f"`{tool.name}`" in row)
    own = next(row for row in rows if row.startswith(f"| `{tool.name}` |"))
    assert by_scope.startswith(f"| `{tool.scope}` |")
    assert set(tool.params.model_fields) - {"format"} <= set(re.findall(r"`(\w+)`", own))


def test_every_other_name_of_an_argument_is_told() -> None:
    told = TOOLS_TEXT.partition("\n## What models send is taken\n")[2].partition("\n## ")[0]
    aliases = {alias for tool in TOOLS for alias in tool.params.aliases}
    assert aliases <= set(re.findall(r"`(\w+)`", told))


@pytest.mark.parametrize(
    ("field", "tools"),
    [
        ("path", ["table_of_contents", "read_sections", "get_doc_page"]),
        ("limit", ["search_docs", "list_doc_pages", "list_collections"]),
        ("sections", ["read_sections", "get_doc_page"]),
    ],
)
def test_what_models_send_for_it_is_taken_by_each_of_these_tools(field: str, tools: list[str]) -> None:
    table = TOOLS_TEXT.partition("\n## What models send is taken\n")[2].partition("\n## ")[0]
    [names] = [
        set(re.findall(r"`(\w+)`", line.split("|")[1]))
        for line in table.splitlines()
        if re.match(rf"\|.*\| (?:the )?`?{field}\b", line)
    ]
    for tool in TOOLS:
        if tool.name in tools:
            assert names <= {*tool.params.aliases, *tool.params.model_fields}
