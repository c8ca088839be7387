"""Translates names from the systems that this one replaces: older tools, their arguments, older URIs. It also has other profiles. Each
kind has a table.

None of these names is listed. A name stays unknown if its tool does not exist or is not for this caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, get_args

from pydantic import Field

from collections_app.access.principal import Scope
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.models import Collection
from mcp_app.arguments import read_whole_number, shorten
from mcp_app.entries import Call, Tool
from mcp_app.rendering import TextAnswer
from mcp_app.tools import chatgpt, list_collections, list_doc_pages, search_docs
from mcp_app.tools.ingest_document import MAX_WAIT_SECONDS
from mcp_app.tools.parameters import get_reach, read_blank
from mcp_app.tools.search_docs import MAX_HITS


@dataclass(frozen=True, slots=True)
class OlderTool:
    """The name of an older tool, and the tool that it means now. `name` is a regular expression for the whole name; it may capture
    `collection`.

    `arguments` maps arguments of this tool alone to their names now, or to None for one that has no meaning any more. `defaults` are the
    values of arguments that are given under no name. `stand_in` answers instead where the tool lacks an argument that the older one had.
    """

    name: str
    tool: str
    arguments: Mapping[str, str | None] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    stand_in: Tool | None = None


@dataclass(frozen=True, slots=True)
class OlderArgument:
    """An argument's name now, or None for one that has no meaning any more, and the values that changed.

    `choices` are all values that it takes, under their older and present names; `bounds` are those of a number that took less than today.
    """

    now: str | None
    values: Mapping[Any, Any] = field(default_factory=dict)
    choices: Sequence[str] = ()
    bounds: tuple[int, int] | None = None


class OffsetSearchParams(search_docs.SearchParams):
    offset: Annotated[int, Field(ge=0, lt=MAX_HITS)] = 0


def run_search(call: Call, params: OffsetSearchParams) -> TextAnswer:
    return search_docs.run(call, params, params.offset)


SEARCH_FROM_OFFSET = replace(search_docs.SEARCH_DOCS, params=OffsetSearchParams, run=run_search)
FEW = {"limit": 5}

OLDER_TOOLS = (
    OlderTool("search_documentation", "search_docs", defaults=FEW),
    OlderTool("get_document", "get_doc_page"),
    OlderTool("list_documentation_files", "list_doc_pages"),
    OlderTool("search_(?P<collection>.+)_docs", "search_docs", defaults=FEW),
    OlderTool("retrieve_(?P<collection>.+)_doc", "get_doc_page"),
    OlderTool("r2r_search", "search_docs", stand_in=SEARCH_FROM_OFFSET),
    OlderTool(
        "r2r_rag_query",
        "ask_docs",
        {"query": "question", "search_mode": None, "limit": None, "max_results": None, "use_hybrid_search": None},
    ),
    OlderTool("r2r_ingest_document", "ingest_document"),
    OlderTool("r2r_list_documents", "list_doc_pages"),
    OlderTool("r2r_monitor_task", "ingestion_status", {"task_id": "job_id"}),
    OlderTool("r2r_list_collections", "list_collections"),
)

# Arguments that any of the older tools may have.
OLDER_ARGUMENTS: Mapping[str, OlderArgument] = {
    "search_mode": OlderArgument(
        "mode",
        {"basic": "semantic", "advanced": "hybrid", "custom": None},
        ("basic", "advanced", "custom", "keyword", "semantic", "hybrid"),
    ),
    "collection_id": OlderArgument("collection"),
    "doc_type": OlderArgument("collection", {"all": None}),
    "max_results": OlderArgument("limit", bounds=(1, 20)),
    "status_filter": OlderArgument("status", choices=get_args(list_doc_pages.Status)),
    "run_async": OlderArgument(
        "wait", {True: 0, False: MAX_WAIT_SECONDS, "true": 0, "false": MAX_WAIT_SECONDS}, ("true", "false")
    ),
    "ingestion_mode": OlderArgument(None),
}
MAX_OFFSET = 10**9

OLDER_URIS = (
    (r"r2r://current-project/context", "docs://context"),
    (r"r2r://search/history", "docs://search-history"),
    (r"techdoc://[^/]+/([^/]+)", r"docs://\1"),
)

PROFILES: Mapping[str, tuple[Tool, ...]] = {"openai": (chatgpt.SEARCH, chatgpt.FETCH)}


class Translation:
    """What the registry calls `older_names`."""

    def translate_arguments(self, call: Call, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        for older in OLDER_TOOLS:
            if match := re.fullmatch(older.name, name):
                named = match.groupdict().get("collection")
                collection = find_named_collection(call, named) if named else None
                if named and collection is None:
                    return None
                return translate_arguments(call, older, arguments, collection)
        return None

    def find_stand_in(self, name: str) -> Tool | None:
        return next((older.stand_in for older in OLDER_TOOLS if re.fullmatch(older.name, name)), None)

    def find_tool_name(self, name: str) -> str | None:
        return next((older.tool for older in OLDER_TOOLS if re.fullmatch(older.name, name)), None)

    def translate_uri(self, call: Call, uri: str) -> str:
        for pattern, meant in OLDER_URIS:
            if match := re.fullmatch(pattern, uri):
                return match.expand(meant)
        return uri


def find_named_collection(call: Call, name: str) -> Collection | None:
    """The visible collection in a tool's name: its slug, with `_` for `-`. None where there is none."""
    try:
        visible = get_visible_collections(call.principal, call.narrowed_to)
    except DocsError:
        return None
    wanted = name.casefold().replace("-", "_")
    return next((c for c in visible if c.slug.casefold().replace("-", "_") == wanted), None)


def translate_arguments(
    call: Call, older: OlderTool, given: Mapping[str, Any], collection: Collection | None
) -> dict[str, Any]:
    """The arguments under their present names. What no table knows is passed on, and the tool refuses it in its own words.

    Raises InvalidParameter.
    """
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        if name in older.arguments:
            if now := older.arguments[name]:
                arguments[now] = value
        elif name in OLDER_ARGUMENTS:
            arguments |= translate_argument(name, value)
        else:
            arguments[name] = value
    for name, value in older.defaults.items():
        if all(arguments.get(alias) is None for alias in (name, *list_aliases(name))):
            arguments[name] = value
    if collection:
        arguments["collection"] = f"{collection.tenant.slug}/{collection.slug}"
    if arguments.get("status") == "all" and not call.principal.may(Scope.WRITE):
        del arguments["status"]  # everything that this caller may see
    return translate_offset(call, older.tool, arguments)


def list_aliases(name: str) -> list[str]:
    return [alias for alias, meant in search_docs.SearchParams.aliases.items() if meant == name]


def translate_argument(name: str, value: Any) -> dict[str, Any]:
    """The argument under its present name; empty if the value says nothing. Raises InvalidParameter under the name that was sent."""
    older = OLDER_ARGUMENTS[name]
    if older.now is None or read_blank(value) is None:
        return {}
    check_bounds(name, value, older.bounds)
    key = value.strip().lower() if isinstance(value, str) else value
    if older.choices and key not in (*older.choices, *older.values):
        raise InvalidParameter(
            f"{name} must be one of {', '.join(older.choices)}, not {shorten(value)!r}.", allowed=list(older.choices)
        )
    unchanged = key if older.choices else value
    meant = older.values.get(key, unchanged) if isinstance(key, str | int) else unchanged
    return {} if meant is None else {older.now: meant}


def check_bounds(name: str, value: Any, bounds: tuple[int, int] | None) -> None:
    """Raises InvalidParameter for a value outside the bounds, or one that is not a number."""
    if bounds and ((number := read_whole_number(value)) is None or not bounds[0] <= number <= bounds[1]):
        raise InvalidParameter(f"{name} must be {bounds[0]} to {bounds[1]}, not {shorten(value)}; limit takes more.")


def translate_offset(call: Call, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with a cursor in place of `offset`, for tools that continue by cursor. Raises InvalidParameter."""
    if tool not in CURSOR_MAKERS or "offset" not in arguments:
        return arguments
    given = read_blank(arguments.pop("offset"))
    offset = 0 if given is None else read_whole_number(given)
    if offset is None or not 0 <= offset < MAX_OFFSET:
        raise InvalidParameter(f"offset must be a whole number from 0 to {MAX_OFFSET - 1}, not {shorten(given)}.")
    if offset == 0:
        return arguments
    cursor = CURSOR_MAKERS[tool](call, arguments, offset)
    return arguments | ({"cursor": cursor} if cursor else {})


def make_pages_cursor(call: Call, arguments: Mapping[str, Any], offset: int) -> str | None:
    named, category = read_blank(arguments.get("collection")), read_blank(arguments.get("category"))
    try:
        reach = get_reach(call, named if isinstance(named, str) else None)
    except DocsError:
        return None  # the tool itself will say what is wrong
    status = str(read_blank(arguments.get("status")) or "success").strip().lower()
    folder = list_doc_pages.name_folder(str(read_blank(arguments.get("folder")) or ""))
    choice = list_doc_pages.Choice(reach, status, str(category) if category else None, folder)
    return list_doc_pages.make_cursor_at(call, choice, offset)


def make_collections_cursor(call: Call, arguments: Mapping[str, Any], offset: int) -> str | None:
    return list_collections.make_cursor_at(call, offset)


CURSOR_MAKERS: Mapping[str, Callable[[Call, Mapping[str, Any], int], str | None]] = {
    "list_doc_pages": make_pages_cursor,
    "list_collections": make_collections_cursor,
}
