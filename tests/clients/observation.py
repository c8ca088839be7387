"""What every client is asked to do, what it must see of the server, and the sentences for what is wrong. PURE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass
from typing import Any

LEGACY = "2025-11-25"
MODERN = "2026-07-28"

PAGES = {
    "index.md": "# Handbook\n\nHow we run the boiler.\n",
    "boiler/start.md": "# Starting the boiler\n\n## Ignition\n\nTurn the key until the pilot flame burns.\n",
    "boiler/faults.md": "# Faults\n\nError E17 means that the pressure is too low.\n",
}
SENTENCE = "Turn the key until the pilot flame burns."
TOOLS = {"search_docs", "table_of_contents", "read_sections", "get_doc_page", "list_doc_pages", "list_collections"}
INVALID_PARAMS, RESOURCE_NOT_FOUND = -32602, -32002
# Some clients tell the older code as the newer one, whatever they speak.
MISSING_CODES = {LEGACY: {RESOURCE_NOT_FOUND, INVALID_PARAMS}, MODERN: {INVALID_PARAMS}}


@dataclass(frozen=True)
class Errand:
    """One thing of each kind to ask for, and two that are not there."""

    tool: str = "search_docs"
    arguments: tuple[tuple[str, str], ...] = (("query", "ignite the pilot flame"),)
    uri: str = "docs://handbook/boiler/start.md"
    unknown_tool: str = "no_such_tool"
    missing_uri: str = "docs://handbook/no/such/page.md"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "arguments": dict(self.arguments)}


ERRAND = Errand()


@dataclass(frozen=True)
class Refusal:
    """An error as the client tells it; `code` is None where the client does not say."""

    code: int | None
    message: str


@dataclass(frozen=True)
class Observation:
    """What a client saw. `revision` is None where it does not tell; lists hold names, URIs and URI templates."""

    revision: str | None
    tools: Sequence[str]
    resources: Sequence[str]
    templates: Sequence[str]
    prompts: Sequence[str]
    called: str
    read: str
    unknown_tool: Refusal
    missing_resource: Refusal

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Observation:
        refusals = {name: Refusal(**data[name]) for name in ("unknown_tool", "missing_resource")}
        return cls(**{**data, **refusals})


def iter_faults(seen: Observation, revision: str) -> Iterator[str]:
    """What is not as it must be for a client that speaks `revision`."""
    if seen.revision not in (None, revision):
        yield f"it agreed on {seen.revision}, not {revision}"
    if not set(seen.tools) >= TOOLS:
        yield f"it lists the tools {list(seen.tools)}"
    if "docs://handbook" not in seen.resources:
        yield f"it lists the resources {list(seen.resources)}"
    if "docs://{collection}/{+path}" not in seen.templates:
        yield f"it lists the templates {list(seen.templates)}"
    if not seen.prompts:
        yield "it lists no prompts"
    if "boiler/start.md" not in seen.called:
        yield f"{ERRAND.tool} said {seen.called!r}"
    if SENTENCE not in seen.read:
        yield f"{ERRAND.uri} reads {seen.read!r}"
    yield from _iter_faults_of_refusal("the unknown tool", seen.unknown_tool, {INVALID_PARAMS}, ERRAND.unknown_tool)
    yield from _iter_faults_of_refusal(
        "the missing resource", seen.missing_resource, MISSING_CODES[revision], "not found"
    )


def _iter_faults_of_refusal(subject: str, refusal: Refusal, codes: Set[int], words: str) -> Iterator[str]:
    if refusal.code not in codes | {None} or words.lower() not in refusal.message.lower():
        yield f"{subject} is told as {refusal.code} {refusal.message!r}"
