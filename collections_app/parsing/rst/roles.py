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
_LITERAL_ROLES = frozenset(["code", "file", "kbd", "literal", "program", "samp"])
_NAME_ROLES = frozenset(["command", "envvar", "keyword", "makevar", "option", "setting"])
_OBJECT_ROLES = frozenset(["attr", "class", "const", "data", "exc", "mod", "obj", "paramref", "token", "type"])
_CALL_ROLES = frozenset(["func", "meth", "function", "method"])
_TITLE_ROLES = frozenset(["ref", "numref", "doc", "term", "any", "download"])
_DOCUMENT_PREFIXES: Mapping[str, str] = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-"}

_EXPLICIT_TITLE = re.compile(r"(.+?)(?<!\s)\s*(?<!\\)<([^<>]*)>$", re.DOTALL)
# What SQLAlchemy's configuration (zzzeeksphinx_module_prefixes) says for its modules. Others' names begin so, too: `_thread.get_ident`.
_ABBREVIATIONS = (
    "asyncio associationproxy automap baked compilerext ddl declarative dml engine event events exc expression functions "
    "future futureorm horizontal hybrid mssql mutable mysql oracle orm ormevent ormevents ormexc pool postgresql query "
    "reflection result roles row sa schema scoping sql sqlite sqltypes types url util"
)
# `~` asks for the last part alone, a dot for a search, `!` for no link.
_SIGNS = re.compile(rf"!?([~.]*)(?:_(?:{_ABBREVIATIONS.replace(' ', '|')})\.)?(?=[^\W\d])")
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
    if kind in _LITERAL_ROLES:
        return [_make_code(text)]
    if kind in _NAME_ROLES:
        return [_make_code(_get_title(text).removeprefix("!"))]
    if not name or ":" in name or kind in _OBJECT_ROLES:
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
    """`open` of `~os.open`, `Session.get` of `.Session.get` and `_orm.Session.get`, `text` of `text <os.open>`: as Sphinx prints it."""
    signs = None if _EXPLICIT_TITLE.match(text) else _SIGNS.match(text)
    if signs is None:
        return _get_title(text)
    name = text[signs.end() :]
    return name.rpartition(".")[2] if "~" in signs[1] else name


def _add_parentheses(name: str) -> str:
    return name if name.endswith(")") else f"{name}()"


def _name_document(prefix: str, text: str) -> str:
    """`PEP 8`, also from `8#naming`; a title that is given stands as it is."""
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else prefix + text.lstrip("!").partition("#")[0]
