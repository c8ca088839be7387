"""What a server offers: tools, resources, templates and prompts; how each is listed; and what their functions learn about a call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from collections_app.access.principal import Principal, Scope
from mcp_app.protocol import legacy
from mcp_app.protocol.answers import Content, InputRequired, Notice
from mcp_app.protocol.revisions import require_client_capability
from mcp_app.protocol.schemas import drop_optional, flatten_schema

# Hosts give up on a call after 30 s or more.
DEADLINE_SECONDS = 25.0
VALUE = "{value}"
# Arguments that the address of a narrowed endpoint settles, so its tools do not ask for them.
SETTLED = ("collection", "version")


class Answer(Protocol):
    """What a tool returns. The caller's `format` decides which of the two forms is made."""

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
    """Everything that a method may know besides its parameters: who asks, in which revision, and about which collection.

    `narrowed_to` is (tenant slug, collection slug) at an endpoint of one collection, `profile` the endpoint's `?profile=`.
    `input_responses` and `request_state` are what the client sends in the round after an InputRequired. `client_capabilities` is
    empty in revisions before 2026-07-28, where requests do not contain them.
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
    """`run` gets an instance of `params`, and raises DocsError for every mistake that the caller can mend.

    If `run` is a generator function, it may yield Notices (protocol/answers.py), and is stopped at its first yield after
    `deadline_seconds`. A tool with a `schema` lists it unchanged; its `run` gets the arguments as they came, and `params` is not used.
    At an endpoint of one collection, the description of a tool with `is_guide` also says what the collection is about; `unless_narrowed` is
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
        """Flat JSON Schema: an object of plain properties, with `format` last."""
        if self.schema is not None:
            return dict(self.schema)
        return flatten_schema(self.params.model_json_schema())

    def describe(self, subject: Subject | None = None) -> dict[str, Any]:
        """The tool's entry in tools/list. At a narrowed endpoint it names the collection, and does not ask for one or its version."""
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
    """`read` returns text or bytes, or None if the resource is missing after all."""

    uri: str
    name: str
    read: Callable[[Call], str | bytes | InputRequired | None]
    title: str = ""
    description: str = ""
    mime_type: str = "text/markdown"
    size: int | None = None

    def describe(self) -> dict[str, Any]:
        """The resource's entry in resources/list."""
        size = {} if self.size is None else {"size": self.size}
        return {"uri": self.uri, **_describe(self), "mimeType": self.mime_type, **size}


ResourceProvider = Callable[[Call], Iterable[Resource]]
"""The resources that depend on the caller, in a fixed order."""


@dataclass(frozen=True)
class ResourceTemplate:
    """RFC 6570 with only `{name}` (its value has no slash) and `{+name}` (any value); `read` gets the decoded values by name."""

    uri_template: str
    name: str
    read: Callable[[Call, Mapping[str, str]], str | bytes | InputRequired | None]
    title: str = ""
    description: str = ""
    mime_type: str = "text/markdown"
    completers: Mapping[str, Completer] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """The template's entry in resources/templates/list."""
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
    """`build` gets the arguments that were given, and returns one text of the user, or messages with one role and one content each.

    It raises DocsError for mistakes that the caller can mend.
    """

    name: str
    description: str
    build: Callable[[Call, Mapping[str, str]], str | Sequence[dict[str, Any]] | InputRequired]
    title: str = ""
    arguments: tuple[PromptArgument, ...] = ()

    def describe(self) -> dict[str, Any]:
        """The prompt's entry in prompts/list."""
        return {**_describe(self), "arguments": [argument.describe() for argument in self.arguments]}


def _introduce(subject: Subject, whole: bool) -> str:
    return f"Collection: {subject.name}{f' ({subject.description})' if whole and subject.description else ''}."


def _describe(entry: Resource | ResourceTemplate | Prompt | PromptArgument) -> dict[str, Any]:
    told = {"name": entry.name, "title": entry.title, "description": entry.description}
    return {name: value for name, value in told.items() if value}
