"""What inline roles say: those of Sphinx as code, names, titles or links to documents, unknown ones as their text. No role reads or runs
anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docutils import nodes

# Docutils does these itself.
_PLAIN_ROLES = frozenset(
    ["emphasis", "strong", "math", "subscript", "sub", "superscript", "sup", "title-reference", "title", "t"]
)
_DROPPED_ROLES = frozenset(["raw", "index"])
# fmt: off
_CODE_ROLES = frozenset([
    "attr", "class", "code", "command", "const", "data", "envvar", "exc", "file", "kbd", "keyword", "literal",
    "makevar", "mod", "obj", "option", "program", "samp", "setting", "token", "type",
])
# fmt: on
_CALL_ROLES = frozenset(["func", "meth", "function", "method"])
_TITLE_ROLES = frozenset(["ref", "numref", "doc", "term", "any", "download"])
_DOCUMENT_PREFIXES: Mapping[str, str] = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-"}

_EXPLICIT_TITLE = re.compile(r"(.+?)(?<!\s)\s*(?<!\\)<([^<>]*)>$", re.DOTALL)
_ACCELERATOR = re.compile(r"&(?=\S)")


def find_role_nodes(role: str, text: str) -> list[nodes.Node] | None:
    """The nodes for `text` with `role`; None if docutils is to do it."""
    name = role.lower()
    if name in _PLAIN_ROLES:
        return None
    if name in _DROPPED_ROLES:
        return []
    kind = name.rpartition(":")[2]
    if kind in _DOCUMENT_PREFIXES:
        return [nodes.Text(_name_document(_DOCUMENT_PREFIXES[kind], text))]
    if kind in _TITLE_ROLES:
        return [_make_reference(kind, text)]
    if kind in _CALL_ROLES:
        return [_make_code(_add_parentheses(_shorten(text)))]
    if not name or ":" in name or kind in _CODE_ROLES:
        return [_make_code(_shorten(text))]
    if kind in {"menuselection", "guilabel"}:
        return [nodes.strong("", _ACCELERATOR.sub("", text).replace("-->", "→"))]
    return [nodes.Text(_get_title(text))]


def _make_code(text: str) -> nodes.Node:
    return nodes.literal(text, text)


def _make_reference(kind: str, text: str) -> nodes.Node:
    """A link to another document, what the writer finds under a label, or the title that is given."""
    match = _EXPLICIT_TITLE.match(text)
    target = match[2] if match else text.lstrip("!~")
    title = match[1] if match else ""
    if kind == "doc" and target:
        return make_page_reference(title, target)
    if kind in ("ref", "numref") and target:
        label, is_numbered = nodes.fully_normalize_name(target), kind == "numref"
        return nodes.inline(text, title or target, reftarget=label, is_titled=bool(title), is_numbered=is_numbered)
    return nodes.Text(title or target)


def make_page_reference(title: str, target: str) -> nodes.Node:
    """A link to another document; without a title, the writer looks for the document's own."""
    return nodes.reference("", title or target.lstrip("/"), refuri=target, names_page=True, is_titled=bool(title))


def _get_title(text: str) -> str:
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else text


def _shorten(text: str) -> str:
    """`open` of `~os.open`, `text` of `text <os.open>`: as Sphinx prints it."""
    title = _get_title(text)
    if title.startswith("~"):
        return title[1:].rpartition(".")[2]
    return title.removeprefix("!").removeprefix(".") or title


def _add_parentheses(name: str) -> str:
    return name if name.endswith(")") else f"{name}()"


def _name_document(prefix: str, text: str) -> str:
    """`PEP 8`, also from `8#naming`; a title that is given stands as it is."""
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else prefix + text.lstrip("!").partition("#")[0]
