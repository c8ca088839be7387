"""Tools, resources and prompts: what each of them is, and which of them a caller may see. Bad ones are refused at start.

To a caller, what is outside its scopes looks as if it did not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from collections_app.access.principal import Principal, Scope
from mcp_app.protocol import legacy
from mcp_app.protocol.answers import Content, InputRequired, Notice
from mcp_app.protocol.revisions import require_client_capability
from mcp_app.protocol.schemas import drop_optional, flatten_schema, is_plain
from mcp_app.protocol.uri_templates import get_variables, match_uri

# The narrowest of what hosts and model providers accept: one bad name can cost a client the whole list.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

NOTHING: Mapping[str, Any] = MappingProxyType({})
# Hosts give up on a call after 30 s or more.
DEADLINE_SECONDS = 25.0
VALUE = "{value}"
# What an endpoint of one collection does not ask for.
SETTLED = ("collection", "version")


class InvalidEntry(Exception):
    """A tool, resource, template or prompt that some clients could not handle. Raised when the registry is built."""


class InvalidTool(InvalidEntry):
    pass


class Answer(Protocol):
    """What a tool returns. The caller's `format` decides which of the forms is asked for."""

    def as_markdown(self) -> str: ...

    def as_json(self) -> dict[str, Any]: ...


ToolAnswer = Answer | Content | InputRequired


class ToolParams(BaseModel):
    """The arguments of a tool. Subclasses add fields of plain JSON types: text, number, boolean, lists of them, object.

    `aliases` maps other names that models send to the fields they mean. `joined` names text fields that hold several values with commas
    between them; a list is accepted for these. `unlisted` fields are accepted, but not listed. `instead` maps arguments that the tool does
    not have to what to do instead, with VALUE where the value that was sent belongs.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    aliases: ClassVar[Mapping[str, str]] = {}
    joined: ClassVar[Collection[str]] = ("collection", "version")
    unlisted: ClassVar[Sequence[str]] = ()
    instead: ClassVar[Mapping[str, str]] = {}

    format: Literal["markdown", "json"] = "markdown"


@dataclass(frozen=True, slots=True)
class Subject:
    """The one collection that an endpoint is narrowed to, as clients are told of it."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """All that a method may know besides its parameters: who asks, in which revision, and about which collection.

    `narrowed_to` is (tenant slug, collection slug) at an endpoint of one collection, `profile` the endpoint's `?profile=`.
    `input_responses` and `request_state` are what the client sends in the next round after an InputRequired. `client_capabilities` is
    empty in revisions before 2026-07-28, where a request does not tell them.
    """

    principal: Principal
    protocol_version: str
    narrowed_to: tuple[str, str] | None = None
    profile: str = ""
    client_capabilities: Mapping[str, Any] = field(default_factory=dict)
    input_responses: Mapping[str, Any] | None = None
    request_state: Any = None
    progress_token: int | str | None = None
    log_level: str | None = None
    subject: Subject | None = None

    @property
    def is_legacy(self) -> bool:
        return self.protocol_version in legacy.REVISIONS

    def require_client_capability(self, name: str) -> None:
        """Raises JsonRpcError (-32021) unless the client declared it."""
        require_client_capability(self.client_capabilities, name)


Completer = Callable[[Call, str, Mapping[str, str]], Sequence[str]]
"""(call, what was typed, the other arguments) → values, best first. More than 100 say that there are more."""


@dataclass(frozen=True)
class Tool:
    """`run` gets an instance of `params`, and raises DocsError for everything that the caller can mend.

    If `run` is a generator function, it may yield Notices (protocol/answers.py), and is stopped at its first yield after
    `deadline_seconds`. A tool with a `schema` lists that as it is, and its `run` gets the arguments as they came; `params` is not used.
    At an endpoint of one collection the description of a tool with `is_guide` also says what the collection is about; `unless_narrowed` is
    a sentence that is added at all other endpoints.
    """

    name: str
    title: str
    description: str
    params: type[ToolParams]
    run: Callable[[Call, Any], ToolAnswer | Generator[Notice | None, None, ToolAnswer]]
    scope: Scope = Scope.READ
    read_only: bool = True
    schema: Mapping[str, Any] | None = None
    deadline_seconds: float = DEADLINE_SECONDS
    is_guide: bool = False
    unless_narrowed: str = ""

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """Flat JSON Schema: an object of plain properties, `format` last."""
        if self.schema is not None:
            return dict(self.schema)
        return flatten_schema(self.params.model_json_schema())

    def describe(self, subject: Subject | None = None) -> dict[str, Any]:
        """The tool as an entry of tools/list; at a narrowed endpoint it names the collection instead of asking for it and its version."""
        more = _introduce(subject, self.is_guide) if subject else self.unless_narrowed
        left_out = (*self.params.unlisted, *(SETTLED if subject else ()))
        return {
            "name": self.name,
            "title": self.title,
            "description": f"{self.description} {more}".rstrip(),
            "inputSchema": drop_optional(self.input_schema, left_out) if left_out else self.input_schema,
            "annotations": {"readOnlyHint": self.read_only, "openWorldHint": False},
        }


@dataclass(frozen=True)
class Resource:
    """`read` returns text, bytes, or None for a resource that is missing after all."""

    uri: str
    name: str
    read: Callable[[Call], str | bytes | InputRequired | None]
    title: str = ""
    description: str = ""
    mime_type: str = "text/markdown"
    size: int | None = None

    def describe(self) -> dict[str, Any]:
        """The resource as an entry of resources/list."""
        size = {} if self.size is None else {"size": self.size}
        return {"uri": self.uri, **_describe(self), "mimeType": self.mime_type, **size}


ResourceProvider = Callable[[Call], Iterable[Resource]]
"""The resources that depend on the caller, in a fixed order."""


@dataclass(frozen=True)
class ResourceTemplate:
    """RFC 6570 as far as `{name}` (no slash in its value) and `{+name}` (any); `read` gets the decoded values by name."""

    uri_template: str
    name: str
    read: Callable[[Call, Mapping[str, str]], str | bytes | InputRequired | None]
    title: str = ""
    description: str = ""
    mime_type: str = "text/markdown"
    completers: Mapping[str, Completer] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """The template as an entry of resources/templates/list."""
        return {"uriTemplate": self.uri_template, **_describe(self), "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    description: str
    title: str = ""
    required: bool = True
    completer: Completer | None = None

    def describe(self) -> dict[str, Any]:
        return {**_describe(self), "required": self.required}


@dataclass(frozen=True)
class Prompt:
    """`build` gets the arguments that were given, and returns one text of the user, or messages with a role and one content each.

    It raises DocsError for what the caller can mend.
    """

    name: str
    description: str
    build: Callable[[Call, Mapping[str, str]], str | Sequence[dict[str, Any]] | InputRequired]
    title: str = ""
    arguments: tuple[PromptArgument, ...] = ()

    def describe(self) -> dict[str, Any]:
        """The prompt as an entry of prompts/list."""
        return {**_describe(self), "arguments": [argument.describe() for argument in self.arguments]}


class OlderNames(Protocol):
    """Older names of tools and resources, which are translated before they are looked up."""

    def translate_arguments(self, call: Call, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the arguments of an older name mean to its tool; None where the collection in the name is not there. Raises DocsError."""

    def find_stand_in(self, name: str) -> Tool | None:
        """The tool that answers to an older name in place of the one that it means."""

    def find_tool_name(self, name: str) -> str | None:
        """The tool that an older name means, whether or not the collection in it is there."""

    def translate_uri(self, call: Call, uri: str) -> str:
        """The URI that an older one means, or the same."""


class Registry:
    """Everything that is served, in the order in which it is listed. Raises InvalidEntry.

    `profiles`: tools by the `?profile=` of the endpoint that lists them in place of the others. `find_subject`: what a
    narrowed call is about; raises CollectionNotFound. `logging` and `subscribe` are declared to clients of the legacy
    revisions only, and only acknowledged: the server keeps no session.
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
        self._profiles = {name: _index_tools(listed) for name, listed in profiles.items()}
        self._resources = tuple(resources)
        self._templates = _index_templates(templates)
        self._prompts = _index_prompts(prompts)
        self.older_names = older_names
        self.find_subject = find_subject
        self.logging = logging
        self.subscribe = subscribe

    @cached_property
    def capabilities(self) -> dict[str, Any]:
        """What is declared to clients. No `listChanged`: lists change with the key only, and a client has one key."""
        declared: dict[str, Any] = {"tools": {}}
        if self._resources or self._templates:
            declared["resources"] = {}
        if self._prompts:
            declared["prompts"] = {}
        if self._has_completers():
            declared["completions"] = {}
        return declared

    def visible_tools(self, principal: Principal, profile: str = "") -> list[Tool]:
        listed = self._profiles.get(profile, self._tools)
        return [tool for tool in listed.values() if principal.may(tool.scope)]

    def find_tool(self, name: str, principal: Principal, profile: str = "") -> Tool | None:
        tool = self._profiles.get(profile, {}).get(name) or self._tools.get(name)
        return tool if tool and principal.may(tool.scope) else None

    def find_tool_name(self, name: str) -> str | None:
        """The present name of a tool that has, or had, this name in any profile, whether or not the caller may use it."""
        if any(name in listed for listed in (self._tools, *self._profiles.values())):
            return name
        return self.older_names.find_tool_name(name) if self.older_names else None

    def iter_resources(self, call: Call) -> Iterator[Resource]:
        for entry in self._resources if call.principal.may(Scope.READ) else ():
            if isinstance(entry, Resource):
                yield entry
            else:
                yield from entry(call)

    def read_resource(self, call: Call, uri: str) -> tuple[str, str | bytes | InputRequired] | None:
        """The MIME type and the content, or None for a resource that is missing, or not for this caller."""
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


def _introduce(subject: Subject, whole: bool) -> str:
    return f"Collection: {subject.name}{f' ({subject.description})' if whole and subject.description else ''}."


def _describe(entry: Resource | ResourceTemplate | Prompt | PromptArgument) -> dict[str, Any]:
    told = {"name": entry.name, "title": entry.title, "description": entry.description}
    return {name: value for name, value in told.items() if value}


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
