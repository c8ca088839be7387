"""Where an API is called and how callers are authorised: its servers, its security schemes, and which of them an operation needs."""

from __future__ import annotations

from collections.abc import Iterator

from collections_app.parsing.openapi.details import describe_details
from collections_app.parsing.openapi.values import Object, get_object, get_objects, get_text, get_texts, to_text
from collections_app.parsing.openapi.writing import Writer

_URLS = {
    "authorizationUrl": "authorization",
    "deviceAuthorizationUrl": "device authorization",
    "tokenUrl": "token",
    "refreshUrl": "refresh",
}


def write_servers(writer: Writer, holder: Object) -> None:
    """The servers of a description, a path or an operation; Swagger 2 has a host, a base path and schemes instead."""
    lines = [line for server in get_objects(holder, "servers") for line in _list_server(server)]
    lines += [f"- `{url}`" for url in _iter_swagger_urls(holder)]
    if lines:
        writer.add("Servers:\n\n" + "\n".join(lines))


def _list_server(server: Object) -> Iterator[str]:
    if url := get_text(server, "url"):
        yield f"- `{url}` {_to_line(get_text(server, 'description'))}".rstrip()
    for name, variable in get_object(server, "variables").items():
        if isinstance(variable, dict):
            yield f"  - `{to_text(name)}`: {_to_line(describe_details(variable, {}))}".rstrip(": ")


def _iter_swagger_urls(description: Object) -> Iterator[str]:
    host, path = get_text(description, "host"), get_text(description, "basePath")
    for scheme in get_texts(description, "schemes") if host else ():
        yield f"{scheme}://{host}{path}"
    if (host or path) and not (host and get_texts(description, "schemes")):
        yield host + path


def write_security(writer: Writer, description: Object) -> None:
    schemes = {
        **get_object(get_object(description, "components"), "securitySchemes"),
        **get_object(description, "securityDefinitions"),
    }
    if schemes:
        writer.add_heading(2, "Authentication")
    for name in schemes:
        scheme = get_object(schemes, name)
        kind = " ".join(filter(None, (get_text(scheme, key) for key in ("type", "scheme", "bearerFormat"))))
        place = f" in {get_text(scheme, 'in')} `{get_text(scheme, 'name')}`" if get_text(scheme, "in") else ""
        discovery = f" `{url}`" if (url := get_text(scheme, "openIdConnectUrl")) else ""
        writer.add("\n".join([f"- `{to_text(name)}`: {kind}{place}{discovery}", *_list_flows(scheme)]))
        writer.add_markdown(get_text(scheme, "description"))


def _list_flows(scheme: Object) -> Iterator[str]:
    """The flows of OAuth, which OpenAPI 3 has by name, and Swagger 2 in the scheme itself."""
    flow = get_text(scheme, "flow")
    flows = {flow: scheme} if flow else get_object(scheme, "flows")
    for name in flows:
        values = get_object(flows, name)
        urls = [f"{words} `{url}`" for key, words in _URLS.items() if (url := get_text(values, key))]
        yield f"  - {to_text(name)}: {', '.join(urls)}".rstrip(": ")
        for scope, said in get_object(values, "scopes").items():
            yield f"    - `{to_text(scope)}`: {_to_line(to_text(said))}".rstrip(": ")


def describe_requirements(values: Object) -> str:
    """The security of an operation, such as `oauth (read, write) or key`; `none` if it says that it needs nothing."""
    if values.get("security") == []:
        return "none"
    return " or ".join(
        " and ".join(_describe_requirement(each, name) for name in each) or "none"
        for each in get_objects(values, "security")
    )


def _describe_requirement(requirement: Object, name: str) -> str:
    scopes = ", ".join(get_texts(requirement, name))
    return f"{to_text(name)} ({scopes})" if scopes else to_text(name)


def _to_line(text: str) -> str:
    return " ".join(text.split())
