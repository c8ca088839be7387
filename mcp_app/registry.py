"""Tools: what one is, and which of them a caller may see. Refuses bad ones at start, not at the first call.

A tool outside the caller's scopes looks exactly like one that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from collections_app.principal import Principal, Scope

# The narrowest of what hosts and model providers accept: one bad name can cost a client the whole list.
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_COMPOSITION = {"$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "if"}


class InvalidTool(Exception):
    """A tool that clients would choke on. Raised when the registry is built."""


class Answer(Protocol):
    """What a tool returns, said in the form that the caller's `format` asks for."""

    def as_markdown(self) -> str: ...

    def as_json(self) -> dict[str, Any]: ...


class ToolParams(BaseModel):
    """The arguments of a tool. Subclasses add fields of plain JSON types: text, number, boolean, lists of them, object.

    `aliases` maps other names that models send to the fields they mean.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    aliases: ClassVar[Mapping[str, str]] = {}

    format: Literal["markdown", "json"] = "markdown"


@dataclass(frozen=True, slots=True)
class Call:
    """All that a method may know beside its parameters: who asks, in which revision, and about which collection.

    `narrowed_to` is (tenant slug, collection slug) at an endpoint of one collection. Fields to come have defaults.
    """

    principal: Principal
    protocol_version: str
    narrowed_to: tuple[str, str] | None = None


@dataclass(frozen=True)
class Tool:
    """`run` gets an instance of `params`, and raises DocsError for everything that the caller can mend."""

    name: str
    title: str
    description: str
    params: type[ToolParams]
    run: Callable[[Call, Any], Answer]
    scope: Scope = Scope.READ
    read_only: bool = True

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """Flat JSON Schema: an object of plain properties, `format` last."""
        schema = self.params.model_json_schema()
        properties = {name: _flatten(prop) for name, prop in schema.get("properties", {}).items()}
        properties["format"] = properties.pop("format")
        flat: dict[str, Any] = {"type": "object", "properties": properties}
        if schema.get("required"):
            flat["required"] = schema["required"]
        return flat | {"additionalProperties": False}

    def describe(self) -> dict[str, Any]:
        """The tool as an entry of tools/list."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": {"readOnlyHint": self.read_only, "openWorldHint": False},
        }


class Registry:
    """All tools, in the order in which they are listed. Raises InvalidTool."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise InvalidTool(f"Two tools are named {tool.name!r}")
            _check_tool(tool)
            self._tools[tool.name] = tool

    @property
    def capabilities(self) -> dict[str, Any]:
        """What is declared to clients. No `listChanged`: lists change with the key only, and a client has one key."""
        return {"tools": {}}

    def visible_tools(self, principal: Principal) -> list[Tool]:
        return [tool for tool in self._tools.values() if principal.may(tool.scope)]

    def find_tool(self, name: str, principal: Principal) -> Tool | None:
        tool = self._tools.get(name)
        return tool if tool and principal.may(tool.scope) else None


def _check_tool(tool: Tool) -> None:
    if not _TOOL_NAME.fullmatch(tool.name):
        raise InvalidTool(f"The tool name {tool.name!r} must be 1 to 64 letters, digits, '_' and '-'")
    if not tool.title.strip() or not tool.description.strip():
        raise InvalidTool(f"The tool {tool.name} needs a title and a description")
    for name, prop in tool.input_schema["properties"].items():
        if not _is_plain(prop):
            raise InvalidTool(f"The argument {name!r} of {tool.name} is not of one plain JSON type")
    for alias, name in tool.params.aliases.items():
        if name not in tool.params.model_fields or alias in tool.params.model_fields:
            raise InvalidTool(f"The alias {alias!r} of {tool.name} must be a new name for one of its arguments")


def _is_plain(prop: dict[str, Any]) -> bool:
    has_type = isinstance(prop.get("type"), str)
    if prop.get("type") == "array":
        has_type = isinstance(prop.get("items", {}).get("type"), str)
    return has_type and _COMPOSITION.isdisjoint(_iter_keywords(prop))


def _flatten(prop: dict[str, Any]) -> dict[str, Any]:
    """A property without generated titles; an optional one is described by the type it has when given."""
    flat = {key: value for key, value in prop.items() if key != "title"}
    kinds = [kind for kind in flat.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) == 1:
        del flat["anyOf"]
        flat = _flatten(kinds[0]) | flat
    if flat.get("default", ...) is None:
        del flat["default"]
    if flat.get("type") == "object" and flat.get("additionalProperties") is True:
        del flat["additionalProperties"]
    return flat


def _iter_keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
        for value in schema.values():
            yield from _iter_keywords(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _iter_keywords(value)
