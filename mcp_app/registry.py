"""The tools, resources, templates and prompts that are served, and which of them a caller may see. Bad entries are refused at start.

To a caller, entries outside its scopes look as if they did not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from collections_app.access.principal import Principal, Scope
from mcp_app.entries import Call, Prompt, Resource, ResourceProvider, ResourceTemplate, Subject, Tool
from mcp_app.protocol.answers import InputRequired
from mcp_app.protocol.schemas import is_plain
from mcp_app.protocol.uri_templates import get_variables, match_uri

# The strictest rule among hosts and model providers: one bad name can cost a client the whole list.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

NOTHING: Mapping[str, Any] = MappingProxyType({})


class InvalidEntry(Exception):
    """A tool, resource, template or prompt that some clients could not handle. Raised when the registry is built."""


class InvalidTool(InvalidEntry):
    pass


class OlderNames(Protocol):
    """Older names of tools and resources, which are translated before they are looked up."""

    def translate_arguments(self, call: Call, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        """An older name's arguments under their present names; None if the collection in the name does not exist. Raises DocsError."""

    def find_stand_in(self, name: str) -> Tool | None:
        """The tool that answers an older name instead of the tool that the name means."""

    def find_tool_name(self, name: str) -> str | None:
        """The tool that an older name means, whether or not the collection in the name exists."""

    def translate_uri(self, call: Call, uri: str) -> str:
        """The URI that an older one means; other URIs unchanged."""


class Registry:
    """Everything that is served, in the order in which it is listed. Raises InvalidEntry.

    `profiles`: the tools that an endpoint with this `?profile=` lists instead of the others. `find_subject` returns what a
    narrowed call is about; it raises CollectionNotFound. `logging` and `subscribe` are declared to clients of the legacy
    revisions only, and only acknowledged: the server keeps no session. docsmcp itself declares neither; the conformance suite calls them.
    """

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        *,
        resources: Iterable[Resource | ResourceProvider] = (),
        templates: Iterable[ResourceTemplate] = (),
        prompts: Iterable[Prompt] = (),
        profiles: Mapping[str, Iterable[Tool]] = NOTHING,
        older_names: OlderNames | None = None,
        find_subject: Callable[[Call], Subject | None] = lambda call: None,
        logging: bool = False,
        subscribe: bool = False,
    ) -> None:
        self._tools = _index_tools(tools)
        self.profiles = {name: _index_tools(listed) for name, listed in profiles.items()}
        self._resources = tuple(resources)
        self._templates = _index_templates(templates)
        self._prompts = _index_prompts(prompts)
        self.older_names = older_names
        self.find_subject = find_subject
        self.logging = logging
        self.subscribe = subscribe

    @cached_property
    def capabilities(self) -> dict[str, Any]:
        """What is declared to clients. No `listChanged`: lists change only with the key, and a client has one key."""
        declared: dict[str, Any] = {"tools": {}}
        if self._resources or self._templates:
            declared["resources"] = {}
        if self._prompts:
            declared["prompts"] = {}
        if self._has_completers():
            declared["completions"] = {}
        return declared

    def visible_tools(self, principal: Principal, profile: str = "") -> list[Tool]:
        listed = self.profiles[profile] if profile else self._tools
        return [tool for tool in listed.values() if principal.may(tool.scope)]

    def find_tool(self, name: str, principal: Principal, profile: str = "") -> Tool | None:
        tool = self.profiles.get(profile, {}).get(name) or self._tools.get(name)
        return tool if tool and principal.may(tool.scope) else None

    def find_tool_name(self, name: str) -> str | None:
        """The present name of a tool that has, or had, this name in any profile, whether or not the caller may use it."""
        if any(name in listed for listed in (self._tools, *self.profiles.values())):
            return name
        return self.older_names.find_tool_name(name) if self.older_names else None

    def iter_resources(self, call: Call) -> Iterator[Resource]:
        for entry in self._resources if call.principal.may(Scope.READ) else ():
            if isinstance(entry, Resource):
                yield entry
            else:
                yield from entry(call)

    def read_resource(self, call: Call, uri: str) -> tuple[str, str | bytes | InputRequired] | None:
        """The MIME type and the content; None for a resource that is missing or not for this caller."""
        if not call.principal.may(Scope.READ):
            return None
        for entry in self._resources:
            if isinstance(entry, Resource) and entry.uri == uri:
                return _pair(entry.mime_type, entry.read(call))
        for template in self._templates.values():
            values = match_uri(template.uri_template, uri)
            if values is not None and (content := template.read(call, values)) is not None:
                return template.mime_type, content
        listed = list(self.iter_resources(call))
        found = next((resource for resource in listed if resource.uri == uri), None)
        found = found or next((resource for resource in listed if resource.uri.lower() == uri.lower()), None)
        return _pair(found.mime_type, found.read(call)) if found else None

    def visible_templates(self, principal: Principal) -> list[ResourceTemplate]:
        return list(self._templates.values()) if principal.may(Scope.READ) else []

    def find_template(self, uri_template: str, principal: Principal) -> ResourceTemplate | None:
        return self._templates.get(uri_template) if principal.may(Scope.READ) else None

    def visible_prompts(self, principal: Principal) -> list[Prompt]:
        return list(self._prompts.values()) if principal.may(Scope.READ) else []

    def find_prompt(self, name: str, principal: Principal) -> Prompt | None:
        return self._prompts.get(name) if principal.may(Scope.READ) else None

    def _has_completers(self) -> bool:
        arguments = [argument for prompt in self._prompts.values() for argument in prompt.arguments]
        return any(t.completers for t in self._templates.values()) or any(a.completer for a in arguments)


def _pair(mime_type: str, content: Any) -> tuple[str, Any] | None:
    return None if content is None else (mime_type, content)


def _index_tools(tools: Iterable[Tool]) -> dict[str, Tool]:
    indexed: dict[str, Tool] = {}
    for tool in tools:
        if tool.name in indexed:
            raise InvalidTool(f"Two tools are named {tool.name!r}")
        _check_tool(tool)
        indexed[tool.name] = tool
    return indexed


def _index_templates(templates: Iterable[ResourceTemplate]) -> dict[str, ResourceTemplate]:
    indexed = {template.uri_template: template for template in templates}
    for template in indexed.values():
        if not template.completers.keys() <= set(get_variables(template.uri_template)):
            raise InvalidEntry(f"{template.uri_template} completes what is no variable of it")
    return indexed


def _index_prompts(prompts: Iterable[Prompt]) -> dict[str, Prompt]:
    indexed: dict[str, Prompt] = {}
    for prompt in prompts:
        if prompt.name in indexed:
            raise InvalidEntry(f"Two prompts are named {prompt.name!r}")
        if not _NAME.fullmatch(prompt.name) or not prompt.description.strip():
            raise InvalidEntry(
                f"The prompt {prompt.name!r} needs a name of letters, digits, '_', '-' and a description"
            )
        indexed[prompt.name] = prompt
    return indexed


def _check_tool(tool: Tool) -> None:
    if not _NAME.fullmatch(tool.name):
        raise InvalidTool(f"The tool name {tool.name!r} must be 1 to 64 letters, digits, '_' and '-'")
    if not tool.title.strip() or not tool.description.strip():
        raise InvalidTool(f"The tool {tool.name} needs a title and a description")
    if tool.schema is not None:
        if tool.schema.get("type") != "object":
            raise InvalidTool(f"The schema of {tool.name} must be of type object")
        return
    for name, prop in tool.input_schema["properties"].items():
        if not is_plain(prop):
            raise InvalidTool(f"The argument {name!r} of {tool.name} is not of one plain JSON type")
    for alias, name in tool.params.aliases.items():
        if name not in tool.params.model_fields or alias in tool.params.model_fields:
            raise InvalidTool(f"The alias {alias!r} of {tool.name} must be a new name for one of its arguments")
