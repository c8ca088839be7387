"""What a stranger can name of a tenant: each of its rows' ids and names, and beside them names and ids that are nowhere.

`make_requests` asks for them in every way that the site has: each URL of the resolver, each admin list and action, each operation of the
API, each tool, resource, prompt and completion. What it does not know how to ask for, it refuses: whoever adds a URL or a tool teaches it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import ForeignKey, Model
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

from collections_app.models import (
    ApiKey,
    Collection,
    DataRequest,
    Document,
    IngestJob,
    Invitation,
    Pin,
    Source,
    Synonym,
    Tenant,
)
from mcp_app.compat import OLDER_TOOLS, OLDER_URIS, PROFILES
from mcp_app.prompts import PROMPTS
from mcp_app.resources import PAGE_TEMPLATE, RESOURCES, TEMPLATES
from mcp_app.tools import TOOLS

JSON = "application/json"


@dataclass(frozen=True)
class Target:
    """`word` is the slug of the collection, and what its documents and rows are called after."""

    word: str
    tenant: str
    ids: Mapping[type[Model], int]

    @property
    def collection(self) -> str:
        return f"{self.tenant}/{self.word}"

    @property
    def path(self) -> str:
        return f"{self.word}.md"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    data: Any = None
    content_type: str = ""

    @property
    def text(self) -> str:
        return f"{self.path} {self.data}"


class Unknown(Exception):
    """Something new, which the walk has to be taught."""


def make_requests(target: Target, own: Target) -> list[Request]:
    """All of them, in the same order for each target. `own` are rows of the caller's own, for forms that name the target's."""
    pages = [request for route in iter_routes() for request in ask_route(route, target, own)]
    return [*pages, *ask_lists(target), *ask_actions(target), *ask_by_query(target), *ask_api(target), *ask_mcp(target)]


# ── URLs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def iter_routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    for entry in (resolver or get_resolver()).url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from iter_routes(entry, route)
        else:
            assert isinstance(entry, URLPattern)
            yield route


ROWS: dict[str, type[Model]] = {
    "collections": Collection,
    "sources": Source,
    "tenants": Tenant,
    "exports": DataRequest,
    "documents": Document,
    "jobs": IngestJob,
    "synonyms": Synonym,
    "pins": Pin,
    "invitations": Invitation,
}
# Regular expressions, with addresses that they match.
EXPRESSIONS: dict[str, Callable[[Target], list[str]]] = {
    r"^(?:mcp/(?:[^/]+/[^/]+/)?)?\.well-known/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:/.*)?$": (
        lambda target: [f"mcp/{target.collection}/.well-known/openid-configuration"]
    ),
    r"^oauth/(?:mcp/(?:[^/]+/[^/]+/)?)?\.well-known/": (
        lambda target: [f"oauth/mcp/{target.collection}/.well-known/openid-configuration"]
    ),
    r"api/^(?P<rest>.*)$": lambda target: [f"api/{target.collection}"],
    r"admin/^(?P<app_label>collections_app)/$": lambda target: ["admin/collections_app/"],
    r"admin/(?P<url>.*)$": lambda target: [f"admin/{target.word}"],
}


def ask_route(route: str, target: Target, own: Target) -> Iterator[Request]:
    """A look at it with the target's ids, a form sent there, and the same form sent to one's own row."""
    for address in fill(route, target):
        yield Request("get", f"/{address}")
        yield Request("post", f"/{address}", make_form(target, target))
    if "<" in route or route.endswith("/add/"):
        yield from (Request("post", f"/{address}", make_form(target, own)) for address in fill(route, own))


def fill(route: str, target: Target) -> list[str]:
    if route in EXPRESSIONS:
        return EXPRESSIONS[route](target)
    if "^" in route or "(" in route:
        raise Unknown(f"give an address that {route} matches")
    names = ["slug", "tenant:slug"] if "<collection:" in route else ["slug"]
    return [fill_one(route, target, how) for how in names]


def fill_one(route: str, target: Target, how: str) -> str:
    return re.sub(r"<(?:(\w+):)?(\w+)>", lambda match: find_value(route, match, target, how), route)


def find_value(route: str, match: re.Match[str], target: Target, how: str) -> str:
    kind, name = match.groups()
    parts = route[: match.start()].strip("/").split("/")
    if (kind, name) in {("path", "object_id"), (None, "id")}:
        return str(target.ids[apps.get_model("collections_app", parts[2])])
    if kind == "int":
        table = {"source_id": "sources", "job_id": "jobs"}.get(name, parts[-1])
        if table in ROWS:
            return str(target.ids[ROWS[table]])
    texts = {
        ("collection", "collection"): target.word if how == "slug" else target.collection.replace("/", ":"),
        ("slug", "tenant"): target.tenant,
        ("slug", "collection"): target.word,
        ("slug", "way"): "site",
        ("path", "path"): target.path,
        ("str", "token"): target.word,
        ("slug", "release"): "0123456789ab",
        ("path", "name"): target.path,
    }
    if (kind, name) not in texts:
        raise Unknown(f"say what {match[0]} of {route} is")
    return texts[kind, name]


def make_form(target: Target, near: Target) -> dict[str, Any]:
    """Each field of any form of the admin that names a row: `near`'s tenant and the target's other rows."""
    return {
        "tenant": near.ids[Tenant],
        "collection": target.ids[Collection],
        "in": target.ids[Collection],
        "source": target.ids[Source],
        "key": target.ids[ApiKey],
        "granted": [target.ids[Collection]],
        "path": target.path,
        "question": target.word,
        "term": target.word,
        "synonym": "x",
        "typed": target.word,
        "action": "pin",
        "name": "New",
        "slug": "new",
        "email": f"{target.word}@example.com",
        "role": "viewer",
        "scopes": ["read"],
        "language": "english",
        "content_policy": "flag",
        "post": "yes",
        "hours": "0",
        **{f"{prefix}-{name}": "0" for prefix in ("synonyms", "pins") for name in ("TOTAL_FORMS", "INITIAL_FORMS")},
    }


# ── The admin's lists and actions ─────────────────────────────────────────────────────────────────────────────────────────────────


def get_list(model: type[Model]) -> str:
    return f"/admin/collections_app/{model._meta.model_name}/"


def ask_lists(target: Target) -> Iterator[Request]:
    for model, page in admin.site._registry.items():
        yield Request("get", f"{get_list(model)}?q={target.word}")
        for name in page.list_filter:
            field = model._meta.get_field(name) if isinstance(name, str) else None
            if isinstance(field, ForeignKey):
                related: Any = field.related_model
                yield Request("get", f"{get_list(model)}?{name}__id__exact={target.ids[related]}")
                yield Request("get", f"{get_list(model)}add/?{name}={target.ids[related]}")


def ask_actions(target: Target) -> Iterator[Request]:
    for model, page in admin.site._registry.items():
        for action in ["delete_selected", *(page.actions or ())]:
            name = getattr(action, "__name__", action)
            yield Request(
                "post", get_list(model), {"action": name, "_selected_action": [target.ids[model]], "post": "yes"}
            )


def ask_by_query(target: Target) -> Iterator[Request]:
    """Pages that take an id in the query."""
    ids = target.ids
    for query in (
        f"/admin/?tenant={target.tenant}",
        f"/admin/playground/?question={target.word}&collection={target.collection}",
        f"/admin/playground/?question=llamas&key={ids[ApiKey]}",
        f"/admin/search/?s={target.word}",
        f"/admin/autocomplete/?app_label=collections_app&model_name=membership&field_name=user&term={target.word}",
        f"/docs/{target.collection}/-/search?q={target.word}",
        f"/docs/{target.collection}/{target.word}",
        f"/docs/{target.collection}/{target.path}.md",
    ):
        yield Request("get", query)
    for probe in ("/", "/livez", "/readyz", "/health", "/metrics"):
        yield Request("get", probe)


# ── The API ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def get_api_schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(public=True, request=None)  # type: ignore[no-untyped-call, no-any-return]


def ask_api(target: Target) -> Iterator[Request]:
    schema = get_api_schema()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            for address in fill_api(path, target):
                yield from ask_operation(method, address, operation, schema, target)


def fill_api(path: str, target: Target) -> list[str]:
    names = [target.word, target.collection.replace("/", ":")] if "{collection}" in path else [""]
    values = {"path": target.path, "source_id": target.ids[Source], "job_id": target.ids[IngestJob]}
    return [path.format(**values, collection=name) for name in names]


def ask_operation(
    method: str, address: str, operation: dict[str, Any], schema: dict[str, Any], target: Target
) -> Iterator[Request]:
    query = "&".join(
        f"{each['name']}={get_api_value(each['name'], target)}"
        for each in operation.get("parameters", ())
        if each["in"] == "query" and get_api_value(each["name"], target) is not None
    )
    bodies = operation.get("requestBody", {}).get("content", {})
    if JSON in bodies:
        yield Request(method, address, json.dumps(make_body(bodies[JSON]["schema"], schema, target)), JSON)
    else:
        yield Request(method, f"{address}?{query}")


def make_body(shape: dict[str, Any], schema: dict[str, Any], target: Target) -> dict[str, Any]:
    named = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape
    values = {name: get_api_value(name, target) for name in named.get("properties", ())}
    return {name: value for name, value in values.items() if value is not None}


LEFT_OUT_OF_API = {
    "category", "code", "filters", "limit", "mode", "version", "cursor", "state", "status", "outcome", "format",
    "url", "is_public", "content_policy", "auto_index", "include", "exclude", "max_file_bytes",
    "refresh_interval_seconds", "token", "accept_removals",
}  # fmt: skip


def get_api_value(name: str, target: Target) -> Any:
    """None: better left out."""
    values = {
        "collection": target.collection,
        "tenant": target.tenant,
        "slug": target.word,
        "library": target.word,
        "path": target.path,
        "q": target.word,
        "source_id": target.ids[Source],
        "name": "New",
        "content": "# New",
        "description": "New",
        "language": "english",
        "kind": "site",
        "location": f"https://{target.word}.example/",
        "options": {},
        "metadata": {},
    }
    if name in values:
        return values[name]
    if name in LEFT_OUT_OF_API:
        return None
    raise Unknown(f"give a value for {name} of the API")


# ── The protocol ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def ask_mcp(target: Target) -> Iterator[Request]:
    for endpoint in ("/mcp", f"/mcp/{target.collection}", "/mcp?profile=openai"):
        for method, params in iter_messages(target):
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            yield Request("post", endpoint, json.dumps(message), JSON)


def iter_messages(target: Target) -> Iterator[tuple[str, dict[str, Any]]]:
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        yield method, {}
    for tool in (*TOOLS, *(tool for tools in PROFILES.values() for tool in tools)):
        yield from (("tools/call", call) for call in call_tool(tool.name, list(tool.params.model_fields), target))
    for older in OLDER_TOOLS:
        name = re.sub(r"\(\?P<collection>.*?\)", target.word, older.name)
        meant = next(tool for tool in TOOLS if tool.name == older.tool)
        yield from (("tools/call", call) for call in call_tool(name, list(meant.params.model_fields), target))
    yield from (("resources/read", {"uri": uri}) for uri in list_uris(target))
    for prompt in PROMPTS:
        arguments = {each.name: get_argument(each.name, target) for each in prompt.arguments}
        yield "prompts/get", {"name": prompt.name, "arguments": arguments}
        for each in prompt.arguments:
            yield complete({"type": "ref/prompt", "name": prompt.name}, each.name, target)
    for template in TEMPLATES:
        for name in template.completers:
            yield complete({"type": "ref/resource", "uri": template.uri_template}, name, target)


def call_tool(name: str, fields: Sequence[str], target: Target) -> Iterator[dict[str, Any]]:
    """With the collection's slug, with its full name, and without."""
    given = {field: get_argument(field, target) for field in fields}
    arguments = {field: value for field, value in given.items() if value is not None}
    yield {"name": name, "arguments": arguments}
    if "collection" in fields:
        yield {"name": name, "arguments": {**arguments, "collection": target.word}}
        yield {"name": name, "arguments": {field: arguments[field] for field in arguments if field != "collection"}}


LEFT_OUT_OF_TOOLS = {
    "limit", "mode", "category", "filters", "code", "version", "max_tokens", "cursor", "status", "answer_tokens",
    "temperature", "model", "include_sources", "comment", "url", "file_path", "metadata", "wait",
}  # fmt: skip


def get_argument(name: str, target: Target) -> Any:
    """None: better left out."""
    values = {
        "folder": target.word,
        "collection": target.collection,
        "path": target.path,
        "first": target.path,
        "second": target.path,
        "id": f"{target.collection}/{target.path}",
        "query": target.word,
        "question": target.word,
        "sections": [target.word],
        "near": target.word,
        "section_ids": [target.word],
        "job_id": target.ids[IngestJob],
        "content": "# New",
        "helpful": False,
        "format": "json",
        "include": ["context", "history", "limits"],
    }
    if name in values:
        return values[name]
    if name in LEFT_OUT_OF_TOOLS:
        return None
    raise Unknown(f"give a value for the argument {name}")


def list_uris(target: Target) -> list[str]:
    if [template.uri_template for template in TEMPLATES] != [PAGE_TEMPLATE]:
        raise Unknown("say how the new template is asked for")
    older = [re.sub(r"\(?\[\^/\]\+\)?", target.word, pattern) for pattern, _ in OLDER_URIS]
    fixed = [entry.uri for entry in RESOURCES if hasattr(entry, "uri")]
    names = (target.word, target.collection, f"{target.word}/{target.path}", f"{target.collection}/{target.path}")
    return [*fixed, *older, *(f"docs://{name}" for name in names)]


def complete(ref: dict[str, str], name: str, target: Target) -> tuple[str, dict[str, Any]]:
    argument = {"name": name, "value": target.word[:4]}
    return "completion/complete", {
        "ref": ref,
        "argument": argument,
        "context": {"arguments": {"collection": target.collection}},
    }
