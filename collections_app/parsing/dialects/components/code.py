"""What components say to call or to run, as code: an endpoint by its method and path (`<Endpoint method="get" path="/boats">`), a command
(`<Terminal command="npm install oars" />`), packages for whichever manager (`<PackageManagers pkg="oars" dev />`). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.parsing.dialects.shown_tags import empty_quotes
from collections_app.parsing.html.escaping import make_code_span

_METHOD = re.compile(r"GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|QUERY|TRACE", re.IGNORECASE)
_PATHS = ("path", "endpoint", "route", "url", "uri")
# Of each package manager its own: `command={{ npm: "npm create oars", yarn: "yarn create oars" }}`.
_OF_NPM = re.compile(r"(?<![\w-])command\s*+=\s*+\{\{\s*+npm:\s*+(?:\"([^\"]*)\"|'([^']*)'|`([^`$]*)`)")
_MANAGERS = re.compile(r"PackageManager")
_OF_MANAGER = frozenset({"add", "create", "exec", "i", "install", "remove", "run", "uninstall", "update"})
# By the types of starlight-package-managers, as npm has them; what follows a script or a template is not npm's own.
_STEPS = {
    "add": "npm install",
    "create": "npm create",
    "dlx": "npx",
    "exec": "npx",
    "remove": "npm uninstall",
    "run": "npm run",
}
_PASSING_ON = frozenset({"create", "run"})
_DEV = re.compile(r"(?<![\w-])dev(?![\w-])(?!\s*=)")


def describe_code(name: str, attributes: str, values: Mapping[str, str]) -> str:
    """What a tag says so, and two blanks: the text of the component begins on a line of its own. Empty for nothing.

    `values` are those of the attributes that are texts.
    """
    code = _find_call(values) or _find_command(name, attributes, values) or _find_packages(name, attributes, values)
    return f"{make_code_span(code)}  " if code else ""


def _find_call(values: Mapping[str, str]) -> str:
    method, path = values.get("method", ""), next((values[key] for key in _PATHS if values.get(key)), "")
    return f"{method.upper()} {path}" if path and _METHOD.fullmatch(method) else ""


def _find_command(name: str, attributes: str, values: Mapping[str, str]) -> str:
    of_npm = _OF_NPM.search(attributes)
    command = " ".join("".join(filter(None, of_npm.groups())).split()) if of_npm else values.get("command", "")
    if _MANAGERS.search(name):
        return f"npm {command}" if command.partition(" ")[0] in _OF_MANAGER else command
    return command if " " in command else ""  # a word may be what a button does


def _find_packages(name: str, attributes: str, values: Mapping[str, str]) -> str:
    packages, kind = values.get("pkg", ""), values.get("type", "add")
    if not packages or not _MANAGERS.search(name) or kind not in _STEPS:
        return ""
    is_dev = kind == "add" and _DEV.search(empty_quotes(attributes))
    arguments = values.get("args", "")
    if arguments and kind in _PASSING_ON:
        arguments = f"-- {arguments}"
    return " ".join(filter(None, [_STEPS[kind], "-D" if is_dev else "", packages, arguments]))
