from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field

from collections_app.access.principal import Principal, Scope
from mcp_app.entries import Subject, Tool, ToolParams
from mcp_app.registry import InvalidTool, Registry
from tests.mcp_app.fake_tools import ECHO, READER, TOOLS, WRITER, NothingParams, break_down


def make_tool(name: str = "a_tool", params: type[ToolParams] = NothingParams, **fields: Any) -> Tool:
    given: dict[str, Any] = {"title": "A tool", "description": "Does nothing.", "run": break_down} | fields
    return Tool(name=name, params=params, **given)


class Filter(BaseModel):
    field: str


class NestedParams(ToolParams):
    filter: Filter | None = None


class EitherParams(ToolParams):
    path: str | int


class AnythingParams(ToolParams):
    value: Any


class AnyListParams(ToolParams):
    values: list[Any]


class StrangeAliasParams(ToolParams):
    aliases: ClassVar = {"q": "query"}


class ShadowingAliasParams(ToolParams):
    aliases: ClassVar = {"path": "format"}
    path: str


class TestSchema:
    @pytest.mark.requirement("tools.input-schema")
    def test_it_is_flat_and_says_what_a_model_needs(self) -> None:
        assert ECHO.input_schema == {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                "mode": {"type": "string", "enum": ["keyword", "semantic", "hybrid"]},
                "sections": {"type": "array", "items": {"type": "string"}},
                "include": {"type": "array", "items": {"type": "string", "enum": ["context", "history"]}},
                "filters": {"type": "object"},
                "exact": {"type": "boolean", "default": False},
                "temperature": {"type": "number", "minimum": 0, "maximum": 2},
                "format": {"type": "string", "enum": ["markdown", "json"], "default": "markdown"},
            },
            "required": ["query"],
            "additionalProperties": False,
        }

    def test_the_own_arguments_come_first_and_format_last(self) -> None:
        assert list(ECHO.input_schema["properties"])[0::8] == ["query", "format"]

    def test_a_tool_without_required_arguments_requires_none(self) -> None:
        assert "required" not in make_tool().input_schema

    def test_the_description_keeps_what_an_optional_argument_says(self) -> None:
        class Params(ToolParams):
            cursor: Annotated[str | None, Field(max_length=9, description="From the answer before")] = None

        assert make_tool(params=Params).input_schema["properties"]["cursor"] == {
            "type": "string",
            "description": "From the answer before",
        }

    @pytest.mark.requirement("tools.annotations")
    def test_an_entry_of_the_list_tells_hosts_whether_it_writes(self) -> None:
        entry = make_tool(read_only=False).describe()
        assert entry["annotations"] == {"readOnlyHint": False, "openWorldHint": False}
        assert {"name", "title", "description", "inputSchema"} < entry.keys()
        assert json.dumps(entry)

    def test_at_an_endpoint_of_one_collection_it_names_it_and_does_not_ask_for_it(self) -> None:
        class Optional(ToolParams):
            collection: str | None = None

        class Required(ToolParams):
            collection: str

        subject = Subject("Guide", "How to begin")
        entries = [make_tool(params=params, is_guide=True).describe(subject) for params in (Optional, Required)]
        assert [list(entry["inputSchema"]["properties"]) for entry in entries] == [["format"], ["collection", "format"]]
        assert entries[0]["description"] == "Does nothing. Collection: Guide (How to begin)."
        assert make_tool().describe(subject)["description"] == "Does nothing. Collection: Guide."


class TestRegistry:
    @pytest.mark.requirement("tools.name")
    @pytest.mark.parametrize("name", ["", "a b", "a.b", "a/b", "é", "x" * 65, "search_docs\n"])
    def test_it_refuses_names_that_hosts_refuse(self, name: str) -> None:
        with pytest.raises(InvalidTool, match="name"):
            Registry([make_tool(name)])

    def test_it_takes_the_longest_name(self) -> None:
        assert Registry([make_tool("x" * 64)]).find_tool("x" * 64, READER)

    @pytest.mark.requirement("tools.name-unique")
    def test_it_refuses_two_tools_of_one_name(self) -> None:
        with pytest.raises(InvalidTool, match="Two tools"):
            Registry([make_tool(), make_tool()])

    @pytest.mark.parametrize("fields", [{"title": " "}, {"description": ""}])
    def test_it_refuses_a_tool_that_does_not_say_what_it_does(self, fields: dict[str, Any]) -> None:
        with pytest.raises(InvalidTool, match="description"):
            Registry([make_tool(**fields)])

    @pytest.mark.parametrize("params", [NestedParams, EitherParams, AnythingParams, AnyListParams])
    def test_it_refuses_arguments_that_are_not_flat(self, params: type[ToolParams]) -> None:
        with pytest.raises(InvalidTool, match="plain JSON type"):
            Registry([make_tool(params=params)])

    @pytest.mark.parametrize("params", [StrangeAliasParams, ShadowingAliasParams])
    def test_it_refuses_aliases_of_nothing_and_of_arguments(self, params: type[ToolParams]) -> None:
        with pytest.raises(InvalidTool, match="alias"):
            Registry([make_tool(params=params)])

    def test_tools_are_listed_in_the_order_given(self) -> None:
        assert [tool.name for tool in Registry(TOOLS).visible_tools(WRITER)] == [tool.name for tool in TOOLS]

    def test_a_tool_outside_the_scopes_is_neither_listed_nor_found(self) -> None:
        registry = Registry(TOOLS)
        assert "take_note" not in [tool.name for tool in registry.visible_tools(READER)]
        assert registry.find_tool("take_note", READER) is None
        assert registry.find_tool("take_note", WRITER) is not None

    def test_a_caller_without_scopes_sees_nothing(self) -> None:
        assert Registry(TOOLS).visible_tools(Principal(scopes=frozenset())) == []
        assert Registry(TOOLS).find_tool("echo_query", Principal(scopes=frozenset({Scope.ASK}))) is None


def test_choices_of_numbers_stay_plain() -> None:
    class Params(ToolParams):
        level: Literal[1, 2] = 1

    assert Registry([make_tool(params=Params)]).visible_tools(READER)[0].input_schema["properties"]["level"] == {
        "type": "integer",
        "enum": [1, 2],
        "default": 1,
    }
