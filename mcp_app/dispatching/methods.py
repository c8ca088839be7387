"""The methods other than tools/call: lists and their pages, resources, prompts, completion.

They raise JsonRpcError for mistakes in a request, because clients call them, not models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar
from urllib.parse import unquote

from collections_app.exceptions import DocsError, NotFound
from mcp_app.arguments import find_closest, shorten
from mcp_app.entries import Call, Completer, Prompt
from mcp_app.next_calls import tell_error
from mcp_app.protocol import legacy
from mcp_app.protocol.answers import InputRequired, make_contents, make_text
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.protocol.identity import get_instructions
from mcp_app.protocol.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS, JsonRpcError, Params, Result
from mcp_app.protocol.revisions import MODERN_REVISIONS
from mcp_app.registry import Registry

Entry = TypeVar("Entry")

PAGE_ENTRIES = 50
MAX_URI_CHARACTERS = 8_000
MAX_ARGUMENT_CHARACTERS = 8_000
# The limit of the specification ("Completion Results").
MAX_COMPLETIONS = 100


def discover(registry: Registry, call: Call, params: Params) -> Result:
    return {
        "supportedVersions": list(MODERN_REVISIONS),
        "capabilities": registry.capabilities,
        "instructions": get_instructions(registry.visible_tools(call.principal, call.profile), call.subject),
    }


def list_tools(registry: Registry, call: Call, params: Params) -> Result:
    tools = registry.visible_tools(call.principal, call.profile)
    page, more = take_page("tools/list", call, params, tools, lambda tool: tool.name)
    return {"tools": [tool.describe(call.subject) for tool in page], **more}


def list_resources(registry: Registry, call: Call, params: Params) -> Result:
    resources = registry.iter_resources(call)
    page, more = take_page("resources/list", call, params, resources, lambda resource: resource.uri)
    return {"resources": [resource.describe() for resource in page], **more}


def list_templates(registry: Registry, call: Call, params: Params) -> Result:
    templates = registry.visible_templates(call.principal)
    page, more = take_page("resources/templates/list", call, params, templates, lambda template: template.uri_template)
    return {"resourceTemplates": [template.describe() for template in page], **more}


def list_prompts(registry: Registry, call: Call, params: Params) -> Result:
    prompts = registry.visible_prompts(call.principal)
    page, more = take_page("prompts/list", call, params, prompts, lambda prompt: prompt.name)
    return {"prompts": [prompt.describe() for prompt in page], **more}


def take_page(
    method: str, call: Call, params: Params, entries: Iterable[Entry], name_of: Callable[[Entry], str]
) -> tuple[list[Entry], dict[str, str]]:
    """The page at the cursor, and its `nextCursor` unless it is the last. A cursor contains the last name of the page before."""
    rows = list(entries)
    start = 0
    if params.get("cursor") is not None:
        last = read_position(method, call, params["cursor"])
        start = next((index for index, row in enumerate(rows, 1) if name_of(row) == last), 0)
        if not start:
            raise refuse_cursor(method)
    page = rows[start : start + PAGE_ENTRIES]
    if start + PAGE_ENTRIES >= len(rows):
        return page, {}
    return page, {"nextCursor": make_cursor(make_kind(method, call), call.principal, [name_of(page[-1])])}


def read_position(method: str, call: Call, cursor: object) -> object:
    try:
        return read_cursor(make_kind(method, call), call.principal, str(cursor))[0]
    except DocsError:
        raise refuse_cursor(method) from None


def make_kind(method: str, call: Call) -> str:
    return ".".join([method, call.profile, *(call.narrowed_to or ())])


def refuse_cursor(method: str) -> JsonRpcError:
    return JsonRpcError(INVALID_PARAMS, f"Unknown cursor: ask for {method} without one to begin at the first page")


def read_resource(registry: Registry, call: Call, params: Params) -> Result | InputRequired:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise JsonRpcError(INVALID_PARAMS, "params.uri must be the URI of a resource")
    found = find_resource(registry, call, uri)
    if found is None:
        code = legacy.RESOURCE_NOT_FOUND if call.is_legacy else INVALID_PARAMS
        raise JsonRpcError(code, "Resource not found", {"uri": uri})
    mime_type, content = found
    return content if isinstance(content, InputRequired) else {"contents": [make_contents(uri, mime_type, content)]}


def find_resource(registry: Registry, call: Call, uri: str) -> tuple[str, str | bytes | InputRequired] | None:
    """None for a resource that does not exist, is not for this caller, or cannot exist because of a NUL, which PostgreSQL cannot store."""
    meant = registry.older_names.translate_uri(call, uri) if registry.older_names else uri
    if len(meant) > MAX_URI_CHARACTERS or "\0" in unquote(meant):
        return None
    try:
        return registry.read_resource(call, meant)
    except NotFound:
        return None
    except DocsError as error:
        raise JsonRpcError(INTERNAL_ERROR, error.message, error.details) from None


def get_prompt(registry: Registry, call: Call, params: Params) -> Result | InputRequired:
    name = params.get("name")
    prompt = registry.find_prompt(name, call.principal) if isinstance(name, str) else None
    if prompt is None:
        raise JsonRpcError(INVALID_PARAMS, f"Unknown prompt: {shorten(name)}")
    try:
        built = prompt.build(call, check_prompt_arguments(prompt, params.get("arguments")))
    except DocsError as error:
        message = tell_error(error, registry.visible_tools(call.principal, call.profile))
        raise JsonRpcError(INVALID_PARAMS, message, {"code": error.code}) from None
    if isinstance(built, InputRequired):
        return built
    messages = [{"role": "user", "content": make_text(built)}] if isinstance(built, str) else list(built)
    return {"description": prompt.description, "messages": messages}


def check_prompt_arguments(prompt: Prompt, given: object) -> dict[str, str]:
    """The arguments by name, all of them texts; null and an empty text count as absent. Raises JsonRpcError."""
    if given is not None and not isinstance(given, dict):
        raise JsonRpcError(INVALID_PARAMS, "params.arguments must be an object")
    values = {name: value for name, value in (given or {}).items() if value not in (None, "")}
    known = {argument.name for argument in prompt.arguments}
    for name, value in values.items():
        if name not in known:
            valid = f"Its arguments: {', '.join(known) or 'none'}"
            raise JsonRpcError(INVALID_PARAMS, f"{prompt.name} has no argument {shorten(name)}. {valid}")
        if not isinstance(value, str) or "\0" in value or len(value) > MAX_ARGUMENT_CHARACTERS:
            allowed = f"a text of at most {MAX_ARGUMENT_CHARACTERS:,} characters, without NUL"
            raise JsonRpcError(INVALID_PARAMS, f"The argument {name} of {prompt.name} must be {allowed}")
    missing = [argument.name for argument in prompt.arguments if argument.required and argument.name not in values]
    if missing:
        raise JsonRpcError(INVALID_PARAMS, f"{prompt.name} needs the argument {', '.join(missing)}")
    return values


def complete(registry: Registry, call: Call, params: Params) -> Result:
    argument, context = params.get("argument"), params.get("context")
    name, value = (argument.get("name"), argument.get("value")) if isinstance(argument, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(value, str):
        raise JsonRpcError(INVALID_PARAMS, "params.argument must hold a name and a value, both texts")
    completer = find_completer(registry, call, params.get("ref"), name)
    others = context.get("arguments") if isinstance(context, dict) else None
    known = {key: text for key, text in others.items() if isinstance(text, str)} if isinstance(others, dict) else {}
    usable = completer and "\0" not in value + "".join(known.values())
    values = list(completer(call, value, known)) if completer and usable else []
    total = {"total": len(values)} if len(values) <= MAX_COMPLETIONS else {}
    return {"completion": {"values": values[:MAX_COMPLETIONS], **total, "hasMore": not total}}


def find_completer(registry: Registry, call: Call, ref: object, argument: str) -> Completer | None:
    """None for an argument without completions. Raises JsonRpcError if the reference is to no prompt and no template."""
    kind, name, uri = (ref.get("type"), ref.get("name"), ref.get("uri")) if isinstance(ref, dict) else (None,) * 3
    completers: Mapping[str, Completer | None] | None = None
    if kind == "ref/prompt" and isinstance(name, str) and (prompt := registry.find_prompt(name, call.principal)):
        completers = {known.name: known.completer for known in prompt.arguments}
    if kind == "ref/resource" and isinstance(uri, str) and (found := registry.find_template(uri, call.principal)):
        completers = found.completers
    if completers is None:
        raise JsonRpcError(
            INVALID_PARAMS, f"params.ref names no prompt and no resource template: {suggest(registry, call, ref)}"
        )
    return completers.get(argument)


def suggest(registry: Registry, call: Call, ref: object) -> str:
    prompts = [prompt.name for prompt in registry.visible_prompts(call.principal)]
    templates = [template.uri_template for template in registry.visible_templates(call.principal)]
    given = str(ref.get("name") or ref.get("uri")) if isinstance(ref, dict) else ""
    closest = find_closest(given, [*prompts, *templates])
    return f"did you mean {closest}?" if closest else f"there are {', '.join([*prompts, *templates]) or 'none'}"
